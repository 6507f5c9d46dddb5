"""Perft counts from tests/data/perft.json: the start position, and 40 positions of every kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import Position

CASES = json.loads((Path(__file__).parent / "data" / "perft.json").read_text())
MOST_NODES = 4_000_000  # what the fast suite counts in one go; the deepest count is for `chuhe perft`


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
