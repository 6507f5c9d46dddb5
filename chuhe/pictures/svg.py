"""A position as an SVG picture: the board, its pieces, the last move, check, arrows. Needs no font and no script.

>>> from chuhe.engine import Position
>>> picture = board_svg(Position())
>>> picture.startswith("<svg "), picture.count("<use ")
(True, 32)

A page that draws boards itself takes `definitions()` and `grid()` from here, so that its pieces are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, sin
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from chuhe.pictures.glyphs import LETTERS, OUTLINES, SIMPLIFIED, STROKES, TRADITIONAL

if TYPE_CHECKING:
    from chuhe.text.points import FromTo

PieceSet = Literal["traditional", "simplified", "letters", "western"]
PIECE_SETS: tuple[PieceSet, ...] = get_args(PieceSet)
Labels = Literal["numbers", "coordinates", "none"]

CELL = 100  # between two points; a piece is drawn around (0, 0)
MARGIN = 90  # from the outer line to the picture's edge: half a piece and the labels
WIDTH, HEIGHT = 8 * CELL + 2 * MARGIN, 9 * CELL + 2 * MARGIN
RADIUS = 44
WOOD, LINE, DISC, RIM = "#f0d9a8", "#7b5a32", "#fff6e0", "#b98f55"
INK = ("#b3261e", "#20262e")  # Red's, Black's
MARK, ALARM = "#2f6f9f", "#d62828"
ARROW = "#2f6f9f"
PIECES = "KABNRCPkabnrcp"
WITH_FIGURES: tuple[PieceSet, ...] = ("letters", "western")  # their boards number Red's files by figures


class Symbol(Protocol):
    @property
    def symbol(self) -> str: ...


class Drawable(Protocol):
    """What a picture shows; `Position` is one."""

    @property
    def move_stack(self) -> Sequence[FromTo]: ...
    @property
    def turn(self) -> int: ...
    def pieces(self) -> Mapping[int, Symbol]: ...
    def fen(self) -> str: ...
    def is_check(self) -> bool: ...
    def king(self, colour: int, /) -> int: ...


@dataclass(frozen=True)
class Arrow:
    """An arrow along a move; `weight` from 1 (the best move) down to 0 makes it thinner and paler."""

    move: FromTo
    weight: float = 1.0
    colour: str = ARROW


def board_svg(
    position: Drawable,
    *,
    last_move: FromTo | None = None,
    arrows: Iterable[Arrow] = (),
    pieces: PieceSet = "traditional",
    flipped: bool = False,
    labels: Labels = "numbers",
    size: int | None = 450,
) -> str:
    """The whole picture. `flipped`: Black sits at the bottom. `size`: its width in pixels; None: as wide as its place.

    Without `last_move`, the last move of the position's own history is marked.
    """
    played = position.move_stack
    if last_move is None and played:
        last_move = played[-1]
    pixels = f' width="{size}" height="{round(size * HEIGHT / WIDTH)}"' if size else ""
    placed = position.pieces()
    used = "".join(sorted({piece.symbol for piece in placed.values()}))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {WIDTH} {HEIGHT}"{pixels} role="img">',
        f"<title>{position.fen()}</title>",
        f"<defs>{''.join(piece_symbol(letter, pieces) for letter in used)}</defs>",
        grid(pieces),
        edge_labels(labels, flipped, pieces),
    ]
    if last_move is not None and last_move.from_square != last_move.to_square:  # a null move leads nowhere
        parts += [brackets(*point(square, flipped)) for square in (last_move.from_square, last_move.to_square)]
    if position.is_check():
        x, y = point(position.king(position.turn), flipped)
        parts.append(f'<circle cx="{x}" cy="{y}" r="{RADIUS + 5}" fill="{ALARM}" fill-opacity=".55"/>')
    for square, piece in sorted(placed.items()):
        x, y = point(square, flipped)
        parts.append(f'<use href="#{symbol_id(piece.symbol, pieces)}" x="{x}" y="{y}"/>')
    parts += [_arrow(arrow, flipped) for arrow in arrows]
    return "\n".join([*parts, "</svg>", ""])


def strip_svg(positions: Iterable[Drawable], *, columns: int = 4, size: int = 220, **options: Any) -> str:
    """Positions side by side in one picture, so many in a row; the options are those of `board_svg`."""
    height, gap = round(size * HEIGHT / WIDTH), size // 20
    boards = []
    for number, position in enumerate(positions):
        row, column = divmod(number, columns)
        place = f'<svg x="{column * (size + gap)}" y="{row * (height + gap)}" '
        boards.append(board_svg(position, size=size, **options).replace("<svg ", place, 1))
    if not boards:
        raise ValueError("a strip needs a position")
    rows, columns = -(-len(boards) // columns), min(columns, len(boards))
    width, high = columns * (size + gap) - gap, rows * (height + gap) - gap
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{high}" viewBox="0 0 {width} {high}">'
    return "".join([f"{head}\n", *boards, "</svg>\n"])


def point(square: int, flipped: bool = False) -> tuple[int, int]:
    """Where a square lies in the picture.

    >>> point(0), point(89), point(0, flipped=True)
    ((0, 900), (800, 0), (800, 0))
    """
    rank, file = divmod(square, 9)
    return (CELL * (8 - file), CELL * rank) if flipped else (CELL * file, CELL * (9 - rank))


# --- pieces


def symbol_id(letter: str, pieces: PieceSet) -> str:
    """The id of a piece's drawing; letters differ by more than case, because ids in HTML may be matched without it."""
    return f"{pieces}-{'red' if letter.isupper() else 'black'}-{letter.lower()}"


