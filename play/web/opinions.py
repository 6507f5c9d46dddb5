"""What else is known of a position beside the hand-crafted evaluation: a network's value, an endgame table's verdict.

Both are asked only where there is one: the engine may evaluate without a network, and most positions stand in no table.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from engine import Engine, Position, Score


def opinions(engine: Engine, position: Position) -> list[dict[str, str]]:
    """Each with its source (`network`, `table`) and its words."""
    found = []
    if engine.network is not None:
        score = Score(cp=engine.network.evaluate(position))
        found.append({"source": "network", "text": f"{score if position.turn == 0 else -score} for Red"})
    probe = _table_probe()
    verdict = probe(position) if probe is not None else None
    if verdict is not None:
        found.append({"source": "table", "text": verdict.words_for(position.turn)})
    return found


@lru_cache(maxsize=1)
def _table_probe() -> Any:
    """`engine.endgame.probe`, or None where that package is not installed."""
    try:
        return import_module("engine.endgame").probe
    except ImportError:
        return None
