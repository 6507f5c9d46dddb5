"""Writes the running games of a match, move by move, to a file that can be read during the match (`--live`).

`live.jsonl` has one line per event: a game begins, a move is made, a game is over. It is for display only; the results
file is authoritative. When it grows large it is rewritten with only the games still running.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

from chuhe.bench.matches.match_values import GamePlan, MatchMove
from chuhe.files.writing import write_file

LIVE = "live.jsonl"
LARGEST = 2_000_000  # bytes before the file is rewritten


class Observer(Protocol):
    """Callbacks for following games while they are played."""

    def begins(self, plan: GamePlan, fen: str, opening: Sequence[str]) -> None: ...
    def moves(self, plan: GamePlan, move: MatchMove) -> None: ...
    def ends(self, plan: GamePlan) -> None: ...


class Nobody:
    def begins(self, plan: GamePlan, fen: str, opening: Sequence[str]) -> None:
        pass

    def moves(self, plan: GamePlan, move: MatchMove) -> None:
        pass

    def ends(self, plan: GamePlan) -> None:
        pass


class LiveFile:
    """Writes the events. A file left by an earlier run is replaced."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / LIVE
        self._running: dict[int, list[dict[str, Any]]] = {}
        self._rewrite()

    def begins(self, plan: GamePlan, fen: str, opening: Sequence[str]) -> None:
        self._running[plan.number] = []
        self._write(
            plan, {"game": plan.number, "red": plan.red, "black": plan.black, "fen": fen, "opening": list(opening)}
        )

    def moves(self, plan: GamePlan, move: MatchMove) -> None:
        self._write(plan, {"game": plan.number, "move": [move.move, move.time, move.clock, move.score, move.depth]})

    def ends(self, plan: GamePlan) -> None:
        self._write(plan, {"game": plan.number, "over": True})
        del self._running[plan.number]
        if self._file.tell() > LARGEST:
            self.close()
            self._rewrite()

    def close(self) -> None:
        self._file.close()

    def _write(self, plan: GamePlan, event: dict[str, Any]) -> None:
        self._running[plan.number].append(event)
        self._file.write(_line(event))
        self._file.flush()

    def _rewrite(self) -> None:
        """Replace the file atomically, so that a reader sees either the old one or the new one."""
        write_file(self.path, b"".join(_line(event) for events in self._running.values() for event in events))
        self._file = self.path.open("ab")


class BackgroundObserver:
    """Passes on the events in a thread of its own, in order: a slow disk must not delay the games.

    An exception of the observer is raised by the next call.
    """

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._thread = ThreadPoolExecutor(1, "live")
        self._last: Future[None] | None = None

    def begins(self, plan: GamePlan, fen: str, opening: Sequence[str]) -> None:
        self._pass_on(lambda: self._observer.begins(plan, fen, opening))

    def moves(self, plan: GamePlan, move: MatchMove) -> None:
        self._pass_on(lambda: self._observer.moves(plan, move))

    def ends(self, plan: GamePlan) -> None:
        self._pass_on(lambda: self._observer.ends(plan))

    def close(self) -> None:
        """Wait until everything is passed on."""
        self._thread.shutdown()
        if self._last is not None:
            self._last.result()

    def _pass_on(self, event: Callable[[], None]) -> None:
        before = self._last
        if before is not None and before.done():
            before.result()

        def run() -> None:
            if before is not None:
                before.result()  # after a failure nothing more is passed on
            event()

        self._last = self._thread.submit(run)


def is_live_file(head: bytes) -> bool:
    """Whether a file that begins like this was written by this module."""
    return head.startswith(b'{"game":')


def _line(event: dict[str, Any]) -> bytes:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
