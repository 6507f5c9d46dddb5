"""Reads and writes files of games, block by block. A kill never loses a finished block."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from chuhe.bench.learning.game_format import (
    BLOCK,
    BLOCK_BYTES,
    CHECKSUM,
    HEADER,
    MAGIC,
    MARKER,
    MAX_BLOCK,
    VERSION,
    Block,
    DataError,
    Game,
    game_numbers,
    pack_block,
    pack_game,
    pack_header,
)
from chuhe.files.reading import open_input, read_input
from chuhe.files.writing import BINARY, append_whole, lock_file


@dataclass(frozen=True, slots=True)
class Header:
    """A file's header."""

    version: int
    recipe: dict[str, Any]
    size: int  # bytes before the first block


def read_header(path: Path, file: BinaryIO) -> Header:
    """DataError if it is not a file of games, or has another version."""
    head = file.read(HEADER.size)
    if not head.startswith(MAGIC[: len(head)]) or not head:
        raise DataError(f"{path} is not a file of games")
    if len(head) < HEADER.size:
        raise DataError(f"{path}: the header is cut off")
    _, version, length = HEADER.unpack(head)
    if version != VERSION:
        raise DataError(f"{path} has format version {version}; this program reads version {VERSION}")
    if length > MAX_BLOCK:
        raise DataError(f"{path}: the header is damaged")
    rest = file.read(length + CHECKSUM.size)
    if len(rest) < length + CHECKSUM.size:
        raise DataError(f"{path}: the header is cut off")
    if CHECKSUM.unpack(rest[length:])[0] != zlib.crc32(head + rest[:length]):
        raise DataError(f"{path}: the header is damaged")
    try:
        recipe = json.loads(rest[:length])
    except (ValueError, RecursionError):
        recipe = None
    if not isinstance(recipe, dict):
        raise DataError(f"{path}: the header is damaged")
    return Header(version, recipe, HEADER.size + len(rest))


def _next_block(path: Path, file: BinaryIO, index: int, offset: int) -> Block | None:
    """The block at the current offset; None at the end, or if the last block is incomplete."""
    head = file.read(BLOCK.size)
    if len(head) < BLOCK.size:
        return None
    marker, length, size, games, positions, checksum, own = BLOCK.unpack(head)
    if marker != MARKER or own != zlib.crc32(head[: -CHECKSUM.size]) or max(length, size) > MAX_BLOCK:
        if not head.strip(b"\0") and not file.read().strip(b"\0"):
            return None  # the file was extended, but the block was never written
        raise DataError(f"{path}: block {index} (at byte {offset}) is damaged: its header cannot be read")
    stored = file.read(length)
    if len(stored) < length:
        return None
    return Block(path, index, offset, games, positions, size, checksum, stored)


class GameFile:
    """A file of games, open for reading: `header`, and its blocks in order. An incomplete last block is skipped."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._file = open_input(self.path)
        except OSError as error:
            raise DataError(f"{self.path}: {error.strerror or error}") from None
        try:
            self.header = read_header(self.path, self._file)
        except BaseException:
            self._file.close()
            raise

    @property
    def recipe(self) -> dict[str, Any]:
        return self.header.recipe

    def blocks(self) -> Iterator[Block]:
        """All blocks, from the first; `Block.payload` verifies the checksum."""
        offset, index = self.header.size, 1
        while True:
            self._file.seek(offset)
            block = _next_block(self.path, self._file, index, offset)
            if block is None:
                return
            yield block
            offset, index = block.end, index + 1

    def torn(self) -> bool:
        """Whether the file ends in an incomplete block: a run was killed, or is still writing."""
        end = self.header.size
        for block in self.blocks():
            end = block.end
        return end < os.fstat(self._file.fileno()).st_size

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> GameFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, traceback: TracebackType | None) -> None:
        self.close()


def read_blocks(paths: Iterable[str | Path]) -> Iterator[Block]:
    """All blocks of the files."""
    for path in paths:
        with GameFile(path) as file:
            yield from file.blocks()


def read_games(paths: Iterable[str | Path]) -> Iterator[Game]:
    """All games of the files."""
    for block in read_blocks(paths):
        yield from block.unpack()


def is_game_file(path: Path) -> bool:
    with open_input(path) as file:
        return file.read(len(MAGIC)) == MAGIC


class GameWriter:
    """Appends games to a file, block by block. Each block is on disk when the call that wrote it returns.

    An existing file is continued if its recipe is the same; an incomplete block at its end is cut off. `numbers` holds
    the numbers of the games in the file. `on_block` is called with the games of each block once they are on disk.
    """

    def __init__(
        self, path: str | Path, recipe: dict[str, Any], on_block: Callable[[bytes], None] | None = None
    ) -> None:
        self.path = Path(path)
        self._on_block = on_block
        self.numbers: set[int] = set()
        self.positions = 0
        self._games: list[bytes] = []
        self._bytes = self._positions = 0
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o644)
        try:
            if not lock_file(self._file):
                raise DataError(f"{self.path} is being written by another process")
            self._resume(recipe)
        except BaseException:
            os.close(self._file)
            raise

    def _resume(self, recipe: dict[str, Any]) -> None:
        wanted = pack_header(recipe)
        there = os.fstat(self._file).st_size
        if there < len(wanted) and wanted.startswith(read_input(self.path)):
            os.ftruncate(self._file, 0)  # new, or killed before the header was written
            self._append(wanted)
            return
        with GameFile(self.path) as file:
            if file.recipe != json.loads(json.dumps(recipe)):
                raise DataError(f"{self.path} was started with different settings: {difference(file.recipe, recipe)}")
            end = file.header.size
            for block in file.blocks():
                self.numbers.update(block.numbers())
                self.positions += block.positions
                end = block.end
        if end < there:
            os.ftruncate(self._file, end)

    def _append(self, data: bytes) -> None:
        try:
            append_whole(self._file, data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def add(self, game: Game) -> None:
        """Add a game to the next block, which is written when it is large enough, or by `flush`."""
        self.add_packed(pack_game(game), game.positions)

    def add_packed(self, game: bytes, positions: int) -> None:
        """Add a game that is already packed."""
        self._games.append(game)
        self._bytes += len(game)
        self._positions += positions
        self.numbers.update(game_numbers(game))
        if self._bytes >= BLOCK_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write the buffered games, if any, as a block."""
        if self._games:
            self.write(b"".join(self._games), len(self._games), self._positions)
            self._games, self._bytes, self._positions = [], 0, 0

    def write(self, payload: bytes, games: int, positions: int) -> None:
        """Write packed games as one block; it is on the disk when this returns."""
        self._append(pack_block(payload, games, positions))
        self.positions += positions
        if self._on_block is not None:
            self._on_block(payload)

    def close(self) -> None:
        """Write the buffered games. Without `close`, only the games since the last block are lost."""
        try:
            self.flush()
        finally:
            os.close(self._file)

    def __enter__(self) -> GameWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, traceback: TracebackType | None) -> None:
        self.close()


def difference(there: dict[str, Any], asked: dict[str, Any]) -> str:
    """The settings that differ, in words."""
    names = [name for name in sorted({*there, *asked}) if there.get(name) != asked.get(name)]
    return ", ".join(f"{name} is {there.get(name)!r} there and {asked.get(name)!r} now" for name in names)
