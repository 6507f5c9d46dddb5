"""Files of labelled positions: `label FEN`, or just a FEN, one per line."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from chuhe.engine import Position
from chuhe.files.encoding import EncodingError, decode_text
from chuhe.files.reading import read_input


@dataclass(frozen=True, slots=True)
class Labelled:
    label: str
    fen: str


class PositionsError(ValueError):
    """An invalid file of positions; the message names the line and the error."""


def data_file(name: str) -> Path:
    return Path(str(resources.files("chuhe.bench.measuring") / "data" / name))


def read_positions(path: str | Path | None = None) -> list[Labelled]:
    """The positions of a file; None: the fixed list of `chuhe bench`."""
    path = data_file("positions.txt") if path is None else Path(path)
    try:
        text = decode_text(read_input(path))
    except (OSError, EncodingError) as error:
        raise PositionsError(f"positions {path}: {getattr(error, 'strerror', None) or error}") from error
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        label = "" if "/" in words[0] else words.pop(0)
        try:
            found.append(Labelled(label, Position(" ".join(words)).fen()))
        except ValueError as error:
            raise PositionsError(f"{path}, line {number}: {error}") from None
    if not found:
        raise PositionsError(f"positions {path}: the file holds no positions")
    return found
