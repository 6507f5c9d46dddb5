"""Repetition through the root: in the game's history the law's count decides, within the tree the second occurrence.

A case of tests/data/root_repetitions.json is a cycle and the law's verdict on it. It is also tried with the colours
exchanged, and beginning one ply later.
"""

from __future__ import annotations

import json

import pytest
from paths import DATA

from chuhe.engine import RED, Engine, Law, Limits, Move, Position, Score, Settings

CASES = json.loads((DATA / "root_repetitions.json").read_text())
TURNED = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"}
BY_LAW = 5000  # centipawns: no evaluation is so large
SECOND = "R8/4k4/9/9/6P2/P1P1C4/4P3p/2N1B4/4A4/2BAK4 w"


def turned(move: Move) -> Move:
    """The move after `Position.flip`."""
    return Move(*(9 * (9 - square // 9) + square % 9 for square in (move.from_square, move.to_square)))


def search(position: Position, limits: Limits, law: Law | None = None) -> tuple[Score, Move | None]:
    engine = Engine(Settings(hash_mb=1, use_tables=False, law=law or Law()))
    engine.set_position(position)
    best = engine.search(limits)
    return best.score, best.move


def played(start: Position, moves: list[Move]) -> Position:
    position = start.copy()
    for move in moves:
        position.push(move)
    return position


@pytest.mark.parametrize("later", [0, 1])
@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}-{case['fen'].split()[0]}")
def test_the_law_counts_what_was_played(case: dict[str, str], flip: bool, later: int) -> None:
    position, cycle = Position(case["fen"]), [Move.from_iccs(text) for text in case["cycle"].split()]
    verdict = case["result"]
    if flip:
        position, cycle, verdict = position.flip(), [turned(move) for move in cycle], TURNED[verdict]
    if later:
        position.push(cycle[0])
        position, cycle = Position(position.fen()), cycle[1:] + cycle[:1]
    last = cycle[-1]
    # the last move of one round makes the second occurrence: nothing has happened yet
    once = played(position, cycle[:-1])
    for depth in (1, 3):
        limits = Limits(depth=depth, search_moves=(last,))
        assert search(once, limits)[0] == search(Position(once.fen()), limits)[0]
    # that of the second makes the third: the game is over
    twice = played(position, cycle + cycle[:-1])
    result = twice.result() if twice.is_game_over() else played(twice, [last]).result()
    assert result == verdict
    centipawns = search(twice, Limits(depth=3, search_moves=(last,)))[0].as_centipawns()
    wanted = 0 if verdict == "1/2-1/2" else BY_LAW if (verdict == "1-0") == (twice.turn == RED) else -BY_LAW
    assert centipawns == 0 if wanted == 0 else centipawns * wanted >= wanted * wanted
    # an engine that is told to judge the second occurrence does so
    early = search(once, Limits(depth=3, search_moves=(last,)), Law(occurrences=2))[0].as_centipawns()
    assert early == 0 if wanted == 0 else early * wanted >= wanted * wanted


def test_a_second_occurrence_holds_no_draw() -> None:
    position = Position(SECOND)
    for text in "a9d9 e8e7 d9a9".split():
        position.push_iccs(text)
    score, _ = search(position, Limits(nodes=30_000))
    assert score.mate == -3
    assert search(position, Limits(nodes=30_000, search_moves=(Move.from_iccs("e7e8"),)))[0].mate is not None
    for text in "e7e8 a9d9 e8e7 d9a9".split():  # now it would be the third
        position.push_iccs(text)
    score, move = search(position, Limits(nodes=30_000))
    assert (score.cp, str(move)) == (0, "e7e8")
