"""Builds the compiled extensions; everything else about the project is in pyproject.toml.

Every `*.pyx` in the folders `SOURCES` becomes one extension. Builds in place and debug builds also make
`core_inspection`, which only the tests use. Environment variables control the build:

    CHUHE_NATIVE=1             use this machine's own instruction set (the result may not run elsewhere)
    CHUHE_DEBUG=1              bounds checks and assertions on, optimisation off
    CHUHE_ASAN=1               the above, under the address and undefined-behaviour sanitizers
    CHUHE_TSAN=1               under the thread sanitizer
    CHUHE_ONLY=chuhe           build only these, or what lies in these packages (separated by spaces)

Extensions are built in parallel, one per core (`build_ext -j 1`: one after the other).

The folders `engine`, `protocol`, `bench` and `play` are packages inside `chuhe`: a checkout has links there, an
installation has them by `package_dir` (below), which also serves systems without links.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import Cython  # without it, setuptools would silently look for .c files that we do not ship
from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

ROOT = Path(__file__).resolve().parent
TESTS = "tests/helpers"  # extensions here are for the tests alone
SOURCES = ("engine", "bench/learning", "chuhe/variants", TESTS)  # folders with extensions
INNER = ("engine", "protocol", "bench", "play")  # folders beside `chuhe` that are packages inside it


def is_set(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


NATIVE, ASAN, TSAN = is_set("CHUHE_NATIVE"), is_set("CHUHE_ASAN"), is_set("CHUHE_TSAN")
DEBUG = is_set("CHUHE_DEBUG") or ASAN

# The only place where compiler directives are set. All builds use C division, so that debug builds compute the same.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "overflowcheck": False,
    "wraparound": False,
    "cdivision": True,
    "embedsignature": True,
}


# The trainer's sums may be reordered: no result must be reproduced bit for bit, and the loops are several times faster.
FAST_FLOATS = [f"-f{flag}" for flag in ("no-math-errno", "no-trapping-math", "no-signed-zeros", "associative-math")]


def compiler_arguments(microsoft: bool) -> tuple[list[str], list[str]]:
    """The arguments for the compiler and for the linker: for Microsoft's (or clang-cl), or for GCC and its like."""
    if microsoft:
        return ["/utf-8", "/Od" if DEBUG else "/O2"], []
    compile_arguments = ["-std=gnu11", "-Wno-unused-function", "-Wno-unused-variable", "-Wno-unreachable-code"]
    link_arguments: list[str] = []
    if ASAN:
        sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        compile_arguments += ["-O1", "-g", "-fno-omit-frame-pointer", *sanitizers]
        link_arguments += sanitizers
    elif TSAN:
        compile_arguments += ["-O2", "-g", "-fsanitize=thread"]
        link_arguments.append("-fsanitize=thread")
    elif DEBUG:
        # an out-of-bounds index traps at once, without a run-time library
        compile_arguments += ["-O1", "-g", "-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"]
    else:
        compile_arguments += ["-O3", "-g0", "-fno-plt", "-fno-semantic-interposition"]
    if NATIVE:
        compile_arguments.append("-march=native")
    return compile_arguments, link_arguments


def macros() -> list[tuple[str, str | None]]:
    return [("CHUHE_DEBUG", "1")] if DEBUG else [("NDEBUG", "1"), ("CYTHON_WITHOUT_ASSERTIONS", "1")]


def included_files(directories: list[str]) -> list[str]:
    """What an extension with these directories may include: a change there must rebuild it."""
    patterns = ("*.h", "*/*.pxd", "*/*.pxi", "*/*.h")
    found = {path for directory in directories for pattern in patterns for path in (ROOT / directory).glob(pattern)}
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def module_name(source: Path) -> str:
    parts = source.with_suffix("").parts
    return ".".join(("chuhe", *parts) if parts[0] in INNER else parts)


def extensions() -> list[Extension]:
    result = []
    for folder, path in sorted((place, path) for place in SOURCES for path in ROOT.glob(f"{place}/**/*.pyx")):
        source = path.relative_to(ROOT)
        tests = folder == TESTS
        extension = Extension(
            source.stem if tests else module_name(source),
            sources=[source.as_posix()],
            include_dirs=["engine/core", "engine" if tests else folder],
            define_macros=macros(),
        )
        # the games' methods run without the GIL, where Cython cannot check for None; arguments are declared `not None`
        # the core's public classes begin their docstring with a signature in the form that `inspect` reads
        own = {"embedsignature": False} if source.name == "_core.pyx" else {"nonecheck": False}
        directives = {**DIRECTIVES, **own}
        extension.cython_directives = dict(directives)  # type: ignore[attr-defined]
        result.append(extension)
    return result


def generate_tunables() -> None:
    """Write engine/core/tunables.pxi from the table, with the generator next to it."""
    generator, table = ROOT / "engine" / "tunables.py", ROOT / "engine" / "tunables.txt"
    if not (generator.exists() and table.exists()):
        return
    spec = importlib.util.spec_from_file_location("chuhe_tunables", generator)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    target = ROOT / "engine" / "core" / "tunables.pxi"
    fresh = target.with_name(f"tunables.{os.getpid()}.tmp")
    module.write_pxi(table, fresh)
    if target.exists() and target.read_bytes() == fresh.read_bytes():
        fresh.unlink()
    else:
        os.replace(fresh, target)


