"""A room: one game with its tree, who plays it, and everyone who has it open. Independent of sockets.

Every change makes a new revision, which is saved and sent to all listeners as a complete state.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Protocol

from chuhe.coach.judgement import Judgement
from chuhe.common.time_control import TimeControl
from chuhe.engine import START_FEN, Law, Move
from chuhe.engine.notation import Notation
from chuhe.play.xiangqi_game import COLOURS, GameError, XiangqiGame
from chuhe.records.books.book import Book
from chuhe.records.game_record import GameRecord
from chuhe.records.game_tree import GameTree, Node, TreeError
from chuhe.text.message import Message, verbatim
from chuhe.web.analysis import Analysis
from chuhe.web.engine_queue import EngineQueue
from chuhe.web.messages import MAX_TAG, MAX_TAGS, MAX_TEXT, RequestError
from chuhe.web.openings import OpeningResults
from chuhe.web.outgoing import GameEntry, Mode, Outgoing, State
from chuhe.web.players import PlayerFactory, Seating
from chuhe.web.playing import Playing
from chuhe.web.practice import RoomPractice, practice_seating
from chuhe.web.review import Review
from chuhe.web.state import (
    Texts,
    book_json,
    clock_json,
    cursor_json,
    ending_json,
    message_json,
    opening_json,
    tree_json,
)

UNKNOWN = "?"  # PGN's name for a player whom nobody knows
MAX_NODES = 20_000  # moves in one tree


class Listener(Protocol):
    """A page that has a room open."""

    notation: Notation
    seen: tuple[str, int] | None  # the room and tree revision last sent to it
    answers: int  # the number of its last request

    def send(self, message: Outgoing) -> None: ...


@dataclass
class SharedServices:
    """What all rooms share."""

    queue: EngineQueue
    player_factory: PlayerFactory
    book: Book | None
    results: OpeningResults
    keep: Callable[[Room], None]
    directory: Path  # of games and progress


@dataclass(frozen=True)
class Discarded:
    """A room's game before it was replaced or cut; it can be brought back until a person changes the tree again."""

    by: Literal["new", "delete"]
    game: Mapping[str, Any]
    archived: str = ""  # its identity in the archive


