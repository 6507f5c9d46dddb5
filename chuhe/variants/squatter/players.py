"""Players of Squatter: the interface, our own two, and players loaded by name."""

from __future__ import annotations

import inspect
import math
import os
import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from chuhe.variants.search._search import EXACT_SEARCH, Search
from chuhe.variants.squatter._squatter import Squatter
from chuhe.variants.squatter.text import (
    Cell,
    StoneColour,
    Weights,
    Winner,
    board_text,
    cell_of,
    move_of,
    position,
    winner_of,
)

DEFAULT_DEPTH = 3
SCALE = 100  # units of the compiled evaluation in a unit of a weight
ACCEPTED, ILLEGAL = 0, -1  # a player's answers to the opponent's placement


class SquatterPlayer(Protocol):
    """Anything with these five methods can play. Cells are (row,column), (0,0) at the top left.

    A player keeps its own board. One that raises, or answers anything but what is specified here, loses the game.
    """

    def init(self, size: int, colour: StoneColour, symbols: str | None = None, to_move: StoneColour = "W") -> None:
        """A new game on a board of size x size cells, as "W" or "B".

        The last two are only passed if the game does not start on an empty board: its cells row by row (+ W B w b -),
        and who moves first.
        """

    def make_move(self) -> Cell:
        """The free cell to place on: two whole numbers, row and column."""

    def opponent_move(self, cell: Cell) -> int:
        """Receive the opponent's placement; returns 0, or -1 if it is illegal."""

    def winner(self) -> Winner | None:
        """ "W", "B" or "draw" once no cell is free; None before. The referee asks when the game is over."""

    def print_board(self, write: Callable[[str], object]) -> None:
        """Pass the board, in the file format, to `write`. For display only; the referee does not call it."""


OPERATIONS = ("init", "make_move", "opponent_move", "winner", "print_board")


class PlayerError(ValueError):
    """A player that cannot be loaded or created; the message says why."""


class Player(ABC):
    """A `SquatterPlayer` without `choose`: it keeps the board and rejects illegal placements."""

    colour: StoneColour
    game: Squatter

    def init(self, size: int, colour: StoneColour, symbols: str | None = None, to_move: StoneColour = "W") -> None:
        """Start a new game, from `symbols` if it does not start on an empty board."""
        self.colour = colour
        self.game = position(size, symbols, to_move, self.weights, self.symmetries)

    weights = Weights()
    symmetries = 1

    @abstractmethod
    def choose(self) -> Cell:
        """Choose a free cell for my colour."""

    def make_move(self) -> Cell:
        """My next placement; if legal, it is already made on my own board."""
        cell = self.choose()
        move = move_of(self.game, cell)
        if move is not None:
            self.game.push(move)
        return cell

    def opponent_move(self, cell: Cell) -> int:
        """Receive the opponent's placement; returns 0, or -1 if it is illegal."""
        move = move_of(self.game, cell)
        if move is None or self.game.white_moves == (self.colour == "W"):
            return ILLEGAL
        self.game.push(move)
        return ACCEPTED

    def winner(self) -> Winner | None:
        return winner_of(self.game)

    def print_board(self, write: Callable[[str], object]) -> None:
        """Pass the board, in the file format, to `write`."""
        write(board_text(self.game.size, self.game.symbols))