def inputs(extension: Extension) -> list[str]:
    """Every file that an extension is built from."""
    return [*extension.sources, *extension.depends]


def translate(extension: Extension, c_file: Path) -> None:
    """Translates Cython to C in a separate process: Cython holds the GIL, so threads would wait for each other."""
    c_file.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "cython", extension.sources[0], "--output-file", str(c_file.absolute())]
    command += ["--module-name", extension.name]
    for directory in [*extension.include_dirs, "."]:  # below `.`, cimport finds chuhe/variants
        command += ["-I", directory]
    for name, value in extension.cython_directives.items():
        command += ["-X", f"{name}={value}"]
    if subprocess.run(command, cwd=ROOT).returncode != 0:
        raise CompileError(f"Cython could not translate {extension.sources[0]}")


class BuildExtensions(build_ext):
    """Builds what changed, each extension in its own thread, and prints progress.

    A change of flags also triggers a rebuild. A library is replaced, never overwritten: a process may have it mapped.
    """

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count() or 1
        if not (self.inplace or DEBUG):
            self.extensions = [extension for extension in self.extensions if extension.name.startswith("chuhe.")]
        if only := os.environ.get("CHUHE_ONLY", "").split():
            names = {extension.name for extension in self.extensions}
            chosen = {word: {name for name in names if f"{name}.".startswith(f"{word}.")} for word in only}
            unknown = [word for word, found in chosen.items() if not found]
            if unknown and not SKIP:
                raise SystemExit(f"CHUHE_ONLY names unknown extensions: {' '.join(unknown)}")
            wanted = set().union(*chosen.values())
            self.extensions = [extension for extension in self.extensions if extension.name in wanted]

    def run(self) -> None:
        generate_tunables()
        self.sources = {extension.name: extension.sources[0] for extension in self.extensions}
        for extension in self.extensions:  # tunables.pxi may not have existed when the list was made
            extension.depends = included_files(extension.include_dirs)
        # longest first, so that it does not finish last; what the tests have includes much of the core but is short
        self.extensions.sort(key=lambda extension: -sum((ROOT / path).stat().st_size for path in inputs(extension)))
        self.extensions.sort(key=lambda extension: not extension.name.startswith("chuhe."))
        super().run()

    def build_extensions(self) -> None:
        """The arguments depend on the compiler, not on the system: mingw takes those of GCC."""
        microsoft = self.compiler.compiler_type == "msvc"
        for extension in self.extensions:
            compile_arguments, link_arguments = compiler_arguments(microsoft)
            if extension.name.endswith("._trainer"):
                compile_arguments += ["/fp:fast"] if microsoft else FAST_FLOATS
            extension.extra_compile_args, extension.extra_link_args = compile_arguments, link_arguments
        super().build_extensions()

    def build_extension(self, extension: Extension) -> None:
        flags = json.dumps([extension.extra_compile_args, extension.define_macros, extension.cython_directives,
                            Cython.__version__], sort_keys=True)  # fmt: skip
        c_file = Path(self.build_temp, extension.sources[0]).with_suffix(".c")
        library, stamp = Path(self.get_ext_fullpath(extension.name)), c_file.with_suffix(".flags.json")
        newest = max((ROOT / path).stat().st_mtime for path in inputs(extension))
        known = stamp.exists() and stamp.read_text() == flags
        if known and not self.force and library.exists() and library.stat().st_mtime > newest:
            return
        begun = time.monotonic()
        print(f"compiling {extension.name} …", flush=True)
        library.unlink(missing_ok=True)
        translate(extension, c_file)
        extension.sources = [c_file.as_posix()]
        super().build_extension(extension)
        stamp.write_text(flags)
        print(f"compiled {extension.name} in {time.monotonic() - begun:.0f} s", flush=True)

    def copy_extensions_to_source(self) -> None:
        for extension in self.extensions:
            file_name = self.get_ext_filename(extension.name)
            built = Path(self.build_lib) / file_name
            source = Path(self.sources[extension.name])
            target = ROOT / source.with_name(Path(file_name).name)
            if target.exists() and target.read_bytes() == built.read_bytes():
                continue
            fresh = target.with_name(f".{target.name}.{os.getpid()}")
            shutil.copy2(built, fresh)
            os.replace(fresh, target)


# An editable install without extensions: the Makefile then builds them in place, only what changed.
SKIP = is_set("CHUHE_SKIP_EXTENSIONS")

inner = find_packages(ROOT, include=[f"{name}{rest}" for name in INNER for rest in ("", ".*")])
linked = [f"chuhe.{name}{rest}" for name in INNER for rest in ("", ".*")]  # in a checkout; the same as `inner`
setup(
    packages=[*find_packages(ROOT, include=["chuhe", "chuhe.*"], exclude=linked), *(f"chuhe.{name}" for name in inner)],
    package_dir={"chuhe": "chuhe", **{f"chuhe.{name}": name for name in INNER}},
    ext_modules=[] if SKIP else extensions(),
    cmdclass={"build_ext": BuildExtensions},
)
