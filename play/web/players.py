"""The players of a room: a person, our engine (shared by all rooms), an old style, or the user's own engine."""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.command_line import counted
from engine import Engine, Limits, Position, Score, Settings
from engine.book import Book
from play.opponents import (
    Answer,
    ExternalOpponent,
    OnThought,
    Opponent,
    OpponentError,
    Strength,
    StyleName,
    StyleOpponent,
    search_with,
)
from play.web.messages import RequestError

HUMAN = {"kind": "human"}


@dataclass(frozen=True)
class Table:
    """The players and the time control. Seats are as in the page's messages: `play.web.messages.seat`."""

    red: Mapping[str, Any] = field(default_factory=lambda: dict(HUMAN))
    black: Mapping[str, Any] = field(default_factory=lambda: {"kind": "engine", "level": 5})
    clock: Mapping[str, int] | None = None
    movetime: int = 1000
    ponder: bool = False
    book: bool = True

    @property
    def seats(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        return self.red, self.black

    def swapped(self) -> Table:
        return Table(self.black, self.red, self.clock, self.movetime, self.ponder, self.book)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class SharedEngine(Opponent):
    """Our engine at a level, scheduled by the desk. `choose` and `judge` run in the desk's thread."""

    def __init__(self, engine: Engine, level: int, book: Book | None, rng: random.Random) -> None:
        self.engine = engine
        self.level = level
        self.book = book
        self.name = f"Chuhe (level {level})"
        self._rng = rng

    def choose(self, position: Position, limits: Limits, on_thought: OnThought) -> Answer:
        book_move = self.book.choose(position, self._rng) if self.book else None
        if book_move is not None:
            return Answer(book_move, from_book=True)
        return self.search(position, limits, on_thought)

    def search(self, position: Position, limits: Limits, on_thought: OnThought) -> Answer:
        self.engine.configure(level=self.level, multipv=1)
        return search_with(self.engine, position, limits, on_thought)

    def judge(self, position: Position, movetime: int) -> Score | None:
        self.engine.configure(level=self.level, multipv=1)
        return search_with(self.engine, position, Limits(movetime=movetime), lambda thought: None).score

    def interrupt(self) -> None:
        self.engine.stop()


class UsersEngine(Opponent):
    """The user's own UCCI or UCI engine. It is started on first use, in the desk's thread."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.name = Path(command.split()[0]).name
        self._program: ExternalOpponent | None = None
        self._new_game = False

    def choose(self, position: Position, limits: Limits, on_thought: OnThought) -> Answer:
        return self._started().choose(position, limits, on_thought)

    def judge(self, position: Position, movetime: int) -> Score | None:
        return self._started().judge(position, movetime)

    def interrupt(self) -> None:
        if self._program is not None:
            self._program.interrupt()

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
class Agency:
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
            engines = counted(len(self.commands), "engine")
            raise RequestError(f"the server was started with {engines}; there is no number {index}")
        return self.commands[index]
