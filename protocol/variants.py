"""The games of a session behind one interface; this is where text becomes positions and moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

from chuhe.engine import RED, Engine, Move, Position
from chuhe.engine.base_engine import BaseEngine
from chuhe.engine.position import square_name
from chuhe.engine.values import XIANGQI, TableEntry
from chuhe.engine.version import VERSION
from chuhe.protocol.options import Option, OptionValues, default_values, settings_from_options

if TYPE_CHECKING:
    from chuhe.records.books.book import BookStack


ID_NAME = f"Chuhe {VERSION}"


class Variant(ABC):
    """One variant: its engine, the current position, and its moves as texts.

    The engine is created on first use, so that the greeting is fast. A ValueError from any of these methods names what
    is wrong with its argument; nothing has changed then.
    """

    name: str
    uci_name: str  # the initial value of `UCI_Variant`
    has_every_option = True  # False: only those marked `every_game` in the table
    plays_this_game_only = False  # `UCI_Variant` cannot choose another game
    ranks_from = 0  # how the dialect counts ranks
    has_two_rank_systems = False  # xiangqi only: the dialect decides
    perft_limit = 9  # plies

    @property
    def id_name(self) -> str:
        """The engine's name in the greeting."""
        return ID_NAME

    def takes(self, option: Option) -> bool:
        """Is the option supported here? Others are not announced."""
        return not option.style_only and (self.has_every_option or option.every_game)

    def first_values(self) -> OptionValues:
        """The initial values of the options."""
        return {**default_values(), "variant": self.uci_name}

    def use_cyclone_ranks(self) -> None:
        """The GUI uses a dialect with xiangqi ranks from 0."""
        if self.has_two_rank_systems:
            self.ranks_from = 0

    def use_ranks_of(self, uci_name: str, protocol: str) -> None:
        """A GUI that sets xiangqi counts ranks from 1; one that only sends our default back counts from 0."""
        if self.has_two_rank_systems:
            self.ranks_from = 1 if uci_name != self.uci_name and protocol == "uci" else 0

    @property
    @abstractmethod
    def engine(self) -> BaseEngine: ...

    def prepare(self) -> None:
        """Create the engine, if there is none yet, and allocate what its first search needs."""
        self.engine.prepare()

    def take_notices(self) -> list[str]:
        """Messages about requests that the engine could not meet in full."""
        return self.engine.take_notices()

    def placed_engine(self) -> BaseEngine:
        """The engine, with the current position on its board."""
        return self.engine

    @abstractmethod
    def configure(self, values: OptionValues) -> None:
        """Apply these option values to the engine."""

    @abstractmethod
    def set_position(self, fen: str | None, moves: tuple[str, ...]) -> None:
        """Set a position; without a FEN, the start position."""

    @abstractmethod
    def read_moves(self, texts: tuple[str, ...]) -> tuple[Any, ...]:
        """Legal moves of the current position."""

    @abstractmethod
    def move_text(self, move: Any) -> str: ...

    @property
    @abstractmethod
    def fen(self) -> str: ...

    @property
    @abstractmethod
    def red_to_move(self) -> bool:
        """Is the side that moves first in the game to move?"""

    @property
    @abstractmethod
    def ply(self) -> int:
        """Plies since the game began, as far as the position shows."""

    @abstractmethod
    def details(self) -> list[str]:
        """The lines that `d` prints below the board."""

    @abstractmethod
    def probe(self, fen: str | None, moves: tuple[str, ...]) -> TableEntry | None: ...

    @abstractmethod
    def perft(self, depth: int, stopped: Callable[[], bool]) -> Iterator[tuple[str, int]]:
        """The leaf count of each move; ends early if `stopped()`."""

    @abstractmethod
    def flipped(self) -> str:
        """The FEN of the position with colours exchanged and the board rotated."""

    def load_tables(self, paths: str) -> list[str]:
        """Open the endgame tables named by the option; returns messages for the user."""
        return []

    def load_network(self, path: str) -> None:
        """Read the network named by the option, also if it is the same name again."""
        return

    @abstractmethod
    def load_books(self, files: str) -> None:
        """Read the opening books named by the option."""

    @abstractmethod
    def book_moves(self, values: OptionValues) -> list[tuple[Any, int]]:
        """The opening books' moves with their weights, as the options want them."""


