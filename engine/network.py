"""Network files: read, verified and passed to the core. Layout: `docs/data.md`.

>>> import chuhe.engine.network
>>> chuhe.engine.network.parse(b"not a network")
Traceback (most recent call last):
    ...
chuhe.engine.errors.NetworkError: this is not a Chuhe network: the first bytes are wrong
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chuhe.engine import _core
from chuhe.engine.errors import NetworkError
from chuhe.engine.uncopied import refuse_copies
from chuhe.files.reading import read_input

MAGIC = b"CHUHENET"
VERSION = 4
OLD_VERSION = 3  # with a row for every feature, also for those that never occur; still read
# magic, version, neurons, output buckets, limit bits, input bucket by the opponent's attackers, (unused), factor,
# length of the recipe
HEADER = struct.Struct("<8sIHBB7sxqI")
CHECKSUM = struct.Struct("<I")  # CRC-32 of everything before it, at the end of the file
FEATURES = _core.NETWORK_SIZES["features"]
ROWS: list[int] = _core.NETWORK_ROWS  # the features that occur; a file holds the weights of these only
ATTACKER_COUNTS = _core.NETWORK_SIZES["attacker_counts"]
ONE_BUCKET = bytes(ATTACKER_COUNTS)
DEFAULT = Path(__file__).parent / "data" / "default.net"
MAX_BYTES = 16 << 20


refuse_copies(_core.Network)


@dataclass(frozen=True, slots=True)
class NetworkFile:
    """The content of a network file: quantised weights, and the recipe that made them (JSON, for people and tools)."""

    hidden: int
    buckets: int
    limit_bits: int  # a neuron is clipped at 2 to this power
    bucket_of: bytes  # the input bucket, by the rooks, knights and cannons that the opponent has, 0 to 6
    factor: int  # centipawns per unit of the output's sum, times 2**32
    recipe: str
    feature_weights: bytes  # int16 [input buckets][FEATURES][hidden]
    feature_bias: bytes  # int16 [hidden]
    output_weights: bytes  # int16 [buckets][2 * hidden], the half of the side to move first
    output_bias: bytes  # int32 [buckets]

    def to_bytes(self) -> bytes:
        recipe = self.recipe.encode()
        head = HEADER.pack(
            MAGIC, VERSION, self.hidden, self.buckets, self.limit_bits, self.bucket_of, self.factor, len(recipe)
        )
        row, starts = 2 * self.hidden, range(0, len(self.feature_weights), 2 * self.hidden * FEATURES)
        rows = (self.feature_weights[at : at + row] for start in starts for at in (start + row * one for one in ROWS))
        arrays = (*rows, self.feature_bias, self.output_weights, self.output_bias)
        data = b"".join((head, recipe, *arrays))
        return data + CHECKSUM.pack(zlib.crc32(data))

    @property
    def checksum(self) -> str:
        """The one at the end of its file. A CRC of the whole file would be the same for every network."""
        return f"{CHECKSUM.unpack(self.to_bytes()[-CHECKSUM.size :])[0]:08x}"

    def load(self) -> _core.Network:
        """The network in the core's memory; NetworkError if a number is out of range."""
        try:
            return _core.Network(
                self.hidden,
                self.buckets,
                self.limit_bits,
                self.bucket_of,
                self.factor,
                self.feature_weights,
                self.feature_bias,
                self.output_weights,
                self.output_bias,
            )
        except (ValueError, OverflowError) as error:
            raise NetworkError(f"the network cannot be used: {error}") from None


def all_rows(stored: bytes, row: int) -> bytes:
    """The rows of all features from those in a file; a row has `row` bytes."""
    weights = bytearray(len(stored) // len(ROWS) * FEATURES)
    for number in range(len(stored) // row):
        bucket, feature = divmod(number, len(ROWS))
        at = (bucket * FEATURES + ROWS[feature]) * row
        weights[at : at + row] = stored[number * row : (number + 1) * row]
    return bytes(weights)


def parse(data: bytes) -> NetworkFile:
    """Parse a file's bytes; NetworkError says what is wrong with them."""
    if data[: len(MAGIC)] != MAGIC:
        raise NetworkError("this is not a Chuhe network: the first bytes are wrong")
    if len(data) < HEADER.size + CHECKSUM.size:
        raise NetworkError("the network is cut off in its header")
    _, version, hidden, buckets, limit_bits, bucket_of, factor, recipe_size = HEADER.unpack_from(data)
    if version not in (VERSION, OLD_VERSION):
        raise NetworkError(f"the network has version {version}; this program reads version {VERSION}")
    input_buckets = max(bucket_of) + 1
    rows = input_buckets * (len(ROWS) if version == VERSION else FEATURES)
    sizes = (recipe_size, 2 * rows * hidden, 2 * hidden, 4 * buckets * hidden, 4 * buckets)
    size = HEADER.size + sum(sizes) + CHECKSUM.size
    if len(data) != size:
        raise NetworkError(f"the network is damaged: {len(data)} bytes instead of {size}")
    if zlib.crc32(data[: -CHECKSUM.size]) != CHECKSUM.unpack(data[-CHECKSUM.size :])[0]:
        raise NetworkError("the network is damaged: checksum mismatch")
    start = HEADER.size
    parts = []
    for length in sizes:
        parts.append(data[start : start + length])
        start += length
    if version == VERSION:
        parts[1] = all_rows(parts[1], 2 * hidden)
    return NetworkFile(hidden, buckets, limit_bits, bucket_of, factor, parts[0].decode("utf-8", "replace"), *parts[1:])


def read(path: Path | str) -> NetworkFile:
    """The network of a file; NetworkError names the file and what is wrong with it."""
    path = Path(path)
    try:
        if not path.is_file():
            raise NetworkError("there is no such file" if not path.exists() else "this is not a file")
        if path.stat().st_size > MAX_BYTES:
            raise NetworkError(f"this is not a Chuhe network: it is larger than {MAX_BYTES >> 20} MB")
        return parse(read_input(path))
    except OSError as error:
        raise NetworkError(f"{path}: {error.strerror or error}") from None
    except NetworkError as error:
        raise NetworkError(f"{path}: {error}") from None


@cache
def load_default() -> _core.Network:
    """The bundled network, loaded once per process."""
    return read(DEFAULT).load()
