"""All rooms and their files on disk, so that a killed server or a closed tab loses nothing.

A room is one file, rewritten after every change and replaced atomically. There is no fsync: written data survive the
end of the process, so only a crash of the machine could lose the last move.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import Law, Move, Score
from engine.game_tree import GameTree
from play.judgement import Judgement
from play.web.messages import RequestError, seat
from play.web.players import HUMAN, Table
from play.web.room import House, Room
from play.xiangqi_game import Ending

VERSION = 1
MAX_ROOMS = 100


class Hall:
    def __init__(self, directory: Path, law: Law | None = None) -> None:
        self.directory = directory / "rooms"
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.law = law
        self.rooms: dict[str, Room] = {}  # the most recently used comes last
        self.faults: list[str] = []  # files that could not be read

    def open(self, house: House) -> None:
        """Reads the stored rooms. A damaged file is reported, left unchanged and skipped."""
        self.house = house
        paths = sorted(self.directory.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in paths:
            try:
                self.rooms[path.stem] = self._read(path)
            except (ValueError, KeyError, TypeError, OSError) as error:
                self.faults.append(f"{path} cannot be read and is left unchanged: {error!r}")
                print(f"chuhe serve: {self.faults[-1]}", file=sys.stderr)

    def latest(self) -> Room:
        """The room that was used last, or a new one."""
        return next(reversed(self.rooms.values())) if self.rooms else self.create()

    def find(self, identity: str) -> Room:
        try:
            return self.rooms[identity]
        except KeyError:
            raise RequestError("that game no longer exists") from None

    def create(self, table: Table | None = None) -> Room:
        """Another room; RequestError when there are too many."""
        if len(self.rooms) >= MAX_ROOMS:
            raise RequestError(f"there are already {MAX_ROOMS} games; close one first")
        room = Room(secrets.token_hex(6), self.house, self.law)
        if table is not None:
            room.seat_players(table)
        self.rooms[room.id] = room
        self.keep(room)
        return room

    def close(self, identity: str) -> None:
        """Removes a room and its file."""
        room = self.find(identity)
        if room.listeners:
            raise RequestError("that game is open in a tab")
        room.close()
        del self.rooms[identity]
        self._path(identity).unlink(missing_ok=True)

    def close_all(self) -> None:
        for room in self.rooms.values():
            room.close()

    # --- on disk

    def keep(self, room: Room) -> None:
        """Writes a room. A full disk does not end the game: everyone who has it open is told that it is not saved."""
        self.rooms[room.id] = self.rooms.pop(room.id, room)
        try:
            self._write(room)
        except OSError as error:
            room.tell({"type": "error", "text": f"the game cannot be saved to disk: {error.strerror or error}"})

    def _write(self, room: Room) -> None:
        path = self._path(room.id)
        fresh = path.with_suffix(".new")
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(room_json(room), file, ensure_ascii=False, separators=(",", ":"))
        fresh.replace(path)

    def _path(self, identity: str) -> Path:
        return self.directory / f"{identity}.json"

    def _read(self, path: Path) -> Room:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            raise ValueError(f"unknown version {data['version']!r}")
        room = Room(path.stem, self.house, self.law)
        restore(room, data)
        return room


def room_json(room: Room) -> dict[str, Any]:
    game = room.game
    agreed = game.agreed
    return {
        "version": VERSION,
        "mode": room.mode,
        "revision": room.revision,
        "table": room.table.to_json(),
        "tree": room.tree.to_json(),
        "head": game.node.id,
        "cursor": room.cursor.id,
        "agreed": [agreed.result, agreed.text] if agreed else None,
        "clock": game.clock.save() if game.clock else None,
        "judged": {str(identity): _judgement_json(judgement) for identity, judgement in room.judged.items()},
    }


def restore(room: Room, data: Mapping[str, Any]) -> None:
    """Restores a room. A person takes the place of an engine that is no longer on the command line."""
    tree = GameTree.from_json(data["tree"])
    described = data["table"]
    table = Table(**{**described, "red": seat(described["red"]), "black": seat(described["black"])})
    try:
        room.seat_players(table)
    except RequestError:
        red, black = (HUMAN if side["kind"] == "external" else side for side in table.seats)
        room.seat_players(replace(table, red=red, black=black))
    agreed = Ending(*data["agreed"]) if data["agreed"] else None
    clock = tuple((float(left), int(moves)) for left, moves in data["clock"]) if data["clock"] else None
    room.game.resume(tree, tree[data["head"]], agreed, clock)  # type: ignore[arg-type]
    room.cursor = tree[data["cursor"]]
    room.mode = "analyse" if data["mode"] == "analyse" else "play"
    room.revision = int(data["revision"]) + 1
    room.judged = {int(identity): _judgement(row) for identity, row in data["judged"].items()}


def _judgement_json(judgement: Judgement) -> list[Any]:
    line = [move.iccs for move in judgement.best_line]
    scores = [[score.cp, score.mate] for score in (judgement.best, judgement.after)]
    return [judgement.colour, *scores, line, judgement.depth, judgement.was_best]


def _judgement(row: list[Any]) -> Judgement:
    colour, best, after, line, depth, was_best = row
    moves = tuple(Move.from_iccs(move) for move in line)
    return Judgement(colour, Score(*best), Score(*after), moves, depth, was_best)
