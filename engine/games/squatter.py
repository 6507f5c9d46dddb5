"""Squatter for people and programs: boards as text, the players, and a referee who trusts neither of them.

A board file is the size n, then n rows of n symbols separated by spaces: `+` free, `W` `B` pieces, `w` `b` captured
pieces, `-` a captured free cell. Cells are (row,column), (0,0) at the top left. White begins.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Literal

from engine.games._search import EXACT_SEARCH, Search
from engine.games._squatter import LARGEST_SIZE, Squatter

Colour = Literal["W", "B"]
Cell = tuple[int, int]
SYMBOLS = "+WBwb-"
COLOUR_NAMES = {"W": "White", "B": "Black"}
DEFAULT_DEPTH = 3
ILLEGAL = -1


class BoardError(ValueError):
    """A board that cannot be read; the text says which row and character, and what was expected."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The evaluation: what each feature of a position is worth to the player who evaluates it."""

    captured: float = 100.0  # cells captured by me, as a share of the board
    lost: float = -200.0  # cells captured by the opponent, as a share of the board
    sides: float = 10.0  # my pieces on the four sides, as a share of the side cells
    corners: float = -2000.0  # my pieces on the four corners
    rings: float = 4.0  # cells that I have partly surrounded, less the opponent's; 0 leaves the classic four features

    @classmethod
    def parse(cls, text: str) -> Weights:
        """From `captured=100,lost=-200,…`; what is not named keeps its value.

        >>> Weights.parse("sides=5").sides
        5.0
        """
        names = [field.name for field in fields(cls)]
        changes: dict[str, float] = {}
        for part in text.split(","):
            name, _, value = part.partition("=")
            if name.strip() not in names:
                raise ValueError(f"there is no weight {name.strip()!r}; the weights are {', '.join(names)}")
            try:
                changes[name.strip()] = float(value)
            except ValueError:
                raise ValueError(f"the weight {name.strip()} is a number, not {value.strip()!r}") from None
        return cls(**changes)

    def as_tuple(self) -> tuple[float, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))


def parse_board(text: str) -> tuple[int, str]:
    """The size of a board and its symbols, row by row.

    >>> parse_board("2\\n+ W\\nB x")
    Traceback (most recent call last):
    ...
    engine.games.squatter.BoardError: row 1, column 1: 'x' found, one of + W B w b - expected
    """
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not lines:
        raise BoardError("an empty file found, the board's size expected")
    if not lines[0].isdecimal() or not 1 <= int(lines[0]) <= LARGEST_SIZE:
        raise BoardError(f"first line: {lines[0]!r} found, the board's size expected (1 to {LARGEST_SIZE})")
    size, rows = int(lines[0]), [line.split() for line in lines[1:]]
    for row, symbols in enumerate(rows[:size]):
        for column, symbol in enumerate(symbols):
            if symbol not in SYMBOLS or len(symbol) != 1:
                found = f"row {row}, column {column}: {symbol!r} found"
                raise BoardError(f"{found}, one of {' '.join(SYMBOLS)} expected")
            on_edge = row in (0, size - 1) or column in (0, size - 1)
            if on_edge and symbol in "wb-":
                found = f"row {row}, column {column}: {symbol!r} found on the edge, where no cell is ever captured"
                raise BoardError(f"{found}; one of + W B expected")
        if len(symbols) != size:
            raise BoardError(f"row {row}: {len(symbols)} symbols found, {size} expected")
    if len(rows) != size:
        raise BoardError(f"{len(rows)} rows found, {size} expected")
    return size, "".join("".join(symbols) for symbols in rows)


def board_text(size: int, symbols: str, with_size: bool = True) -> str:
    """A board as its file has it."""
    rows = [" ".join(symbols[start : start + size]) for start in range(0, size * size, size)]
    return "\n".join([str(size), *rows] if with_size else rows)


def position(
    size: int, symbols: str | None = None, to_move: Colour | None = None, weights: Weights | None = None,
    symmetries: int = 4,
) -> Squatter:  # fmt: skip
    """A position to play on; without `to_move`, the colour with fewer pieces moves, White if they are equal."""
    symbols = symbols or "+" * (size * size)
    white, black = (sum(symbol in pair for symbol in symbols) for pair in ("Ww", "Bb"))
    to_move = to_move or ("W" if white <= black else "B")
    game = Squatter(size, (weights or Weights()).as_tuple(), to_move == "W", to_move == "W", symmetries)
    try:
        game.load(symbols)
    except ValueError as error:
        raise BoardError(str(error)) from None
    return game


def cell_of(game: Squatter, move: int) -> Cell:
    return divmod(move - 1, game.size)


def move_of(game: Squatter, cell: Cell) -> int | None:
    """The search's number for a placement, if it is legal."""
    row, column = cell
    if not (0 <= row < game.size and 0 <= column < game.size):
        return None
    move = game.size * row + column + 1
    return move if game.symbols[move - 1] == "+" else None


def winner_of(game: Squatter) -> Colour | Literal["draw"] | None:
    """None while a cell is free."""
    if "+" in game.symbols:
        return None
    white, black = game.captured_counts
    return "draw" if white == black else "W" if white > black else "B"


