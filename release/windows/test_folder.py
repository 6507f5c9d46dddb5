"""The unpacked folder as a user has it: chuhe.exe under wine, below a directory with a Chinese name.

`make windows-test` runs this after our own tests; CHUHE_WINDOWS_FOLDER says where the folder is.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(os.environ["CHUHE_WINDOWS_FOLDER"])
WINE = shutil.which("wine64") or "/usr/lib/wine/wine64"
GCC = "x86_64-w64-mingw32-gcc-win32"
CORE = Path(__file__).resolve().parents[2] / "engine" / "core"
ALONE = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def wine(
    *command: str | Path, typed: str | bytes = "", cwd: Path | None = None, environment: dict[str, str] = ALONE
) -> str:
    """What a Windows program prints, stderr included; it must end with 0."""
    ended = subprocess.run(
        [WINE, *map(str, command)], input=typed.encode() if isinstance(typed, str) else typed, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=300, cwd=cwd, env=environment,
    )  # fmt: skip
    text = ended.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
    assert ended.returncode == 0, text
    return text


def chuhe(*arguments: str | Path, typed: str | bytes = "", cwd: Path | None = None) -> str:
    return wine(FOLDER / "chuhe.exe", *arguments, typed=typed, cwd=cwd)


def python(script: str) -> str:
    """What a script prints that runs on the interpreter of chuhe.exe."""
    paths = [f"Z:{FOLDER}/python.zip", f"Z:{FOLDER}/lib"]
    environment = {**ALONE, "PYTHONHOME": f"Z:{FOLDER}", "PYTHONPATH": ";".join(paths), "PYTHONUTF8": "1"}
    return wine(FOLDER / "python.exe", "-c", script, cwd=FOLDER, environment=environment)


def natively(*arguments: str) -> str:
    return subprocess.run(["chuhe", *arguments], capture_output=True, text=True, check=True).stdout


def test_a_gui_starts_it_without_arguments_from_anywhere(tmp_path: Path) -> None:
    lines = chuhe(typed="ucci\nposition startpos\ngo depth 6\n", cwd=tmp_path).splitlines()
    assert "ucciok" in lines
    assert any(line.startswith("bestmove ") for line in lines)


def test_bench_counts_the_same_nodes_as_here() -> None:
    def nodes(text: str) -> str:
        return next(line for line in text.splitlines() if line.startswith("nodes:"))

    assert nodes(chuhe("bench")) == nodes(natively("bench"))


def test_perft() -> None:
    assert "3290240" in re.sub(r"[ ,_]", "", chuhe("perft", "4"))


def test_all_kernels_that_the_machine_has_are_used() -> None:
    script = "import chuhe.engine._core as core; print(core.vector_paths())"
    here = subprocess.run(["python", "-c", script], capture_output=True, text=True, check=True).stdout
    assert python(script) == here


def test_a_game_through_a_pipe_in_chinese() -> None:
    text = chuhe("play", "--level", "1", "--notation", "chinese", "--seed", "1", typed="炮二平五\nhistory\nquit\n")
    assert "1. 炮二平五" in text
    older = chuhe("play", "--level", "1", "--seed", "1", typed="no move\nquit\n".encode("gbk"))
    assert "'no move'" in older


def test_threads_a_big_table_and_the_book() -> None:
    commands = (
        "uci\nsetoption name Threads value 4\nsetoption name Hash value 256\nisready\n"
        "position startpos\ngo movetime 300\n"
    )
    booked = chuhe(typed=commands)  # the end of the input waits for the answer
    assert re.search(r"^bestmove [a-i]", booked, re.M)
    searched = chuhe(typed=commands.replace("isready", "setoption name OwnBook value false\nisready"))
    assert re.search(r"^bestmove [a-i]", searched, re.M)


def test_a_table_is_built_probed_and_replaced_while_it_is_mapped(tmp_path: Path) -> None:
    place = tmp_path / "残局"
    place.mkdir()
    chuhe("endgame", "build", "--path", place, "KPK")
    assert "win" in chuhe("endgame", "probe", "--path", place, "--fen", "3k5/9/9/9/4P4/9/9/9/9/4K4 w").lower()
    script = (
        "import os; from pathlib import Path; from chuhe.engine._core import MappedFile\n"
        "from chuhe.files.writing import write_file\n"
        f"path = next(Path(r'Z:{place}').glob('*.egt'))\n"
        "mapped = MappedFile(os.fsencode(path)); before = bytes(mapped)\n"
        "write_file(path, b'new'); assert bytes(mapped) == before; print(path.read_bytes())"
    )
    assert "b'new'" in python(script)


def test_a_match_of_chuhe_exe_with_itself(tmp_path: Path) -> None:
    program = "Z:" + str(FOLDER / "chuhe.exe").replace("/", "\\")
    engines = [f'"{program}"', f'"{program}"']
    text = chuhe("match", *engines, *"--depth 2 --games 2 --max-moves 30 --no-report --output 自".split(), cwd=tmp_path)
    results = (tmp_path / "自" / "results.jsonl").read_bytes()
    assert len(results.splitlines()) == 3, text
    assert b"\r" not in results


@pytest.mark.parametrize("command", ["analyze", "endgame", "serve", "play"])
def test_a_command_shows_its_help(command: str) -> None:
    assert chuhe(command, "--help").startswith("usage:")


def test_every_command_has_what_its_help_needs() -> None:
    script = (
        "from chuhe.cli import COMMANDS, main\n"
        "for name in COMMANDS:\n"
        "    try: code = main([name, '--help'])\n"
        "    except SystemExit as end: code = end.code\n"
        "    assert not code, name\n"
        "print(len(COMMANDS))"
    )
    text = python(script)
    assert text.count("\nusage:") + 1 == int(text.split()[-1])


def test_the_licences_are_inside() -> None:
    names = {path.name for path in (FOLDER / "licences").iterdir()}
    assert {"Python.txt", "notices.txt", "tornado", "prompt_toolkit", "chess", "cchess", "tqdm", "wcwidth"} <= names


# mingw has all of Microsoft's intrinsics but this one
MSVC = ["-DCHUHE_MSVC=1", "-D_InterlockedExchangeAdd8(p,v)=__sync_fetch_and_add((p),(v))"]
PROGRAM = r"""
#include <stdio.h>
#include "cpu_features.h"
int main(void) {
    int flag = 5, before = 0, i;
    uint16_t word = 700;
    uint8_t byte = 9;
    uint64_t x = 0x8001000000F00100ULL;
    int64_t start = chuhe_now();
    chuhe_save(&flag, 6); before = chuhe_load(&flag); chuhe_publish(&flag, 7);
    chuhe_save16(&word, 701);
    chuhe_prefetch(&flag);
    for (i = 0; i < 64; i++) before += chuhe_count(x << i) * (i + 1) + chuhe_lowest((uint64_t)1 << i);
    printf("%d %d %d %d %d %d %llx %d %d\n", before, chuhe_observe(&flag), chuhe_load16(&word), chuhe_less8(&byte),
           chuhe_load8(&byte), chuhe_ctz(0x500), (unsigned long long)chuhe_swap(x), chuhe_cpu_features(),
           chuhe_now() >= start && start > 0);
    return 0;
}
"""


def test_the_branches_for_microsofts_compiler_compute_what_the_others_do(tmp_path: Path) -> None:
    (tmp_path / "both.c").write_text(PROGRAM)
    answers = []
    for name, compiler, more in (("native", "gcc", []), ("mingw", GCC, []), ("msvc", GCC, MSVC)):
        program = tmp_path / f"{name}.exe"
        flags = ["-O2", "-Wno-unused-function", f"-I{CORE}", *more]
        subprocess.run([compiler, *flags, tmp_path / "both.c", "-o", program], check=True)
        ended = subprocess.run([program], capture_output=True, text=True).stdout if name == "native" else wine(program)
        answers.append(ended)
    assert answers[0] == answers[1] == answers[2]
