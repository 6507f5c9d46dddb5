"""Draws a board as text: Chinese glyphs on a grid, plain ASCII, the brackets of the old program S0, or its very lines.

Everything is drawn from a `View`, so nothing here depends on a game, an engine or a terminal.
A CJK glyph fills two columns of a terminal; all widths are counted in columns, not in characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from chuhe.pictures.glyphs import SIMPLIFIED, TRADITIONAL
from chuhe.play.view import View
from chuhe.text.columns import pad, width
from chuhe.text.message import Message
from chuhe.text.points import ROWS

BoardLook = Literal["unicode", "ascii", "classic", "s0"]
BOARD_LOOKS: tuple[BoardLook, ...] = get_args(BoardLook)
ROW_LOOKS: tuple[BoardLook, ...] = ("classic", "s0")  # these name points by rows and columns

FILES, RANKS = 9, 10
GLYPHS = TRADITIONAL
CHINESE_SAMPLE = "".join(GLYPHS.values())  # an encoding that has these has what we write
CLASSIC_GLYPHS = {**TRADITIONAL, "N": "馬", "R": "車"}  # brackets tell the sides apart
WXF_NAMES = "九八七六五四三二一"

RED_INK, BLACK_INK, MARK, ALARM, PLAIN = "\x1b[1;31m", "\x1b[1;36m", "\x1b[43m", "\x1b[1;97;41m", "\x1b[0m"
DIM = "\x1b[2m"


@dataclass(frozen=True)
class _Ink:
    """Wraps text in terminal colours, or leaves it alone."""

    colour: bool

    def __call__(self, code: str, text: str) -> str:
        return f"{code}{text}{PLAIN}" if self.colour and text.strip() else text


def draw(view: View, look: BoardLook = "unicode", colour: bool = False, simplified: bool = False) -> str:
    """The board as lines of text, without a newline at the end; `simplified`: in simplified characters."""
    if look == "classic":
        return _draw_classic(view, _Ink(colour))
    if look == "s0":
        return _draw_s0(view)
    return _draw_grid(view, _ASCII if look == "ascii" else _SIMPLIFIED if simplified else _UNICODE, _Ink(colour))


def captured_line(view: View, look: BoardLook = "unicode", simplified: bool = False) -> Message:
    """The captured pieces, Red's losses and Black's separately, the most valuable first."""
    glyphs = {"unicode": SIMPLIFIED if simplified else GLYPHS, **dict.fromkeys(ROW_LOOKS, CLASSIC_GLYPHS)}.get(look)
    order = "RCNBAPK"

    def losses(red: bool) -> str | Message:
        pieces = sorted(
            (piece for piece in view.captured if piece.isupper() == red), key=lambda piece: order.index(piece.upper())
        )
        return "".join(glyphs[piece] if glyphs else piece for piece in pieces) or Message("captured.none")

    return Message("captured.both", red=losses(True), black=losses(False))


# --- the grid: Unicode and ASCII


@dataclass(frozen=True)
class _Grid:
    """The characters of a grid. A point is `point_width` columns wide, and points are four columns apart."""

    glyphs: Mapping[str, str]
    point_width: int
    horizontal: str
    vertical: str
    rising: str
    falling: str
    crossings: Mapping[tuple[str, str], str]  # (top/upper/lower/middle/bottom, left/inner/right)
    river: str
    top_labels: str
    bottom_labels: str


_UNICODE = _Grid(
    glyphs=GLYPHS,
    point_width=2,
    horizontal="─",
    vertical="│",
    rising="╱",
    falling="╲",
    crossings={
        ("top", "left"): "┌", ("top", "inner"): "┬", ("top", "right"): "┐",
        ("middle", "left"): "├", ("middle", "inner"): "┼", ("middle", "right"): "┤",
        ("upper bank", "left"): "├", ("upper bank", "inner"): "┴", ("upper bank", "right"): "┤",
        ("lower bank", "left"): "├", ("lower bank", "inner"): "┬", ("lower bank", "right"): "┤",
        ("bottom", "left"): "└", ("bottom", "inner"): "┴", ("bottom", "right"): "┘",
    },
    river="楚 河          漢 界",
    top_labels="１２３４５６７８９",
    bottom_labels=WXF_NAMES,
)  # fmt: skip

# Simplified characters do not tell the sides apart: brackets would break the grid, so Black's keep the old form.
_SIMPLIFIED = replace(_UNICODE, glyphs={**SIMPLIFIED, "n": "馬", "r": "車", "c": "砲"}, river="楚 河          汉 界")

_ASCII = _Grid(
    glyphs={letter: letter for letter in GLYPHS},
    point_width=1,
    horizontal="-",
    vertical="|",
    rising="/",
    falling="\\",
    crossings={
        (row, column): "+"
        for row in ("top", "middle", "upper bank", "lower bank", "bottom")
        for column in ("left", "inner", "right")
    },
    river="r  i  v  e  r",
    top_labels="123456789",
    bottom_labels="987654321",
)

_PITCH = 4


def _crossing(grid: _Grid, row: int, column: int) -> str:
    rows = {0: "top", 4: "upper bank", 5: "lower bank", 9: "bottom"}
    columns = {0: "left", FILES - 1: "right"}
    return grid.crossings[rows.get(row, "middle"), columns.get(column, "inner")]


def _square(view: View, row: int, column: int) -> int:
    """The square drawn at a row (0 on top) and column of the picture."""
    rank, file = (row, FILES - 1 - column) if view.black_at_bottom else (RANKS - 1 - row, column)
    return FILES * rank + file


def _point(view: View, grid: _Grid, ink: _Ink, row: int, column: int) -> str:
    """One point with the line to the next: `_PITCH` columns, with one column in front for the last-move mark."""
    square = _square(view, row, column)
    piece = view.pieces.get(square)
    marked = view.last_move is not None and square in view.last_move
    checked = square == view.checked_king
    before = " " if column == 0 else grid.horizontal
    after = " " if column == FILES - 1 else grid.horizontal
    if checked:
        before = after = "*"
    elif marked:
        before, after = "[", "]"
    if piece is None:
        filler = after if column == FILES - 1 and not marked else grid.horizontal
        text = ink(MARK if marked else DIM, _crossing(grid, row, column) + filler * (grid.point_width - 1))
    else:
        code = RED_INK if piece.isupper() else BLACK_INK
        text = ink(ALARM if checked else MARK + code if marked else code, grid.glyphs[piece])
    rest = _PITCH - 2 - grid.point_width
    line = "" if column == FILES - 1 else grid.horizontal * rest
    return ink(DIM, before) + text + ink(DIM, after) + ink(DIM, line)


def _draw_grid(view: View, grid: _Grid, ink: _Ink) -> str:
    margin = "   "
    top, bottom = grid.top_labels, grid.bottom_labels
    letters = "abcdefghi"
    if view.black_at_bottom:
        top, bottom, letters = bottom[::-1], top[::-1], letters[::-1]
    lines = [margin + " " + _labels(top)]
    for row in range(RANKS):
        rank = row if view.black_at_bottom else RANKS - 1 - row
        lines.append(f"{rank:>2} " + "".join(_point(view, grid, ink, row, column) for column in range(FILES)).rstrip())
        if row < RANKS - 1:
            lines.append((margin + " " + _between(grid, ink, row)).rstrip())
    lines += [margin + " " + _labels(bottom), margin + " " + _labels(letters)]
    return "\n".join(lines)


def _labels(labels: str) -> str:
    return "".join(pad(label, _PITCH) for label in labels).rstrip()


def _between(grid: _Grid, ink: _Ink, row: int) -> str:
    """The line under a row: bars, the palace's diagonals, or the river."""
    columns = _PITCH * (FILES - 1) + 1
    if row == 4:
        inner = columns - 2
        left = (inner - width(grid.river)) // 2
        middle = " " * left + grid.river
        return ink(DIM, grid.vertical + pad(middle, inner) + grid.vertical)
    cells = [grid.vertical if index % _PITCH == 0 else " " for index in range(columns)]
    if row in (0, 7, 1, 8):
        first, second = (grid.falling, grid.rising) if row in (0, 7) else (grid.rising, grid.falling)
        cells[3 * _PITCH + 2], cells[4 * _PITCH + 2] = first, second
    return ink(DIM, "".join(cells))


