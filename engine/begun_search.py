"""A search that an engine has accepted and not answered yet: the second step after `begin`."""

from __future__ import annotations

from typing import Any

from engine.values import BestMove, Limits


class BegunSearch:
    """One search, from an engine's `begin`: `run` it in any thread, or `cancel` it. Until then the engine is taken.

    The engine has `_carry_out(search)`, which searches, and `_end(search)`, which sets it free again.
    """

    def __init__(self, engine: Any, limits: Limits) -> None:
        self.limits = limits
        self.pondering = limits.ponder
        self._engine = engine

    def run(self) -> BestMove:
        """Search until a limit is reached or `stop` is called. An exception in `on_info` ends it and is raised."""
        try:
            answer: BestMove = self._engine._carry_out(self)
            return answer
        finally:
            self._engine._end(self)

    def cancel(self) -> None:
        """Discard the search instead of running it."""
        self._engine._end(self)
