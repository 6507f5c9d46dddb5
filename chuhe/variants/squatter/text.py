"""Squatter as text: boards and cells, and the weights of the evaluation.

A board file is the size n, then n rows of n symbols separated by spaces: `+` free, `W` `B` pieces, `w` `b` captured
pieces, `-` a captured free cell. Cells are (row,column), (0,0) at the top left. White begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal

from chuhe.text.message import Language, Message
from chuhe.text.numbers import parse_whole
from chuhe.variants.errors import BoardError
from chuhe.variants.squatter._squatter import LARGEST_SIZE, Squatter
from chuhe.variants.weights import finite_weight, parse_weights

StoneColour = Literal["W", "B"]
Winner = Literal["W", "B", "draw"]
Cell = tuple[int, int]
SYMBOLS = "+WBwb-"
COLOUR_NAMES = {"W": "White", "B": "Black"}


@dataclass(frozen=True, slots=True)
class Weights:
    """The evaluation: what each feature of a position is worth to the player who evaluates it."""

    captured: float = 100.0  # cells captured by me, as a share of the board
    lost: float = -200.0  # cells captured by the opponent, as a share of the board
    sides: float = 10.0  # my pieces on the four sides, as a share of the side cells
    corners: float = -2000.0  # my pieces on the four corners
    rings: float = 4.0  # cells that I have partly surrounded, minus the opponent's; 0 leaves the four classic features

    @classmethod
    def parse(cls, text: str) -> Weights:
        """From `captured=100,lost=-200,…`; weights not named keep their values.

        >>> Weights.parse("sides=5").sides
        5.0
        """
        names = [field.name for field in fields(cls)]
        return cls(**parse_weights(text, names, finite_weight))

    def as_tuple(self) -> tuple[float, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))


def parse_board(text: str) -> tuple[int, str]:
    """The size of a board and its symbols, row by row.

    >>> parse_board("2\\n+ W\\nB x")
    Traceback (most recent call last):
    ...
    chuhe.variants.errors.BoardError: row 1, column 1: 'x' found, one of + W B w b - expected
    """
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not lines:
        raise BoardError("an empty file found, the board's size expected")
    size = parse_whole(lines[0], 1, LARGEST_SIZE)
    if size is None:
        raise BoardError(f"first line: {lines[0]!r} found, the board's size expected (1 to {LARGEST_SIZE})")
    rows = [line.split() for line in lines[1:]]
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
    """A board in the file format."""
    rows = [" ".join(symbols[start : start + size]) for start in range(0, size * size, size)]
    return "\n".join([str(size), *rows] if with_size else rows)


def labelled_board(game: Squatter, language: Language = "en") -> str:
    """The board for display: rows and columns numbered, and how much each side has captured."""
    size, symbols = game.size, game.symbols
    rows = [f"{row:>2}  " + "  ".join(symbols[size * row : size * row + size]) for row in range(size)]
    header = "   " + " ".join(f"{column:>2}" for column in range(size))
    return "\n".join([header, *rows, captured_text(game, language)])


def captured_text(game: Squatter, language: Language = "en") -> str:
    white, black = game.captured_counts
    return Message("squatter.counts", white=white, black=black).text(language)


def position(
    size: int, symbols: str | None = None, to_move: StoneColour | None = None, weights: Weights | None = None,
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
    """The search's move number of a placement; None if it is illegal."""
    row, column = cell
    if not (0 <= row < game.size and 0 <= column < game.size):
        return None
    move = game.size * row + column + 1
    return move if game.symbols[move - 1] == "+" else None


def winner_of(game: Squatter) -> Winner | None:
    """None while a cell is free."""
    if "+" in game.symbols:
        return None
    white, black = game.captured_counts
    return "draw" if white == black else "W" if white > black else "B"


def cell_text(cell: Sequence[int]) -> str:
    return f"({','.join(str(number) for number in cell)})"


def why_not(board: Squatter, cell: Cell) -> Message:
    """Why a cell cannot be played."""
    row, column = cell
    if not (0 <= row < board.size and 0 <= column < board.size):
        return Message("squatter.outside")
    symbol = board.symbols[board.size * row + column]
    return Message("squatter.captured-cell") if symbol in "-wb" else Message("squatter.taken-cell")
