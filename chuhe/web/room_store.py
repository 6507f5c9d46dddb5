"""All rooms and their files on disk, so that a killed server or a closed tab loses nothing.

A room is one file, rewritten after every change and replaced atomically.
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from chuhe.coach.judgement import SERIOUS, Judgement, answered, remarks_on
from chuhe.engine import Law, Move, Score
from chuhe.engine.values import Result
from chuhe.files.reading import read_input
from chuhe.files.writing import OutputError, remove_scratches, write_file
from chuhe.play.xiangqi_game import Ending
from chuhe.records.game_record import GameRecord
from chuhe.records.game_tree import GameTree, Node
from chuhe.text.message import Message, printable, verbatim
from chuhe.web.archive import Archive
from chuhe.web.messages import RequestError
from chuhe.web.outgoing import GameEntry
from chuhe.web.players import HUMAN, Seating
from chuhe.web.practice import practice_seating
from chuhe.web.room import Discarded, Room, SharedServices
from chuhe.web.state import Texts
from chuhe.web.stored_room import ROOM, VERSION, load_json

MAX_ROOMS = 100
PRACTICE = "practise"  # the identity of the room for practice, of which nothing is kept


class RoomStore:
    def __init__(self, directory: Path, law: Law | None = None) -> None:
        self.directory = directory / "rooms"
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.archive = Archive(directory)
        self.law = law
        self.rooms: dict[str, Room] = {}  # the most recently used comes last
        self._practice: Room | None = None
        self.damaged: list[str] = []  # files that could not be read

    def open(self, services: SharedServices) -> None:
        """Reads the stored rooms. A damaged file is reported, left unchanged and skipped."""
        self.services = services
        for directory in (self.directory, self.archive.directory):
            remove_scratches(directory)
        paths = sorted(self.directory.glob("*.json"), key=lambda path: path.lstat().st_mtime)
        for path in paths:
            try:
                self.rooms[path.stem] = self._read(path)
            except (ValueError, OSError, RecursionError) as error:
                self.damaged.append(path.name)
                fault = printable(f"{path} cannot be read and is left unchanged: {error}")
                print(f"chuhe serve: {fault}", file=sys.stderr)

    def latest(self, study: bool = True) -> Room:
        """The room that was used last, or a new one; `study`: also one where a game was only opened."""
        found = (room for room in reversed(self.rooms.values()) if study or not room.study)
        return next(found, None) or self.create()

    def find(self, identity: str) -> Room:
        if identity == PRACTICE:
            return self.practice_room()
        try:
            return self.rooms[identity]
        except KeyError:
            raise RequestError(Message("web.no-such-game")) from None

    def practice_room(self) -> Room:
        if self._practice is None:
            self._practice = Room(PRACTICE, self.services, self.law)
            self._practice.mode = "practise"
            self._practice.seat_players(practice_seating(self._practice))
        return self._practice

    def create(self, seating: Seating | None = None) -> Room:
        """Another room, in place of those that nobody looks at and nobody has played in.

        RequestError when there are too many.
        """
        for room in [room for room in self.rooms.values() if not room.is_game and not room.listeners]:
            self._remove(room)
        if len(self.rooms) >= MAX_ROOMS:
            raise RequestError(Message("web.too-many-games", most=MAX_ROOMS))
        room = Room(secrets.token_hex(6), self.services, self.law)
        if seating is not None:
            room.seat_players(seating)
        self.rooms[room.id] = room
        self.keep(room)
        return room

    def games(self) -> list[GameEntry]:
        """All games: those that are open, and those in the archive."""
        opened = [room.summary() for room in reversed(self.rooms.values()) if room.is_game]
        return opened + list(reversed(self.archive.entries.values()))

    def rename(self, identity: str, title: str) -> None:
        if identity in self.rooms:
            self.rooms[identity].rename(title)
        else:
            self.archive.rename(identity, title)

    def forget(self, identities: Iterable[str]) -> None:
        """Deletes games; RequestError for one that is open in a tab."""
        for identity in identities:
            room = self.rooms.get(identity)
            if room is None:
                self.archive.delete([identity])
            elif room.listeners:
                raise RequestError(Message("web.open-in-tab"))
            else:
                self._remove(room)

    def _remove(self, room: Room) -> None:
        room.close()
        del self.rooms[room.id]
        self._path(room.id).unlink(missing_ok=True)

    def close_all(self) -> None:
        for room in [*self.rooms.values(), *([self._practice] if self._practice else [])]:
            room.close()

    # --- what is discarded can be brought back

    def new_game(self, room: Room, seating: Seating, fen: str | None) -> None:
        """Starts a new game in a room; the old one goes to the archive."""
        self._replace(room, lambda: room.new(seating, fen))

    def load(self, room: Room, game: GameRecord) -> None:
        """Shows a game of a file in a room; what was set up or written there goes to the archive."""
        self._replace(room, lambda: room.load(game))

    def _replace(self, room: Room, change: Callable[[], None]) -> None:
        """The room's game goes to the archive, unless it cannot be replaced."""
        before = self._archive(room)
        try:
            change()
        except Exception:
            if before is not None and before.archived:
                self.archive.delete([before.archived])
            raise
        room.discarded = before

    def delete_moves(self, room: Room, node: int) -> None:
        before = Discarded("delete", room_json(room))
        room.delete(node)
        room.discarded = before

    def bring_back(self, room: Room) -> None:
        """Undoes the last new game or deletion, as long as nothing else has changed."""
        before = room.discarded
        if before is None:
            raise RequestError(Message("web.nothing-to-restore"))
        revision = room.revision
        room.playing.cancel()
        room.review.stop()
        restore(room, before.game)
        room.revision, room.texts = revision, Texts()
        room.changed(tree=True)
        room.analysis.restart()
        room.playing.begin()
        if before.archived and room.unsaved is None:
            self.archive.delete([before.archived])

    def reopen(self, identity: str) -> Room:
        """An archived game as a room again."""
        game = self.archive.game(identity)
        room = self.create()
        try:
            restore(room, game)
        except ValueError:
            self.rooms.pop(room.id)
            self._path(room.id).unlink(missing_ok=True)
            raise RequestError(Message("web.damaged-game")) from None
        if title := self.archive.entries[identity]["title"]:  # it may have been renamed
            room.tree.tags["Event"] = title
        self.keep(room)
        if room.unsaved is None:  # else the archive holds the only copy on disk
            self.archive.delete([identity])
        return room

    def _archive(self, room: Room) -> Discarded | None:
        """Puts a room's game into the archive. A position without a move is no game, but can be brought back."""
        if room.untouched:
            return None
        game = room_json(room)
        return Discarded("new", game, self.archive.add(room.summary(), game) if room.is_game else "")

    # --- on disk

    def keep(self, room: Room) -> None:
        """Writes a room. A full disk does not end the game: the room's state says so until a later save succeeds."""
        if room is self._practice:
            return
        self.rooms[room.id] = self.rooms.pop(room.id, room)
        try:
            self._write(room)
            room.unsaved = None
        except OutputError as error:
            room.unsaved = error.message

    def _write(self, room: Room) -> None:
        text = json.dumps(room_json(room), ensure_ascii=False, separators=(",", ":"))
        write_file(self._path(room.id), text, private=True)

    def _path(self, identity: str) -> Path:
        return self.directory / f"{identity}.json"

    def _read(self, path: Path) -> Room:
        data = load_json(read_input(path))
        room = Room(path.stem, self.services, self.law)
        restore(room, data)
        return room


