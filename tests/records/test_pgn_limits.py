"""PGN text: what is read, and at what cost."""

from __future__ import annotations

import contextlib
import random
import tracemalloc

import pytest
from random_play import play_at_random

from chuhe.engine import START_FEN, Move, Position
from chuhe.records.game_record import RecordError
from chuhe.records.pgn import parse_pgn


def test_ranks_may_count_from_1() -> None:
    rng = random.Random(11)
    for start in (START_FEN, "3k5/9/9/9/9/9/9/9/4R4/4K4 b"):
        moves = [after.move_stack[-1] for after in play_at_random(rng, 60, Position(start))]
        for text in (" ".join(move.uci for move in moves), " ".join(move.uci.upper() for move in moves)):
            (game,) = parse_pgn(f'[FEN "{start}"]\n\n{text} *\n')
            assert list(game.plain_moves) == moves


def test_ranks_from_1_hold_in_variations_and_for_one_game() -> None:
    first, second = parse_pgn('1. h3e3 (1. b3e3 h10g8) h10g8 1-0\n\n[Event "2"]\n1. h2e2 h9g7 *\n')
    assert [move.uci for move in first.plain_moves] == ["h3e3", "h10g8"]
    ((variation,),) = (first.moves[0].variations,)
    assert [played.move.uci for played in variation] == ["b3e3", "h10g8"]
    assert second.plain_moves == (Move.from_iccs("h2e2"), Move.from_iccs("h9g7"))


@pytest.mark.parametrize("value", ["a" * 1_000_000, '\\"' * 500_000])
def test_a_huge_tag_needs_little_memory(value: str) -> None:
    tracemalloc.start()
    try:
        with contextlib.suppress(RecordError):
            parse_pgn(f'[Event "{value}"]\n\n1. h2e2 *\n')
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
