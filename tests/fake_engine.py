"""An engine with the real one's interface and no mind: it says what the test tells it to say, when it is told to."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine import LimitError, Position
from engine.values import BestMove, Info, Limits, Score, Settings


class FakeEngine:
    """Answers with the legal move that is first in the alphabet. A search without a limit goes on until `stop`."""

    def __init__(self) -> None:
        self.settings = Settings()
        self.position = Position()
        self.limits: list[Limits] = []
        self.calls: list[str] = []
        self.score = Score(cp=40)
        self.crash = False
        self.slow_start = 0.0
        self.searching = False
        self.tables = None
        self._stop = threading.Event()
        self._hit = threading.Event()

    def configure(self, **changes: Any) -> None:
        if changes.get("hash_mb") == 13:
            raise LimitError("thirteen megabytes are unlucky")
        self.settings = replace(self.settings, **changes)

    def set_position(self, position: Position) -> None:
        self.position = position.copy()

    def search(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> BestMove:
        self.limits.append(limits)
        time.sleep(self.slow_start)  # the window in which a stop or a ponderhit would be lost
        self._stop.clear()
        self._hit.clear()
        self.searching = True
        try:
            return self._search(limits, on_info)
        finally:
            self.searching = False

    def _search(self, limits: Limits, on_info: Callable[[Info], None] | None) -> BestMove:
        if self.crash:
            raise RuntimeError("out of ideas")
        allowed = [move for move in self.position.legal_moves if move not in limits.ban_moves]
        allowed = [move for move in allowed if not limits.search_moves or move in limits.search_moves]
        if not allowed:
            return BestMove(None, None, Score(mate=0), 0, 0, 0)
        move = min(allowed, key=str)
        if on_info is not None:
            on_info(Info(3, 5, self.score, "exact", (move,), 1000, 7, 142, 1, wdl=(300, 600, 100)))
        if limits.ponder:
            while not (self._hit.wait(0.001) or self._stop.is_set()):
                pass
        if limits.infinite:
            self._stop.wait()
        return BestMove(move, None, self.score, 3, 1000, 7, (move,))

    def stop(self) -> None:
        self._stop.set()

    def ponderhit(self) -> None:
        self._hit.set()

    def new_game(self) -> None:
        self.calls.append("new_game")

    def clear_hash(self) -> None:
        self.calls.append("clear_hash")

    def evaluate(self) -> Score:
        return self.score

    def evaluation_table(self) -> str:
        return "material 0\ntotal 0"

    def probe(self, position: Position) -> None:
        return None
