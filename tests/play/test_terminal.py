"""The terminal game, for a person through a pseudo-terminal and for a script through a pipe."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest
from paths import ROOT, TOY_COMMAND
from play_script import FLAGS, script
from waiting import PATIENCE

from chuhe.play.typed_commands import COMMANDS

PLAY = [sys.executable, "-m", "chuhe", "play"]
ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>])|\r")


def environment(directory: Path) -> dict[str, str]:
    return {
        **os.environ,
        "XDG_STATE_HOME": str(directory),
        "PYTHONPATH": f"{directory}{os.pathsep}{ROOT}",  # a test may shadow modules
        "PYTHONIOENCODING": "utf-8",
        "TERM": "xterm",
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }


def pipe(directory: Path, arguments: list[str], lines: list[str]) -> subprocess.CompletedProcess[str]:
    text = "".join(line + "\n" for line in lines)
    return subprocess.run(
        [*PLAY, *arguments],
        input=text,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(directory),
        timeout=PATIENCE,
    )


def test_the_script_uses_every_command(tmp_path: Path) -> None:
    used = {line.split()[0] for line, _ in script(tmp_path)}
    assert set(COMMANDS) <= used


def test_a_whole_game_through_a_pipe(tmp_path: Path) -> None:
    lines = script(tmp_path)
    done = pipe(tmp_path, FLAGS, [line for line, _ in lines])
    assert done.stderr == ""
    assert done.returncode == 0
    rest = done.stdout
    for line, expected in lines:
        found = re.search(expected, rest, re.DOTALL)
        assert found, f"after {line!r} nothing matches {expected!r} in:\n{rest[:2000]}"
        answer_end = re.compile(expected.replace(".*", ".*?"), re.DOTALL).search(rest)
        rest = rest[(answer_end or found).end() :]
    assert "\x1b" not in done.stdout


class Terminal:
    """A person at a terminal: types, then waits for new text on the screen."""

    def __init__(self, directory: Path, arguments: list[str], size: tuple[int, int] = (60, 160)) -> None:
        self.process = pexpect.spawn(
            PLAY[0],
            [*PLAY[1:], *arguments],
            cwd=str(ROOT),
            env=environment(directory),
            encoding="utf-8",
            dimensions=size,
            timeout=PATIENCE,
        )
        self.shown = ""

    def type(self, text: str) -> None:
        self.shown = ""
        self.process.send(text)

    def wait_for(self, pattern: str) -> None:
        compiled = re.compile(pattern, re.DOTALL)
        while not compiled.search(ESCAPES.sub("", self.shown)):
            try:
                self.shown += self.process.read_nonblocking(65536, timeout=PATIENCE)
            except (pexpect.TIMEOUT, pexpect.EOF):
                raise AssertionError(f"{pattern!r} did not come; shown: {ESCAPES.sub('', self.shown)}") from None

    def leave(self) -> int:
        self.process.expect(pexpect.EOF)
        self.process.close()
        return int(self.process.exitstatus)


def test_a_whole_game_through_a_pseudo_terminal(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, FLAGS)
    terminal.wait_for("Red>")
    assert "\x1b[1;31m" in terminal.shown  # red pieces are red
    for line, expected in script(tmp_path):
        terminal.type(line + "\r")
        if line != "quit":
            terminal.wait_for(f"{expected}.*(Red|Black)>|not saved.*(Red|Black)>")
            if "not saved" in terminal.shown:
                terminal.type(line + "\r")
                terminal.wait_for(f"{expected}.*(Red|Black)>")
    terminal.wait_for("The game is not saved.*(Red|Black)>")
    terminal.type("quit\r")
    assert terminal.leave() == 0


def test_tab_completes_and_analysis_ends_with_a_key(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, FLAGS)
    terminal.wait_for("Red>")
    terminal.type("histo\t\r")
    terminal.wait_for("history.*No move has been played.*Red>")
    terminal.type("analyze\r")
    terminal.wait_for(r"press a key to stop.*depth \d+, ")
    terminal.type("x")
    terminal.wait_for("Best: .*Red>")
    terminal.type("\x04")
    assert terminal.leave() == 0


def test_tab_completes_an_argument_and_a_refused_line_is_not_suggested(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, FLAGS)
    terminal.wait_for("Red>")
    terminal.type("notation kl\r")
    terminal.wait_for("notations are .*Red>")
    terminal.type("notation ic\t\r")
    terminal.wait_for("shown in iccs notation.*Red>")
    terminal.type("notat")
    terminal.wait_for("ion iccs")
    terminal.type("\x1b[C\r")  # the right arrow takes what is suggested
    terminal.wait_for("shown in iccs notation.*Red>")
    terminal.type("quit\r")
    assert terminal.leave() == 0
    kept = (tmp_path / "chuhe" / "history").read_text()
    assert "+notation iccs" in kept
    assert "notation kl" not in kept


def test_long_texts_are_paged_on_24_rows(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, FLAGS, (24, 80))
    terminal.wait_for(r"Type a move \(h2e2\) or help.*Red>")
    terminal.type("help\r")
    terminal.wait_for("Type a move:.*-- more")
    terminal.type(" ")
    terminal.wait_for("goto N.*Red>")
    terminal.type("help\r")
    terminal.wait_for("-- more")
    terminal.type("q")
    terminal.wait_for("Red>")
    assert "goto N" not in terminal.shown
    terminal.type("quit\r")
    assert terminal.leave() == 0


def test_ctrl_c_stops_two_programs_and_gives_the_prompt(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, ["--red", "computer", "--black", "computer", "--time", "30", "--no-book"])
    terminal.wait_for(r"depth \d+, ")
    terminal.type("\x03")
    terminal.wait_for(r"1\. \S+ .*Black>")
    terminal.type("quit\r")
    terminal.wait_for("The game is not saved.*Black>")
    terminal.type("quit\r")
    assert terminal.leave() == 0


def test_without_prompt_toolkit_readline_reads(tmp_path: Path) -> None:
    (tmp_path / "prompt_toolkit.py").write_text("raise ImportError('hidden')")
    terminal = Terminal(tmp_path, FLAGS)
    terminal.wait_for("Red> ")
    terminal.type("histo\t\r")
    terminal.wait_for("No move has been played.*Red> ")
    terminal.type("\x04")
    assert terminal.leave() == 0


def test_two_programs_play_to_the_end(tmp_path: Path) -> None:
    done = pipe(tmp_path, ["--red", "s1", "--black", "s0", "--depth", "1", "--quiet", "--ascii"], ["fen"])
    assert done.returncode == 0
    assert re.search(r"Game over: (1-0|0-1|1/2-1/2) \(", done.stdout)


def test_a_foreign_engine_is_an_opponent(tmp_path: Path) -> None:
    engine = f"{TOY_COMMAND} good --seed 3"
    done = pipe(tmp_path, ["--engine", engine, "--time", "0.1", "--ascii"], ["C2=5", "history", "quit"])
    assert done.stderr == ""
    assert re.search(r"1\. C2=5  \S+", done.stdout)


def test_a_foreign_engine_that_dies_is_reported(tmp_path: Path) -> None:
    engine = f"{TOY_COMMAND} crash"
    done = pipe(tmp_path, ["--engine", engine, "--time", "0.1", "--ascii"], ["C2=5", "fen", "quit"])
    assert done.returncode == 0
    assert "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b" in done.stdout


def test_black_sits_at_the_bottom_for_a_person_with_black(tmp_path: Path) -> None:
    done = pipe(tmp_path, ["--side", "black", "--style", "s1", "--depth", "1", "--ascii", "--no-book"], ["quit"])
    greeting = re.escape("Black: you. Red: the S1 program. Type a move (h2e2) or help.")
    assert re.search(rf"i   h   g   f   e   d   c   b   a\n{greeting}", done.stdout)  # after the program's first move
    assert done.stdout.count("a\n") == 1


def test_the_opponent_is_a_middle_one_unless_something_else_is_asked_for(tmp_path: Path) -> None:
    def greeting(*arguments: str) -> str:
        return pipe(tmp_path, [*arguments, "--ascii"], ["quit"]).stdout.splitlines()[-1]

    assert "Chuhe, level 5 of 10 (middle)" in greeting()
    assert "Chuhe, level 3 of 10." in greeting("--level", "3")
    assert "Chuhe, level 10 of 10 (full)" in greeting("--depth", "2")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--level", "11"], "a whole number from 1 to 10"),
        (["--depth", "0"], "a whole number from 1"),
        (["--time", "0"], "--time: a number from 0.001"),
        (["--fen", "9/9 w"], "chuhe play: "),
        (["--red", "ghost"], "a player is human"),
        (["--engine", "/nowhere/engine"], "nowhere"),
        (["--book", "/nowhere/book"], "cannot read the book"),
        (["--clock", "soon"], "is not a clock"),
        (["--load", "none.pgn"], "No such file"),
        (["--style", "s0", "--level", "3"], "--level: not allowed with argument --style"),
        (["--style", "s0", "--quiet-order", "alike"], "s0 orders all moves by strength"),
        (["--style", "s0", "--weights", "speed=3"], "there is no weight 'speed'"),
        (["--style", "s1", "--weights", "piece=nan"], "the weight piece is a whole number from -1000 to 1000"),
        (["--weights", "strength=3"], "--weights and --quiet-order need --style s0 or s1"),
        (["--variant", "squatter", "--board", "a.txt", "--size", "4"], "--size: not allowed with argument --board"),
    ],
)
def test_bad_options_are_named(tmp_path: Path, arguments: list[str], fault: str) -> None:
    done = pipe(tmp_path, arguments, [])
    assert done.returncode == 2
    assert fault in done.stderr
    assert "Traceback" not in done.stderr
