"""Judgements of a position besides the hand-crafted evaluation: the network's value, an endgame table's verdict.

Either may be missing: the engine may evaluate without a network, and tables cover few positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import Engine, Position, Score
from engine.table_paths import has_tables

if TYPE_CHECKING:
    from engine.endgame import Verdict


def opinions(engine: Engine, position: Position) -> list[dict[str, str]]:
    """Each with its source (`network`, `table`) and its text."""
    found = []
    if engine.network is not None:
        score = Score(cp=engine.network.evaluate(position))
        found.append({"source": "network", "text": f"{score if position.turn == 0 else -score} for Red"})
    verdict = _verdict(engine, position)
    if verdict is not None:
        found.append({"source": "table", "text": verdict.words_for(position.turn)})
    return found


def _verdict(engine: Engine, position: Position) -> Verdict | None:
    """Not `Engine.verdict`: the shared engine may be set to a level that uses no tables at the moment."""
    settings = engine.settings
    if not settings.use_tables or not has_tables(settings.table_paths):
        return None
    from engine.endgame import probe

    return probe(position, settings.table_paths)
