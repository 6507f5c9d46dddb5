"""Judgements of a position besides the hand-crafted evaluation: the network's value, an endgame table's verdict.

Either may be missing: the engine may evaluate without a network, and tables cover few positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from chuhe.engine import Engine, Position, Score
from chuhe.engine.score_scale import shown
from chuhe.engine.table_paths import has_tables
from chuhe.text.message import Message
from chuhe.web.outgoing import MessageData, Opinion

if TYPE_CHECKING:
    from chuhe.engine.endgame import EndgameVerdict


def opinions(engine: Engine, position: Position) -> list[Opinion]:
    """Each with its source (`network`, `table`) and what it says."""
    found: list[Opinion] = []
    if engine.network is not None:
        score = Score(cp=shown(engine.network.evaluate(position)))
        for_red = Message("score.for-red", score=str(score if position.turn == 0 else -score))
        found.append({"source": "network", "message": cast(MessageData, for_red.to_json())})
    verdict = _verdict(engine, position)
    if verdict is not None:
        found.append({"source": "table", "message": cast(MessageData, verdict.message(position.turn).to_json())})
    return found


def _verdict(engine: Engine, position: Position) -> EndgameVerdict | None:
    """Not `Engine.verdict`: the shared engine may be set to a level that uses no tables at the moment."""
    settings = engine.settings
    if not settings.use_tables or not has_tables(settings.table_paths):
        return None
    from chuhe.engine.endgame import probe

    return probe(position, settings.table_paths)