class XiangqiVariant(Variant):
    """Xiangqi."""

    name = XIANGQI
    uci_name = "cyclone"
    has_two_rank_systems = True

    def __init__(self, engine: Any = None) -> None:
        self.position = Position()
        self._engine: Engine | None = engine
        self._settings = settings_from_options(default_values())
        self._books: dict[str, BookStack | None] = {}  # by the option's value; None: unreadable, and reported
        self._complaints: list[str] = []  # faults of the endgame tables that have been reported

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = Engine(self._settings)
        return self._engine

    def placed_engine(self) -> Engine:
        self.engine.set_position(self.position)
        return self.engine

    def prepare(self) -> None:
        super().prepare()
        _ = self.engine.tables  # opened now, not in the first search

    def take_notices(self) -> list[str]:
        tables = self.engine.tables
        found = [] if tables is None else [*map(str, tables.faults), *tables.damage()]
        fresh = [fault for fault in found if fault not in self._complaints]
        self._complaints += fresh
        return [*super().take_notices(), *fresh]

    def configure(self, values: OptionValues) -> None:
        settings = settings_from_options(values)
        names = type(settings).__dataclass_fields__
        changes = {
            name: getattr(settings, name) for name in names if getattr(settings, name) != getattr(self._settings, name)
        }
        if changes:
            self.engine.configure(**changes)
            self._settings = settings

    def load_network(self, path: str) -> None:
        self.engine.configure(evalfile=path)

    def set_position(self, fen: str | None, moves: tuple[str, ...]) -> None:
        self.position = self._build(fen, moves)

    def _build(self, fen: str | None, moves: tuple[str, ...]) -> Position:
        position = Position(fen) if fen else Position()
        for number, text in enumerate(moves, 1):
            try:
                position.push(self._read_move(text))
            except ValueError as error:
                raise ValueError(f"move {number}, {text[:20]}: {error}") from None
        return position

    def _read_move(self, text: str) -> Move:
        return Move.from_uci(text) if self.ranks_from else Move.from_iccs(text)

    def read_moves(self, texts: tuple[str, ...]) -> tuple[Any, ...]:
        moves = tuple(self._read_move(text) for text in texts)
        for text, move in zip(texts, moves, strict=True):
            if not self.position.is_legal(move):
                raise ValueError(f"{text} is not legal here")
        return moves

    def move_text(self, move: Any) -> str:
        text: str = move.uci if self.ranks_from else move.iccs
        return text

    @property
    def fen(self) -> str:
        return self.position.fen()

    @property
    def red_to_move(self) -> bool:
        return self.position.turn == 0

    @property
    def ply(self) -> int:
        return 2 * (self.position.fullmove_number - 1) + self.position.turn

    def details(self) -> list[str]:
        names = " ".join(square_name(square) for square in self.position.checkers())
        outcome = self.position.outcome()
        lines = [f"Fen: {self.fen}", f"Key: {self.position.key:016x}", f"Checkers: {names}".rstrip()]
        return lines if outcome is None else [*lines, f"Result: {outcome.result}, {outcome.reason.value}"]

    def probe(self, fen: str | None, moves: tuple[str, ...]) -> TableEntry | None:
        return self.engine.probe(self._build(fen, moves))

    def perft(self, depth: int, stopped: Callable[[], bool]) -> Iterator[tuple[str, int]]:
        position = self.position.copy()
        for move in position.legal_moves:
            position.push(move)
            leaves = position.perft_until(depth - 1, stopped)
            position.pop()
            if stopped():
                return
            yield self.move_text(move), leaves

    def flipped(self) -> str:
        return self.position.flip().fen()

    def load_tables(self, paths: str) -> list[str]:
        from chuhe.engine.table_paths import check_directories, directories, has_tables

        if paths:
            check_directories(directories(paths))
        if not has_tables(paths):
            return ["there are no endgame tables yet; `chuhe endgame build` builds them"] if paths else []
        from chuhe.engine.endgame import forget_tablebases, open_tablebases

        forget_tablebases()  # tables may have been added or repaired
        tablebases = open_tablebases(paths)
        self.engine.configure(table_paths=paths)
        faults = [str(fault) for fault in tablebases.faults]
        self._complaints += faults
        return [*faults, f"{len(tablebases)} endgame table{'' if len(tablebases) == 1 else 's'}"]

    def load_books(self, files: str) -> None:
        from chuhe.records.books.book import BookStack, default_book_path

        self._books[files] = BookStack.load_all(files or default_book_path() or "")

    def book_moves(self, values: OptionValues) -> list[tuple[Any, int]]:
        depth = cast("int", values["bookdepth"])
        if depth and self.position.fullmove_number > depth:
            return []
        own = cast("str", values["redbookfiles" if self.position.turn == RED else "blackbookfiles"])
        shared = cast("str", values["bookfiles"])
        for files in [own, shared] if own and shared else [own or shared]:
            choices = [choice for choice in self._probe(files) if choice[1] >= cast("int", values["bookweight"])]
            if choices:
                return choices
        return []

    def _probe(self, files: str) -> list[tuple[Any, int]]:
        if files not in self._books:
            self._books[files] = None  # so that an unreadable book is reported only once
            self.load_books(files)
        books = self._books[files]
        return [] if books is None else list(books.probe(self.position))


def only_xiangqi(game: str) -> Variant:
    """The variant for a session that knows no other game; ValueError for any other."""
    if game != XIANGQI:
        raise ValueError(f"only {XIANGQI} is played here, not {game}")
    return XiangqiVariant()
