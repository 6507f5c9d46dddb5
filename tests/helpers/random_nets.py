"""Networks with random weights."""

from __future__ import annotations

import random
import struct

from chuhe.engine.network import ROWS, NetworkFile, all_rows

HIDDEN, BUCKETS = 64, 8


def random_network(
    seed: int, hidden: int = HIDDEN, buckets: int = BUCKETS, bucket_of: bytes = bytes((3, 3, 2, 1, 1, 0, 0))
) -> NetworkFile:
    """Random weights of a trained network's magnitude."""
    rng = random.Random(seed)

    def words(count: int, size: int) -> bytes:
        return struct.pack(f"<{count}h", *(rng.randint(-size, size) for _ in range(count)))

    offsets = struct.pack(f"<{buckets}i", *(rng.randint(-(1 << 20), 1 << 20) for _ in range(buckets)))
    rows, bias = words((max(bucket_of) + 1) * len(ROWS) * hidden, 700), words(hidden, 700)
    weights = words(buckets * 2 * hidden, 300)
    return NetworkFile(hidden, buckets, 11, bucket_of, 67368, "{}", all_rows(rows, 2 * hidden), bias, weights, offsets)
