"""The program players: our engine at any level, the two old programs' styles, or any UCCI or UCI engine.

All share one interface, `Opponent`, and none of them prints.
"""

from __future__ import annotations

import asyncio
import random
import threading
from abc import abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

from chuhe.engine import Move, Position
from chuhe.engine.base_engine import OnInfo
from chuhe.engine.errors import InvalidMoveError
from chuhe.engine.levels import LEVELS
from chuhe.engine.search_handle import StopSignal
from chuhe.engine.values import BestMove, Info, Limits, Score, Settings
from chuhe.protocol.search_result import SearchResult, history, to_info
from chuhe.records.books.book import Book
from chuhe.text.errors import MessageError
from chuhe.text.message import Message, message_of, verbatim

if TYPE_CHECKING:
    from chuhe.engine import Engine
    from chuhe.protocol.client import Client
    from chuhe.protocol.replies import GoResult, Report
    from chuhe.variants.styles import StyleEngine

T = TypeVar("T")
PositionEngine: TypeAlias = "Engine | StyleEngine"
StyleName = Literal["engine", "s0", "s1"]
DEFAULT_MOVETIME = 1000  # milliseconds


@dataclass(frozen=True)
class BookMove:
    """A reply without a search."""

    move: Move
    ponder: None = None
    score: None = None


Reply: TypeAlias = BestMove | SearchResult | BookMove  # of our engine, of any engine, of the book


@dataclass(frozen=True)
class Strength:
    """How strong an opponent plays; None leaves a value to the level or style."""

    level: int = LEVELS[-1]
    depth: int | None = None
    breadth: int | None = None
    movetime: int | None = None
    style: StyleName = "engine"
    weights: str = ""  # for a style, name=number,…; empty: its defaults
    quiet_order: str = ""  # for s1; empty: its default

    def limits(self) -> Limits:
        if self.style != "engine":  # a style limits its own depth
            return Limits(depth=self.depth, movetime=self.movetime)
        if self.movetime is None and self.depth is not None:
            return Limits(depth=self.depth)
        return Limits(depth=self.depth, movetime=self.movetime or DEFAULT_MOVETIME)


class OpponentError(MessageError, RuntimeError):
    """An opponent that cannot play on: its program is missing, hangs or has died."""


class Opponent(Protocol):
    """A player that is a program."""

    name: str  # as in files
    warnings: tuple[str, ...] = ()  # to be shown to the person who plays it

    @property
    def label(self) -> Message:
        """The name as it is shown to people."""
        return verbatim(self.name)

    @abstractmethod
    def choose(self, position: Position, limits: Limits, on_info: OnInfo, stop: StopSignal | None = None) -> Reply:
        """The move for the side to move; the position is left unchanged.

        `on_info` hears of the best line, `stop` may cut the search short.
        """

    @abstractmethod
    def judge(self, position: Position, movetime: int, stop: StopSignal | None = None) -> Score | None:
        """Its score of the position, for the side to move, within that many milliseconds."""

    def begin_pondering(self, position: Position, expected: Move, limits: Limits) -> None:
        """Think on the other side's time, as if it had played `expected`. Does nothing if it cannot ponder."""
        return

    def stop_pondering(self) -> None:
        """Stop pondering and discard the result."""
        return

    def new_game(self) -> None:
        """The next position belongs to another game."""
        return

    def close(self) -> None:
        """Stops everything that runs for this opponent."""
        return


# --- our engine


def level_label(level: int) -> Message:
    return Message("player.level", level=level)


def style_label(name: str) -> Message:
    return Message("player.style", style=name.upper())


class EngineOpponent(Opponent):
    """Our engine, with its book, its level and its pondering."""

    def __init__(self, strength: Strength, settings: Settings, book: Book | None, rng: random.Random) -> None:
        from chuhe.engine import Engine

        self._take_seat(strength, str(level_label(strength.level)), book, rng)
        self.engine: PositionEngine = Engine(replace(settings, level=strength.level, breadth=strength.breadth or 0))
        self.engine.prepare()  # so that the first move is not slower

    @property
    def label(self) -> Message:
        return level_label(self.strength.level)

    def _take_seat(self, strength: Strength, name: str, book: Book | None, rng: random.Random) -> None:
        self.strength, self.name, self.book = strength, name, book
        self._rng = rng
        self._pondering: _Pondering | None = None

    def choose(self, position: Position, limits: Limits, on_info: OnInfo, stop: StopSignal | None = None) -> Reply:
        book_move = self.book.choose(position, self._rng) if self.book else None
        if book_move is not None:
            self.stop_pondering()
            return BookMove(book_move)
        pondering, self._pondering = self._pondering, None
        if pondering is not None and pondering.fits(position):
            return pondering.hit(on_info, stop)
        if pondering is not None:
            pondering.cancel()
        return search_with(self.engine, position, limits, on_info, stop)

    def judge(self, position: Position, movetime: int, stop: StopSignal | None = None) -> Score | None:
        self.stop_pondering()
        return search_with(self.engine, position, Limits(movetime=movetime), stop=stop).score

    def begin_pondering(self, position: Position, expected: Move, limits: Limits) -> None:
        self.stop_pondering()
        if not position.is_legal(expected):
            return
        try:
            self._pondering = _Pondering(self.engine, position, expected, replace(limits, ponder=True))
        except RuntimeError:  # no thread available: it thinks on its own turn only
            self._pondering = None

    def stop_pondering(self) -> None:
        if self._pondering is not None:
            self._pondering.cancel()
            self._pondering = None

    def new_game(self) -> None:
        self.stop_pondering()
        self.engine.new_game()

    def close(self) -> None:
        self.stop_pondering()


