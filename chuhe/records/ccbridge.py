"""The files of CCBridge: CBR holds one game with its variations, CBL a library of them, CBF is an XML file."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from chuhe.records.game_record import GameRecord, RecordError
from chuhe.records.game_tree import GameTree
from chuhe.records.steps import Step, add_move, begin, finish, grow, no_move, read_comment
from chuhe.records.xqf import RESULTS
from chuhe.text.message import Message, message_of

CBR_MAGIC, CBL_MAGIC = b"CCBridge Record\0", b"CCBridgeLibrary\0"
HEADER_SIZE = 2214
ENCODING = "utf-16-le"
FIELDS = {"Title": (180, 128), "Event": (692, 64), "Red": (1076, 64), "Black": (1300, 64)}  # tag: offset, size
RESULT, TURN, BOARD = 2076, 2116, 2120  # offsets in the header
BLACK_TO_MOVE = 2
RECORDS_FROM, BLOCK = 101952, 4096  # a library's records begin at blocks after its index
LAST, OTHER, COMMENT = 1, 2, 4  # the flags of a move
_KINDS = dict(enumerate("RNBAKCP", 0x11)) | dict(enumerate("rnbakcp", 0x21))


def parse_cbr(data: bytes) -> GameRecord:
    """The game in a file, with its variations. RecordError if there is none; a broken game has a `fault`."""
    if len(data) < HEADER_SIZE:
        raise RecordError(Message("file.damaged", format="CBR", fault=Message("file.short-header")))
    if not data.startswith(CBR_MAGIC):
        raise RecordError(Message("file.not-valid", format="CBR"))
    steps = _steps(data, HEADER_SIZE)
    try:
        root = next(steps, None)
        first = next(steps, None) if root else None
    except RecordError as error:
        raise RecordError(Message("file.damaged", format="CBR", fault=error.message)) from error
    pieces = {_square(point): _KINDS[code] for point, code in enumerate(data[BOARD : BOARD + 90]) if code in _KINDS}
    turn = struct.unpack_from("<H", data, TURN)[0]
    tree = begin(pieces, first.from_square if first else None, turn == BLACK_TO_MOVE)
    tree.tags = {tag: text for tag, (offset, size) in FIELDS.items() if (text := _text(data[offset : offset + size]))}
    tree.result = RESULTS[data[RESULT]] if data[RESULT] < len(RESULTS) else "*"
    read_comment(tree.root, root.comment if root else "")
    return finish(tree, grow(tree, _from(first, steps)) if first else None)


def _from(first: Step, rest: Iterator[Step]) -> Iterator[Step]:
    yield first
    yield from rest


def _steps(data: bytes, place: int) -> Iterator[Step]:
    """The moves in the order of the file; the first is no move, but the place of the game's own comment."""
    is_root = True
    while place + 4 <= len(data):
        flags, _, from_point, to_point = data[place : place + 4]
        if from_point == to_point and not is_root:
            return  # the rest of the block is empty
        place += 4
        comment = ""
        if flags & COMMENT:
            if place + 4 > len(data):
                raise RecordError(Message("file.cut-off"))
            size = struct.unpack_from("<i", data, place)[0]
            place += 4
            if not 0 <= size <= len(data) - place:
                raise RecordError(Message("file.long-comment"))
            comment = _text(data[place : place + size])
            place += size
        yield Step(_square(from_point), _square(to_point), comment, not flags & LAST, bool(flags & OTHER))
        is_root = False
    raise RecordError(Message("file.cut-off"))


def _square(point: int) -> int:
    """Points are counted from Black's side, row by row; what is off the board becomes square 0, which no move fits."""
    return 9 * (9 - point // 9) + point % 9 if point < 90 else 0


def _text(field: bytes) -> str:
    return " ".join(field.decode(ENCODING, "replace").split("\0")[0].split())


def parse_cbl(data: bytes) -> Iterator[GameRecord | RecordError]:
    """The games of a library, one after the other; an error for one that cannot be read at all."""
    if not data.startswith(CBL_MAGIC):
        raise RecordError(Message("file.not-valid", format="CBL"))
    place = data.find(CBR_MAGIC, RECORDS_FROM)
    while place >= 0:
        following = data.find(CBR_MAGIC, place + BLOCK)
        while following >= 0 and (following - place) % BLOCK:  # part of a comment
            following = data.find(CBR_MAGIC, following + 1)
        try:
            yield parse_cbr(data[place : following if following >= 0 else len(data)])
        except RecordError as error:
            yield error
        place = following


def parse_cbf(data: bytes) -> GameRecord:
    """The main line of a CBF file."""
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise RecordError(Message("file.damaged", format="CBF", fault=message_of(error))) from error
    fen = root.findtext("Head/FEN")
    moves = root.findall("MoveList/Move")
    if not fen or not moves:
        raise RecordError(Message("file.not-valid", format="CBF"))
    try:
        tree = GameTree(fen)
    except ValueError as error:
        raise RecordError(message_of(error)) from error
    node, fault = tree.root, None
    read_comment(node, moves[0].text or "")
    for move in moves[1:]:
        digits = (move.get("value") or "").replace("-", "")
        try:
            if len(digits) != 4 or not digits.isdecimal():
                raise no_move(len(node.path()), move.get("value") or "")
            file, row, to_file, to_row = map(int, digits)
            if max(file, to_file) > 8:
                raise no_move(len(node.path()), move.get("value") or "")
            node = add_move(tree, node, 9 * (9 - row) + file, 9 * (9 - to_row) + to_file, move.text or "")
        except ValueError as error:
            fault = message_of(error)
            break
    return finish(tree, fault)
