"""The binary file format for games, as written by `chuhe selfplay`. `docs/data.md` has the layout.

A file is a header (version, and the recipe that the games came from) and any number of blocks, each with a checksum.
A block is written in one piece and synced, so a finished block survives a kill. An incomplete last block is detected.

>>> game = Game(1, "1-0", Termination.AGREED, opening=(Move.from_iccs("h2e2"),), plies=((Move.from_iccs("h9g7"), 35),))
>>> [str(move) for move, _ in next(unpack_games(pack_game(game))).plies]
['h9g7']

`game_files` reads and writes whole files; `records` turns blocks into positions.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from chuhe.bench.matches.match_values import GameEnd, Termination
from chuhe.engine import Move, Position
from chuhe.engine._core import GAME_HEAD, GAME_REASONS, NO_SCORE, PLAYED_ON, STRAYED
from chuhe.engine.values import FinalResult, Reason

Parsed = TypeVar("Parsed")

MAGIC = b"CHUHEGMS"
VERSION = 1
HEADER = struct.Struct("<8sII")  # magic, version, length of the recipe (JSON); recipe and checksum follow
# marker, stored bytes, bytes, games, positions, checksum of the stored bytes, checksum of this header
BLOCK = struct.Struct("<4sIIIIII")
MARKER = b"GBLK"
GAME = struct.Struct(GAME_HEAD)  # number, result, reason, flags, length of the FEN, opening plies, plies
NUMBER = CHECKSUM = struct.Struct("<I")

MAX_BLOCK = 1 << 28  # bytes: a larger size means damage
BLOCK_BYTES = 1 << 18  # a writer closes a block at this size: about 60,000 positions

RESULTS: tuple[FinalResult, ...] = ("0-1", "1/2-1/2", "1-0")  # by Red's half points
_NAMED: dict[str, GameEnd] = {reason.value: reason for reason in (*Reason, *Termination)}
REASONS = tuple(_NAMED[name] for name in GAME_REASONS)  # files store the index


class DataError(ValueError):
    """Invalid data; the message names the file, and the block if there is one."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game. A ply is a move with its score: centipawns for the mover, None for a move that was not searched."""

    number: int
    result: FinalResult
    reason: GameEnd
    opening: tuple[Move, ...] = ()  # without scores
    plies: tuple[tuple[Move, int | None], ...] = ()
    fen: str | None = None  # None: the start position
    played_on: bool = False  # played on, without resignation

    @property
    def strayed(self) -> bool:
        """Whether a move after the opening was not searched."""
        return any(score is None for _, score in self.plies)

    @property
    def positions(self) -> int:
        """The plies that have a score."""
        return sum(score is not None for _, score in self.plies)

    def start(self) -> Position:
        """The position the game began from."""
        return Position(self.fen) if self.fen else Position()


# Games and bytes


def pack_game(game: Game) -> bytes:
    """A game as bytes; DataError if a value does not fit the format."""
    fen = (game.fen or "").encode("ascii")
    try:
        result, reason = RESULTS.index(game.result), REASONS.index(game.reason)
    except ValueError:
        raise DataError(
            f"game {game.number} has an ending that files do not have: {game.result}, {game.reason}"
        ) from None
    moves = [*game.opening, *(move for move, _ in game.plies)]
    scores = [NO_SCORE if score is None else score for _, score in game.plies]
    try:
        head = GAME.pack(
            game.number,
            result,
            reason,
            PLAYED_ON * game.played_on | STRAYED * game.strayed,
            len(fen),
            len(game.opening),
            len(game.plies),
        )
        packed = [move.from_square | move.to_square << 7 for move in moves]
        return b"".join((head, fen, struct.pack(f"<{len(moves)}H{len(scores)}h", *packed, *scores)))
    except struct.error as error:
        raise DataError(f"game {game.number} does not fit: {error}") from None