def definitions(sets: Iterable[PieceSet] = PIECE_SETS) -> str:
    """All pieces of the sets, for a page's `<defs>`."""
    return "\n".join(piece_symbol(letter, pieces) for pieces in sets for letter in PIECES)


def piece_symbol(letter: str, pieces: PieceSet) -> str:
    """One piece around (0, 0): the disc, and on it a character, a letter or a symbol.

    Both sides have the same letters, so the discs of these are filled: the sides differ by more than a hue.
    """
    ink = INK[0 if letter.isupper() else 1]
    side = "red" if letter.isupper() else "black"
    disc, line, kind = (ink, DISC, "filled") if pieces == "letters" else (DISC, ink, "disc")
    if pieces == "western":
        place = 'transform="translate(-27 -27) scale(.54)"'
        face = f'<path d="{OUTLINES[letter.upper()]}" {place} fill="{ink}" fill-rule="evenodd"/>'
    elif pieces == "letters":
        face = _character(LETTERS[letter], -22, -22, 44, line, 14)
    else:
        character = (TRADITIONAL if pieces == "traditional" else SIMPLIFIED)[letter]
        face = _character(character, -28, -28, 56, ink, 8.5)
    return (
        f'<g id="{symbol_id(letter, pieces)}" class="piece {side}">'
        f'<circle r="{RADIUS}" cy="2.5" fill="{RIM}" class="rim"/>'
        f'<circle r="{RADIUS}" fill="{disc}" stroke="{RIM}" stroke-width="1.5" class="{kind}"/>'
        f'<circle r="{RADIUS - 6}" fill="none" stroke="{line}" stroke-width="2" class="ring"/>{face}</g>'
    )


