"""Endgame table files: a header, the code books and block lists, then the compressed blocks.

All numbers are little-endian. There are three kinds of checksums: one for everything before the blocks, verified when a
table is opened; a small one for each block, verified when the block is read; and one for all blocks together, for
`chuhe endgame verify`.
"""

from __future__ import annotations

import heapq
import json
import os
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chuhe.engine._core import MappedFile
from chuhe.engine.endgame.material import Material, MaterialError
from chuhe.engine.table_paths import SUFFIX
from chuhe.files.writing import replacing
from chuhe.text.errors import UserError
from chuhe.text.message import Message, verbatim

if TYPE_CHECKING:
    from chuhe.engine._endgame import Solver

MAGIC = b"ChuheEGT"
VERSION = 1
HEADER = struct.Struct(
    "<8sII32sQQQQII"
)  # magic, version, block entries, name, positions, bytes, blocks at, facts, sums
SECTION = struct.Struct("<6Q")  # symbols, offsets of book, starts, sums and data, size of the data
LONGEST_CODE = 16  # bits; the core's LONGEST_CODE
BLOCK_ENTRIES = 512  # the core's BLOCK
PADDING = 8  # bytes after the last block, because the decoder reads ahead

SectionParts = tuple[memoryview, memoryview, memoryview, memoryview, memoryview]  # counts, symbols, starts, sums, data


class TableError(UserError):
    """A file that is not a table, or is damaged; the message names the file and the fault."""


def damaged(path: Path | str, fault: Message) -> TableError:
    return TableError(Message("table.damaged", path=str(path), fault=fault))


@dataclass(frozen=True)
class TableFile:
    """An open table: the header's contents and the mapped parts."""

    path: Path
    material: Material
    facts: dict[str, Any]
    sections: list[SectionParts]
    size: int
    blocks: memoryview
    block_sum: int

    def check_blocks(self) -> None:
        """TableError if any block is damaged."""
        if zlib.crc32(self.blocks) != self.block_sum:
            raise damaged(self.path, Message("table.bad-blocks"))


def table_path(directory: Path, material: Material) -> Path:
    return directory / f"{material.name}{SUFFIX}"


def open_table(path: Path) -> TableFile:
    """Map a table. TableError if it is not a table or is damaged."""
    if path.stat().st_size == 0:
        raise TableError(Message("table.empty", path=str(path)))
    try:
        view = memoryview(MappedFile(os.fsencode(path)))
    except ValueError as error:
        raise TableError(verbatim(f"{path} {error}")) from None
    if len(view) < HEADER.size or view[:8] != MAGIC:
        raise TableError(Message("table.foreign", path=str(path)))
    _, version, block, raw, positions, size, at, facts_at, head_sum, block_sum = HEADER.unpack_from(view)
    if version != VERSION or block != BLOCK_ENTRIES:
        raise TableError(Message("table.version", path=str(path), version=version, known=VERSION))
    if size != len(view) or not HEADER.size <= facts_at <= at <= size:
        raise damaged(path, Message("table.bad-size", found=len(view), size=size))
    if _head_sum(view, at) != head_sum:
        raise damaged(path, Message("table.bad-header"))
    try:
        material = Material.parse(raw.rstrip(b"\0").decode("ascii"))
    except (MaterialError, UnicodeDecodeError):
        raise damaged(path, Message("table.bad-name", name=repr(raw))) from None
    if path.stem != material.name:
        raise TableError(Message("table.other-name", path=str(path), name=material.name))
    facts = _facts(bytes(view[facts_at:at]).rstrip(b"\0"))
    if facts is None:
        raise damaged(path, Message("table.bad-facts"))
    sections = [_cut(view, HEADER.size + side * SECTION.size, positions) for side in (0, 1)]
    return TableFile(path, material, facts, sections, size, view[at:], block_sum)


def _facts(text: bytes) -> dict[str, Any] | None:
    """The numbers of wins, draws and losses of either side, and the longest win; None if they are not there."""
    try:
        facts = json.loads(text)
        numbers = [
            facts[side][name] for side in ("attacker", "defender") for name in ("win", "draw", "loss", "longest")
        ]
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
    return facts if all(type(number) is int and number >= 0 for number in numbers) else None


