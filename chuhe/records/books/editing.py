"""Adding, weighing and deleting a move of a book on disk, in the book's own format."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from chuhe.engine import Move, Position
from chuhe.files.writing import changing, write_file
from chuhe.records.books.book import (
    ELEPHANTEYE_ENTRY,
    ENTRY,
    HEADER,
    MAGIC,
    MAX_WEIGHT,
    SQUARES,
    Book,
    BookError,
    ElephantEyeBook,
    OwnBook,
    elephanteye_code,
    elephanteye_lock,
    start_key,
)
from chuhe.records.books.pages import BookEntry, Page, mirrored
from chuhe.records.books.writing import INSERT, format_of
from chuhe.text.message import Message

Edit = Literal["add", "weigh", "delete"]


def edit_book(path: str | os.PathLike[str], change: Edit, position: Position, move: Move, weight: int = 0) -> None:
    """Change one move of a position. BookError if it is there already (add) or not there (weigh, delete).

    A missing file is made by the first `add`, in the format of its suffix.
    """
    with changing(path):
        _edit(path, change, position, move, weight)


def _edit(path: str | os.PathLike[str], change: Edit, position: Position, move: Move, weight: int) -> None:
    if change == "add" and not Path(path).exists():
        format_of(path).write(path, [Page(position, {move: BookEntry(weight)})])
        return
    book = Book.load(path)
    present = any(known == move for known, _ in book.probe(position))
    if change == "add" and present:
        raise BookError(Message("book.has-move", path=str(path), move=str(move)))
    if change != "add" and not present:
        raise BookError(Message("book.lacks-move", path=str(path), move=str(move)))
    if isinstance(book, OwnBook):
        _edit_entries(path, _OWN, position, move, weight)
    elif isinstance(book, ElephantEyeBook):
        _edit_entries(path, _ELEPHANTEYE, position, move, weight)
    else:
        _edit_obk(path, position, move, weight)


@dataclass(frozen=True)
class _Layout:
    """How a format of sorted entries stores a move."""

    header: Callable[[], bytes]
    entry: struct.Struct
    key: Callable[[Position], int]
    code: Callable[[Move], int]


_OWN = _Layout(
    lambda: HEADER.pack(MAGIC, start_key()),
    ENTRY,
    lambda position: position.key,
    lambda move: move.from_square * SQUARES + move.to_square,
)
_ELEPHANTEYE = _Layout(
    lambda: b"",
    ELEPHANTEYE_ENTRY,
    elephanteye_lock,
    elephanteye_code,
)


def _edit_entries(path: str | os.PathLike[str], layout: _Layout, position: Position, move: Move, weight: int) -> None:
    """Rewrite the file. A position that is stored as its mirror image stays stored that way."""
    if weight > MAX_WEIGHT:
        raise BookError(Message("book.weight-most", path=str(path), most=MAX_WEIGHT))
    head = len(layout.header())
    entries = list(layout.entry.iter_unpack(Path(path).read_bytes()[head:]))
    images = [(layout.key(position), layout.code(move)), (layout.key(position.mirror()), layout.code(mirrored(move)))]
    keys = {key for key, _, _ in entries}
    key, code = images[1] if images[0][0] not in keys and images[1][0] in keys else images[0]
    entries = [entry for entry in entries if entry[:2] != (key, code)]
    if weight:
        entries.append((key, code, weight))
    entries.sort()
    write_file(path, layout.header() + b"".join(layout.entry.pack(*entry) for entry in entries))


def _edit_obk(path: str | os.PathLike[str], position: Position, move: Move, weight: int) -> None:
    """Change the rows in place: a book may have millions. A row that was switched off counts again."""
    from chuhe.records.books.obk import as_float, checked_columns, connect, faults, move_code, obk_key

    images = [(obk_key(position), move), (obk_key(position.mirror()), mirrored(move))]
    if images[0][0] == images[1][0]:
        images.pop()  # a symmetrical position: the mirrored move is another one
    changed, stored = 0, []
    with faults(path), closing(connect(path, "rw")) as connection, connection:
        checked_columns(connection, path)
        for key, image in images:
            keys = (key, as_float(key))
            found = connection.execute("SELECT 1 FROM bhobk WHERE vkey IN (?, ?) LIMIT 1", keys).fetchone()
            stored.append(found is not None)
            squares = (image.from_square, image.to_square)
            where = (*keys, move_code(*squares), move_code(*squares[::-1]))
            change = "UPDATE bhobk SET vscore = ?, vvalid = 1" if weight else "DELETE FROM bhobk"
            values = (weight, *where) if weight else where
            changed += connection.execute(f"{change} WHERE vkey IN (?, ?) AND vmove IN (?, ?)", values).rowcount
        if weight and not changed:
            key, image = images[1] if stored == [False, True] else images[0]
            connection.execute(INSERT, (key, move_code(image.from_square, image.to_square), weight, 0, 0, 0, 0))
