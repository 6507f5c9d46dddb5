"""`make macos-check`: the extensions compiled and linked for macOS by the clang in PyPI's `ziglang`; nothing is run."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from cross import ROOT, BuildError, compile_extensions, run

WORK = ROOT / "build" / "macos"
TOOL = "ziglang==0.17.0"
# a target attribute that clang does not know would be ignored with a warning; two of our flags mean nothing there
WARNINGS = ["-Werror", "-Wno-unused-command-line-argument"]


def check() -> None:
    if not (WORK / "tools").exists():
        print("fetching ziglang (about 100 MB) …", flush=True)
        run(sys.executable, "-m", "pip", "install", "--quiet", "--target", WORK / "tools", TOOL)
    includes = [f"-I{sysconfig.get_path('include')}"]  # Linux and macOS have the same sizes
    for machine in ("aarch64", "x86_64"):
        compiler = [str(WORK / "tools" / "ziglang" / "zig"), "cc", "-target", f"{machine}-macos"]
        target = WORK / machine
        compile_extensions(compiler, [*includes, *WARNINGS], ["-undefined", "dynamic_lookup"], target, ".so")
        print(f"{machine}: {len(list(target.rglob('*.so')))} extensions", flush=True)


if __name__ == "__main__":
    try:
        check()
    except BuildError as error:
        sys.exit(f"make macos-check: {error}")
