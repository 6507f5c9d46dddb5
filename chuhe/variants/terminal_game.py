"""A game as the terminal plays it: one class per game (`terminal` in its folder), all with the same few operations."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from chuhe.engine.search_handle import StopSignal
from chuhe.text.errors import UserError
from chuhe.text.message import Language, Message, shown
from chuhe.text.system_language import Speaker
from chuhe.variants.search._search import DEEPER, EXACT_SEARCH, FAR_WIN_VALUE, Search

if TYPE_CHECKING:
    pass


HIGHEST_LEVEL = 10


class MoveError(UserError):
    """What was typed is not a legal move; the message says why."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game begins and how long the computer thinks."""

    movetime: int = 2000  # milliseconds
    depth: int = 0  # 0: as deep as the time allows
    start: str = ""  # a FEN, or the text of a board; empty: the usual start
    size: int = 6  # Squatter's board
    to_move: Literal["W", "B"] | None = None  # who begins in Squatter; None: as on the board
    patience: float | None = None  # seconds that an external Squatter player has for an answer
    language: Language = "en"  # of all texts of the game


class VariantGame(ABC):
    """A game in progress: what is on the board, whose turn it is, moves as text."""

    name: str  # as after --variant
    sides: tuple[str, str]  # as the tables of the languages have them
    takes_fen = False  # starts from a FEN, not from a board file
    takes_size = False  # the board's size can be chosen

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.say = Speaker(setup.language)
        self.history: list[str] = []

    def side(self, number: int) -> str:
        """The name of a side."""
        return self.say(f"seat.{self.sides[number]}")

    @abstractmethod
    def board(self, flipped: bool) -> str: ...

    @property
    @abstractmethod
    def mover(self) -> int:
        """0 for the side that is named first, 1 for the other."""

    @abstractmethod
    def play(self, text: str) -> str:
        """Play what a person typed and return it in full; MoveError leaves the game unchanged."""

    def think(self, stop: StopSignal) -> str:
        """Let the computer move for the side whose turn it is; returns the move and its score."""
        move, about = self.choose(stop)
        return f"{self.push(move)}  {about}"

    def hint(self, stop: StopSignal) -> str:
        """What the computer would play for the side whose turn it is, and its score."""
        move, about = self.choose(stop)
        return f"{self.text_of(move)}  {about}"

    @abstractmethod
    def choose(self, stop: StopSignal) -> tuple[Any, str]:
        """The computer's move, and what its search says of it."""

    @abstractmethod
    def push(self, move: Any) -> str:
        """Play a move and return its text."""

    @abstractmethod
    def text_of(self, move: Any) -> str: ...

    def set_level(self, level: int) -> None:
        """Think that many plies ahead; at the highest level, as long as the time allows."""
        self.setup = replace(self.setup, depth=level if level < HIGHEST_LEVEL else 0)

    def record(self) -> str:
        """The game as text: the start, if it is not the usual one, and the moves."""
        pairs = [" ".join(self.history[at : at + 2]) for at in range(0, len(self.history), 2)]
        moves = [f"{number}. {pair}" for number, pair in enumerate(pairs, 1)]
        return "\n".join([*self.setup.start.splitlines(), *moves, self.result() or "*"]) + "\n"

    def about(self, value: str, depth: int) -> str:
        """What a search says of its move."""
        return self.say("variant.about", value=value, depth=depth)

    @property
    def example(self) -> str:
        """How a move is typed."""
        return self.say(f"example.{self.name}")

    def unreadable(self, text: str) -> MoveError:
        return MoveError(Message(f"unreadable.{self.name}", text=shown(text), example=self.example))

    @abstractmethod
    def take_back(self) -> None: ...

    def swap_sides(self) -> None:
        """The person and the computer change sides."""
        return

    @abstractmethod
    def moves(self) -> list[str]: ...

    @abstractmethod
    def result(self) -> str | None:
        """How the game ended, or None."""


class SearchedGame(VariantGame):
    """What draughts and Squatter share: a compiled game and a search on it."""

    features = EXACT_SEARCH | DEEPER
    deepest = 40

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.game: Any = self.new_position()
        self._search = Search(self.game, self.features, 32)

    @abstractmethod
    def new_position(self) -> Any: ...

    @abstractmethod
    def value_text(self, value: int) -> str: ...

    def decided(self, value: int) -> str:
        return self.say("variant.winning" if value > 0 else "variant.losing")

    def push(self, move: int) -> str:
        text = self.text_of(move)
        self.game.push(move)
        self.history.append(text)
        return text

    def choose(self, stop: StopSignal) -> tuple[int, str]:
        self._search.begin()
        if not self.setup.depth:
            self._search.stop_after(self.setup.movetime / 1000)
        with stop.reaching(self._search.stop):
            move, value, reached = self._deepen()
        return move, self.about(self.value_text(value), reached)

    def _deepen(self) -> tuple[int, int, int]:
        """The move, its value, and the depth that was reached."""
        started = time.perf_counter()
        move, value, reached = self.game.legal_moves()[0], 0, 0
        for depth in range(1, (self.setup.depth or self.deepest) + 1):
            found, line, completed = self._search.run(depth)
            if not line:
                break
            move, value, reached = line[0], found, depth
            spent = time.perf_counter() - started
            is_long = not self.setup.depth and spent > self.setup.movetime / 2000
            if not completed or is_long or abs(value) >= FAR_WIN_VALUE or len(self.game.legal_moves()) == 1:
                break
        return move, value, reached

    def take_back(self) -> None:
        self.game.pop()
        self.history.pop()

    def moves(self) -> list[str]:
        return [self.text_of(move) for move in self.game.legal_moves()]