class Room:
    def __init__(self, identity: str, services: SharedServices, law: Law | None = None) -> None:
        self.id = identity
        self.services = services
        self.game = XiangqiGame(law=law)
        self.game.tree.tags["Date"] = f"{date.today():%Y.%m.%d}"
        self.seating = Seating()
        self.mode: Mode = "play"
        self.study = False  # a game or a position that was opened; nobody here has played it
        self.cursor: Node = self.game.node
        self.game_id = secrets.token_hex(6)
        self.judged: dict[int, Judgement] = {}
        self.revision = 1
        self.tree_revision = 1
        self.unsaved: Message | None = None  # why the game could not be written to disk
        self.discarded: Discarded | None = None
        self.listeners: set[Listener] = set()
        self.texts = Texts()
        self.playing = Playing(self)
        self.analysis = Analysis(self)
        self.review = Review(self)
        self.practice: RoomPractice | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._showing = False
        self.seat_players(self.seating)

    # --- listeners

    def join(self, listener: Listener) -> None:
        self.listeners.add(listener)
        listener.seen = None
        self.playing.begin()
        self._watch_clock()
        self.show(listener)

    def leave(self, listener: Listener) -> None:
        """When the last listener leaves, analysis and the like stop; the program still makes its move."""
        self.listeners.discard(listener)
        if not self.listeners:
            self.analysis.stop()
            self.playing.stop_pondering()

    def tell(self, message: Outgoing) -> None:
        for listener in tuple(self.listeners):
            listener.send(message)

    def show(self, listener: Listener, stale: bool = False) -> None:
        self._show_to((listener,), stale)

    def changed(self, tree: bool = False, *, keep_discarded: bool = False) -> None:
        """Makes a new revision, saves it and sends it."""
        self.revision += 1
        if tree:
            self.tree_revision += 1
            if not keep_discarded:
                self.discarded = None
        self.services.keep(self)
        self.refresh()
        self._watch_clock()

    def refresh(self) -> None:
        """Sends changes that are not part of the game: thinking, analysis, review.

        Changes that follow each other at once, such as a move and the program's start of thinking, are sent together.
        """
        if not self._showing and self.listeners:
            self._showing = True
            asyncio.get_running_loop().call_soon(self._show_all)

    def _show_all(self) -> None:
        self._showing = False
        self._show_to(tuple(self.listeners), False)

    def _show_to(self, listeners: tuple[Listener, ...], stale: bool) -> None:
        if not listeners:
            return
        state = self.state()
        seen = (self.id, self.tree_revision)
        tree = None
        for listener in listeners:
            message: State = {**state, "answers": listener.answers}
            if stale:
                message["stale"] = True
            if listener.seen != seen:
                message["tree"] = tree = tree or tree_json(self.tree, self.texts, self.judged)
                listener.seen = seen
            listener.send(message)

    # --- what is sent

    @property
    def tree(self) -> GameTree:
        return self.game.tree

    def state(self) -> State:
        game, ending = self.game, self.game.ending
        position = self.tree.position(self.cursor)
        return {
            "type": "state",
            "revision": self.revision,
            "answers": 0,
            "room": self.id,
            "game": self.game_id,
            "mode": self.mode,
            "below": self.below,
            "study": self.study,
            "unsaved": message_json(self.unsaved) if self.unsaved else None,
            "discarded": self.discarded.by if self.discarded else None,
            "head": game.node.id,
            "cursor": cursor_json(self.tree, self.cursor, game.law, self.services.queue.engine),
            "book": book_json(self.services.book, self.services.results.probe(position), position),
            "table": self.seating.to_json(),
            "players": [message_json(game.player_label(colour)) for colour in (0, 1)],
            "ending": ending_json(ending) if ending else None,
            "clock": clock_json(game),
            "turn": game.turn,
            "canUndo": bool(game.turns),
            "canRedo": game.can_redo,
            "thinking": self.playing.thinking,
            "waiting": self.playing.waiting,
            "fault": message_json(self.playing.fault) if self.playing.fault else None,
            "pondering": self.playing.pondering,
            "due": self.playing.is_due,
            "analysis": self.analysis.state(),
            "review": self.review.state(),
            "practice": self.practice.state() if self.practice else None,
        }

    @property
    def below(self) -> int:
        """The side at the bottom of the board: the solver's, the person's who plays a program, else Red."""
        if self.practice is not None:
            return self.practice.side
        red, black = (seat["kind"] == "human" for seat in self.seating.seats)
        return int(black and not red and not self.study)

    @property
    def is_game(self) -> bool:
        """Moves were made or something was written: a position alone, or an exercise, is no game."""
        return self.mode != "practise" and (len(self.tree) > 0 or bool(self.tree.root.comment))

    @property
    def untouched(self) -> bool:
        """Nothing was played, set up or written here."""
        return not self.is_game and self.tree.fen == START_FEN

    def summary(self) -> GameEntry:
        """An entry in the list of games."""
        red, black = (message_json(self._name(colour)) for colour in (0, 1))
        end = self.tree.end()
        return {
            "id": self.id,
            "red": red,
            "black": black,
            "moves": len(self.tree.main_line()),
            "result": self.game.result if not self.study else self.tree.result,
            "title": self.tree.tags.get("Event", ""),
            "opening": opening_json(self.tree, end),
            "date": self.tree.tags.get("Date", ""),
            "fen": self.tree.position(end).fen(),
            "below": self.below,
        }

    def _name(self, colour: int) -> Message:
        """The file's name for a player, or who plays here."""
        tagged = self.tree.tags.get(COLOURS[colour])
        return verbatim(tagged) if tagged else self.game.player_label(colour)

    # --- the game

    def move(self, node: int, move: str) -> None:
        """A person's move from a position of the tree, in any notation."""
        start = self.tree[node]
        if self.mode == "analyse":
            self._room_for(1)
            self.go(self.tree.add(start, self.tree.position(start).parse_move(move)), tree=True)
            return
        if start is not self.game.node:
            raise GameError(Message("web.not-latest"))
        if self.game.opponent_to_move is not None:
            raise GameError(Message("web.players-move", player=self.game.player_label(self.game.turn)))
        self._room_for(1)
        if self.practice is not None:
            self._make(self.practice.attempt(self.game.position.parse_move(move)))
            return
        turn = self.game.move(move)
        self.cursor = self.game.node
        self.changed(tree=True)
        self.playing.begin(turn.move)

    def _make(self, moves: list[Move]) -> None:
        """Makes the moves of an exercise."""
        for move in moves:
            self.game.move(move)
        self.cursor = self.game.node
        self.changed(tree=True)

    def show_exercise(self, practice: RoomPractice) -> None:
        """Puts the next exercise on the board. RequestError leaves everything as it is."""
        fen = practice.next()
        self.new(practice_seating(self), fen)
        self.practice, self.mode = practice, "practise"
        self.changed(tree=True)

    def reveal(self) -> None:
        if self.practice is not None:
            self._make(self.practice.reveal())

    def clue(self) -> None:
        if self.practice is not None:
            self.practice.clue()
            self.changed()

    def go(self, node: Node, tree: bool = False) -> None:
        """Shows another position. The game is the same, so this alone makes no new revision."""
        self.cursor = node
        if tree:
            self.changed(tree=True)
        else:
            self.services.keep(self)
            self.refresh()
        self.analysis.restart()

    def undo(self) -> None:
        self._interrupt()
        self.game.undo()
        self._head_moved()

    def redo(self) -> None:
        self._interrupt()
        self.game.redo()
        self._head_moved()

    def _head_moved(self) -> None:
        """Moves the game to another position. A program to move there waits until it is told to."""
        self.cursor = self.game.node
        self.changed(tree=True)

    def resign(self) -> None:
        self._interrupt()
        self.game.resign()
        self.changed()

    def swap(self) -> None:
        self._interrupt()
        self.game.swap()
        self.seating = self.seating.swapped()
        self.changed()
        self.playing.begin()

    def new(self, seating: Seating, fen: str | None) -> None:
        """Starts a new game in this room, in place of the old one."""
        tree = GameTree(fen) if fen else GameTree()
        tree.tags["Date"] = f"{date.today():%Y.%m.%d}"
        self.seat_players(seating)
        self.put(tree, tree.root)
        self.study = False
        for player in self.game.players:
            if player is not None:
                player.new_game()
        self.mode = "play"
        self.changed(tree=True)
        self.playing.begin()

    def put(self, tree: GameTree, node: Node) -> None:
        """Replaces the tree."""
        self.playing.cancel()
        self.review.stop()
        self.practice = None
        self.game.resume(tree, node)
        self.cursor, self.judged, self.texts, self.game_id = node, {}, Texts(), secrets.token_hex(6)
        self.analysis.restart()

    def load(self, record: GameRecord) -> None:
        """Shows a game that was read from a file."""
        tree = GameTree.from_record(record)
        if len(tree) > MAX_NODES:
            raise RequestError(Message("web.game-too-long", count=len(tree), most=MAX_NODES))
        self.put(tree, tree.root)
        self.game.load(record)
        tags = islice(self.tree.tags.items(), MAX_TAGS)
        self.tree.tags = {name[:MAX_TAG]: value[:MAX_TAG] for name, value in tags}
        for node in self.tree:
            node.comment = node.comment[:MAX_TEXT]
        for colour in COLOURS:  # whoever played this game, it was not the people and programs of this room
            self.tree.tags.setdefault(colour, UNKNOWN)
        self.cursor, self.mode, self.study = self.game.node, "analyse", True
        self.changed(tree=True)
        self.analysis.restart()

    def set_mode(self, mode: Mode) -> None:
        self.mode = mode
        if mode == "analyse":
            self.playing.cancel()
            if self.game.clock is not None:
                self.game.clock.pause()
        else:
            self.analysis.stop()
            self.cursor = self.game.node
        self.changed()
        self.playing.begin()

    def continue_from(self, node: int) -> None:
        """Play on from a position of the tree."""
        self.playing.cancel()
        self.analysis.stop()
        self.game.go_to(self.tree[node])
        for colour in COLOURS:
            if self.tree.tags.get(colour) == UNKNOWN:  # from now on it is known who plays
                del self.tree.tags[colour]
        self.mode, self.study = "play", False
        self.cursor = self.game.node
        self.changed(tree=True)
        self.playing.begin()

    def seat_players(self, seating: Seating) -> None:
        """Sets both players; unchanged ones are kept. RequestError leaves everything unchanged."""
        old = list(self.game.players)
        players = []
        for index, seat in enumerate(seating.seats):
            same = old[index] is not None and seat == self.seating.seats[index] and seating.book == self.seating.book
            players.append(old[index] if same else self.services.player_factory.player(seat, seating.book))
        self.playing.cancel()
        for player in old:
            if player is not None and player not in players:
                player.close()
        new_clock = seating.clock != self.seating.clock or (self.game.clock is None) != (seating.clock is None)
        self.game.players, self.seating = players, seating
        if new_clock:
            self.game.set_clock(TimeControl(**seating.clock) if seating.clock else None)

    def change_seating(self, seating: Seating) -> None:
        self.seat_players(seating)
        self.changed()
        self.playing.begin()

    def _interrupt(self) -> None:
        """Stop the program's thinking for a change of the game; GameError while the game is analysed."""
        if self.mode != "play":
            raise GameError(Message("web.being-analysed"))
        self.playing.cancel()

    # --- the tree

    def add_line(self, node: int, moves: str) -> None:
        """Adds an engine's line as a variation."""
        words = moves.split()
        start = self.tree[node]
        self._room_for(len(words))
        position = self.tree.position(start)
        for word in words:
            move = position.parse_move(word)
            position.push(move)
            start = self.tree.add(start, move)
        if self.mode == "play":
            self.set_mode("analyse")
        self.go(start, tree=True)

    def promote(self, node: int) -> None:
        self.tree.promote(self.tree[node])
        self.changed(tree=True)

    def delete(self, node: int) -> None:
        gone = self.tree[node]
        if self.mode == "play":
            raise TreeError(Message("web.no-deleting"))
        if self.game.node.is_below(gone) and gone.parent is not None:
            self.game.go_to(gone.parent)
        looking_there = self.cursor.is_below(gone)
        before = self.tree.delete(gone)
        for identity in [identity for identity in self.judged if identity not in self.tree.nodes]:
            del self.judged[identity]
        self.go(before if looking_there else self.cursor, tree=True)

    def rename(self, title: str) -> None:
        self.tree.tags["Event"] = title
        self.changed(tree=True)

    def comment(self, node: int, text: str) -> None:
        self.tree[node].comment = "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
        self.changed(tree=True)

    def _room_for(self, moves: int) -> None:
        if len(self.tree) + moves > MAX_NODES:
            raise RequestError(Message("web.tree-full", most=MAX_NODES))

    # --- the clock

    def _watch_clock(self) -> None:
        """Ends the game when a flag falls, even if no move is made."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        clock = self.game.clock
        if clock is None or clock.running is None or self.game.ending is not None:
            return
        left = clock.remaining(clock.running) + clock.control.byoyomi
        self._flag = asyncio.get_running_loop().call_later(max(0.0, left / 1000) + 0.005, self._flag_falls)

    def _flag_falls(self) -> None:
        self._flag = None
        if self.game.check_clock() is not None:
            self.playing.cancel()
            self.changed()
        else:
            self._watch_clock()

    def close(self) -> None:
        """Stops everything that runs for this room."""
        self.playing.cancel()
        self.analysis.stop()
        self.review.stop()
        if self._flag is not None:
            self._flag.cancel()
        for player in self.game.players:
            if player is not None:
                player.close()
