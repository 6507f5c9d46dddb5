"""Network files: read, verified and passed to the core. Layout: `docs/network.md`.

>>> import engine.network
>>> engine.network.parse(b"not a network")
Traceback (most recent call last):
    ...
engine.errors.NetworkError: this is not a Chuhe network: the first bytes are wrong
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine import _core
from engine.errors import NetworkError

MAGIC = b"CHUHENET"
VERSION = 2
# magic, version, neurons, buckets, limit bits, set of rows by the opponent's attackers, (unused), factor, length of the
# recipe, checksum of the rest
HEADER = struct.Struct("<8sIHBB7sxqII")
INPUTS = 14 * 90
ONE_SET = bytes(7)
DEFAULT = Path(__file__).parent / "data" / "default.net"
MOST_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class NetworkFile:
    """The content of a network file: quantised weights, and the recipe that made them (JSON, for people and tools)."""

    hidden: int
    buckets: int
    limit_bits: int  # a neuron is clipped at 2 to this power
    set_of: bytes  # which set of rows a view uses: by the rooks, knights and cannons that its opponent has, 0 to 6
    factor: int  # centipawns per unit of the output's sum, times 2**32
    recipe: str
    rows: bytes  # int16 [sets][INPUTS][hidden]
    bias: bytes  # int16 [hidden]
    weights: bytes  # int16 [buckets][2 * hidden], the half of the side to move first
    offsets: bytes  # int32 [buckets]

    def to_bytes(self) -> bytes:
        recipe = self.recipe.encode()
        body = b"".join((recipe, self.rows, self.bias, self.weights, self.offsets))
        head = HEADER.pack(
            MAGIC,
            VERSION,
            self.hidden,
            self.buckets,
            self.limit_bits,
            self.set_of,
            self.factor,
            len(recipe),
            zlib.crc32(body),
        )
        return head + body

    def load(self) -> _core.Network:
        """The network in the core's memory."""
        try:
            return _core.Network(
                self.hidden,
                self.buckets,
                self.limit_bits,
                self.set_of,
                self.factor,
                self.rows,
                self.bias,
                self.weights,
                self.offsets,
            )
        except ValueError as error:
            raise NetworkError(f"the network cannot be used: {error}") from None


def parse(data: bytes) -> NetworkFile:
    """Parse a file's bytes; NetworkError says what is wrong with them."""
    if data[: len(MAGIC)] != MAGIC:
        raise NetworkError("this is not a Chuhe network: the first bytes are wrong")
    if len(data) < HEADER.size:
        raise NetworkError("the network is cut off in its header")
    _, version, hidden, buckets, limit_bits, set_of, factor, recipe_size, checksum = HEADER.unpack_from(data)
    if version != VERSION:
        raise NetworkError(f"the network has version {version}; this program reads version {VERSION}")
    sizes = (recipe_size, 2 * (max(set_of) + 1) * INPUTS * hidden, 2 * hidden, 4 * buckets * hidden, 4 * buckets)
    if len(data) != HEADER.size + sum(sizes):
        raise NetworkError(f"the network is damaged: {len(data)} bytes instead of {HEADER.size + sum(sizes)}")
    if zlib.crc32(data[HEADER.size :]) != checksum:
        raise NetworkError("the network is damaged: checksum mismatch")
    parts = []
    at = HEADER.size
    for size in sizes:
        parts.append(data[at : at + size])
        at += size
    return NetworkFile(hidden, buckets, limit_bits, set_of, factor, parts[0].decode("utf-8", "replace"), *parts[1:])


def read(path: Path | str) -> NetworkFile:
    """The network of a file; NetworkError names the file and what is wrong with it."""
    path = Path(path)
    try:
        if not path.is_file():
            raise NetworkError("there is no such file" if not path.exists() else "this is not a file")
        if path.stat().st_size > MOST_BYTES:
            raise NetworkError(f"this is not a Chuhe network: it is larger than {MOST_BYTES >> 20} MB")
        return parse(path.read_bytes())
    except OSError as error:
        raise NetworkError(f"{path}: {error.strerror or error}") from None
    except NetworkError as error:
        raise NetworkError(f"{path}: {error}") from None


@cache
def load_default() -> _core.Network:
    """The bundled network, loaded once per process."""
    return read(DEFAULT).load()
