"""A style as an engine: limits, stopping, pondering, its evaluation terms."""

from __future__ import annotations

import threading

import pytest
from searches import answer_of
from waiting import PATIENCE

from chuhe.engine import BestMove, LimitError, Limits, Move, Position, Score, Settings
from chuhe.engine.search_handle import SearchHandle
from chuhe.engine.values import Info
from chuhe.variants.styles import S0, S1, StyleEngine, make_style

MATE = "3k5/9/R8/1R7/9/9/9/9/9/5K3 w"


def engine_at(fen: str | None = None, style: str = "s0", **settings: int) -> StyleEngine:
    engine = StyleEngine(make_style(style))
    engine.configure(**settings)
    engine.set_position(Position(fen) if fen else Position())
    return engine


def test_without_a_limit_the_style_chooses_the_depth() -> None:
    assert engine_at().search(Limits()).depth == 3
    assert engine_at(style="s1").search(Limits(movetime=60_000)).depth == 4


def test_a_depth_that_is_asked_for_counts_and_so_does_the_limit_of_the_settings() -> None:
    assert engine_at().search(Limits(depth=2)).depth == 2
    assert engine_at(depth_limit=1).search(Limits(depth=2)).depth == 1


def test_every_depth_is_reported() -> None:
    heard: list[Info] = []
    best = engine_at().search(Limits(depth=3), heard.append)
    assert [info.depth for info in heard] == [1, 2, 3]
    assert heard[-1].pv == best.pv
    assert best.pv[0] == best.move
    assert best.ponder == best.pv[1]
    assert heard[-1].nodes == best.nodes > heard[0].nodes


def test_a_mate_is_found_counted_and_not_searched_beyond() -> None:
    best = engine_at(MATE).search(Limits(depth=9))
    assert best.score == Score(mate=2)
    assert len(best.pv) == best.depth == 3
    lost = engine_at("3k5/9/R8/1R7/9/9/9/9/9/4K4 b").search(Limits(depth=6))
    assert lost.score.mate is not None
    assert lost.score.mate < 0


def test_no_legal_move_no_answer() -> None:
    best = engine_at("R2k5/1R7/9/9/9/9/9/9/9/4K4 b").search(Limits(depth=1))
    assert (best.move, best.score) == (None, Score(mate=0))


def test_nodes_are_a_limit_and_leave_a_legal_move() -> None:
    best = engine_at().search(Limits(nodes=1))
    assert best.move in Position().legal_moves
    assert best.nodes <= 1
    assert engine_at().search(Limits(depth=5, nodes=3000)).nodes <= 3001


def test_search_moves_and_ban_moves() -> None:
    move = Move.from_iccs("a3a4")
    assert engine_at().search(Limits(depth=2, search_moves=(move,))).move == move
    best = engine_at().search(Limits(depth=2)).move
    assert best is not None
    assert engine_at().search(Limits(depth=2, ban_moves=(best,))).move != best
    with pytest.raises(LimitError):
        engine_at().search(Limits(depth=2, search_moves=(Move.from_iccs("a0a9"),)))


def started(engine: StyleEngine, limits: Limits) -> SearchHandle[BestMove]:
    thinking = threading.Event()
    search = engine.start(None, limits, lambda info: thinking.set())
    assert thinking.wait(PATIENCE)
    return search


def test_an_infinite_search_ends_on_stop() -> None:
    engine = engine_at()
    search = started(engine, Limits(infinite=True))
    assert engine.searching
    with pytest.raises(LimitError, match="during a search"):
        engine.style = S1
    search.stop()
    assert answer_of(search).move is not None


def test_a_pondering_search_waits_for_its_hit() -> None:
    search = started(engine_at(MATE), Limits(ponder=True, movetime=100))
    assert not search.done()
    search.ponderhit()
    assert answer_of(search).move is not None


def test_the_table_shows_the_style_s_own_parts() -> None:
    table = engine_at("3k5/9/9/9/R8/9/9/9/9/4K4 w").evaluation_table().splitlines()
    assert [line.split() for line in table[2:7]] == [
        ["strength", "6", "1000600", "1000000", "+600"],
        ["position", "4", "43", "11", "+32"],
        ["threat", "4", "0", "0", "+0"],
        ["mobility", "1", "119", "0", "+119"],
        ["control", "1", "520", "17", "+503"],
    ]
    assert table[-1] == "Total: +4350 for Red, +10.36 in pawns of 420"
    assert engine_at("3k5/9/9/9/R8/9/9/9/9/4K4 w").evaluate() == Score(cp=1036)


def test_settings_are_checked() -> None:
    with pytest.raises(LimitError, match="no setting"):
        StyleEngine(S0).configure(speed=3)
    with pytest.raises(LimitError, match="breadth"):
        StyleEngine(S0, Settings(breadth=-1))
    assert StyleEngine(S1).settings.breadth == 20
