"""Scores and ranks in the protocols' units."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chuhe.engine import Move
from chuhe.engine.values import Score
from chuhe.protocol.units import CENTIPAWNS_PER_UCCI, score_from_ucci, score_to_ucci, shift_ranks


def test_a_minor_piece_is_a_hundred() -> None:
    assert score_to_ucci(Score(cp=170)) == 100
    assert score_to_ucci(Score(cp=-3)) == -1


@given(st.integers(-120, 120))
def test_mates_survive(mate: int) -> None:
    assert score_from_ucci(score_to_ucci(Score(mate=mate))) == Score(mate=mate)


@given(st.integers(-40_000, 40_000))
def test_centipawns_survive_but_for_rounding(cp: int) -> None:
    back = score_from_ucci(score_to_ucci(Score(cp=cp)))
    assert back.cp is not None
    assert abs(back.cp) <= abs(cp)
    if abs(cp) < 16_000:
        assert abs(back.cp - cp) < CENTIPAWNS_PER_UCCI + 0.5


def test_mates_order_above_all_scores() -> None:
    scores = [Score(mate=-1), Score(mate=-9), Score(cp=-100_000), Score(cp=0), Score(cp=100_000), Score(mate=9)]
    values = [score_to_ucci(score) for score in scores]
    assert values == sorted(values)


@given(st.integers(0, 89), st.integers(0, 89))
def test_shifted_ranks_are_the_other_dialect(start: int, end: int) -> None:
    move = Move(start, end)
    assert shift_ranks(move.iccs, 1) == move.uci
    assert shift_ranks(move.uci, -1) == move.iccs


@given(st.text(max_size=8))
def test_other_texts_stay(text: str) -> None:
    shifted = shift_ranks(text, 1)
    assert shifted == text or shift_ranks(shifted, -1) == text
