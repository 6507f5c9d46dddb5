"""Writing books of every format, page by page, and the table of formats."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from chuhe.engine import START_FEN, Move
from chuhe.files.writing import OwnWork, marked, replacing, write_file
from chuhe.records.books.book import (
    ELEPHANTEYE_ENTRY,
    ENTRY,
    HEADER,
    MAGIC,
    MAX_WEIGHT,
    SQLITE_MAGIC,
    SQUARES,
    BookError,
    elephanteye_code,
    elephanteye_lock,
    start_key,
)
from chuhe.records.books.pages import Page, image_keys, mirrored, weight_comment
from chuhe.records.game_record import MAX_NESTING, GameRecord, RecordedMove
from chuhe.records.pgn import format_pgn
from chuhe.text.message import Message

BookLine = tuple[Move, ...] | str  # from the start position, or the FEN of a page that no line leads to
PGN_EVENT = "opening book, written by chuhe book"
_SCHEMA = """
CREATE TABLE bhobk (id INTEGER PRIMARY KEY AUTOINCREMENT, vkey INTEGER, vmove INTEGER, vscore INTEGER,
    vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex INTEGER);
CREATE INDEX bhobk_vkey ON bhobk (vkey);
"""

INSERT = """
INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vindex) VALUES (?, ?, ?, ?, ?, ?, 1, ?)
"""


def _scaled(page: Page) -> Iterator[tuple[Move, int]]:
    """The moves with weights that fit into 16 bits; if one is too large, all of the page are scaled down."""
    top = max((entry.weight for entry in page.entries.values()), default=0)
    for move, entry in page.entries.items():
        if entry.weight > 0:
            yield move, entry.weight if top <= MAX_WEIGHT else max(1, entry.weight * MAX_WEIGHT // top)


def write_own(path: str | os.PathLike[str], pages: Iterable[Page]) -> int:
    """Our own format: each position under the smaller key of its two images."""
    found = []
    for page in pages:
        key, mirror_key = image_keys(page.position)
        for move, weight in _scaled(page):
            stored = move if key <= mirror_key else mirrored(move)
            code = stored.from_square * SQUARES + stored.to_square
            found.append((min(key, mirror_key), code, weight))
    found.sort()
    write_file(path, HEADER.pack(MAGIC, start_key()) + b"".join(ENTRY.pack(*entry) for entry in found))
    return len(found)


def write_elephanteye(path: str | os.PathLike[str], pages: Iterable[Page]) -> int:
    found = []
    for page in pages:
        lock = elephanteye_lock(page.position)
        for move, weight in _scaled(page):
            found.append((lock, elephanteye_code(move), weight))
    if not found:
        raise BookError(Message("book.empty-dat", path=str(path)))
    found.sort()
    write_file(path, b"".join(ELEPHANTEYE_ENTRY.pack(*entry) for entry in found))
    return len(found)


def write_obk(path: str | os.PathLike[str], pages: Iterable[Page]) -> int:
    import sqlite3

    from chuhe.records.books.obk import faults, move_code, obk_key

    count = 0
    with replacing(path) as scratch, faults(path), closing(sqlite3.connect(scratch)) as connection, connection:
        connection.execute("PRAGMA journal_mode = OFF")  # the file is new: nothing needs to be undone
        connection.executescript(_SCHEMA)
        for page in pages:
            key = obk_key(page.position)
            weighed = [(move, entry) for move, entry in page.entries.items() if entry.weight > 0]
            for index, (move, entry) in enumerate(weighed):
                code = move_code(move.from_square, move.to_square)
                counts = (entry.won, entry.drawn, entry.lost)
                connection.execute(INSERT, (key, code, entry.weight, *counts, index))
            count += len(weighed)
    return count


def write_tree(path: str | os.PathLike[str], pages: Iterable[Page]) -> int:
    """PGN: a game from the start position with every line of the book as a variation; the comments give the weights.

    A page that no line leads to, or only variations nested too deep, begins a game of its own.
    """
    by_line: dict[BookLine, Page] = {}
    beginnings: list[BookLine] = []
    for page in pages:
        line: BookLine = page.line if page.line or page.position.fen() == START_FEN else page.position.fen()
        by_line[line] = page
        if not page.line:
            beginnings.append(line)
    games = []
    while beginnings:
        line = beginnings.pop(0)
        moves = _recorded(by_line if isinstance(line, tuple) else {line: by_line[line]}, line, beginnings)
        games.append(GameRecord(by_line[line].position.fen(), moves, {"Event": PGN_EVENT}))
    write_file(path, "\n".join(format_pgn(game) for game in games))
    return sum(entry.weight > 0 for page in by_line.values() for entry in page.entries.values())


def _recorded(
    by_line: dict[BookLine, Page], line: BookLine, apart: list[BookLine], depth: int = 1
) -> tuple[RecordedMove, ...]:
    """The moves that follow a line, the first of every page as the main line. Lines nested too deep go to `apart`."""
    moves = []
    page = by_line.get(line)
    while page is not None:
        (first, entry), *others = page.entries.items()
        variations = []
        for move, other in others:
            branch = (*page.line, move)
            rest: tuple[RecordedMove, ...] = ()
            if depth < MAX_NESTING:
                rest = _recorded(by_line, branch, apart, depth + 1)
            elif branch in by_line:
                apart.append(branch)
            variations.append((RecordedMove(move, weight_comment(other.weight)), *rest))
        moves.append(RecordedMove(first, weight_comment(entry.weight), variations=tuple(variations)))
        page = by_line.get((*page.line, first))
    return tuple(moves)


# --- the table of formats


@dataclass(frozen=True)
class BookFormat:
    """A format by its suffix. `ours` tells from the beginning of a file whether it is a book of this format."""

    suffix: str
    name: str
    write: Callable[[str | os.PathLike[str], Iterable[Page]], int]
    ours: OwnWork


FORMATS = {
    known.suffix: known
    for known in (
        BookFormat(".bin", "Chuhe", write_own, lambda head: head.startswith(MAGIC)),
        BookFormat(".obk", "OBK", write_obk, lambda head: head.startswith(SQLITE_MAGIC) and b"bhobk" in head),
        BookFormat(".dat", "BOOK.DAT", write_elephanteye, lambda head: False),
        BookFormat(".pgn", "PGN", write_tree, marked(PGN_EVENT)),
    )
}


def format_of(path: str | os.PathLike[str]) -> BookFormat:
    """The format to write, by the suffix; ours if it is unknown."""
    return FORMATS.get(Path(path).suffix.lower(), FORMATS[".bin"])
