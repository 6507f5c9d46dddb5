"""Resignation and draws."""

from __future__ import annotations

from engine.values import Score
from protocol.manners import LEVEL, OFFER_AFTER, OFFER_FROM_PLY, RESIGN_AFTER, Manners


def manners(*centipawns: int) -> Manners:
    result = Manners()
    for value in centipawns:
        result.note(Score(cp=value))
    return result


def test_resigns_only_in_a_row() -> None:
    assert manners(*[-900] * RESIGN_AFTER).resigns(900)
    assert not manners(*[-900] * (RESIGN_AFTER - 1)).resigns(900)
    assert not manners(-900, -100, -900).resigns(900)
    assert not manners(*[-900] * RESIGN_AFTER).resigns(0)
    mated = Manners()
    for _ in range(RESIGN_AFTER):
        mated.note(Score(mate=-4))
    assert mated.resigns(5000)


def test_accepts_what_is_worth_it() -> None:
    assert not Manners().accepts_draw(0)
    assert manners(-1).accepts_draw(0)
    assert not manners(1).accepts_draw(0)
    assert manners(20).accepts_draw(20)


def test_offers_when_long_and_level() -> None:
    assert manners(*[LEVEL, -LEVEL] * (OFFER_AFTER // 2)).offers_draw(OFFER_FROM_PLY)
    assert not manners(*[0] * OFFER_AFTER).offers_draw(OFFER_FROM_PLY - 1)
    assert not manners(LEVEL + 1, *[0] * (OFFER_AFTER - 1)).offers_draw(OFFER_FROM_PLY)


def test_forgets() -> None:
    game = manners(*[-900] * RESIGN_AFTER)
    game.forget()
    assert not game.resigns(900)
