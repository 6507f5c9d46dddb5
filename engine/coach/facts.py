"""A fact: a motif with the pieces and points that prove it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chuhe.engine._core import Piece
from chuhe.engine.coach.motifs import MOTIFS, Motif
from chuhe.engine.points import ICCS_POINTS, PointNames
from chuhe.engine.position import COLOUR_NAMES, KIND_NAMES


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece and the square that it stands on."""

    symbol: str  # its FEN letter
    square: int

    @property
    def kind(self) -> int:
        return Piece.from_symbol(self.symbol).kind

    @property
    def colour(self) -> int:
        return Piece.from_symbol(self.symbol).colour

    def text(self, points: PointNames = ICCS_POINTS) -> str:
        return f"{KIND_NAMES[self.kind]} {points.point(self.square)}"


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement about the position after `ply` moves of a line, good for `colour`.

    pieces: those that prove it, the side that profits first. points: empty points that matter. moves: a length, or 0.
    mate: the code of the mate that it leads to, if that has a name.
    """

    code: str
    colour: int
    pieces: tuple[PlacedPiece, ...]
    points: tuple[int, ...] = ()
    moves: int = 0
    ply: int = 0
    mate: str = ""

    @property
    def motif(self) -> Motif:
        return MOTIFS[self.code]

    def text(self, points: PointNames = ICCS_POINTS) -> str:
        """The fact as `chuhe explain` prints it.

        >>> Fact("double_cannon", 0, (PlacedPiece("C", 40), PlacedPiece("C", 58), PlacedPiece("k", 85))).text()
        'double cannon (重炮): Red cannon e4, cannon e6; Black king e9'
        """
        sides = []
        for colour in (self.colour, 1 - self.colour):
            names = ", ".join(piece.text(points) for piece in self.pieces if piece.colour == colour)
            if names:
                sides.append(f"{COLOUR_NAMES[colour]} {names}")
        if self.points:
            sides.append(", ".join(points.point(square) for square in self.points))
        if self.mate:
            sides.append(str(MOTIFS[self.mate]))
        length = f" in {self.moves}" if self.moves else ""
        return f"{self.motif.english}{length} ({self.motif.chinese}): {'; '.join(sides)}"


def placed(pieces: dict[int, Piece], squares: Iterable[int]) -> tuple[PlacedPiece, ...]:
    """The pieces that stand on these squares."""
    return tuple(PlacedPiece(pieces[square].symbol, square) for square in squares)
