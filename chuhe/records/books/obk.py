"""OBK books: SQLite files with a table `bhobk`, as most xiangqi programs use them. Imported only when one is used.

A row is a move: `vkey` is the key of the position before it, `vmove` its cells as in BOOK.DAT (the from cell in the
high byte, in some books in the low one), `vscore` its weight, `vwin`, `vdraw` and `vlost` the games with it. Rows whose
`vvalid` is not 1 are switched off. A position may be stored as its mirror image.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from chuhe.engine._core import RED
from chuhe.records.books.book import (
    SQUARES,
    BookError,
    FileBook,
    elephanteye_cell,
    keys_joined,
    mirror_square,
    square_from_cell,
)
from chuhe.text.message import Message, shown

if TYPE_CHECKING:
    from chuhe.engine.position import Position

COLUMNS = ("vmove", "vscore", "vwin", "vdraw", "vvalid")
Row = tuple["int | None", ...]
REQUIRED = {"vkey", "vmove"}
_KINDS = "KABNRCPkabnrcp"  # the order of the keys
MOST_ROWS = 256  # of a position: more than it can have moves
_MISSING = {"vscore": "0", "vwin": "0", "vdraw": "0", "vvalid": "1"}
STEPS_AT_ONCE, MOST_STEPS = 1_000_000, 2_000_000_000  # of SQLite's machine, for one edit
BUSY_SECONDS = 2.0  # how long we wait for another program that is writing the book


class ObkBook(FileBook):
    """A book that stays on disk: a probe reads the rows of one position."""

    merges_images = True  # programs list the moves of both images

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._lock = threading.Lock()  # a page asks while a game does
        with faults(path):
            self._connection = connect(path)
            columns = checked_columns(self._connection, path)
        fields = [f"CAST({name if name in columns else _MISSING[name]} AS INTEGER)" for name in COLUMNS]
        self._query = f"SELECT {', '.join(fields)} FROM bhobk WHERE vkey IN (?, ?) LIMIT {MOST_ROWS}"

    def __len__(self) -> int:
        with faults(self._path):
            return int(self._connection.execute("SELECT count(*) FROM bhobk").fetchone()[0])

    def keys(self) -> set[int]:
        with faults(self._path):
            rows = self._connection.execute("SELECT DISTINCT vkey FROM bhobk WHERE typeof(vkey) IN ('integer', 'real')")
            return {(key if isinstance(key, int) else as_key(key)) % 2**64 for (key,) in rows}

    def key_of(self, position: Position) -> int:
        return obk_key(position) % 2**64

    def piece_keys(self) -> tuple[int, Mapping[str, Sequence[int]]]:
        return _keys()

    def close(self) -> None:
        self._connection.close()

    def _lookup(self, position: Position, mirrored: bool) -> list[tuple[tuple[int, int], int]]:
        key = obk_key(position, mirrored)
        if mirrored and key == obk_key(position):
            return []  # a symmetrical position: its rows have been read
        with faults(self._path), self._lock:
            rows = self._connection.execute(self._query, (key, as_float(key))).fetchall()
        found = []
        for squares, weight in weighted(rows):
            squares = mirror_squares(squares) if mirrored else squares
            found += [(squares, weight), (squares[::-1], weight)]  # only one of the two directions can be legal
        return found


def weighted(rows: list[Row]) -> Iterator[tuple[tuple[int, int], int]]:
    """The squares and weights of a position's rows, without those that are switched off or damaged.

    A weight is the score. If no score is positive, the games count (two for a win, one for a draw); if there are none
    either, the moves with the best score are alike.
    """
    valid = []
    for code, score, wins, draws, flag in rows:
        squares = squares_of(code)
        if squares is not None and flag == 1:
            valid.append((squares, score or 0, 2 * (wins or 0) + (draws or 0)))
    if any(score > 0 for _, score, _ in valid):
        yield from ((squares, score) for squares, score, _ in valid)
    elif any(points > 0 for _, _, points in valid):
        yield from ((squares, points) for squares, _, points in valid)
    elif valid:
        best = max(score for _, score, _ in valid)
        yield from ((squares, 1) for squares, score, _ in valid if score == best)


def squares_of(code: int | None) -> tuple[int, int] | None:
    """The from and to squares of a stored move; None if it is none."""
    if code is None or not 0 <= code <= 0xFFFF:
        return None
    from_square, to_square = square_from_cell(code >> 8), square_from_cell(code & 0xFF)
    return None if from_square is None or to_square is None else (from_square, to_square)


def move_code(from_square: int, to_square: int) -> int:
    """A move as it is stored."""
    return elephanteye_cell(from_square) << 8 | elephanteye_cell(to_square)


def mirror_squares(squares: tuple[int, int]) -> tuple[int, int]:
    return mirror_square(squares[0]), mirror_square(squares[1])


def obk_key(position: Position, mirrored: bool = False) -> int:
    """The key under which a position is stored, a signed 64-bit number."""
    red_to_move, keys = _keys()
    key = keys_joined(position, keys, mirrored) ^ (red_to_move if position.turn == RED else 0)
    return key - 2**64 if key >= 2**63 else key


def as_float(key: int) -> float:
    """The number with the same bits: some programs store negative keys that way."""
    return float(struct.unpack("<d", struct.pack("<q", key))[0])


def as_key(number: float) -> int:
    """The opposite of `as_float`."""
    return int(struct.unpack("<q", struct.pack("<d", number))[0])


@lru_cache(maxsize=1)
def _keys() -> tuple[int, dict[str, tuple[int, ...]]]:
    """The key of Red to move, and the keys of every kind on every square."""
    numbers = (Path(__file__).parents[1] / "data" / "obk_keys.bin").read_bytes()
    red_to_move, *keys = struct.unpack(f"<{len(numbers) // 8}Q", numbers)
    return red_to_move, {kind: tuple(keys[SQUARES * index :][:SQUARES]) for index, kind in enumerate(_KINDS)}


# --- the file


@contextmanager
def faults(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turns SQLite's errors into a BookError with the book's name."""
    try:
        yield
    except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
        raise BookError(Message("book.obk-fault", path=str(path), fault=str(error))) from error


