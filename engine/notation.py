"""Moves as people write them: WXF (`C2=5`), Chinese (炮二平五), ICCS (`h2e2`), UCI (`h3e3`), by rows (`H8,H5`).

Two steps each way. Writing: a move becomes a `Phrase` (which piece, which way, how far), and a phrase becomes text.
Reading: a text becomes a phrase, which is looked up on the board. Rules and sources: docs/notation.md.

>>> from chuhe.engine import Position
>>> position = Position()
>>> move = parse(position, "炮二平五")
>>> str(move), to_wxf(position, move), to_chinese(position, move, traditional=True)
('h2e2', 'C2=5', '炮二平五')
>>> parse(position, "C2=5") == parse(position, "H2-E2") == parse(position, "H8,H5") == move
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn, get_args

from chuhe.engine._core import ADVISOR, BISHOP, BLACK, CANNON, KING, KNIGHT, PAWN, RED, ROOK, Move, Piece
from chuhe.engine.errors import AmbiguousMoveError, IllegalMoveError, InvalidMoveError
from chuhe.engine.legality import explain_illegal
from chuhe.engine.position import side_name
from chuhe.text.message import Language, Message, shown
from chuhe.text.points import ICCS_POINTS, ROW_POINTS, PointNames, row_point

if TYPE_CHECKING:
    from chuhe.engine.position import Position

__all__ = [
    "CHINESE_NOTATIONS",
    "NOTATIONS",
    "USUAL_NOTATION",
    "Notation",
    "explain_illegal",
    "file_number",
    "language_of",
    "move_text",
    "parse",
    "parse_chinese",
    "parse_wxf",
    "to_chinese",
    "to_wxf",
]

Notation = Literal["iccs", "wxf", "chinese", "traditional", "rows"]
NOTATIONS: tuple[Notation, ...] = get_args(Notation)
USUAL_NOTATION: dict[Language, Notation] = {"en": "wxf", "zh-Hans": "chinese", "zh-Hant": "traditional"}
NULL_TEXTS = ("--", "0000")  # of the null move: as it is written, and as it is also read
CHINESE_NOTATIONS: tuple[Notation, ...] = ("chinese", "traditional")  # the others are ASCII


def language_of(notation: Notation) -> Language:
    """The language that goes with the moves."""
    return "zh-Hans" if notation == "chinese" else "zh-Hant" if notation == "traditional" else "en"


FRONT, BACK, MIDDLE = "front", "back", "middle"
FORWARD, BACKWARD, SIDEWAYS = "+", "-", "="
_SIGNS = {FORWARD: 1, BACKWARD: -1, SIDEWAYS: 0}

# These three name the file they go to; the others say how far they go.
DIAGONAL = (ADVISOR, BISHOP, KNIGHT)
# Two of these on one file are distinguished by the direction alone, so front and back are never written for them.
NEVER_TANDEM = (KING, ADVISOR, BISHOP)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A move in words, seen from the mover's side. None: not stated.

    order: which of several pieces of one kind on a file; an int counts from the front, 1 first.
    number: the file to go to (sideways, or a piece that moves diagonally), else the number of points.
    """

    kind: int | None
    file: int | None
    order: int | str | None
    direction: str
    number: int


# ---------------------------------------------------------------- the board, seen from the mover's side


def _file_number(colour: int, square: int) -> int:
    """Files are counted 1 to 9 from the mover's right."""
    return 9 - square % 9 if colour == RED else square % 9 + 1


def _advance(colour: int, start: int, end: int) -> int:
    ranks = end // 9 - start // 9
    return ranks if colour == RED else -ranks


def _columns(position: Position, colour: int, kind: int) -> dict[int, list[int]]:
    """The squares of a side's pieces of one kind by file number, each file from the front to the back."""
    result: dict[int, list[int]] = {}
    squares = [square for square, piece in position.pieces().items() if piece.colour == colour and piece.kind == kind]
    for square in sorted(squares, reverse=colour == RED):
        result.setdefault(_file_number(colour, square), []).append(square)
    return result


@dataclass(frozen=True, slots=True)
class _Described:
    """A phrase and what is needed to write it; `several_files`: two files have more than one pawn each."""

    phrase: Phrase
    colour: int
    kind: int
    file: int
    count: int
    several_files: bool


