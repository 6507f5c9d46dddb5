"""Watches a running `chuhe match`: its results, and with `--live` the games in progress.

The match runner is not involved: its files are read as they grow.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, cast

from chuhe.bench.matches.config import ConfigError, read_matches
from chuhe.bench.matches.live import LIVE
from chuhe.bench.matches.match_values import MatchGame, MatchMove, MatchSettings, match_move
from chuhe.bench.matches.runner import SETTINGS
from chuhe.bench.matches.standings import Standings
from chuhe.bench.matches.store import RESULTS
from chuhe.bench.matches.summary import pairings_json
from chuhe.common.time_control import TimeControl
from chuhe.engine import BLACK, Position
from chuhe.engine.notation import NOTATIONS
from chuhe.files.reading import open_input
from chuhe.play.xiangqi_game import turn_of
from chuhe.text.languages import table as sentences
from chuhe.text.message import Message, verbatim
from chuhe.web.messages import several, text
from chuhe.web.outgoing import (
    FinishedGame,
    Match,
    MatchGameData,
    NodeData,
    Outgoing,
    Pairing,
    RatingData,
    SprtState,
    WaitingMatch,
)
from chuhe.web.state import message_json
from chuhe.web.stored_room import LONG, table

POLL_SECONDS = 0.25
LISTED = 500  # finished games in the list
BEGUN = table({"red": text(LONG), "black": text(LONG), "fen": text(200), "opening": several(text(4))})


class Watcher(Protocol):
    def send(self, message: Outgoing) -> None: ...


class Tail:
    """The new complete lines of a growing file; `on_reset` is called if the file was replaced."""

    def __init__(self, path: Path, on_line: Callable[[Any], None], on_reset: Callable[[], None]) -> None:
        self._path = path
        self._on_line, self._on_reset = on_line, on_reset
        self._file_id, self._offset = 0, 0

    def poll(self) -> bool:
        """True if there was something new."""
        try:
            with open_input(self._path) as file:
                return self._read(file)
        except OSError:
            return False

    def _read(self, file: Any) -> bool:
        status = os.fstat(file.fileno())
        if status.st_ino != self._file_id or status.st_size < self._offset:
            if self._file_id:
                self._on_reset()
            self._file_id, self._offset = status.st_ino, 0
        if status.st_size == self._offset:
            return False
        file.seek(self._offset)
        data: bytes = file.read(status.st_size - self._offset)
        whole = data[: data.rfind(b"\n") + 1]
        self._offset += len(whole)
        for line in whole.splitlines():
            try:
                self._on_line(json.loads(line))
            except (ValueError, OverflowError, KeyError, TypeError, RecursionError):
                continue  # damaged, or from another version: skip it and show the rest
        return bool(whole)


@dataclass
class RunningGame:
    number: int
    red: str
    black: str
    fen: str
    opening: list[str]
    moves: list[MatchMove] = field(default_factory=list)


class Watch:
    """Reads the match and informs all watchers."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.settings: MatchSettings | None = None
        self._watchers: dict[Watcher, int] = {}  # watcher: the game it has chosen; 0: none
        self._games: dict[int, MatchGame] = {}
        self._running: dict[int, RunningGame] = {}
        self._results = Tail(directory / RESULTS, self._result, self._games.clear)
        self._live = Tail(directory / LIVE, self._event, self._running.clear)
        self._changed_games: set[int] = set()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._poll())

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def join(self, watcher: Watcher) -> None:
        self._watchers[watcher] = 0
        self.poll()
        watcher.send(self.state())

    def leave(self, watcher: Watcher) -> None:
        self._watchers.pop(watcher, None)

    def choose(self, watcher: Watcher, game: int) -> None:
        self._watchers[watcher] = game
        shown = self.game(game)
        if shown is not None:
            watcher.send(shown)

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if self._watchers and self.poll():
                self._tell()

    def poll(self) -> bool:
        """Reads what is new; True if there is anything."""
        if self.settings is None:
            try:
                self.settings = read_matches(self.directory / SETTINGS)[0]
            except (ConfigError, IndexError, ValueError):
                return False
        results, live = self._results.poll(), self._live.poll()
        return results or live

    def _tell(self) -> None:
        state = self.state()
        for watcher, chosen in tuple(self._watchers.items()):
            watcher.send(state)
            if chosen in self._changed_games:
                with suppress(ValueError):  # a damaged game
                    shown = self.game(chosen)
                    if shown is not None:
                        watcher.send(shown)
        self._changed_games.clear()

    # --- reading

    def _result(self, data: dict[str, Any]) -> None:
        if "match" in data:
            return
        game = MatchGame.from_json(data)
        self._games.setdefault(game.number, game)
        self._running.pop(game.number, None)
        self._changed_games.add(game.number)

    def _event(self, data: dict[str, Any]) -> None:
        number = int(data["game"])
        self._changed_games.add(number)
        if "over" in data:
            self._running.pop(number, None)
        elif "move" in data:
            if number in self._running:
                self._running[number].moves.append(match_move(data["move"]))
        elif number not in self._games:
            self._running[number] = RunningGame(number, **BEGUN(data))

    # --- sending

    def state(self) -> Match | WaitingMatch:
        """The match at a glance: table, Elo, SPRT, the games."""
        if self.settings is None:
            return {"type": "match", "name": self.directory.name, "waiting": True}
        settings = self.settings
        standings = Standings([spec.name for spec in settings.engines], settings.format)
        for game in self._games.values():
            with suppress(KeyError):  # of engines that are not in this match
                standings.add(game)
        total = settings.games * len(standings.tallies)
        return {
            "type": "match",
            "name": settings.name,
            "games": len(standings.games),
            "pairings": cast(list[Pairing], pairings_json(standings)),
            "total": total,
            "control": [message_json(part) for part in _control(settings.control)],
            "ratings": _ratings(standings),
            "bounds": _bounds(settings, standings),
            "finished": [_listed(game) for game in list(self._games.values())[-LISTED:]][::-1],
            "running": [
                {"number": game.number, "red": game.red, "black": game.black, "moves": _plies(game)}
                for game in sorted(self._running.values(), key=lambda game: game.number)
            ],
        }

    def game(self, number: int) -> MatchGameData | None:
        """One game with all its moves as text; None if it is unknown."""
        finished, running = self._games.get(number), self._running.get(number)
        game = finished or running
        if game is None:
            return None
        if finished is not None:
            opening, moves = list(finished.opening_moves), [(move.move, move.score) for move in finished.moves]
        else:
            assert running is not None
            opening, moves = running.opening, [(move.move, move.score) for move in running.moves]
        return {
            "type": "matchGame",
            "number": number,
            "players": [game.red, game.black],
            "fen": game.fen,
            "running": finished is None,
            "nodes": _nodes(game.fen, [*((move, None) for move in opening), *moves]),
            "result": finished.result if finished is not None else "*",
            "message": message_json(_reason(finished)) if finished is not None else None,
        }


