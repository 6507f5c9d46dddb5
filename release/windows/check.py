"""`make windows-test`: Chuhe's tests on Windows' own Python, and the packed folder as a user has it, under wine.

ARGS selects tests, as pytest's arguments; ARGS=folder runs only the tests of the packed folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import build  # beside this file
from build import HERE, ROOT, WORK
from cross import BuildError, need, run

STAGE = WORK / "test"
# what runs inside: the core, the law, tables, books, the protocol by transcripts, files and streams
TESTS = (
    "engine/test_perft engine/test_law engine/test_fen engine/test_position engine/test_network records/test_book "
    "engine/test_endgame engine/test_endgame_files engine/test_endgame_engine files/test_writing "
    "engine/test_notation engine/test_engine engine/test_machine protocol/test_transcripts protocol/test_programs "
    "protocol/test_session protocol/test_options protocol/test_parse protocol/test_format bench/test_store "
    "bench/test_game_files play/test_workspace play/test_xiangqi_game chuhe/test_streams commands/test_judge"
).split()


ELSEWHERE = (  # they start a Linux program
    "engine/test_endgame.py::test_an_independent_engine_finds_the_same_mates",
)


def stage() -> Path:
    """The folder as it is unpacked, below a directory with a Chinese name, and beside it what the tests need."""
    archive = build.build()
    shutil.rmtree(STAGE, ignore_errors=True)
    place = STAGE / "象棋 引擎"
    place.mkdir(parents=True)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(place)
    folder = next(place.iterdir())
    build.compile_program(HERE / "python.c", folder / "python.exe")
    build.compile_for_windows(STAGE, tests=True)
    tools = WORK / "tools"
    if not tools.exists():
        print("fetching pytest, hypothesis and pyffish for Windows …", flush=True)
        run(sys.executable, "-m", "pip", "install", "--quiet", "--target", tools, "--platform", "win_amd64",
            "--python-version", "311", "--only-binary=:all:", "pytest>=8", "hypothesis>=6.100",
            "pyffish>=0.0.83")  # fmt: skip
    return folder


def environment(folder: Path) -> dict[str, str]:
    paths = [folder / "python.zip", folder / "lib", build.PYTHON / "Lib", WORK / "tools"]
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        "WINEPREFIX": str(WORK / "wine"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=",
        "CHUHE_WINDOWS_FOLDER": str(folder),
        "PYTHONHOME": windows(folder),
        "PYTHONPATH": ";".join(map(windows, paths)),
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def windows(path: Path) -> str:
    """How wine calls this path."""
    return "Z:" + str(path).replace("/", "\\")


def inner_tests(wine: str, folder: Path, arguments: list[str]) -> int:
    """Our own tests on the Windows build; pytest's exit code."""
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(ROOT / "tests", STAGE / "tests", ignore=ignored, dirs_exist_ok=True)
    shutil.copyfile(ROOT / "pyproject.toml", STAGE / "pyproject.toml")
    shutil.copytree(ROOT / "docs", STAGE / "docs")
    files = [f"tests/{name}.py" for name in TESTS]
    files += [f"--deselect=tests/{name}" for name in ELSEWHERE]
    command = [wine, str(folder / "python.exe"), "-m", "pytest", "-q", "-p", "no:cacheprovider", *(arguments or files)]
    pipe = subprocess.Popen(
        command, cwd=STAGE, env=environment(folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert pipe.stdout is not None
    for line in pipe.stdout:  # wine needs a pipe; we pass the lines on
        sys.stdout.write(line.decode("utf-8", "replace"))
        sys.stdout.flush()
    return pipe.wait()


def folder_tests(folder: Path) -> int:
    """The folder as a user has it; pytest's exit code. The tests compare with the native build."""
    own = {name: value for name, value in environment(folder).items() if not name.startswith("PYTHON")}
    own["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / "test_folder.py")]
    return subprocess.run(command, cwd=ROOT, env=own).returncode


if __name__ == "__main__":
    try:
        wine = need("wine64", "wine64")
        unpacked = stage()
    except BuildError as error:
        sys.exit(f"make windows-test: {error}")
    failed = inner_tests(wine, unpacked, sys.argv[1:]) if sys.argv[1:] != ["folder"] else 0
    if not sys.argv[1:] or sys.argv[1:] == ["folder"]:
        failed = folder_tests(unpacked) or failed
    sys.exit(failed)
