"""The `chuhe` command itself: help, unknown commands, every subcommand's module, a closed output pipe."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from command_parsers import exit_code
from paths import PYTHON
from waiting import PATIENCE

from chuhe import cli
from chuhe.commands.bench import MEASURES
from chuhe.commands.tune import TUNERS


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name} " in text for name in cli.COMMANDS)
    assert next(line for line in text.splitlines() if line.startswith("  ")).split()[0] == "play"


def test_an_unknown_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plya"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "there is no command 'plya'" in captured.err


@pytest.mark.parametrize("module", ["chuhe.commands.engine", *(f"chuhe.commands.{name}" for name in cli.COMMANDS)])
def test_every_command_has_its_module(module: str) -> None:
    assert callable(import_module(module).main)


@pytest.mark.parametrize(
    "arguments", ["perft 2 --divide", "help", "options", "data FILE", "book show", "squatter --show"]
)
def test_a_reader_that_leaves_early_is_no_error(arguments: str, tmp_path: Path) -> None:
    games = tmp_path / "x.games"
    if "FILE" in arguments:
        assert cli.main(["selfplay", "--games", "1", "--nodes", "20", "--output", str(games)]) == 0
    command = f"{PYTHON} -u -m chuhe {arguments.replace('FILE', shlex.quote(str(games)))} </dev/null | true"
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.stdout == ""
    assert all(line.endswith(" games") for line in run.stderr.splitlines())  # the count of what was read


@pytest.mark.parametrize("arguments", ["help", "options", "perft 2", "judge", "squatter --show"])
def test_a_full_disk_behind_the_output_is_one_line(arguments: str) -> None:
    command = f"{PYTHON} -m chuhe {arguments} > /dev/full"
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.stderr.endswith("No space left on device\n")
    assert len(run.stderr.splitlines()) == 1
    assert run.returncode == 2


BAD_NUMBERS = [
    ("play", "--time"), ("ladder", "--time"), ("ladder", "--games"), ("bench", "--movetime"), ("bench", "--nodes"),
    ("bench", "--threads"), ("openings", "--nodes"), ("openings", "--count"), ("judge", "--occurrences"),
    ("judge", "--move-limit"), ("peers", "--rounds"), ("analyze game.pgn", "--nodes"), ("book play", "--games"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "option"), BAD_NUMBERS)
@pytest.mark.parametrize("value", ["inf", "nan", "1e400", "9" * 30, "9" * 5000])
def test_no_number_is_too_large_for_a_clear_word(
    capsys: pytest.CaptureFixture[str], command: str, option: str, value: str
) -> None:
    assert exit_code(cli.main, [*command.split(), option, value]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert option in line


@pytest.mark.parametrize("name", ["bench", "play", "match", "engine"])
def test_help_describes_a_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.suppress(SystemExit):
        assert cli.main(["help", name]) == 0
    assert capsys.readouterr().out.startswith("usage: chuhe [--log" if name == "engine" else f"usage: chuhe {name}")


def test_help_of_no_command_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help", "plya"]) == 2
    assert "there is no command 'plya'" in capsys.readouterr().err


INTERRUPTED = """
import os, signal, sys, threading, time
from chuhe.cli import main

def at_work():  # Ctrl-C may be swallowed by an import, and leave half a loop where asyncio makes one
    frame, where = sys._current_frames()[threading.main_thread().ident], ""
    while frame is not None:
        frame, where = frame.f_back, where + frame.f_code.co_filename + frame.f_code.co_name
    return "commands" in where and "importlib" not in where and ("runners" not in where or "run_forever" in where)

def interrupt():
    while not at_work():
        time.sleep(0.1)
    time.sleep(0.3)
    while not at_work():
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal to send to oneself")
@pytest.mark.parametrize(
    "line", ["bench growth", "peers a=CHUHE", "check CHUHE", "ladder", "perft 9", "perft 9 --threads 2"]
)
def test_ctrl_c_is_one_line(line: str, tmp_path: Path) -> None:
    words = [f"{PYTHON} -m chuhe".join(word.split("CHUHE")) for word in line.split()]
    command = [sys.executable, "-c", INTERRUPTED, *words]
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=tmp_path)
    assert run.returncode == 130, run.stderr
    assert "Traceback" not in run.stderr
    assert run.stderr.splitlines()[-1] == "chuhe: interrupted"


# a command, and the function in its module that Ctrl-C meets
LONG_WORK = [
    ("bench curve chuhe b=chuhe", "run_match"), ("tune compare lmr_base=600", "play"),
    ("openings --output o", "generate"), ("puzzles make x.pgn --output p.txt", "_played"),
    ("book play --output b.pgn", "spread"), ("squatter", "play_games"),
    ("tune search --state s.json --output t.txt", "begin_table"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "name"), LONG_WORK)
def test_ctrl_c_in_long_work_is_said_and_exit_code_130(
    line: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*arguments: object, **options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    words = line.split()
    module = (MEASURES | TUNERS)[words[1]][0] if words[0] in ("bench", "tune") else f"chuhe.commands.{words[0]}"
    monkeypatch.setattr(import_module(module), name, interrupted)
    assert cli.main(words) == 130
    said = capsys.readouterr()
    assert re.search("interrupted|stopped|left unfinished", said.err + said.out)
    named = re.findall(r"\S+\.(?:json|txt|pgn)", said.err + said.out)
    assert named == [], "nothing is there yet that could be named"
    if "--output" in words:
        assert re.search("nothing was written|no opening was found|no iteration was complete", said.err)


AT_THE_END = """
import os, signal, sys
from chuhe.cli import main

class Late:
    def __del__(self, kill=os.kill, process=os.getpid(), number=signal.SIGINT):
        kill(process, number)  # while the interpreter takes its modules apart

late, sys.argv = Late(), ["chuhe", "--version"]
sys.exit(main())
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal to send to oneself")
def test_ctrl_c_at_the_very_end_does_not_kill() -> None:
    run = subprocess.run(
        [sys.executable, "-c", AT_THE_END], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("chuhe ")
