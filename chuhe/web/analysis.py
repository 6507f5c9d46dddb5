"""The analysis of a room: the engine's lines for the position shown, while anyone has it switched on."""

from __future__ import annotations

import asyncio
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from chuhe.engine import BestMove, Info, Limits, Position
from chuhe.engine.levels import LEVELS
from chuhe.engine.notation import Notation
from chuhe.engine.search_handle import StopSignal
from chuhe.web.engine_queue import EngineJob, Priority, Throttle
from chuhe.web.outgoing import AnalysisState, Line
from chuhe.web.state import line_json, merit_json, score_json

if TYPE_CHECKING:
    from chuhe.web.room import Room


class Analysis:
    def __init__(self, room: Room) -> None:
        self._room = room
        self.on = False
        self.multipv = 1
        self._job: EngineJob | None = None
        self._waits_for: Priority | None = None
        self._lines: dict[int, Info] = {}
        self._throttle = Throttle(lambda job: self._send(job))

    def state(self) -> AnalysisState:
        by = self._waits_for.word if self._waits_for is not None else None
        return {"on": self.on, "multipv": self.multipv, "displaced": by}

    def set(self, on: bool, multipv: int) -> None:
        self.on, self.multipv = on, multipv
        self.restart()
        self._room.refresh()

    def stop(self) -> None:
        if self.on:
            self.on = False
            self.restart()

    def restart(self) -> None:
        """The position or the number of lines has changed."""
        room, queue = self._room, self._room.services.queue
        job, self._job = self._job, None
        self._throttle.drop()
        queue.cancel(job)
        self._lines, self._waits_for = {}, None
        node, position = room.cursor, room.tree.position(room.cursor)
        if not self.on or not room.listeners or not position.has_legal_moves():
            return
        engine, multipv, loop = queue.engine, self.multipv, asyncio.get_running_loop()

        def work(stop: StopSignal) -> BestMove:
            engine.configure(level=LEVELS[-1], multipv=multipv)
            engine.set_position(position)
            return engine.search(Limits(infinite=True), on_info, stop)

        def on_info(info: Info) -> None:
            if info.pv and info.currmove is None and info.bound == "exact":
                loop.call_soon_threadsafe(self._hear, fresh, info)

        fresh = EngineJob(Priority.ANALYSIS, work, lambda by: self._wait(fresh, by))
        self._job = fresh
        self._at = node, position
        queue.submit(fresh)

    def _wait(self, job: EngineJob, by: Priority | None) -> None:
        if job is self._job and by is not self._waits_for:
            self._waits_for = by
            self._room.refresh()

    def _hear(self, job: EngineJob, info: Info) -> None:
        if job is self._job:
            self._lines[info.multipv] = info
            self._throttle.put(job)

    def _send(self, job: EngineJob) -> None:
        if job is not self._job or not self._lines:
            return
        node, position = self._at
        notations = {listener.notation for listener in self._room.listeners}
        lines = [self._line(info, position, notations) for _, info in sorted(self._lines.items())]
        last = max(self._lines.values(), key=lambda info: (info.time, info.nodes))
        first = self._lines.get(1, last)
        self._room.tell(
            {
                "type": "lines",
                "node": node.id,
                "lines": lines,
                "depth": first.depth,
                "nodes": last.nodes,
                "nps": last.nps,
                "time": last.time,
                "chances": chances(first, position.turn),
                "merit": merit_json(position, first.pv, first.score, notations),
            }
        )

    def _line(self, info: Info, position: Position, notations: AbstractSet[Notation]) -> Line:
        moves, texts = line_json(position, info.pv, notations)
        scored = score_json(info.score, position.turn)
        return {**scored, "depth": info.depth, "moves": moves, "texts": texts}


def chances(info: Info, turn: int) -> list[int] | None:
    """Red's win, draw and loss in thousandths."""
    if info.wdl is None:
        return None
    return list(info.wdl if turn == 0 else info.wdl[::-1])
