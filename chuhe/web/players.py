"""The players of a room: a person, our engine (shared by all rooms), an old style, or the user's own engine."""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from chuhe.engine import BestMove, Engine, Limits, Position, Score, Settings
from chuhe.engine.base_engine import OnInfo
from chuhe.engine.search_handle import StopSignal
from chuhe.play.opponents import (
    BookMove,
    ExternalOpponent,
    Opponent,
    OpponentError,
    Reply,
    Strength,
    StyleName,
    StyleOpponent,
    level_label,
    search_with,
)
from chuhe.protocol.programs import program_name
from chuhe.records.books.book import Book
from chuhe.text.message import Message
from chuhe.web.messages import RequestError
from chuhe.web.outgoing import SeatingData

HUMAN = {"kind": "human"}


@dataclass(frozen=True)
class Seating:
    """The players and the time control. Seats are as in the page's messages: `chuhe.web.messages.seat`."""

    red: Mapping[str, Any] = field(default_factory=lambda: dict(HUMAN))
    black: Mapping[str, Any] = field(default_factory=lambda: {"kind": "engine", "level": 5})
    clock: Mapping[str, int] | None = None
    movetime: int = 1000
    ponder: bool = False
    book: bool = True

    @property
    def seats(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        return self.red, self.black

    def swapped(self) -> Seating:
        return Seating(self.black, self.red, self.clock, self.movetime, self.ponder, self.book)

    def to_json(self) -> SeatingData:
        return cast(SeatingData, asdict(self))


class SharedEngine(Opponent):
    """Our engine at a level, scheduled by the engine queue. `choose` and `judge` run in the queue's thread."""

    def __init__(self, engine: Engine, level: int, book: Book | None, rng: random.Random) -> None:
        self.engine = engine
        self.level = level
        self.book = book
        self.name = str(self.label)
        self._rng = rng

    @property
    def label(self) -> Message:
        return level_label(self.level)

    def choose(self, position: Position, limits: Limits, on_info: OnInfo, stop: StopSignal | None = None) -> Reply:
        book_move = self.book.choose(position, self._rng) if self.book else None
        if book_move is not None:
            return BookMove(book_move)
        return self.search(position, limits, on_info, stop)

    def search(self, position: Position, limits: Limits, on_info: OnInfo, stop: StopSignal | None = None) -> BestMove:
        self.engine.configure(level=self.level, multipv=1)
        return search_with(self.engine, position, limits, on_info, stop)

    def judge(self, position: Position, movetime: int, stop: StopSignal | None = None) -> Score | None:
        self.engine.configure(level=self.level, multipv=1)
        return search_with(self.engine, position, Limits(movetime=movetime), stop=stop).score


class UsersEngine(Opponent):
    """The user's own UCCI or UCI engine. It is started on first use, in the queue's thread."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.name = program_name(command)
        self._program: ExternalOpponent | None = None
        self._new_game = False

    def choose(self, position: Position, limits: Limits, on_info: OnInfo, stop: StopSignal | None = None) -> Reply:
        return self._started().choose(position, limits, on_info, stop)

    def judge(self, position: Position, movetime: int, stop: StopSignal | None = None) -> Score | None:
        return self._started().judge(position, movetime, stop)

    def new_game(self) -> None:
        self._new_game = True

    def close(self) -> None:
        """Does not wait for the engine to exit, which may take a while."""
        if self._program is not None:
            threading.Thread(target=self._program.close, daemon=True).start()
            self._program = None

    def _started(self) -> ExternalOpponent:
        try:
            if self._program is None:
                self._program = ExternalOpponent(self.command)
            if self._new_game:
                self._new_game = False
                self._program.new_game()
        except OpponentError:
            self.close()  # the next try gets a fresh process
            raise
        return self._program


@dataclass(frozen=True)
class PlayerFactory:
    """Creates players. `commands` are the engines given on the server's command line; no others can be started."""

    engine: Engine
    book: Book | None = None
    commands: Sequence[str] = ()
    rng: random.Random = field(default_factory=random.Random)

    def player(self, seat: Mapping[str, Any], use_book: bool) -> Opponent | None:
        """The player of a seat; None is a person. RequestError if there is no such engine."""
        kind = seat["kind"]
        if kind == "human":
            return None
        if kind == "engine":
            return SharedEngine(self.engine, seat["level"], self.book if use_book else None, self.rng)
        if kind == "external":
            return UsersEngine(self.command(seat["index"]))
        style: StyleName = "s0" if kind == "s0" else "s1"
        return StyleOpponent(Strength(style=style), Settings(), self.book if use_book else None, self.rng)

    def command(self, index: int) -> str:
        if index >= len(self.commands):
            raise RequestError(Message("web.no-engine", count=len(self.commands), index=index))
        return self.commands[index]
