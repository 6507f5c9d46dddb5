"""`make windows`: dist/chuhe-VERSION-windows-x86_64.zip, built on Linux with mingw.

The folder holds chuhe.exe, a CPython of its own, and the libraries that the terminal game, the page and matches need.
All parts come from the registries by name and checksum: the interpreter and the libraries from the package index
(parts.txt), Python's headers and standard library from Debian's copy of its source. The Python that runs this program
only turns the library into byte code, so it must be a 3.11 as well.
"""

from __future__ import annotations

import compileall
import hashlib
import py_compile
import shutil
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from cross import ROOT, BuildError, compile_extensions, copy_package, need, run

HERE = Path(__file__).resolve().parent
WORK = ROOT / "build" / "windows"
FOLDER = WORK / "chuhe"  # the folder that is packed
GCC = "x86_64-w64-mingw32-gcc-win32"
MINGW, TOOLS = "gcc-mingw-w64-x86-64-win32", "mingw-w64-tools"
VERSION = (3, 11)  # of the CPython in the wheel of panda3d

# Upstream's archive as Debian 12 carries it. It stays in the pool, while a binary package goes with the next update.
SOURCE = "http://deb.debian.org/debian/pool/main/p/python3.11/python3.11_3.11.2.orig.tar.gz"
SOURCE_HASH = "2411c74bda5bbcfcddaf4531f66d1adc73f247f529aee981b029513aefdbf849"
PYTHON = WORK / "python"  # what we use of it: headers, standard library, licence
INCLUDES = [f"-I{PYTHON / 'Include'}", "-DMS_WIN64"]  # which it defines only for Microsoft's compiler

# of the wheel's files; what we leave out (Tk, XML, compression) is not used by any command
RUNTIME = ("python311.dll", "VCRUNTIME140.dll", "libcrypto-3.dll", "libssl-3.dll", "libffi-8.dll", "sqlite3.dll")
MODULES = (
    "_asyncio _ctypes _hashlib _lzma _multiprocessing _overlapped _queue _socket _sqlite3 _ssl select unicodedata"
).split()
UNUSED = set(
    "test tkinter idlelib lib2to3 ensurepip turtledemo turtle.py distutils venv pydoc_data pydoc.py curses dbm "
    "unittest xml xmlrpc wsgiref site-packages lib-dynload __pycache__ antigravity.py this.py".split()
)


def version() -> str:
    facts: dict[str, str] = {}
    exec((ROOT / "engine" / "version.py").read_text(encoding="utf-8"), facts)
    return facts["VERSION"]


def fetch_parts() -> dict[str, Path]:
    """The files of parts.txt by the name of their project; those that are here already are not fetched again."""
    parts = WORK / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    stamp, wanted = parts / "fetched.txt", (HERE / "parts.txt").read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        print("fetching the parts (about 70 MB) …", flush=True)
        shutil.rmtree(parts)
        parts.mkdir()
        run(
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--dest", parts,
            "--platform", "win_amd64", "--python-version", "311", "--implementation", "cp", "--requirement",
            HERE / "parts.txt",
        )  # fmt: skip
        stamp.write_text(wanted, encoding="utf-8")
    return {path.name.split("-")[0]: path for path in parts.iterdir() if path != stamp}


