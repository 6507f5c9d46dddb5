"""Threats of mate that take more than one move: found by an engine in a short search."""

from __future__ import annotations

from collections.abc import Sequence

from chuhe.coach.tactics import MateSearch
from chuhe.engine._core import Move
from chuhe.engine.engine import Engine
from chuhe.engine.position import Position
from chuhe.engine.values import Limits

NODES = 5000  # a few milliseconds


def engine_mates(engine: Engine, nodes: int = NODES) -> MateSearch:
    """A `MateSearch` by an engine that is not searching. It keeps the position that it had."""

    def find(position: Position) -> Sequence[Move]:
        kept = engine.position
        engine.set_position(position)
        try:
            best = engine.search(Limits(nodes=nodes))
        finally:
            engine.set_position(kept)
        end = position.copy()
        for move in best.pv:
            end.push(move)
        won = best.score.mate is not None and best.score.mate > 0 and not end.has_legal_moves()
        return best.pv if won else ()

    return find