def room_json(room: Room) -> dict[str, Any]:
    game = room.game
    agreed = game.agreed
    return {
        "version": VERSION,
        "mode": room.mode,
        "study": room.study,
        "game": room.game_id,
        "revision": room.revision,
        "table": room.seating.to_json(),
        "tree": room.tree.to_json(),
        "head": game.node.id,
        "cursor": room.cursor.id,
        "agreed": [agreed.result, agreed.message.to_json()] if agreed else None,
        "clock": game.clock.save() if game.clock else None,
        "judged": {str(identity): _judgement_json(judgement) for identity, judgement in room.judged.items()},
    }


def restore(room: Room, data: Mapping[str, Any]) -> None:
    """Restores a room; ValueError if the data are damaged.

    A person takes the place of an engine that is no longer on the command line.
    """
    data = ROOM(data)
    tree = GameTree.from_json(data["tree"])
    seating = Seating(**data["table"])
    try:
        room.seat_players(seating)
    except RequestError:
        red, black = (HUMAN if side["kind"] == "external" else side for side in seating.seats)
        room.seat_players(replace(seating, red=red, black=black))
    agreed = _ending(*data["agreed"]) if data["agreed"] else None
    clock = tuple((left, moves) for left, moves in data["clock"]) if data["clock"] else None
    room.game.resume(tree, tree[data["head"]], agreed, clock)  # type: ignore[arg-type]
    room.cursor = tree[data["cursor"]]
    room.mode = data["mode"]
    room.study = data["study"]
    room.revision = data["revision"] + 1
    room.game_id = data["game"] or room.game_id  # earlier versions stored none
    for identity, row in data["judged"].items():
        room.judged[int(identity)] = _judgement(row, tree, tree[int(identity)])


def _ending(result: Result, said: Any) -> Ending:
    """Earlier versions stored a text."""
    return Ending(result, verbatim(said) if isinstance(said, str) else Message.from_json(said))


def _judgement_json(judgement: Judgement) -> list[Any]:
    line = [move.iccs for move in judgement.best_line]
    scores = [[score.cp, score.mate] for score in (judgement.best, judgement.after)]
    reply = [move.iccs for move in judgement.reply_line]
    codes = [remark.code for remark in judgement.remarks]
    return [judgement.colour, *scores, line, judgement.depth, judgement.was_best, reply, judgement.book, codes]


def _judgement(row: list[Any], tree: GameTree, node: Node) -> Judgement:
    """The remarks are found anew. Earlier versions stored no reply; then neither "book" nor which remarks were made."""
    colour, best, after, line, depth, was_best, *rest = row
    moves, reply = (tuple(Move.from_iccs(move) for move in each) for each in (line, rest[0] if rest else ()))
    book = bool(rest[1]) if len(rest) > 1 else False
    judgement = Judgement(colour, Score(*best), Score(*after), moves, depth, was_best, reply, book=book)
    if not judgement.grade[0] or not rest or node.move is None or node.parent is None:
        return judgement
    details = judgement.grade[0] in SERIOUS
    remarks = remarks_on(judgement, tree.position(node.parent), node.move, details)
    if len(rest) > 2:
        remarks = [*remarks, *answered(judgement, node.move)]
        remarks = [remark for remark in remarks if remark.code in rest[2]]
    return replace(judgement, remarks=tuple(remarks))
