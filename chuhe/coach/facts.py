"""A fact: a motif with the pieces and points that prove it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chuhe.coach.motifs import MOTIFS, Motif
from chuhe.engine._core import RED, Piece
from chuhe.engine.notation import file_number
from chuhe.text.languages import table
from chuhe.text.message import Language, Message
from chuhe.text.points import ICCS_POINTS, PointNames


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece and the square that it stands on.

    symbol: its letter in FEN.
    square: 0 to 89.
    """

    symbol: str
    square: int

    @property
    def kind(self) -> int:
        """KING … PAWN."""
        return Piece.from_symbol(self.symbol).kind

    @property
    def colour(self) -> int:
        """RED or BLACK."""
        return Piece.from_symbol(self.symbol).colour

    def text(self, points: PointNames = ICCS_POINTS, language: Language = "en") -> str:
        """The piece and its point, in Chinese its file as its side counts it.

        >>> cannon = PlacedPiece("c", 82)
        >>> cannon.text(), cannon.text(language="zh-Hans")
        ('cannon b9', '２路炮')
        """
        return self._named(points, language, "")

    def among(self, others: Iterable[PlacedPiece], points: PointNames, language: Language) -> str:
        """Like `text`; in Chinese the one of two alike on a file is the one in front or behind."""
        alike = [other for other in others if other.symbol == self.symbol and other.square % 9 == self.square % 9]
        foremost = (max if self.colour == RED else min)(alike, key=lambda piece: piece.square)
        place = "" if len(alike) < 2 else "order.front" if foremost == self else "order.back"
        return self._named(points, language, place)

    def _named(self, points: PointNames, language: Language, place: str) -> str:
        kind = table(language)[f"kind.{self.symbol}"]
        if language == "en":
            return f"{kind} {points.point(self.square)}"
        order = Message(place).text(language) if place else ""
        file = file_number(self.colour, self.square)
        return Message("coach.piece-on-file", kind=f"{order}{kind}", file=file).text(language)


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
        """What is claimed."""
        return MOTIFS[self.code]

    def text(self, points: PointNames = ICCS_POINTS, language: Language = "en") -> str:
        """The fact as `chuhe explain` prints it.

        >>> fact = Fact("double_cannon", 0, (PlacedPiece("C", 40), PlacedPiece("C", 58), PlacedPiece("k", 85)))
        >>> fact.text()
        'double cannon (重炮): Red cannon e4, cannon e6; Black king e9'
        >>> fact.text(language="zh-Hans")
        '重炮：红方五路后炮、五路前炮；黑方５路将'
        """
        english = language == "en"
        comma, semicolon, colon, gap = (", ", "; ", ": ", " ") if english else ("、", "；", "：", "")
        words = table(language)
        parts = []
        for colour in (self.colour, 1 - self.colour):
            own = [piece for piece in self.pieces if piece.colour == colour]
            names = comma.join(piece.among(own, points, language) for piece in own)
            if names:
                parts.append(f"{words['side.red' if colour == RED else 'side.black']}{gap}{names}")
        if self.points:
            parts.append(comma.join(points.point(square) for square in self.points))
        if self.mate:
            parts.append(str(MOTIFS[self.mate]) if english else MOTIFS[self.mate].name(language))
        name = self.motif.name(language)
        if self.moves:
            name = Message("coach.in-moves", name=name, moves=self.moves).text(language)
        if english:
            name += f" ({self.motif.chinese})"
        return name + colon + semicolon.join(parts)


def placed(pieces: Mapping[int, Piece], squares: Iterable[int]) -> tuple[PlacedPiece, ...]:
    """The pieces that stand on these squares."""
    return tuple(PlacedPiece(pieces[square].symbol, square) for square in squares)