def fetch_source() -> None:
    """Python's headers with Windows' configuration, its standard library and licence, in PYTHON."""
    stamp = PYTHON / "checksum.txt"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == SOURCE_HASH:
        return
    print("fetching Python's source (26 MB) …", flush=True)
    shutil.rmtree(PYTHON, ignore_errors=True)
    PYTHON.mkdir()
    archive = WORK / "python.tar.gz"
    try:
        with urllib.request.urlopen(SOURCE, timeout=60) as answer, archive.open("wb") as file:
            shutil.copyfileobj(answer, file)
    except OSError as error:
        raise BuildError(f"{SOURCE} cannot be fetched: {error}") from None
    if hashlib.sha256(archive.read_bytes()).hexdigest() != SOURCE_HASH:
        raise BuildError(f"{SOURCE} does not have the checksum {SOURCE_HASH}")
    for name, data in members(archive):
        if name.startswith(("Include/", "Lib/")) or name in ("PC/pyconfig.h", "LICENSE"):
            target = PYTHON / name.replace("PC/", "Include/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    archive.unlink()
    stamp.write_text(SOURCE_HASH, encoding="utf-8")


def unpack_python(wheel: Path) -> None:
    """The interpreter's DLLs beside the program, its modules in lib, and an import library for the linker."""
    with zipfile.ZipFile(wheel) as archive:
        for name in RUNTIME:
            (FOLDER / name).write_bytes(archive.read(f"deploy_libs/{name}"))
        for name in MODULES:
            (FOLDER / "lib" / f"{name}.pyd").write_bytes(archive.read(f"deploy_libs/{name}.pyd"))
    gendef, dlltool = need("gendef", TOOLS), need("x86_64-w64-mingw32-dlltool", MINGW)
    run(gendef, FOLDER / "python311.dll", cwd=WORK)
    run(dlltool, "-d", "python311.def", "-l", "libpython311.a", "-D", "python311.dll", cwd=WORK)


def unpack_libraries(parts: dict[str, Path]) -> None:
    """The libraries, and their licences."""
    for name, path in parts.items():
        if name == "panda3d":
            continue
        licences = FOLDER / "licences" / name
        licences.mkdir(parents=True)
        for member, data in members(path):
            last = member.rsplit("/", 1)[-1]
            if any(word in last.upper() for word in ("LICENSE", "LICENCE", "COPYING", "AUTHORS")):
                (licences / last).write_bytes(data)
            elif member.startswith(f"{name}/") and "/test" not in member and member.endswith((".py", ".pyd", ".json")):
                target = FOLDER / "lib" / member
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
        if not any(licences.iterdir()):
            raise BuildError(f"{path.name} holds no licence")


def members(path: Path) -> list[tuple[str, bytes]]:
    """The files of a wheel or of a source archive (without its top folder)."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return [(name, wheel.read(name)) for name in wheel.namelist() if not name.endswith("/")]
    with tarfile.open(path) as archive:
        files = [(member.name.split("/", 1)[1], archive.extractfile(member)) for member in archive if member.isfile()]
        return [(name, file.read()) for name, file in files if file is not None]


def pack_standard_library() -> None:
    """python.zip: the standard library as byte code."""
    library = PYTHON / "Lib"
    print("packing the standard library …", flush=True)
    scratch = WORK / "module.pyc"
    with zipfile.ZipFile(FOLDER / "python.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(library.rglob("*.py")):
            name = path.relative_to(library)
            top = name.parts[0]
            if top in UNUSED or "test" in name.parts:
                continue
            py_compile.compile(
                str(path), str(scratch), dfile=name.as_posix(), doraise=True,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )  # fmt: skip
            archive.write(scratch, name.with_suffix(".pyc").as_posix())


def compile_python_files() -> None:
    """Byte code beside our files and the libraries: the folder may be read-only."""
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    if not compileall.compile_dir(FOLDER / "lib", quiet=1, stripdir=str(FOLDER), invalidation_mode=mode):
        raise BuildError("a Python file could not be compiled")


def compile_program(source: Path, target: Path) -> None:
    run(
        need(GCC, MINGW), "-O2", "-municode", *INCLUDES, source, "-o", target, f"-L{WORK}", "-lpython311",
        "-static-libgcc", "-s", "-Wl,--stack,8000000",
    )  # fmt: skip


def pack(name: str) -> Path:
    target = ROOT / "dist" / f"{name}.zip"
    target.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(FOLDER.rglob("*")):
            if path.is_file():
                archive.write(path, f"{name}/{path.relative_to(FOLDER).as_posix()}")
    return target


def compile_for_windows(target: Path, tests: bool = False) -> None:
    compile_extensions(
        [need(GCC, MINGW)], [*INCLUDES, "-Wa,-muse-unaligned-vector-move", "-s"],
        [f"-L{WORK}", "-lpython311", "-static-libgcc"], target, ".pyd", tests=tests,
    )  # fmt: skip


def build() -> Path:
    if sys.version_info[:2] != VERSION:
        raise BuildError("make windows needs Python 3.11, the version of its CPython for Windows: PYTHON=python3.11")
    need(GCC, MINGW)
    parts = fetch_parts()
    fetch_source()
    shutil.rmtree(FOLDER, ignore_errors=True)
    (FOLDER / "lib").mkdir(parents=True)
    (FOLDER / "licences").mkdir()
    unpack_python(parts["panda3d"])
    unpack_libraries(parts)
    compile_program(HERE / "launcher.c", FOLDER / "chuhe.exe")
    compile_for_windows(FOLDER / "lib" / "chuhe")
    copy_package(FOLDER / "lib" / "chuhe")
    pack_standard_library()
    compile_python_files()
    for name, source in {
        "LICENSE.txt": ROOT / "LICENSE",
        "README.md": ROOT / "README.md",
        "READ-ME-FIRST.txt": HERE / "READ-ME-FIRST.txt",
        "licences/notices.txt": HERE / "notices.txt",
        "licences/Python.txt": PYTHON / "LICENSE",
    }.items():
        shutil.copyfile(source, FOLDER / name)
    return pack(f"chuhe-{version()}-windows-x86_64")


if __name__ == "__main__":
    try:
        made = build()
    except BuildError as error:
        sys.exit(f"make windows: {error}")
    print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB")
