"""Writes the running games of a match, move by move, to a file that can be read during the match (`--live`).

`live.jsonl` has one line per event: a game begins, a move is made, a game is over. It is for display only; the results
file is authoritative. When it grows large it is rewritten with only the games still running.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
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


def is_live_file(head: bytes) -> bool:
    """Whether a file that begins like this was written by this module."""
    return head.startswith(b'{"game":')


def _line(event: dict[str, Any]) -> bytes:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
