"""`make arm-test`: Chuhe compiled for 64-bit ARM, and its tests of the compiled code under qemu.

The Python for ARM is Debian's: its packages are unpacked into build/arm/root, and nothing is installed. It must have
the version of the Python that runs this program.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from cross import ROOT, BuildError, compile_extensions, copy_package, need, run

WORK = ROOT / "build" / "arm"
SYSTEM = WORK / "root"  # Debian's packages for ARM, unpacked
STAGE = WORK / "test"
GCC, COMPILER_PACKAGE = "aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
QEMU, QEMU_PACKAGE = "qemu-aarch64-static", "qemu-user-static"
PYTHON = f"python{sys.version_info[0]}.{sys.version_info[1]}"
PACKAGES = (
    f"{PYTHON}-minimal lib{PYTHON}-minimal lib{PYTHON}-stdlib lib{PYTHON}-dev libc6 libgcc-s1 libstdc++6 zlib1g "
    "libexpat1 libffi8 libssl3 libbz2-1.0 liblzma5 libsqlite3-0"
).split()
# perft, the law, the kernels against the plain loops, search, tables and the trainer; no test that needs an x86 program
TOOLS = ("pytest>=8", "hypothesis>=6.100", "numpy>=1.26")
TESTS = (
    "engine/test_platform engine/test_perft engine/test_law engine/test_network engine/test_engine records/test_book "
    "engine/test_endgame_files engine/test_mates protocol/test_transcripts bench/test_training"
).split()


def unpack_system() -> None:
    """Fetch and unpack Debian's Python for ARM, with an apt whose state is all in build/arm."""
    stamp = SYSTEM / "unpacked.txt"
    if stamp.exists() and stamp.read_text() == " ".join(PACKAGES):
        return
    apt, dpkg = need("apt-get", "apt"), need("dpkg-deb", "dpkg")
    state, packages = WORK / "apt", WORK / "packages"
    for path in (SYSTEM, state, packages):
        shutil.rmtree(path, ignore_errors=True)
    for path in (SYSTEM, packages, state / "lists" / "partial", state / "cache" / "archives" / "partial"):
        path.mkdir(parents=True)
    (state / "status").touch()
    options = [
        "APT::Architecture=arm64", "APT::Architectures=arm64", "APT::Sandbox::User=root", "Debug::NoLocking=1",
        f"Dir::State={state}", f"Dir::State::status={state / 'status'}", f"Dir::Cache={state / 'cache'}",
    ]  # fmt: skip
    settings = [word for option in options for word in ("-o", option)]
    print("fetching Debian's Python for ARM (about 20 MB) …", flush=True)
    run(apt, *settings, "-qq", "update")
    run(apt, *settings, "-qq", "download", *PACKAGES, cwd=packages)
    for package in sorted(packages.glob("*.deb")):
        run(dpkg, "-x", package, SYSTEM)
    stamp.write_text(" ".join(PACKAGES))


def stage() -> None:
    """The package for ARM, the tests and their tools, beside each other."""
    shutil.rmtree(STAGE, ignore_errors=True)
    headers = SYSTEM / "usr" / "include"
    includes = [f"-I{headers / PYTHON}", f"-I{headers / 'aarch64-linux-gnu' / PYTHON}", f"-I{headers}"]
    suffix = f".cpython-{sys.version_info[0]}{sys.version_info[1]}-aarch64-linux-gnu.so"
    for target, tests in ((STAGE / "chuhe", False), (STAGE, True)):
        compile_extensions([need(GCC, COMPILER_PACKAGE)], ["-fPIC", *includes], [], target, suffix, tests=tests)
    copy_package(STAGE / "chuhe")
    for name in ("tests", "docs"):
        ignored = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(ROOT / name, STAGE / name, ignore=ignored, dirs_exist_ok=True)
    shutil.copyfile(ROOT / "pyproject.toml", STAGE / "pyproject.toml")
    if not (WORK / "tools" / "numpy").exists():
        print("fetching pytest, hypothesis and NumPy …", flush=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", WORK / "tools", "--only-binary=:all:"]
        run(*pip, "--platform", "manylinux2014_aarch64", "--platform", "manylinux_2_28_aarch64", *TOOLS)


def launcher() -> Path:
    """A program that runs Python for ARM: the tests start others of its kind."""
    python = STAGE / "python"
    python.write_text(
        f'#!/bin/sh\nexec {need(QEMU, QEMU_PACKAGE)} -0 "$0" -L {SYSTEM} {SYSTEM}/usr/bin/{PYTHON} "$@"\n'
    )
    python.chmod(0o755)
    return python


def nodes(python: str | Path, cwd: Path, environment: dict[str, str]) -> str:
    """The node count of `chuhe bench`."""
    command = [str(python), "-m", "chuhe", "bench"]
    ended = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    found = [line for line in ended.stdout.splitlines() if line.startswith("nodes:")]
    if not found:
        raise BuildError(f"chuhe bench failed: {ended.stderr.strip().splitlines()[-1:]}")
    return found[0]


def check(arguments: list[str]) -> int:
    need(QEMU, QEMU_PACKAGE)
    unpack_system()
    stage()
    python = launcher()
    native = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {
        **native,
        "PYTHONHOME": str(SYSTEM / "usr"),
        "PYTHONPATH": f"{STAGE}:{WORK / 'tools'}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "CHUHE_SLOW_BUILD": "1",
    }
    print("chuhe bench, here and under qemu …", flush=True)
    expected, counted = nodes(sys.executable, ROOT, native), nodes(python, STAGE, environment)
    print(f"{counted} on ARM, {expected} here", flush=True)
    files = arguments or [*(f"tests/{name}.py" for name in TESTS), "-k", "not chess"]  # no python-chess for ARM here
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    return subprocess.run(command, cwd=STAGE, env=environment).returncode or int(counted != expected)


if __name__ == "__main__":
    try:
        sys.exit(check(sys.argv[1:]))
    except BuildError as error:
        sys.exit(f"make arm-test: {error}")
