"""XQF, the game files of XQStudio: a header of 1024 bytes with the board, then the moves as a tree.

All versions are read, those with masked data included. Version 10, which has none, is written. Text is GB18030.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from chuhe.engine import BLACK, Position
from chuhe.engine.values import Result
from chuhe.records.game_record import GameRecord, RecordError
from chuhe.records.game_tree import GameTree
from chuhe.records.steps import (
    Step,
    begin,
    comment_text,
    finish,
    grow,
    known_tags,
    pieces_of,
    read_comment,
    slots_of,
)
from chuhe.text.message import Message

MAGIC = b"XQ"
HEADER_SIZE = 0x400
ENCODING = "gb18030"
PLAIN_VERSION = 10
RESULTS: tuple[Result, ...] = ("*", "1-0", "0-1", "1/2-1/2", "1/2-1/2")
BOARD, TURN, RESULT, KIND = 16, 50, 51, 64  # offsets in the header
ENDGAME_KIND = 3
# tag: the offset of its length, which its text follows; and the most bytes it may have
FIELDS = {
    "Title": (80, 63),
    "Event": (208, 63),
    "Date": (272, 15),
    "Site": (288, 15),
    "Red": (304, 15),
    "Black": (320, 15),
    "TimeControl": (336, 63),
    "Annotator": (464, 15),
    "Author": (480, 15),
}
FROM_BASE, TO_BASE = 0x18, 0x20  # what is added to the points of a move
_MASK = b"[(C) Copyright Mr. Dong Shiwei.]"
_TAG_LINE = re.compile(r'\[(\w+) "([^\r\n]*)"\](?:\r\n|\Z)')
_TAGS = re.compile(rf"\r\n\r\n(?:{_TAG_LINE.pattern})+\Z")


@dataclass(frozen=True)
class _Cipher:
    """What the numbers of a file are shifted by, as its header says; all zero in version 10."""

    board: int = 0
    from_point: int = 0
    to_point: int = 0
    comment: int = 0
    mask: bytes = bytes(32)

    @classmethod
    def of(cls, header: bytes) -> _Cipher:
        mask, _, *ors, total, board, from_point, to_point = struct.unpack_from("<BI8B", header, 3)
        board_key = _key(board, board)
        from_key = _key(from_point, board_key)
        bits = [seed & mask | extra for seed, extra in zip((total, board, from_point, to_point), ors, strict=True)]
        return cls(
            board_key,
            from_key,
            _key(to_point, from_key),
            (total * 256 + board) % 32000 + 767,
            bytes(letter & bits[index % 4] for index, letter in enumerate(_MASK)),
        )


def _key(seed: int, factor: int) -> int:
    return ((((seed * seed * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8) * factor & 0xFF


# --- reading


def parse_xqf(data: bytes) -> GameRecord:
    """The game in a file, with its variations. RecordError if there is none; a broken game has a `fault`."""
    if not data.startswith(MAGIC) and len(data) >= HEADER_SIZE:
        raise RecordError(Message("file.not-valid", format="XQF"))
    if len(data) < HEADER_SIZE:
        raise RecordError(Message("file.damaged", format="XQF", fault=Message("file.short-header")))
    version = data[2]
    cipher = _Cipher() if version <= PLAIN_VERSION else _Cipher.of(data)
    steps = _steps(_unmasked(data[HEADER_SIZE:], cipher.mask), version, cipher)
    try:
        root = next(steps)
        first = next(steps, None) if root.goes_on else None
    except RecordError as error:
        raise RecordError(Message("file.damaged", format="XQF", fault=error.message)) from error
    slots = _slots(data[BOARD : BOARD + 32], version, cipher.board)
    tree = begin(pieces_of(slots), first.from_square if first else None, data[TURN] == 1)
    comment, extra = _split_comment(root.comment)
    read_comment(tree.root, comment)
    tree.tags = {**_fields(data), **extra}
    tree.result = RESULTS[data[RESULT]] if data[RESULT] < len(RESULTS) else "*"
    _take_fen(tree)
    return finish(tree, grow(tree, _joined(first, steps)) if first else None)


def _joined(first: Step, rest: Iterator[Step]) -> Iterator[Step]:
    yield first
    yield from rest


def _unmasked(body: bytes, mask: bytes) -> bytes:
    plain = bytearray(body)
    for index, key in enumerate(mask):
        if key:
            table = bytes((byte - key) & 0xFF for byte in range(256))
            plain[index :: len(mask)] = plain[index :: len(mask)].translate(table)
    return bytes(plain)


def _slots(stored: bytes, version: int, key: int) -> list[int | None]:
    slots: list[int | None] = [None] * 32
    for index, point in enumerate(stored):
        slot = (key + index + 1) % 32 if version >= 12 else index
        slots[slot] = _square((point - key) & 0xFF)
    return slots


def _square(point: int) -> int | None:
    """A point is ten times the file plus the rank."""
    return 9 * (point % 10) + point // 10 if point < 90 else None


def _steps(body: bytes, version: int, cipher: _Cipher) -> Iterator[Step]:
    """The moves in the order of the file; the first is no move, but the place of the game's own comment."""
    place = 0
    while True:
        if len(body) < place + 4:
            raise RecordError(Message("file.cut-off"))
        from_point, to_point, flags = body[place], body[place + 1], body[place + 2]
        place += 4
        if version <= PLAIN_VERSION:
            goes_on, has_other, has_comment = bool(flags & 0xF0), bool(flags & 0x0F), True
        else:
            goes_on, has_other, has_comment = bool(flags & 0x80), bool(flags & 0x40), bool(flags & 0x20)
        comment = ""
        if has_comment:
            if len(body) < place + 4:
                raise RecordError(Message("file.cut-off"))
            size = struct.unpack_from("<i", body, place)[0] - cipher.comment
            place += 4
            if not 0 <= size <= len(body) - place:
                raise RecordError(Message("file.long-comment"))
            comment = body[place : place + size].decode(ENCODING, "replace")
            place += size
        start = _square((from_point - FROM_BASE - cipher.from_point) & 0xFF)
        end = _square((to_point - TO_BASE - cipher.to_point) & 0xFF)
        yield Step(start or 0, end or 0, comment, goes_on, has_other)


