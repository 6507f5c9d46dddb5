"""Resignation and draws."""

from __future__ import annotations

from chuhe.engine.values import Score
from chuhe.protocol.resign_draw import LEVEL, OFFER_AFTER, OFFER_FROM_PLY, RESIGN_AFTER, ResignDraw, accepts_draw


def resign_draw(*centipawns: int) -> ResignDraw:
    result = ResignDraw()
    for value in centipawns:
        result.note(Score(cp=value))
    return result


def test_resigns_only_in_a_row() -> None:
    assert resign_draw(*[-900] * RESIGN_AFTER).resigns(900)
    assert not resign_draw(*[-900] * (RESIGN_AFTER - 1)).resigns(900)
    assert not resign_draw(-900, -100, -900).resigns(900)
    assert not resign_draw(*[-900] * RESIGN_AFTER).resigns(0)
    mated = ResignDraw()
    for _ in range(RESIGN_AFTER):
        mated.note(Score(mate=-4))
    assert mated.resigns(5000)


def test_accepts_what_is_worth_it() -> None:
    def accepts(centipawns: int | None, ply: int = 40, pieces: int = 32, draw_score: int = 0) -> bool:
        return accepts_draw(None if centipawns is None else Score(cp=centipawns), ply, pieces, draw_score)

    assert ResignDraw().last_score is None
    assert resign_draw(3, 20).last_score == Score(cp=20)
    assert not accepts(None)
    assert accepts(-1)
    assert not accepts(1)
    assert accepts(20, draw_score=20)
    assert not accepts(-1, ply=6)
    assert accepts(-1, ply=6, pieces=31)
    assert accepts(LEVEL, ply=OFFER_FROM_PLY)
    assert not accepts(LEVEL + 1, ply=OFFER_FROM_PLY)
    assert not accepts(LEVEL, ply=OFFER_FROM_PLY, draw_score=-50)


def test_offers_when_long_and_level() -> None:
    assert resign_draw(*[LEVEL, -LEVEL] * (OFFER_AFTER // 2)).offers_draw(OFFER_FROM_PLY)
    assert not resign_draw(*[0] * OFFER_AFTER).offers_draw(OFFER_FROM_PLY - 1)
    assert not resign_draw(LEVEL + 1, *[0] * (OFFER_AFTER - 1)).offers_draw(OFFER_FROM_PLY)


def test_forgets() -> None:
    game = resign_draw(*[-900] * RESIGN_AFTER)
    game.forget()
    assert not game.resigns(900)