def unpack_games(payload: bytes) -> Iterator[Game]:
    """The games of a block; DataError if they cannot be read. Legality is not checked here (`expand` does that)."""
    at = 0
    while at < len(payload):
        try:
            number, result, reason, flags, fen_length, opening, count = GAME.unpack_from(payload, at)
            at += GAME.size
            fen = payload[at : at + fen_length].decode("ascii") or None
            at += fen_length
            packed = struct.unpack_from(f"<{opening + count}H", payload, at)
            at += 2 * (opening + count)
            scores = struct.unpack_from(f"<{count}h", payload, at)
            at += 2 * count
            moves = [Move(word & 127, word >> 7) for word in packed]
            plies = tuple(
                (move, None if score == NO_SCORE else score)
                for move, score in zip(moves[opening:], scores, strict=True)
            )
            played_on = bool(flags & PLAYED_ON)
            yield Game(number, RESULTS[result], REASONS[reason], tuple(moves[:opening]), plies, fen, played_on)
        except (struct.error, ValueError, IndexError) as error:
            raise DataError(f"a game cannot be read: {error}") from None


def cut_games(payload: bytes) -> Iterator[bytes]:
    """A block's games, each still packed."""
    at = 0
    while at < len(payload):
        size = GAME.size
        if len(payload) - at >= size:
            _, _, _, _, fen_length, opening, count = GAME.unpack_from(payload, at)
            size += fen_length + 2 * opening + 4 * count
        if len(payload) - at < size:
            raise DataError("a game cannot be read: the data ends inside it")
        yield payload[at : at + size]
        at += size


def game_numbers(payload: bytes) -> Iterator[int]:
    """The numbers of a block's games, without reading their moves."""
    for game in cut_games(payload):
        yield NUMBER.unpack_from(game)[0]


def renumbered(game: bytes, number: int) -> bytes:
    """A packed game with another number."""
    return NUMBER.pack(number) + game[NUMBER.size :]


def scored_plies(game: bytes) -> int:
    """How many positions of a packed game have a score."""
    count: int = GAME.unpack_from(game)[-1]
    return count - struct.unpack_from(f"<{count}h", game, len(game) - 2 * count).count(NO_SCORE)


# Blocks


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a file: its offset, its counts, and its stored bytes."""

    path: Path
    index: int  # from 1, as shown in messages
    offset: int
    games: int
    positions: int
    size: int  # of the uncompressed payload
    checksum: int
    stored: bytes

    @property
    def name(self) -> str:
        return f"{self.path}: block {self.index} (at byte {self.offset})"

    @property
    def end(self) -> int:
        return self.offset + BLOCK.size + len(self.stored)

    def payload(self) -> bytes:
        """The games' bytes; DataError if they are damaged."""
        if zlib.crc32(self.stored) != self.checksum:
            raise DataError(f"{self.name} is damaged: the checksum differs")
        if len(self.stored) == self.size:
            return self.stored
        try:
            unpacker = zlib.decompressobj()
            payload = unpacker.decompress(self.stored, self.size)
        except zlib.error as error:
            raise DataError(f"{self.name} is damaged: {error}") from None
        if len(payload) != self.size:
            raise DataError(f"{self.name} is damaged: it holds {len(payload)} bytes instead of {self.size}")
        return payload

    def unpack(self) -> Iterator[Game]:
        """The games, one by one."""
        yield from self._named(unpack_games)

    def numbers(self) -> Iterator[int]:
        """The games' numbers."""
        yield from self._named(game_numbers)

    def _named(self, read: Callable[[bytes], Iterator[Parsed]]) -> Iterator[Parsed]:
        payload = self.payload()
        try:
            yield from read(payload)
        except DataError as error:
            raise DataError(f"{self.name}: {error}") from None


def pack_block(payload: bytes, games: int, positions: int) -> bytes:
    """A block as stored in the file. It is compressed only if that saves space; equal sizes mean uncompressed."""
    stored = zlib.compress(payload, 1)  # higher levels save 1 % and take half as long again
    if len(stored) >= len(payload):
        stored = payload
    head = BLOCK.pack(MARKER, len(stored), len(payload), games, positions, zlib.crc32(stored), 0)[: -CHECKSUM.size]
    return b"".join((head, CHECKSUM.pack(zlib.crc32(head)), stored))


def pack_header(recipe: dict[str, Any]) -> bytes:
    """The beginning of a file."""
    try:
        text = json.dumps(recipe, sort_keys=True).encode()
    except RecursionError:
        raise DataError("the recipe is nested too deeply") from None
    head = HEADER.pack(MAGIC, VERSION, len(text)) + text
    return head + CHECKSUM.pack(zlib.crc32(head))
