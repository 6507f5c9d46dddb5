"""A fake engine with the real one's interface: the test decides what it reports, and when."""

from __future__ import annotations

import threading
from typing import Any

from chuhe.engine import LimitError, Position
from chuhe.engine.base_engine import BaseEngine, OnInfo, Work
from chuhe.engine.search_handle import SearchHandle
from chuhe.engine.values import BestMove, Info, Limits, Score, Settings
from chuhe.text.message import Language


class FakeEngine(BaseEngine):
    """Answers with the alphabetically first legal move. A search without a limit runs until `stop`."""

    def __init__(self) -> None:
        super().__init__()
        self.position = Position()
        self.limits: list[Limits] = []
        self.calls: list[str] = []
        self.score = Score(cp=40)
        self.crash = False
        self.notices: list[str] = []
        self.may_start = threading.Event()  # while cleared, a search waits before doing anything
        self.may_start.set()
        self.tables = None
        self._stop = threading.Event()
        self._hit = threading.Event()

    def _apply(self, fresh: Settings, changes: dict[str, Any]) -> None:
        if fresh.hash_mb == 13:
            raise LimitError("thirteen megabytes are unlucky")

    def set_position(self, position: Position) -> None:
        self.position = position.copy()

    def prepare(self) -> None:
        self.calls.append("prepare")

    def take_notices(self) -> list[str]:
        notices, self.notices = self.notices, []
        return notices

    def _begin(self, limits: Limits, on_info: OnInfo | None) -> Work[BestMove]:
        self.limits.append(limits)
        self._stop.clear()
        self._hit.clear()
        return lambda search: self.think(search, on_info or (lambda info: None))

    def think(self, search: SearchHandle[BestMove], on_info: OnInfo) -> BestMove:
        limits = search.limits
        if self.crash:
            raise RuntimeError("out of ideas")
        self.may_start.wait()
        allowed = [move for move in self.position.legal_moves if move not in limits.ban_moves]
        allowed = [move for move in allowed if not limits.search_moves or move in limits.search_moves]
        move = min(allowed, key=str) if allowed else None
        if move is not None:
            on_info(Info(3, 5, self.score, "exact", (move,), 1000, 7, 142, 1, wdl=(300, 600, 100)))
        if limits.ponder:
            self._hit.wait()
        if limits.infinite or limits.mate:
            self._stop.wait()
        if move is None:
            return BestMove(None, None, Score(mate=0), 0, 0, 0)
        return BestMove(move, None, self.score, 3, 1000, 7, (move,))

    def _halt(self) -> None:
        self._stop.set()
        self._hit.set()

    def _start_clock(self) -> None:
        self._hit.set()

    def new_game(self) -> None:
        self.calls.append("new_game")

    def clear_hash(self) -> None:
        self.calls.append("clear_hash")

    def evaluate(self) -> Score:
        return self.score

    def evaluation_table(self, language: Language = "en") -> str:
        return "material 0\ntotal 0"

    def probe(self, position: Position) -> None:
        return None