def _plies(game: RunningGame) -> int:
    return len(game.opening) + len(game.moves)


def _reason(game: MatchGame) -> Message:
    """Why a game ended. An engine's failure is explained in the engine's words, which are English."""
    known = Message(f"reason.{game.reason.replace(' ', '-')}")
    return known if known.code in sentences("en") else verbatim(game.detail or game.reason)


def _control(control: TimeControl) -> list[Message]:
    """The parts of a time control."""
    parts = []
    if control.base is not None:
        parts.append(Message("control.clock", clock=str(replace(control, movetime=None, nodes=None, depth=None))))
    if control.movetime is not None:
        parts.append(Message("control.movetime", ms=control.movetime))
    if control.nodes is not None:
        parts.append(Message("control.nodes", nodes=control.nodes))
    if control.depth is not None:
        parts.append(Message("control.depth", depth=control.depth))
    return parts


def _listed(game: MatchGame) -> FinishedGame:
    return {
        "number": game.number,
        "red": game.red,
        "black": game.black,
        "result": game.result,
        "reason": message_json(_reason(game)),
        "moves": len(game.opening_moves) + len(game.moves),
    }


def _ratings(standings: Standings) -> list[RatingData]:
    if len(standings.names) < 3 or not standings.games:
        return []
    return [
        {
            "name": rating.name,
            "elo": round(rating.elo),
            "error": round(rating.error) if math.isfinite(rating.error) else None,
            "points": rating.points,
            "games": rating.games,
        }
        for rating in standings.ratings()
    ]


def _bounds(settings: MatchSettings, standings: Standings) -> SprtState | None:
    sprt = settings.sprt
    if sprt is None:
        return None
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "lower": round(sprt.lower, 2),
        "upper": round(sprt.upper, 2),
        "llr": round(sprt.ratio(standings.tally.pairs), 2),
        "verdict": sprt.verdict(standings.tally.pairs),
    }


def negated(score: str) -> str:
    """A score's text from the other side.

    >>> negated("+0.35"), negated("#-3"), negated("#4")
    ('-0.35', '#3', '#-4')
    """
    sign, rest = ("#", score[1:]) if score.startswith("#") else ("", score)
    if rest.startswith(("+", "-")):
        return sign + {"+": "-", "-": "" if sign else "+"}[rest[0]] + rest[1:]
    return f"{sign}-{rest}"


def _nodes(fen: str, moves: Iterable[tuple[str, str | None]]) -> list[NodeData]:
    """The game as a tree with one line, in the format of a room's state; a score is the mover's."""
    position = Position(fen)
    nodes: list[NodeData] = [{"id": 0, "parent": None}]
    for index, (played, score) in enumerate(moves, 1):
        move = position.parse_move(played)
        turn = turn_of(position, move)
        position.push(move)
        node: NodeData = {
            "id": index,
            "parent": index - 1,
            "move": move.iccs,
            "texts": [turn.texts[name] for name in NOTATIONS],
            "number": turn.number,
        }
        if position.is_check():
            node["check"] = True
        if score:
            node["score"] = score if position.turn == BLACK else negated(score)  # for Red, as everywhere on the page
        nodes.append(node)
    return nodes