def _cut(view: memoryview, at: int, positions: int) -> SectionParts:
    symbols, book, starts, sums, data, length = SECTION.unpack_from(view, at)
    blocks = -(-positions // BLOCK_ENTRIES)
    counts_end = book + 2 * (LONGEST_CODE + 1)
    return (
        memoryview(bytes(view[book:counts_end])),  # copies: the decoder relies on a code book that was checked
        memoryview(bytes(view[counts_end : counts_end + 2 * symbols])),
        view[starts : starts + 4 * (blocks + 1)],
        view[sums : sums + 2 * blocks],
        view[data : data + length],
    )


def _head_sum(view: memoryview, end: int) -> int:
    """The checksum of everything before the blocks, except the two checksums themselves."""
    return zlib.crc32(view[HEADER.size : end], zlib.crc32(view[: HEADER.size - 8]))


def code_lengths(counts: dict[int, int]) -> dict[int, int]:
    """Huffman code lengths for symbols with these counts, limited to LONGEST_CODE.

    >>> code_lengths({7: 5, 8: 2, 9: 1})
    {7: 1, 8: 2, 9: 2}
    >>> max(code_lengths({n: 2**n for n in range(40)}).values()) <= LONGEST_CODE
    True
    """
    if len(counts) == 1:
        return dict.fromkeys(counts, 1)
    while True:
        lengths = dict.fromkeys(sorted(counts), 0)
        heap = [(count, symbol, [symbol]) for symbol, count in counts.items()]
        heapq.heapify(heap)
        while len(heap) > 1:
            first, second = heapq.heappop(heap), heapq.heappop(heap)
            for symbol in first[2] + second[2]:
                lengths[symbol] += 1
            heapq.heappush(heap, (first[0] + second[0], min(first[1], second[1]), first[2] + second[2]))
        if max(lengths.values()) <= LONGEST_CODE:
            return lengths
        counts = {symbol: count // 2 + 1 for symbol, count in counts.items()}  # flatter, so codes get shorter


def _section(solver: Solver, side: int) -> tuple[bytes, int, bytes, bytes, bytes]:
    """(book, symbols, starts, sums, data) of one side to move; the codes are canonical."""
    counts = solver.count_symbols(side)
    lengths = code_lengths(counts)
    order = sorted(lengths, key=lambda symbol: (lengths[symbol], symbol))
    codes, code, last = {}, 0, 0
    for symbol in order:
        code <<= lengths[symbol] - last
        last = lengths[symbol]
        codes[symbol] = (code, last)
        code += 1
    bits = sum(count * lengths[symbol] for symbol, count in counts.items())
    starts, sums, data = solver.encode(side, codes, bits // 8 + len(counts) + solver.size // BLOCK_ENTRIES + PADDING)
    by_length = [sum(length == n for length in lengths.values()) for n in range(LONGEST_CODE + 1)]
    book = struct.pack(f"<{LONGEST_CODE + 1 + len(order)}H", *by_length, *order)
    return book, len(order), starts, sums, data


def write_table(directory: Path, material: Material, solver: Solver, facts: dict[str, Any]) -> Path:
    """Write a table atomically, through a temporary file that is renamed."""
    first, blocks = bytearray(HEADER.size + 2 * SECTION.size), bytearray()
    parts = []
    for side in (0, 1):
        book, symbols, starts, sums, data = _section(solver, side)
        places = []
        for part in (book, starts, sums):
            places.append(len(first))
            first += part + bytes(-len(part) % 8)
        parts.append((symbols, *places, len(blocks), len(data)))
        blocks += data + bytes(-len(data) % 8)
    facts_at = len(first)
    text = json.dumps(facts, separators=(",", ":"), sort_keys=True).encode()
    first += text + bytes(-len(text) % 8)
    for side, (symbols, book_at, starts_at, sums_at, data_at, length) in enumerate(parts):
        SECTION.pack_into(
            first, HEADER.size + side * SECTION.size,
            symbols, book_at, starts_at, sums_at, len(first) + data_at, length,
        )  # fmt: skip
    name = material.name.encode()
    fields = (MAGIC, VERSION, BLOCK_ENTRIES, name, solver.size, len(first) + len(blocks), len(first), facts_at)
    HEADER.pack_into(first, 0, *fields, 0, 0)
    HEADER.pack_into(first, 0, *fields, _head_sum(memoryview(first), len(first)), zlib.crc32(blocks))
    path = table_path(directory, material)
    directory.mkdir(parents=True, exist_ok=True)
    with replacing(path) as scratch, scratch.open("wb") as file:
        file.write(first)
        file.write(blocks)
    return path
