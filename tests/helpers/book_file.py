"""Books with any entries, also those that no position has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from chuhe.records.books.book import ENTRY, HEADER, MAGIC, SQUARES, start_key


def write_book(path: Path, weights: Mapping[tuple[int, int, int], int]) -> None:
    """Our own format from {(key, from square, to square): weight}."""
    entries = [ENTRY.pack(key, start * SQUARES + end, weight) for (key, start, end), weight in sorted(weights.items())]
    path.write_bytes(HEADER.pack(MAGIC, start_key()) + b"".join(entries))