def _character(character: str, x: float, y: float, size: float, ink: str, pen: float) -> str:
    """A character with its upper left corner at (x, y); `pen` is the width of its strokes on the glyph's own scale."""
    scale = f"{size / 100:.3g}"
    return (
        f'<path d="{STROKES[character]}" transform="translate({x:g} {y:g}) scale({scale})" fill="none" stroke="{ink}" '
        f'stroke-width="{pen:g}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


# --- the board


def grid(pieces: PieceSet = "traditional") -> str:
    """The board without pieces: lines, palaces, the marks of cannons and pawns, the river's name."""
    lines = [f"M0 {CELL * row}H{8 * CELL}" for row in range(10)]
    lines += [f"M{CELL * file} 0V{4 * CELL}M{CELL * file} {5 * CELL}V{9 * CELL}" for file in range(1, 8)]
    for top in (0, 7 * CELL):
        lines.append(f"M{3 * CELL} {top}L{5 * CELL} {top + 2 * CELL}M{5 * CELL} {top}L{3 * CELL} {top + 2 * CELL}")
    marks = "".join(_corner_marks(*point(square)) for square in _marked_squares())
    area = f'x="{-MARGIN}" y="{-MARGIN}" width="{WIDTH}" height="{HEIGHT}"'
    return (
        f'<g class="grid"><rect {area} rx="14" fill="{WOOD}" class="wood"/>'
        f'<path d="{"".join(lines)}" fill="none" stroke="{LINE}" stroke-width="2"/>'
        f'<rect width="{8 * CELL}" height="{9 * CELL}" fill="none" stroke="{LINE}" stroke-width="4"/>'
        f'<path d="{marks}" fill="none" stroke="{LINE}" stroke-width="2"/>{_river(pieces)}</g>'
    )


def _river(pieces: PieceSet) -> str:
    border = "漢" if pieces != "simplified" else "汉"
    places = zip(("楚", "河", border, "界"), (135, 225, 515, 605), strict=True)
    words = "".join(_character(character, x, 421, 58, LINE, 6.5) for character, x in places)
    return f'<g class="river" opacity=".75">{words}</g>'


def _marked_squares() -> Iterator[int]:
    for rank in (2, 7):
        yield from (9 * rank + 1, 9 * rank + 7)
    for rank in (3, 6):
        yield from (9 * rank + file for file in range(0, 9, 2))


def _corner_marks(x: int, y: int) -> str:
    """The four small angles around a point; on the outer files, the two that are on the board."""
    sides = [side for side in (-1, 1) if 0 < x + side < 8 * CELL]
    return "".join(
        f"M{x + 22 * side} {y + 7 * level}H{x + 7 * side}V{y + 22 * level}" for side in sides for level in (-1, 1)
    )


def edge_labels(labels: Labels, flipped: bool = False, pieces: PieceSet = "traditional") -> str:
    """The files on both edges, counted as each side does from its own right; or the coordinates a to i, 0 to 9."""
    if labels == "none":
        return ""
    if labels == "coordinates":
        return _coordinates(flipped)
    red = "987654321" if pieces in WITH_FIGURES else "九八七六五四三二一"
    black = "123456789"
    top, bottom = (red[::-1], black[::-1]) if flipped else (black, red)
    parts = []
    for y, names in ((-MARGIN + 8, top), (9 * CELL + MARGIN - 30, bottom)):
        parts += [_character(name, CELL * index - 11, y, 22, LINE, 9) for index, name in enumerate(names)]
    return f'<g class="labels">{"".join(parts)}</g>'


def _coordinates(flipped: bool) -> str:
    files, ranks = ("ihgfedcba", "0123456789") if flipped else ("abcdefghi", "9876543210")
    places = [(CELL * index, 9 * CELL + MARGIN - 12, name) for index, name in enumerate(files)]
    places += [(-MARGIN + 18, CELL * index + 9, name) for index, name in enumerate(ranks)]
    texts = "".join(f'<text x="{x}" y="{y}">{name}</text>' for x, y, name in places)
    font = 'font-family="sans-serif" font-size="26" text-anchor="middle"'
    return f'<g class="labels" fill="{LINE}" {font}>{texts}</g>'


# --- marks


def brackets(x: int, y: int) -> str:
    """Corner brackets around a point: here the last move began or ended."""
    edge, arm = RADIUS + 2, 15
    path = "".join(
        f"M{x + across * edge} {y + down * (edge - arm)}V{y + down * edge}H{x + across * (edge - arm)}"
        for across in (-1, 1)
        for down in (-1, 1)
    )
    return f'<path d="{path}" fill="none" stroke="{MARK}" stroke-width="4.5" class="last"/>'


def arrow_path(start: tuple[int, int], end: tuple[int, int], thickness: float) -> str:
    """The outline of an arrow from one point to another, its tip short of the end."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    angle = atan2(end[1] - start[1], end[0] - start[0])
    thickness = min(thickness, 0.14 * length)
    half, head, tip = thickness / 2, thickness * 1.5, length - 12
    neck = tip - thickness * 2.2
    corners = [(18.0, -half), (neck, -half), (neck, -head), (tip, 0.0), (neck, head), (neck, half), (18.0, half)]
    turned = (
        (start[0] + along * cos(angle) - aside * sin(angle), start[1] + along * sin(angle) + aside * cos(angle))
        for along, aside in corners
    )
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in turned) + "Z"


def _arrow(arrow: Arrow, flipped: bool) -> str:
    start, end = point(arrow.move.from_square, flipped), point(arrow.move.to_square, flipped)
    weight = max(0.0, min(1.0, arrow.weight))
    path = arrow_path(start, end, 8 + 14 * weight)
    return f'<path d="{path}" fill="{arrow.colour}" fill-opacity="{0.35 + 0.45 * weight:.2f}" class="arrow"/>'
