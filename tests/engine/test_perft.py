"""Perft counts from tests/data/perft.json: the start position, and 40 positions of every kind."""

from __future__ import annotations

import json
import os
import re

import pytest
from paths import DATA

from chuhe.commands import perft
from chuhe.engine import Position

CASES = json.loads((DATA / "perft.json").read_text())
# Node limit for one count in the suite; deeper counts are for `chuhe perft`. Lower under the sanitizers.
MOST_NODES = 100_000 if os.environ.get("CHUHE_SLOW_BUILD") else 4_000_000


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["fen"].split()[0])
def test_counts(case: dict[str, object]) -> None:
    position = Position(str(case["fen"]))
    nodes = case["nodes"]
    assert isinstance(nodes, list)
    for depth, expected in enumerate(nodes, start=1):
        if expected <= MOST_NODES:
            assert position.perft(depth) == expected, f"depth {depth}"


def test_depth_zero_is_the_position_itself() -> None:
    assert Position().perft(0) == 1


def test_bulk_counting_agrees_with_making_every_move() -> None:
    position = Position()
    total = 0
    for move in position.legal_moves:
        position.push(move)
        total += position.perft(2)
        position.pop()
    assert total == position.perft(3) == 79_666


def test_perft_leaves_the_position_as_it_was() -> None:
    position = Position()
    position.push("h2e2")
    fen, key = position.fen(), position.key
    position.perft(3)
    assert (position.fen(), position.key, len(position.move_stack)) == (fen, key, 1)


def test_a_senseless_depth_is_an_error() -> None:
    with pytest.raises(ValueError, match="depth"):
        Position().perft(-1)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    code = perft.main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out.splitlines(), captured.err


@pytest.mark.parametrize("threads", ["1", "2", "7"])
def test_the_command_ends_with_nodes_time_and_speed(capsys: pytest.CaptureFixture[str], threads: str) -> None:
    code, lines, error = run(capsys, "3", "--threads", threads)
    assert (code, error) == (0, "")
    assert re.fullmatch(r"nodes 79666  time \d+\.\d+ s  nps \d+", lines[-1])
    assert len(lines) == 1


def test_divide_lists_every_root_move(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = run(capsys, "2", "--divide")
    counts = dict(line.split(": ") for line in lines[:-1])
    assert code == 0
    assert len(counts) == 44
    assert sum(map(int, counts.values())) == 1920
    assert counts["h2e2"] == "45"


def test_the_command_without_moves_to_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "0")[1][-1].startswith("nodes 1 ")
    mated = "3k5/9/9/9/9/9/9/9/r8/1r2K4 w"
    assert run(capsys, "3", "--fen", mated)[1][-1].startswith("nodes 0 ")


def test_bad_arguments_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "3", "--fen", "9/9") == (2, [], "chuhe perft: a board has 10 rows, this one has 2: '9/9'\n")
    for arguments in (["-1"], ["x"], ["99"], ["3", "--threads", "0"], ["3", "--threads", "1000000"]):
        with pytest.raises(SystemExit):
            perft.main(arguments)
        assert "a whole number from" in capsys.readouterr().err or arguments == ["-1"]
