"""What the points of the board are called: ``h2`` as in ICCS, or ``H8`` by rows and columns as on the classic board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

ROWS = "JIHGFEDCBA"  # by rank: A is Black's back rank
FILES = "abcdefghi"


class FromTo(Protocol):
    """A move as two squares; `Move` is one."""

    @property
    def from_square(self) -> int: ...
    @property
    def to_square(self) -> int: ...


@dataclass(frozen=True, slots=True)
class PointNames:
    """One way to name points and moves by their points.

    >>> ICCS_POINTS.point(25), ROW_POINTS.point(25)
    ('h2', 'H8')
    """

    by_rows: bool
    example: str  # a move

    def point(self, square: int) -> str:
        rank, file = divmod(square, 9)
        return f"{ROWS[rank]}{file + 1}" if self.by_rows else f"{FILES[file]}{rank}"

    def move(self, move: FromTo) -> str:
        comma = "," if self.by_rows else ""
        return f"{self.point(move.from_square)}{comma}{self.point(move.to_square)}"


ICCS_POINTS = PointNames(False, "h2e2")
ROW_POINTS = PointNames(True, "H8,H5")


def row_point(text: str) -> int:
    """The square of a point by rows and columns, as `PointNames.point` writes it, in either case.

    >>> row_point("j1"), row_point("A9")
    (0, 89)
    """
    return 9 * ROWS.index(text[0].upper()) + int(text[1]) - 1
