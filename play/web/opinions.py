"""What else is known of a position beside the hand-crafted evaluation: a network's value, an endgame table's verdict.

Both are asked only where there is one: the engine may evaluate without a network, and most positions stand in no table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import Engine, Position, Score
from engine.table_paths import has_tables

if TYPE_CHECKING:
    from engine.endgame import Verdict


def opinions(engine: Engine, position: Position) -> list[dict[str, str]]:
    """Each with its source (`network`, `table`) and its words."""
    found = []
    if engine.network is not None:
        score = Score(cp=engine.network.evaluate(position))
        found.append({"source": "network", "text": f"{score if position.turn == 0 else -score} for Red"})
    verdict = _verdict(engine, position)
    if verdict is not None:
        found.append({"source": "table", "text": verdict.words_for(position.turn)})
    return found


def _verdict(engine: Engine, position: Position) -> Verdict | None:
    """Not `Engine.verdict`: the shared engine may just be playing at a level that has no tables."""
    settings = engine.settings
    if not settings.use_tables or not has_tables(settings.table_paths):
        return None
    from engine.endgame import probe

    return probe(position, settings.table_paths)
