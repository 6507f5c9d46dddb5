"""Compiling the extensions for another system, from the C files and flags that `setup.py build_ext` left behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("chuhe", "engine", "protocol", "bench", "play")
CODE = (".py", ".pyi", ".pyx", ".pxi", ".pxd", ".h", ".c", ".so", ".pyc")


class BuildError(Exception):
    """What is missing or failed, in one line."""


def need(program: str, package: str) -> str:
    """The path of a program; BuildError names the Debian package that has it."""
    found = shutil.which(program) or shutil.which(program, path="/usr/lib/wine")
    if found is None:
        raise BuildError(f"{program} is missing (Debian: apt-get install {package})")
    return found


def run(*command: str | Path, cwd: Path | None = None) -> None:
    """Run a program; its output is only shown if it fails."""
    ended = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, errors="replace")
    if ended.returncode != 0:
        sys.stderr.write(ended.stdout + ended.stderr)
        raise BuildError(f"{Path(command[0]).name} failed")


def translated() -> dict[str, tuple[Path, list[str]]]:
    """Every extension's C file and compiler flags, by its path below ROOT."""
    print("translating what changed …", flush=True)
    run(sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", cwd=ROOT)
    found = {}
    for stamp in sorted(ROOT.glob("build/temp.*/**/*.flags.json")):
        flags, macros, *_ = json.loads(stamp.read_text(encoding="utf-8"))
        source = stamp.with_name(stamp.name.removesuffix(".flags.json") + ".c")
        base = next(parent for parent in stamp.parents if parent.name.startswith("temp."))
        name = source.relative_to(base).with_suffix("").as_posix()
        if (ROOT / name).with_suffix(".pyx").exists():
            found[name] = source, [*flags, *(f"-D{key}={value}" for key, value in macros)]
    return found


def compile_extensions(
    compiler: list[str], arguments: list[str], libraries: list[str], target: Path, suffix: str, *, tests: bool = False
) -> None:
    """Compile every extension of the package to `target/NAME + suffix`, side by side; or those of the tests."""
    extensions = {name: built for name, built in translated().items() if name.startswith("tests/") == tests}

    def build(item: tuple[str, tuple[Path, list[str]]]) -> None:
        name, (source, flags) = item
        library = target / f"{name.removeprefix('chuhe/')}{suffix}"
        library.parent.mkdir(parents=True, exist_ok=True)
        includes = [f"-I{ROOT / 'engine' / 'core'}", f"-I{ROOT / Path(name).parent}"]
        run(*compiler, "-shared", *flags, *arguments, *includes, source, "-o", library, *libraries)
        print(f"compiled {library.name}", flush=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        # the longest first, so that it does not finish last
        list(pool.map(build, sorted(extensions.items(), key=lambda item: -item[1][0].stat().st_size)))


def copy_package(target: Path, *, sources: bool = True) -> None:
    """Lay the package `chuhe` out as an installation has it: Python files and data, no compiled code."""
    for package in PACKAGES:
        place = target if package == "chuhe" else target / package
        for path in sorted((ROOT / package).rglob("*")):
            name = path.relative_to(ROOT / package)
            inner = package == "chuhe" and name.parts[0] in PACKAGES  # the links of a checkout
            skipped = path.suffix in CODE and not (sources and path.suffix == ".py")
            if path.is_file() and not inner and not skipped and "__pycache__" not in name.parts:
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, place / name)