class RandomPlayer(Player):
    """Plays a random free cell."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self) -> Cell:
        return cell_of(self.game, self._random.choice(self.game.legal_moves()))


class MinimaxPlayer(Player):
    """Searches `depth` placements ahead; symmetric positions share one table entry."""

    def __init__(
        self, depth: int = DEFAULT_DEPTH, weights: Weights | None = None, symmetries: int = 4, table_mb: float = 16
    ) -> None:
        if depth < 1:
            raise ValueError(f"the depth must be 1 or more, not {depth}")
        self.depth, self.weights, self.symmetries = depth, weights or Weights(), symmetries
        self._table_mb = table_mb

    def init(self, size: int, colour: StoneColour, symbols: str | None = None, to_move: StoneColour = "W") -> None:
        super().init(size, colour, symbols, to_move)
        self.game.view_for(colour == "W")
        self.search = Search(self.game, EXACT_SEARCH, self._table_mb)

    def choose(self) -> Cell:
        self.search.begin()
        _, line, _ = self.search.run(min(self.depth, len(self.game.legal_moves())))
        return cell_of(self.game, line[0])


class Feature(Protocol):
    """A property of a position that a `FeaturePlayer` looks at."""

    weight: float

    def value(self, game: Squatter, colour: StoneColour) -> float:
        """How much of it the colour has."""


class FeaturePlayer(Player):
    """Minimax with the usual evaluation and features of your own, for either side. In Python, so it looks less far.

    A feature adds its weight times the difference: its value for the player minus its value for the opponent.
    A subclass without arguments can be named on the command line.
    """

    def __init__(self, features: Sequence[Feature] = (), depth: int = 2, weights: Weights | None = None) -> None:
        if depth < 1:
            raise ValueError(f"the depth must be 1 or more, not {depth}")
        self.features, self.depth, self.weights = tuple(features), depth, weights or Weights()

    def init(self, size: int, colour: StoneColour, symbols: str | None = None, to_move: StoneColour = "W") -> None:
        super().init(size, colour, symbols, to_move)
        self.game.view_for(colour == "W")

    def choose(self) -> Cell:
        best, chosen = -math.inf, None
        for move in self.game.legal_moves():
            self.game.push(move)
            value = -self._search(self.depth - 1, -math.inf, -best)
            self.game.pop()
            if chosen is None or value > best:
                best, chosen = value, move
        assert chosen is not None
        return cell_of(self.game, chosen)

    def _search(self, depth: int, alpha: float, beta: float) -> float:
        """The value for the side to move."""
        final = self.game.final_value()
        if final is not None:
            return final
        if depth == 0:
            return self._evaluate()
        for move in self.game.legal_moves():
            self.game.push(move)
            alpha = max(alpha, -self._search(depth - 1, -beta, -alpha))
            self.game.pop()
            if alpha >= beta:
                break
        return alpha

    def _evaluate(self) -> float:
        other: StoneColour = "B" if self.colour == "W" else "W"
        mine = sum(
            one.weight * (one.value(self.game, self.colour) - one.value(self.game, other)) for one in self.features
        )
        sign = 1 if self.game.white_moves == (self.colour == "W") else -1
        return self.game.static_value() + sign * SCALE * mine


class LazyPlayer:
    """A `SquatterPlayer` that is created when its game begins; if that fails, it loses the game."""

    def __init__(self, maker: Callable[[], SquatterPlayer]) -> None:
        self._maker = maker
        self._player: SquatterPlayer | None = None

    @property
    def player(self) -> SquatterPlayer:
        if self._player is None:
            self._player = self._maker()
        return self._player

    def init(self, size: int, colour: StoneColour, *board: Any) -> None:
        self.player.init(size, colour, *board)

    def make_move(self) -> Cell:
        return self.player.make_move()

    def opponent_move(self, cell: Cell) -> int:
        return self.player.opponent_move(cell)

    def winner(self) -> Winner | None:
        return self.player.winner()

    def print_board(self, write: Callable[[str], object]) -> None:
        self.player.print_board(write)


# --- by name


def load_player(name: str) -> Callable[..., SquatterPlayer]:
    """Load the class `package.module:Class`; the current directory is searched last. PlayerError if that fails."""
    module_name, _, class_name = name.partition(":")
    if not module_name or not class_name:
        raise PlayerError(f"a player is human, minimax, random or package.module:Class, not {name!r}")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found: Any = getattr(import_module(module_name), class_name, None)
    except (Exception, SystemExit) as error:  # a foreign module may raise anything on import
        raise PlayerError(f"{module_name} cannot be imported: {type(error).__name__}: {error}") from None
    if not inspect.isclass(found):
        raise PlayerError(f"there is no class {class_name} in {module_name}")
    missing = [operation for operation in OPERATIONS if not callable(getattr(found, operation, None))]
    if missing:
        raise PlayerError(f"{name} is not a player: it has no {', no '.join(missing)}")
    return cast("Callable[..., SquatterPlayer]", found)


def accepted_settings(maker: Callable[..., object], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings (depth, weights, seed …) that the class accepts."""
    try:
        parameters = inspect.signature(maker).parameters
    except (TypeError, ValueError):
        return {}
    takes_all = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values())
    return {name: value for name, value in settings.items() if takes_all or name in parameters}