class Player(ABC):
    """What a referee asks of a player. Each keeps a board of its own, so that it can catch the other cheating."""

    colour: Colour
    game: Squatter

    def init(self, size: int, colour: Colour, symbols: str | None = None, to_move: Colour = "W") -> None:
        """A new game; `symbols`: not from the empty board."""
        self.colour = colour
        self.game = position(size, symbols, to_move, self.weights, self.symmetries)

    weights = Weights()
    symmetries = 1

    @abstractmethod
    def choose(self) -> Cell:
        """A free cell for my colour."""

    def make_move(self) -> Cell:
        """My next placement, already made on my own board as far as it is legal."""
        cell = self.choose()
        move = move_of(self.game, cell)
        if move is not None:
            self.game.push(move)
        return cell

    def opponent_move(self, cell: Cell) -> int:
        """Be told the opponent's placement: 0, or -1 if it is illegal."""
        move = move_of(self.game, cell)
        if move is None or self.game.white_moves == (self.colour == "W"):
            return ILLEGAL
        self.game.push(move)
        return 0

    def winner(self) -> Colour | Literal["draw"] | None:
        return winner_of(self.game)

    def print_board(self, write: Callable[[str], object]) -> None:
        """Hand the board, as its file has it, to `write`."""
        write(board_text(self.game.size, self.game.symbols))


class RandomPlayer(Player):
    """Any free cell."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self) -> Cell:
        return cell_of(self.game, self._random.choice(self.game.legal_moves()))


class MinimaxPlayer(Player):
    """Looks `depth` placements ahead; symmetric positions share one entry of its table."""

    def __init__(
        self, depth: int = DEFAULT_DEPTH, weights: Weights | None = None, symmetries: int = 4, table_mb: float = 16
    ) -> None:
        if depth < 1:
            raise ValueError(f"the depth must be 1 or more, not {depth}")
        self.depth, self.weights, self.symmetries = depth, weights or Weights(), symmetries
        self._table_mb = table_mb

    def init(self, size: int, colour: Colour, symbols: str | None = None, to_move: Colour = "W") -> None:
        super().init(size, colour, symbols, to_move)
        self.game.view_for(colour == "W")
        self.search = Search(self.game, EXACT_SEARCH, self._table_mb)

    def choose(self) -> Cell:
        self.search.begin()
        _, line, _ = self.search.run(min(self.depth, len(self.game.legal_moves())))
        return cell_of(self.game, line[0])


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. `fault` says who broke the rules and how; the other colour is then the winner."""

    winner: Colour | Literal["draw"]
    captured: tuple[int, int]  # by White, by Black
    placements: tuple[Cell, ...]
    symbols: str
    fault: str = ""

    def text(self) -> str:
        """
        >>> Result("W", (3, 1), (), "").text()
        'White wins: White captured 3, Black captured 1.'
        """
        who = "Draw" if self.winner == "draw" else f"{COLOUR_NAMES[self.winner]} wins"
        reason = f" ({self.fault})" if self.fault else ""
        return f"{who}{reason}: White captured {self.captured[0]}, Black captured {self.captured[1]}."


def referee(
    white: Player, black: Player, size: int, symbols: str | None = None, to_move: Colour | None = None,
    on_move: Callable[[Squatter, Colour, Cell], None] | None = None,
) -> Result:  # fmt: skip
    """Play a game. The referee's own board decides what is legal; whoever breaks the rules loses at once."""
    board = position(size, symbols, to_move)
    start: Colour = "W" if board.white_moves else "B"
    players: dict[Colour, Player] = {"W": white, "B": black}
    for colour, player in players.items():
        player.init(size, colour, symbols, start)
    placements: list[Cell] = []
    mover = start
    while winner_of(board) is None:
        other: Colour = "B" if mover == "W" else "W"
        cell = players[mover].make_move()
        move = move_of(board, cell)
        if move is None:
            fault = f"{COLOUR_NAMES[mover]} cannot play {cell_text(cell)}: {_why_not(board, cell)}"
            return Result(other, board.captured_counts, tuple(placements), board.symbols, fault)
        board.push(move)
        placements.append(cell)
        if on_move is not None:
            on_move(board, mover, cell)
        if players[other].opponent_move(cell) == ILLEGAL:
            fault = f"{COLOUR_NAMES[other]} rejects the legal placement {cell_text(cell)}"
            return Result(mover, board.captured_counts, tuple(placements), board.symbols, fault)
        mover = other
    winner = winner_of(board)
    assert winner is not None
    return Result(winner, board.captured_counts, tuple(placements), board.symbols)


def cell_text(cell: Sequence[int]) -> str:
    return f"({','.join(str(number) for number in cell)})"


def _why_not(board: Squatter, cell: Cell) -> str:
    row, column = cell
    if not (0 <= row < board.size and 0 <= column < board.size):
        return "it is not on the board"
    symbol = board.symbols[board.size * row + column]
    return "the cell is captured" if symbol in "-wb" else "the cell is taken"