def _describe(position: Position, move: Move, legal: bool) -> _Described:
    piece = position.piece_at(move.from_square)
    if piece is None or (legal and not position.is_legal(move)):
        raise _illegal(str(move), position, move)
    file = _file_number(piece.colour, move.from_square)
    columns = _columns(position, piece.colour, piece.kind)
    column = columns[file]
    advance = _advance(piece.colour, move.from_square, move.to_square)
    direction = FORWARD if advance > 0 else BACKWARD if advance < 0 else SIDEWAYS
    names_file = advance == 0 or piece.kind in DIAGONAL
    number = _file_number(piece.colour, move.to_square) if names_file else abs(advance)
    order = None
    if len(column) > 1 and piece.kind not in NEVER_TANDEM:
        order = column.index(move.from_square) + 1
    crowded = sum(len(squares) > 1 for squares in columns.values())
    phrase = Phrase(piece.kind, None if order else file, order, direction, number)
    return _Described(phrase, piece.colour, piece.kind, file, len(column), piece.kind == PAWN and crowded > 1)


# ---------------------------------------------------------------- writing


def check_notation(notation: Notation) -> None:
    """ValueError if there is no such notation: a checker of types would have found it, not every script has one."""
    if notation not in NOTATIONS:
        raise ValueError(f"a notation is one of {', '.join(NOTATIONS)}, not {notation!r}")


def move_text(position: Position, move: Move, notation: Notation, legal: bool = True) -> str:
    """Write a move in the given notation. One that is not legal is refused, unless it is only to be named.

    A null move is ``--`` in every notation; ValueError if there is no such notation.
    """
    check_notation(notation)
    if not move:
        return NULL_TEXTS[0]
    if notation == "wxf":
        return to_wxf(position, move, legal)
    if notation == "iccs":
        return move.iccs
    if notation == "rows":
        return ROW_POINTS.move(move)
    return to_chinese(position, move, traditional=notation == "traditional", legal=legal)


def number_words(board: Position, due: bool) -> Iterator[str]:
    """The number before the next move, if there is one: before Red's always, before Black's where it is `due`."""
    if board.turn == RED:
        yield f"{board.fullmove_number}."
    elif due:
        yield f"{board.fullmove_number}..."


def variation_text(position: Position, moves: Iterable[Move], notation: Notation) -> str:
    """The moves from a position as a numbered line: ``1. C2=5 H8+7 2. H2+3``."""
    board = position.copy()
    words: list[str] = []
    for move in moves:
        words += [*number_words(board, not words), move_text(board, move, notation)]
        board.push(move)
    return " ".join(words)


WXF_LETTERS = {KING: "K", ADVISOR: "A", BISHOP: "E", KNIGHT: "H", ROOK: "R", CANNON: "C", PAWN: "P"}


def to_wxf(position: Position, move: Move, legal: bool = True) -> str:
    """The move in WXF notation: `C2=5`; `R+=4` is the front of two rooks on a file; `17=8` the first pawn on file 7.

    Pawns are numbered from the front as soon as a file has three of them, or two files have two each.
    """
    described = _describe(position, move, legal)
    phrase = described.phrase
    if phrase.order is None:
        who = f"{WXF_LETTERS[described.kind]}{described.file}"
    elif described.count > 2 or described.several_files:
        who = f"{phrase.order}{described.file}"
    else:
        who = f"{WXF_LETTERS[described.kind]}{'+' if phrase.order == 1 else '-'}"
    return f"{who}{phrase.direction}{phrase.number}"


CHINESE_NUMERALS = "一二三四五六七八九"
FULL_WIDTH_DIGITS = "１２３４５６７８９"
CHINESE_PIECES = {  # kind: (red simplified, black simplified, red traditional, black traditional)
    KING: "帅将帥將",
    ADVISOR: "仕士仕士",
    BISHOP: "相象相象",
    KNIGHT: "马马馬馬",
    ROOK: "车车車車",
    CANNON: "炮炮炮炮",
    PAWN: "兵卒兵卒",
}


