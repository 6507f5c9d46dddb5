"""Options that have no effect in combination with others are refused by every command."""

from __future__ import annotations

import pytest

from chuhe.cli import main

IDLE = [
    ("match a b --nodes 1 --alpha 0.1", "--alpha does nothing without --sprt"),
    ("match a b --nodes 1 --format gauntlet", "--format does nothing between two engines"),
    ("match a b --nodes 1 --order sequential --seed 3", "--seed does nothing with --order sequential"),
    ("match a b --nodes 1 --law none --occurrences 2", "--occurrences does nothing with --law none"),
    ("judge --law none --occurrences 2", "--occurrences does nothing with --law none"),
    ("analyze x.pgn --depth 3 --time 2", "--time does nothing with --depth or --nodes"),
    ("bench --variant draughts --depth 3", "--depth does nothing with --variant draughts"),
    ("bench --json --quiet", "--quiet does nothing with --json"),
    ("eval --weights strength=3", "--weights needs --style"),
    ("squatter board.txt --size 3", "--size does nothing with a board file"),
    ("play --style s1 --level 3", "--level does nothing with --style s1"),
]


@pytest.mark.parametrize(("line", "complaint"), IDLE, ids=[line for line, _ in IDLE])
def test_idle_options_are_refused(line: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(line.split())
    assert caught.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("--weights strength=3", "--weights needs --style"),
        ("--style s0 --variant chess", "--style plays xiangqi: it cannot be used with --variant"),
        ("--style s0 --style s1", "--style is given twice"),
        ("--style s9", "the styles are s0, s1, not 's9'"),
        ("--style s0 --quiet-order alike", "s0 orders all moves by strength"),
    ],
)
def test_the_engine_s_own_arguments(line: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert complaint in capsys.readouterr().err
