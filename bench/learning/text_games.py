"""Reads games from text: `RESULT REASON|opening moves|move:score …`, one per line, optionally compressed (.xz, .gz)."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from itertools import count
from pathlib import Path
from typing import IO, BinaryIO

from chuhe.bench.learning.game_format import REASONS, RESULTS, DataError, Game
from chuhe.engine import Move
from chuhe.text.message import message_of, shown
from chuhe.text.numbers import parse_whole

LONGEST_LINE = 1_000_000
OPENERS: dict[str, Callable[..., IO[str]]] = {".xz": lzma.open, ".gz": gzip.open}


def parse_game(line: str, number: int) -> Game:
    """Read a line; ValueError says what is wrong with it.

    >>> parse_game("1-0 agreed|h2e2|h9g7:-35", 1).plies
    ((Move.from_iccs('h9g7'), -35),)
    """
    parts = line.split("|")
    head = parts[0].split(maxsplit=1)
    if len(parts) != 3 or len(head) != 2:
        raise ValueError("expected RESULT REASON|opening moves|move:score …")
    result = next((result for result in RESULTS if result == head[0]), None)
    reason = next((reason for reason in REASONS if reason == head[1].strip().replace("-", " ")), None)
    if result is None or reason is None:
        raise ValueError(f"'{shown(parts[0])}' is not a result with a known reason")
    plies = []
    for word in parts[2].split():
        move, _, number_text = word.partition(":")
        score = parse_whole(number_text, -32767, 32767)
        if score is None:
            raise ValueError(f"'{shown(word)}' is not a move with its score")
        plies.append((Move.from_iccs(move), score))
    opening = tuple(Move.from_iccs(move) for move in parts[1].split())
    return Game(number, result, reason, opening, tuple(plies))


def numbered_lines(lines: IO[str], path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text; DataError for one so long that it is no game or position, before it fills the memory."""
    for number in count(1):
        line = lines.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise DataError(f"{path}:{number}: the line is longer than {LONGEST_LINE:,} characters")
        if not line:
            return
        yield number, line


def read_text(file: BinaryIO, path: Path, warn: Callable[[str], None]) -> Iterator[tuple[int, Game]]:
    """The games of an open file with their line numbers; DataError names a line that cannot be read.

    A last line without a newline is incomplete: it is skipped with a warning.
    """
    opener: Callable[..., IO[str]] = OPENERS.get(path.suffix, lambda file, mode, **how: TextIOWrapper(file, **how))
    with opener(file, "rt", encoding="ascii", errors="backslashreplace") as lines:  # a bad line names itself
        number = 0
        try:
            for number, line in numbered_lines(lines, path):
                if not line.endswith("\n"):
                    warn(f"{path}:{number}: the line is incomplete and is skipped")
                    break
                yield number, parse_game(line, number)
        except DataError:
            raise
        except (ValueError, EOFError, lzma.LZMAError, OSError) as error:
            raise DataError(f"{path}:{number}: {message_of(error).text()}") from None