def connect(path: str | os.PathLike[str], mode: str = "ro") -> sqlite3.Connection:
    """Games may ask from another thread than the one that opened the book."""
    place = Path(path).resolve()
    if mode == "ro" and place.with_name(f"{place.name}-journal").exists():
        # an edit was killed: SQLite undoes what it wrote, which needs the right to write
        with suppress(sqlite3.Error), closing(connect(path, "rw")) as interrupted:
            interrupted.execute("SELECT 1 FROM sqlite_master").fetchone()
    uri = f"{place.as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, check_same_thread=False)
    connection.text_factory = bytes  # a damaged text must not fail
    connection.execute("PRAGMA trusted_schema = OFF")
    if mode == "rw":  # a game may probe for as long as it lasts
        rounds = iter(range(MOST_STEPS // STEPS_AT_ONCE))
        connection.set_progress_handler(lambda: next(rounds, None) is None, STEPS_AT_ONCE)
    return connection


def checked_columns(connection: sqlite3.Connection, path: str | os.PathLike[str]) -> set[str]:
    """The columns of the table. A view, a trigger or a virtual table could run anything, so they are refused."""
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        if kind not in (b"table", b"index") or (sql or b"").split()[1:2] == [b"VIRTUAL"]:
            kind = b"virtual table" if kind == b"table" else kind
            what = {"kind": kind.decode().upper(), "name": shown(name.decode("utf-8", "replace"))}
            raise BookError(Message("book.obk-odd", path=str(path), **what))
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'bhobk' COLLATE NOCASE").fetchone()
    if found is None:
        raise BookError(Message("book.obk-no-table", path=str(path)))
    columns = {
        bytes(row[1]).decode("utf-8", "replace").lower() for row in connection.execute("PRAGMA table_info(bhobk)")
    }
    missing = sorted(REQUIRED - columns)
    if missing:
        raise BookError(Message("book.obk-no-column", path=str(path), column=missing[0]))
    return columns
