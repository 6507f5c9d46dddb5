"""Builds XQF, CBR and CBL files byte by byte from their published layouts."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from chuhe.engine import START_FEN, Move, Position

XQF_HEADER = "<2sB13s32s3sB12sB15sB63s64sB63sB15sB15sB15sB15sB63sB15sB15s32sB15sB15s528s"
XQF_SLOTS = "RNBAKABNRCCPPPPP"
XQF_RESULTS = {"*": 0, "1-0": 1, "0-1": 2, "1/2-1/2": 3}


def _xqf_point(square: int) -> int:
    return square % 9 * 10 + square // 9


def _xqf_board(position: Position) -> bytearray:
    board = bytearray([0xFF] * 32)
    for square, piece in position.pieces().items():
        base = 0 if piece.symbol.isupper() else 16
        slot = next(
            index
            for index, letter in enumerate(XQF_SLOTS)
            if letter == piece.symbol.upper() and board[base + index] == 0xFF
        )
        board[base + slot] = _xqf_point(square)
    return board


def _xqf_key(seed: int, factor: int) -> int:
    return ((((seed * seed * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8) * factor & 0xFF


def _xqf_header(version: int, keys: bytes, board: bytes, result: str, names: Sequence[str]) -> bytes:
    red, black, event = (name.encode("gb18030") for name in names)
    return struct.pack(
        XQF_HEADER, b"XQ", version, keys, board, b"", XQF_RESULTS[result], b"", 0, b"", 0, b"",
        b"", len(event), event, 0, b"", 0, b"", len(red), red, len(black), black,
        0, b"", 0, b"", 0, b"", b"", 0, b"", 0, b"", b"",
    )  # fmt: skip


def xqf(
    moves: Sequence[str],
    fen: str = START_FEN,
    result: str = "*",
    names: Sequence[str] = ("", "", ""),
    comments: dict[int, str] | None = None,
) -> bytes:
    """Version 10: no encryption; every node stores the length of its comment."""
    comments = comments or {}
    position = Position(fen)
    body = struct.pack("<BBBBi", 0x18, 0x20, 0xF0 if moves else 0, 0xFF, 0)
    for index, text in enumerate(moves):
        move = Move.from_iccs(text)
        note = comments.get(index, "").encode("gb18030")
        more = 0xF0 if index < len(moves) - 1 else 0
        start, end = _xqf_point(move.from_square) + 0x18, _xqf_point(move.to_square) + 0x20
        body += struct.pack("<BBBBi", start, end, more, 0, len(note)) + note
    return _xqf_header(10, b"", bytes(_xqf_board(position)), result, names) + body


def encrypted_xqf(moves: Sequence[str], fen: str = START_FEN, result: str = "*") -> bytes:
    """Version 18: pieces shuffled and shifted, moves shifted, the body masked, comments only where a flag is set."""
    mask, ors, seed_sum, seed_xy, seed_from, seed_to = 0x5A, (0x11, 0x22, 0x03, 0x44), 91, 37, 121, 7
    key_xy = _xqf_key(seed_xy, seed_xy)
    key_from = _xqf_key(seed_from, key_xy)
    key_to = _xqf_key(seed_to, key_from)
    plain = _xqf_board(Position(fen))
    board = bytes((plain[(key_xy + index + 1) & 31] + key_xy) & 0xFF for index in range(32))
    body = bytearray(struct.pack("<BBBB", 0x18, 0x20, 0x80 if moves else 0, 0xFF))
    for index, text in enumerate(moves):
        move = Move.from_iccs(text)
        start = (_xqf_point(move.from_square) + 0x18 + key_from) & 0xFF
        end = (_xqf_point(move.to_square) + 0x20 + key_to) & 0xFF
        body += struct.pack("<BBBB", start, end, 0x80 if index < len(moves) - 1 else 0, 0)
    seeds = (seed_sum, seed_xy, seed_from, seed_to)
    bits = [(seed & mask) | extra for seed, extra in zip(seeds, ors, strict=True)]
    pad = [letter & bits[index % 4] for index, letter in enumerate(b"[(C) Copyright Mr. Dong Shiwei.]")]
    masked = bytes((byte + pad[index % 32]) & 0xFF for index, byte in enumerate(body))
    keys = struct.pack("<BIBBBBBBBB", mask, 1, *ors, *seeds)
    return _xqf_header(18, keys, board, result, ("", "", "")) + masked


CBR_CODES = {letter: code for code, letter in enumerate("RNBAKCP", 0x11)} | {
    letter: code for code, letter in enumerate("rnbakcp", 0x21)
}


def _cbr_point(square: int) -> int:
    return (9 - square // 9) * 9 + square % 9


def cbr(moves: Sequence[str], fen: str = START_FEN, result: str = "*", red: str = "", black: str = "") -> bytes:
    """One record of CCBridge."""
    position = Position(fen)
    board = bytearray(90)
    for square, piece in position.pieces().items():
        board[_cbr_point(square)] = CBR_CODES[piece.symbol]

    def name(text: str) -> bytes:
        return text.encode("utf-16-le")

    head = struct.pack(
        "<16s164s128s384s64s320s64s160s64s712sB35sB3sH2s90si", b"CCBridge Record\0", b"", b"", b"", b"", b"",
        name(red), b"", name(black), b"", XQF_RESULTS[result], b"", len(moves), b"", position.turn + 1, b"",
        bytes(board), 0,
    )  # fmt: skip
    body = struct.pack("<i", 0)
    for index, text in enumerate(moves):
        move = Move.from_iccs(text)
        last = 1 if index == len(moves) - 1 else 0
        body += bytes([last, 0, _cbr_point(move.from_square), _cbr_point(move.to_square)])
    return head + body + bytes(8)


def cbl(records: Sequence[bytes]) -> bytes:
    """A library of records, each in 4096 bytes."""
    header = struct.pack("<16s44si512s", b"CCBridgeLibrary\0", b"", len(records), "库".encode("utf-16-le"))
    return header.ljust(101952, b"\0") + b"".join(record.ljust(4096, b"\0") for record in records)