# --- the board of the old console program

_CLASSIC_PITCH = 6  # a piece in brackets, and a column on either side for the mark of the last move
_RIVER = "   " + "~" * 25 + "河界" + "~" * 25
_PALACE_RANKS = (0, 1, 2, 7, 8, 9)
_RIVER_RANKS = (4, 5)  # rows F and E


def _classic_text(piece: str | None, square: int) -> str:
    if piece is not None:
        left, right = "<>" if piece.isupper() else "()"
        return f"{left}{CLASSIC_GLYPHS[piece]}{right}"
    rank, file = divmod(square, FILES)
    return "x" if rank in _PALACE_RANKS and 3 <= file <= 5 else "----" if rank in _RIVER_RANKS else "."


def _classic_point(view: View, ink: _Ink, square: int) -> str:
    piece = view.pieces.get(square)
    marked = view.last_move is not None and square in view.last_move
    checked = square == view.checked_king
    before, after = "**" if checked else "[]" if marked else "  "
    text = _classic_text(piece, square)
    if piece is None:
        text = ink(MARK if marked else DIM, text if len(text) > 1 else f" {text}  ")
    else:
        code = RED_INK if piece.isupper() else BLACK_INK
        text = ink(ALARM if checked else MARK + code if marked else code, text)
    return before + text + after


def _columns(view: View) -> list[int]:
    return [FILES - 1 - index if view.black_at_bottom else index for index in range(FILES)]


def _draw_classic(view: View, ink: _Ink) -> str:
    """Rows A (Black's back rank) to J, columns 1 to 9 from Red's left; brackets tell the sides apart."""
    columns = _columns(view)
    header = "   " + "".join(pad(f"  {column + 1}", _CLASSIC_PITCH) for column in columns).rstrip()
    lines = [header]
    for row in range(RANKS):
        rank = _square(view, row, 0) // FILES
        points = "".join(_classic_point(view, ink, FILES * rank + column) for column in columns)
        lines.append(f"{ROWS[rank]}  {points}".rstrip())
        if row == 4:
            lines.append(_RIVER)
    lines.append(header)
    return "\n".join(lines)


def _draw_s0(view: View) -> str:
    """As S0's document prints it: eleven lines, a tab after every cell, also the last, and nothing marked."""
    columns = _columns(view)
    lines = ["\t".join(["", *(str(column + 1) for column in columns), ""])]
    for row in range(RANKS):
        rank = _square(view, row, 0) // FILES
        squares = (FILES * rank + column for column in columns)
        cells = (_classic_text(view.pieces.get(square), square) for square in squares)
        lines.append("\t".join([ROWS[rank], *cells, ""]))
    return "\n".join(lines)
