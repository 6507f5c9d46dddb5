"""`chuhe judge`: the referee's verdicts on the command line."""

from __future__ import annotations

import pytest
from command_parsers import exit_code

from chuhe.commands import judge

CHASE = ["--fen", "3k5/9/9/9/c8/9/R8/9/9/4K4 b", "a5b5", "a3b3", "b5a5", "b3a3"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = exit_code(judge.main, list(arguments))
    captured = capsys.readouterr()
    return code, captured.out.strip(), captured.err.strip()


@pytest.mark.parametrize(
    ("extra", "line"),
    [
        ([], "0-1  Red chases the cannon on a5 with every move: Red loses"),
        (["--law", "checks"], "1/2-1/2  the position is repeated without a one-sided offence: draw"),
        (["--law", "none"], "*  the game is not over"),
        (["--occurrences", "3"], "*  the game is not over"),
        (["--law", "none", "--move-limit", "2"], "1/2-1/2  2 moves without a capture: draw"),
    ],
)
def test_result_and_reason(capsys: pytest.CaptureFixture[str], extra: list[str], line: str) -> None:
    assert run(capsys, *CHASE, *extra) == (0, line, "")


def test_several_rounds_are_judged_together(capsys: pytest.CaptureFixture[str]) -> None:
    left, right = "a5b5 a3b3 b5a5 b3a3".split(), "i5h5 i3h3 h5i5 h3i3".split()
    line = "1/2-1/2  the position is repeated without a one-sided offence: draw"
    assert run(capsys, "--fen", "3k5/9/9/9/c7c/9/R7R/9/9/4K4 b", *left, *right) == (0, line, "")


def test_the_start_position_and_any_notation(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "炮二平五", "H8+7", "H0-G2") == (0, "*  the game is not over", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["h2e2", "h9g7", "h2e2"], "chuhe judge: move 3: h2e2: there is no piece on h2"),
        (["h2e2", "castle"], "chuhe judge: move 2: 'castle' is not a move: write it like h2e2, C2=5 or 炮二平五"),
        (["--fen", "9/9"], "chuhe judge: a board has 10 rows, this one has 2: '9/9'"),
        (["--occurrences", "1"], "chuhe judge: argument --occurrences: a whole number from 2 to 100000, not '1'"),
        (["--move-limit", "-3"], "chuhe judge: argument --move-limit: a whole number from 0 to 100000, not '-3'"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert run(capsys, *arguments) == (2, "", message)
