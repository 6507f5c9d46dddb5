"""The running games of a match, move by move, in a file that others can read while it is played (`--live`).

`live.jsonl` holds a line for every event: a game begins, a move is made, a game is over. It is only for looking at:
what counts is in the results file. When it has grown large it is written anew with the games that still run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from bench.matches.match_values import GamePlan, MatchMove

LIVE = "live.jsonl"
LARGEST = 2_000_000  # bytes before the file is written anew


class Observer(Protocol):
    """Who is told about games while they are played."""

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
    """Writes the events. A file that an earlier run left is replaced."""

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
        """A new file in place of the old one, in one step, so that a reader sees either."""
        fresh = self.path.with_suffix(".new")
        self._file = fresh.open("wb")
        for events in self._running.values():
            self._file.writelines(map(_line, events))
        self._file.flush()
        os.replace(fresh, self.path)


def is_live_file(head: bytes) -> bool:
    """Whether a file that begins so was written here."""
    return head.startswith(b'{"game":')


def _line(event: dict[str, Any]) -> bytes:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