def to_chinese(position: Position, move: Move, traditional: bool = False, legal: bool = True) -> str:
    """The move in Chinese: 炮二平五 for Red, 炮２平５ for Black, 前马退六 for the front one of two on a file.

    Three pawns on a file are 前 中 后, more are 前 二 三 … 后. When two files have several pawns each, the file is
    named instead of the pawn (前七进一), because 前兵 would fit both.
    """
    described = _describe(position, move, legal)
    phrase, colour = described.phrase, described.colour
    numerals = CHINESE_NUMERALS if colour == RED else FULL_WIDTH_DIGITS
    name = CHINESE_PIECES[described.kind][2 * traditional + (colour == BLACK)]
    if phrase.order is None:
        who = name + numerals[described.file - 1]
    else:
        assert isinstance(phrase.order, int)
        order = _chinese_order(phrase.order, described.count, numerals, traditional)
        who = order + (numerals[described.file - 1] if described.several_files else name)
    direction = {FORWARD: "進" if traditional else "进", BACKWARD: "退", SIDEWAYS: "平"}[phrase.direction]
    return f"{who}{direction}{numerals[phrase.number - 1]}"


def file_number(colour: int, square: int) -> str:
    """The number of a square's file as Chinese names it for a side.

    >>> file_number(RED, 5), file_number(BLACK, 5)
    ('四', '６')
    """
    return (CHINESE_NUMERALS if colour == RED else FULL_WIDTH_DIGITS)[_file_number(colour, square) - 1]


def _chinese_order(order: int, count: int, numerals: str, traditional: bool) -> str:
    if order == 1:
        return "前"
    if order == count:
        return "後" if traditional else "后"
    return "中" if count == 3 else numerals[order - 1]


# ---------------------------------------------------------------- reading: text to phrase