def _fields(header: bytes) -> dict[str, str]:
    found = {}
    for tag, (offset, most) in FIELDS.items():
        size = min(header[offset], most)
        text = header[offset + 1 : offset + 1 + size].decode(ENCODING, "replace").replace("\0", " ")
        if text.strip():
            found[tag] = " ".join(text.split())
    return found


def _split_comment(text: str) -> tuple[str, dict[str, str]]:
    """The comment, and the tags that did not fit into the header (see `format_xqf`)."""
    block = _TAGS.search(text)
    if block is None:
        return text, {}
    tags = {found[1]: re.sub(r"\\(.)", r"\1", found[2]) for found in _TAG_LINE.finditer(block[0])}
    return text[: block.start()], tags


def _take_fen(tree: GameTree) -> None:
    """The counters of a FEN have no place in the header, so it may stand among the tags."""
    fen = tree.tags.pop("FEN", "")
    if fen.split()[:2] == tree.fen.split()[:2]:
        with suppress(ValueError):  # damaged: the counters are lost
            tree.fen = Position(fen).fen()


# --- writing


def format_xqf(record: GameRecord) -> bytes:
    """The game with its variations and comments.

    Tags for which the header is too short follow the game's comment after an empty line, as lines of PGN.
    """
    tree = GameTree.from_record(record)
    position = Position(tree.fen)
    header = bytearray(HEADER_SIZE)
    header[:3] = MAGIC + bytes([PLAIN_VERSION])
    header[BOARD : BOARD + 32] = bytes(0xFF if square is None else _point(square) for square in slots_of(position))
    header[TURN], header[RESULT] = position.turn, RESULTS.index(record.result)
    header[KIND] = 0 if tree.fen == Position().fen() else ENDGAME_KIND
    left = _put_fields(header, known_tags(record))
    if begin(pieces_of(slots_of(position)), None, position.turn == BLACK).fen != tree.fen:
        left["FEN"] = tree.fen
    lines = [f'[{name} "{_escaped(text)}"]' for name, text in left.items()]
    opening = tree.root.comment + ("\n\n" + "\n".join(lines) if lines else "")
    body = [_record(FROM_BASE, TO_BASE, bool(tree.root.children), False, opening)]
    for node in tree:
        if node.parent is not None and node.move is not None:
            ends = (_point(node.move.from_square) + FROM_BASE, _point(node.move.to_square) + TO_BASE)
            body.append(_record(*ends, bool(node.children), node is not node.parent.children[-1], comment_text(node)))
    return bytes(header) + b"".join(body)


def _point(square: int) -> int:
    return square % 9 * 10 + square // 9


def _record(from_point: int, to_point: int, goes_on: bool, has_other: bool, comment: str) -> bytes:
    flags = (0xF0 if goes_on else 0) | (0x0F if has_other else 0)
    text = comment.replace("\n", "\r\n").encode(ENCODING, "replace")
    return struct.pack("<BBBBi", from_point, to_point, flags, 0, len(text)) + text


def _put_fields(header: bytearray, tags: dict[str, str]) -> dict[str, str]:
    """Write what fits; the tags that did not, in full. A name that is cut stands in both places."""
    left = {}
    for tag, text in tags.items():
        offset, most = FIELDS.get(tag, (0, 0))
        short = text
        while len(short.encode(ENCODING, "replace")) > most:
            short = short[:-1]
        if short != text:
            left[tag] = text
        if most:
            stored = short.encode(ENCODING, "replace")
            header[offset] = len(stored)
            header[offset + 1 : offset + 1 + len(stored)] = stored
    return left


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