def is_line(info: Info) -> bool:
    """Is this a line to show: one with an exact score, or the last word of a search?"""
    return bool(info.pv) and info.currmove is None and (info.bound == "exact" or info.final)


def search_with(
    engine: PositionEngine,
    position: Position,
    limits: Limits,
    on_info: OnInfo = lambda info: None,
    stop: StopSignal | None = None,
) -> BestMove:
    """What our engine or a style would play here; `on_info` hears of the best line meanwhile."""
    engine.set_position(position)
    return engine.search(limits, _best_line(on_info), stop)


def _best_line(on_info: OnInfo) -> OnInfo:
    def hear(info: Info) -> None:
        if info.multipv == 1 and is_line(info):
            on_info(info)

    return hear


class _Pondering:
    """A search in its own thread whose clock has not started yet."""

    def __init__(self, engine: PositionEngine, position: Position, expected: Move, limits: Limits) -> None:
        self._position = position.copy()
        self._position.push(expected)
        self._listener: OnInfo = lambda info: None
        self._search = engine.start(self._position, limits, _best_line(self._hear))

    def _hear(self, info: Info) -> None:
        self._listener(info)

    def fits(self, position: Position) -> bool:
        return bool(position.fen() == self._position.fen())

    def hit(self, on_info: OnInfo, stop: StopSignal | None) -> BestMove:
        self._listener = on_info
        self._search.ponderhit()
        with (stop or StopSignal()).reaching(self._search.stop):
            return self._search.result()

    def cancel(self) -> None:
        self._search.cancel()


# --- the two old programs


class StyleOpponent(EngineOpponent):
    """Plays as S0 or S1 did: their weights, their depth rule, plain alpha-beta; and uses the book, if there is one."""

    def __init__(self, strength: Strength, settings: Settings, book: Book | None, rng: random.Random) -> None:
        from chuhe.variants.styles import StyleEngine, make_style

        style = make_style(strength.style, strength.weights, strength.quiet_order)
        breadth = style.breadth if strength.breadth is None else strength.breadth
        self._take_seat(strength, str(style_label(style.name)), book, rng)
        self.engine = StyleEngine(style, replace(settings, breadth=breadth))

    @property
    def label(self) -> Message:
        return style_label(self.strength.style)


# --- any engine


class ExternalOpponent(Opponent):
    """A program that speaks UCCI or UCI, driven by our client in a thread with its own event loop."""

    def __init__(self, command: str) -> None:
        from chuhe.protocol.client import Client

        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self._client: Client = self._run(Client.start(command))
        except OpponentError:
            self._end_loop()
            raise
        try:
            self._run(self._client.learn_unit())
        except OpponentError:
            self.close()
            raise
        self.warnings = tuple(self._client.warnings)
        self.name = self._client.id_name or self._client.name

    def choose(self, position: Position, limits: Limits, on_info: OnInfo, stop: StopSignal | None = None) -> Reply:
        hear = _best_line(on_info)

        def heard(report: Report) -> None:
            info = to_info(report, position)
            if info is not None:
                hear(info)

        result = self._run(self._go(position, limits, stop, heard))
        try:
            move = Move.from_iccs(result.move) if result.move else None
            ponder = Move.from_iccs(result.ponder) if result.ponder else None
        except InvalidMoveError as error:
            raise OpponentError(Message("engine.fault", name=self.name, fault=error.message)) from error
        return SearchResult(move, ponder, result.score, resign=result.resign)

    def judge(self, position: Position, movetime: int, stop: StopSignal | None = None) -> Score | None:
        return self._run(self._go(position, Limits(movetime=movetime), stop)).score

    async def _go(
        self,
        position: Position,
        limits: Limits,
        stop: StopSignal | None,
        heard: Callable[[Report], None] | None = None,
    ) -> GoResult:
        fen, moves = history(position)
        await self._client.begin(fen, moves, limits)
        with (stop or StopSignal()).reaching(self._send_stop):
            return await self._client.finish(on_info=heard)

    def _send_stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._client.send("stop"), self._loop)

    def new_game(self) -> None:
        self._run(self._client.new_game())

    def close(self) -> None:
        if self._loop.is_running():
            try:
                self._run(self._client.quit())
            except OpponentError:
                self._run(self._client.kill())
            self._end_loop()

    def _end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, task: Coroutine[Any, Any, T]) -> T:
        from chuhe.protocol.errors import EngineError

        try:
            return asyncio.run_coroutine_threadsafe(task, self._loop).result()
        except (EngineError, OSError) as error:
            raise OpponentError(message_of(error)) from error


def make_opponent(
    strength: Strength, settings: Settings, book: Book | None, rng: random.Random, command: str | None = None
) -> Opponent:
    """The opponent that the options describe; a command starts an external engine."""
    if command:
        return ExternalOpponent(command)
    if strength.style != "engine":
        return StyleOpponent(strength, settings, book, rng)
    return EngineOpponent(strength, settings, book, rng)