_WXF_KINDS = {**{letter: kind for kind, letter in WXF_LETTERS.items()}, "N": KNIGHT, "B": BISHOP}
_WXF_DIRECTIONS = {"+": FORWARD, "-": BACKWARD, "=": SIDEWAYS, ".": SIDEWAYS}
_WXF = re.compile(
    r"(?: (?P<kind>[KABENHRCP]) (?P<file>[1-9])"
    r"  | (?P<tandem_kind>[KABENHRCP]) (?P<after>[+\-])"
    r"  | (?P<before>[+\-]) (?P<before_kind>[KABENHRCP])"
    r"  | (?P<order>[1-5]) (?P<pawn_file>[1-9]) )"
    r"(?P<direction>[+\-=.]) (?P<number>[1-9])",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


def _read_wxf(text: str) -> Phrase | None:
    match = _WXF.fullmatch(text)
    if match is None:
        return None
    direction, number = _WXF_DIRECTIONS[match["direction"]], int(match["number"])
    if match["kind"]:
        return Phrase(_WXF_KINDS[match["kind"].upper()], int(match["file"]), None, direction, number)
    if match["order"]:
        return Phrase(PAWN, int(match["pawn_file"]), int(match["order"]), direction, number)
    sign = match["after"] or match["before"]
    kind = _WXF_KINDS[(match["tandem_kind"] or match["before_kind"]).upper()]
    return Phrase(kind, None, FRONT if sign == "+" else BACK, direction, number)


_CHINESE_KINDS = {
    **{name: kind for kind, names in CHINESE_PIECES.items() for name in names},
    "砲": CANNON,
    "包": CANNON,
    "俥": ROOK,
    "傌": KNIGHT,
}
_CHINESE_DIRECTIONS = {"进": FORWARD, "進": FORWARD, "退": BACKWARD, "平": SIDEWAYS}
_CHINESE_ORDERS = {"前": FRONT, "中": MIDDLE, "后": BACK, "後": BACK}
_NUMBERS = {
    digit: number
    for digits in (CHINESE_NUMERALS, FULL_WIDTH_DIGITS, "123456789")
    for number, digit in enumerate(digits, start=1)
}


def _read_chinese(text: str) -> Phrase | None:
    if len(text) != 4:
        return None
    first, second, way, last = tuple(text)
    direction, number = _CHINESE_DIRECTIONS.get(way), _NUMBERS.get(last)
    if direction is None or number is None:
        return None
    if first in _CHINESE_KINDS:
        kind = _CHINESE_KINDS[first]
        if second in _NUMBERS:
            return Phrase(kind, _NUMBERS[second], None, direction, number)
        if second in _CHINESE_ORDERS:
            return Phrase(kind, None, _CHINESE_ORDERS[second], direction, number)
        return None
    order = _CHINESE_ORDERS.get(first) or _NUMBERS.get(first)
    if order is None:
        return None
    if second in _CHINESE_KINDS:
        file, order = (order, None) if isinstance(order, int) and order > 5 else (None, order)
        return Phrase(_CHINESE_KINDS[second], file, order, direction, number)
    if second in _NUMBERS and order in (*_CHINESE_ORDERS.values(), 1, 2, 3, 4, 5):
        return Phrase(PAWN, _NUMBERS[second], order, direction, number)
    return None


# ---------------------------------------------------------------- reading: phrase to move


def _chosen(column: list[int], order: int | str | None) -> list[int]:
    """The squares of a file that an order word can mean."""
    if order is None:
        return column
    if len(column) < 2:
        return []
    if order == MIDDLE:
        return column[1:2] if len(column) == 3 else []
    index = {FRONT: 1, BACK: len(column)}.get(order, order) if isinstance(order, str) else order
    assert isinstance(index, int)
    return column[index - 1 : index]


def _destination(colour: int, kind: int, start: int, phrase: Phrase) -> int | None:
    """Where the phrase leads from `start`, by geometry alone; None if off the board or not a move of this piece."""
    sign = _SIGNS[phrase.direction]
    to_file = start % 9
    ranks = phrase.number * sign
    if kind in DIAGONAL or sign == 0:
        to_file = 9 - phrase.number if colour == RED else phrase.number - 1
        distance = abs(to_file - start % 9)
        if kind in DIAGONAL:
            reach = {ADVISOR: {1: 1}, BISHOP: {2: 2}, KNIGHT: {1: 2, 2: 1}}[kind].get(distance)
            if reach is None or sign == 0:
                return None
            ranks = reach * sign
        elif distance == 0:
            return None
    to_rank = start // 9 + (ranks if colour == RED else -ranks)
    return 9 * to_rank + to_file if 0 <= to_rank <= 9 else None


def _resolve(position: Position, phrase: Phrase, text: str, points: PointNames = ICCS_POINTS) -> Move:
    colour = position.turn
    assert phrase.kind is not None
    if phrase.order is None and phrase.file is not None:  # the usual case, in the core
        move = position.plain_move(phrase.kind, phrase.file, _SIGNS[phrase.direction], phrase.number)
        if move is not None:
            return move
    columns = _columns(position, colour, phrase.kind)

    def pieces(wanted: int | None, order: int | str | None) -> list[int]:
        return [
            square for file, column in columns.items() if wanted in (None, file) for square in _chosen(column, order)
        ]

    starts = pieces(phrase.file, phrase.order)
    if not starts and phrase.file is None and isinstance(phrase.order, int):
        starts = pieces(phrase.order, None)  # 三兵 is the third of several on a file, or else the one on file 三
    if not starts:
        _no_such_piece(position, phrase, text)
    candidates = []
    for start in starts:
        end = _destination(colour, phrase.kind, start, phrase)
        if end is not None:
            candidates.append(Move(start, end))
    if not candidates:
        kind = Message(f"kind.{_symbol(colour, phrase.kind)}")
        raise IllegalMoveError(Message("move.not-like-that", text=text, kind=kind))
    legal = [move for move in candidates if position.is_legal(move)]
    if len(legal) > 1:
        choices = " / ".join(points.move(move) if points.by_rows else to_wxf(position, move) for move in legal)
        raise AmbiguousMoveError(Message("move.ambiguous", text=text, choices=choices))
    if not legal:
        raise _illegal(text, position, candidates[0])
    return legal[0]


def _illegal(text: str, position: Position, move: Move) -> IllegalMoveError:
    fault = explain_illegal(position, move) or Message("move.forbidden")
    return IllegalMoveError(Message("move.illegal", move=text, fault=fault))


def _symbol(colour: int, kind: int) -> str:
    """A piece's FEN letter."""
    return str(Piece(colour, kind).symbol)


def _no_such_piece(position: Position, phrase: Phrase, text: str) -> NoReturn:
    assert phrase.kind is not None
    side, kind = side_name(position.turn), Message(f"kind.{_symbol(position.turn, phrase.kind)}")
    if phrase.file is None and phrase.order is None:
        raise IllegalMoveError(Message("move.has-none", text=text, side=side, kind=kind))
    if phrase.order is None and phrase.file is not None:
        raise IllegalMoveError(Message("move.none-on-file", text=text, side=side, kind=kind, file=phrase.file))
    by_name = isinstance(phrase.order, str)
    order = Message(f"order.{phrase.order}") if by_name else Message("order.number", number=phrase.order or 0)
    if phrase.file is None:
        raise IllegalMoveError(Message("move.none-in-order", text=text, side=side, kind=kind, order=order))
    raise IllegalMoveError(
        Message("move.none-in-order-on-file", text=text, side=side, kind=kind, order=order, file=phrase.file)
    )


def parse_wxf(position: Position, text: str) -> Move:
    """The legal move that a WXF text means. Also read: `N` `B` for `H` `E`, `.` for `=`, lower case, `+R=4` for `R+=4`.

    Raises InvalidMoveError if the text is not WXF or is ambiguous, IllegalMoveError if the move is not legal.
    """
    phrase = _read_wxf(plain(text).strip().replace(" ", ""))
    if phrase is None:
        raise InvalidMoveError(Message("move.not-wxf", text=shown(text)))
    return _resolve(position, phrase, text.strip())


def parse_chinese(position: Position, text: str) -> Move:
    """The legal move that a Chinese text means: simplified or traditional, any kind of digits for either side.

    Raises InvalidMoveError if the text is not Chinese or is ambiguous, IllegalMoveError if the move is not legal.
    """
    compact = "".join(text.split())
    phrase = _read_chinese(compact)
    if phrase is None:
        raise InvalidMoveError(Message("move.not-chinese", text=shown(text)))
    return _resolve(position, phrase, compact)


# An input method for Chinese types full-width letters, digits and signs; other keyboards have several dashes.
_PLAIN = {
    0x3000: " ",
    **{0xFEE0 + code: chr(code) for code in range(0x21, 0x7F)},
    **dict.fromkeys(map(ord, "‐‑–—−"), "-"),
}


def plain(text: str) -> str:
    """The text with full-width characters as plain ones.

    >>> plain("Ｃ２＝５"), plain("ｈ２－ｅ２")
    ('C2=5', 'h2-e2')
    """
    return text.translate(_PLAIN)


_ICCS = re.compile(r"([a-i][0-9]) ?-? ?([a-i][0-9])", re.IGNORECASE | re.ASCII)
_UCI_RANK_10 = re.compile(r"(?=.*10)[a-i](?:10|[1-9])[a-i](?:10|[1-9])", re.ASCII)
_ROW_COLUMN = re.compile(r"([a-j][1-9]) ?, ?([a-j][1-9])", re.IGNORECASE | re.ASCII)
_ROW_COLUMN_ONLY = re.compile(r"([a-j][1-9])[ ,-]*([a-j][1-9])", re.IGNORECASE | re.ASCII)


def _read_coordinates(text: str, points: PointNames) -> Move | None:
    if match := (_ROW_COLUMN_ONLY if points.by_rows else _ROW_COLUMN).fullmatch(text):
        return Move(row_point(match[1]), row_point(match[2]))
    if match := _ICCS.fullmatch(text):
        return Move.from_iccs((match[1] + match[2]).lower())
    if _UCI_RANK_10.fullmatch(text.lower().replace(" ", "")):  # h3e3 would be read as ICCS
        raise InvalidMoveError(Message("move.ranks-from-1", text=shown(text)))
    return None


def parse(position: Position, text: str, points: PointNames = ICCS_POINTS) -> Move:
    """The legal move that a text means, in any supported notation.

    Spaces within it and full-width characters are fine. Four coordinates without a comma are what `points` says: ICCS
    (ranks 0-9), or rows and columns. UCI (ranks 1-10) is not read, since h3e3 is a move in both: use `Move.from_uci`.
    Raises InvalidMoveError if the text cannot be read, IllegalMoveError (with the reason) if the move is not legal
    here.
    """
    given = text
    if len(text) != 4 or not text.isalnum() or not text.isascii():  # not ICCS as it is mostly written
        text = re.sub(" +", " ", plain(text).strip())
    move = _read_coordinates(text, points)
    if move is not None:
        if not position.is_legal(move):
            raise _illegal(text, position, move)
        return move
    compact = "".join(text.split())
    phrase = _read_wxf(text.replace(" ", "")) or _read_chinese(compact)
    if phrase is None:
        if points.by_rows:
            raise InvalidMoveError(Message("move.unreadable-rows", text=shown(given.strip()), example=points.example))
        raise InvalidMoveError(Message("move.unreadable", text=shown(given.strip())))
    return _resolve(position, phrase, compact, points)
