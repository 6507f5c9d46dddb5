"""Opening books: look up a position, get its moves with their weights.

Three formats are read. Our own is a header (`HEADER`) and sorted entries of twelve bytes: the position's 64-bit key,
the move, a weight. ElephantEye's BOOK.DAT is sorted entries of eight bytes: a 32-bit lock (one third of its own Zobrist
key, drawn from an RC4 stream with a zero key), the move, a weight. OBK is an SQLite file (`books.obk`). All may hold
the mirror image, so both are looked up.
"""

from __future__ import annotations

import os
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from chuhe.engine._core import BLACK, Move
from chuhe.files.reading import open_input, read_input
from chuhe.text.errors import UserError
from chuhe.text.message import Message, os_message

if TYPE_CHECKING:
    import random

    from chuhe.engine.position import Position

MAGIC = b"CHUHEBK1"
SQLITE_MAGIC = b"SQLite format 3\0"
HEADER = struct.Struct("<8sQ")  # the magic and the start position's key: a book only works with the same keys
ENTRY = struct.Struct("<QHH")
ELEPHANTEYE_ENTRY = struct.Struct("<IHH")
MAX_WEIGHT = 0xFFFF
SQUARES = 90

Choices = list[tuple[Move, int]]


class BookError(UserError):
    """A file that is not a readable opening book."""


class Book(ABC):
    """Opening moves."""

    @staticmethod
    def load(path: str | os.PathLike[str] | None = None) -> Book:
        """Open a book of any format (None: the bundled one); BookError says what is wrong with the file."""
        path = path or default_book_path() or ""
        try:
            if os.path.exists(path) and not os.path.isfile(path):  # a pipe would block, a device has no end
                raise BookError(Message("book.not-plain", path=str(path)))
            with open_input(path) as file:
                obk = file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
            if obk:
                from chuhe.records.books.obk import ObkBook  # SQLite takes time to load

                return ObkBook(path)
            data = read_input(path)
        except OSError as error:
            raise BookError(Message("book.unreadable", path=str(path), fault=os_message(error))) from error
        if data.startswith(MAGIC):
            if len(data) < HEADER.size or (len(data) - HEADER.size) % ENTRY.size:
                raise BookError(Message("book.cut-off", path=str(path)))
            if HEADER.unpack_from(data)[1] != start_key():
                raise BookError(Message("book.other-keys", path=str(path)))
            return OwnBook(data[HEADER.size :])
        if not data or len(data) % ELEPHANTEYE_ENTRY.size:
            raise BookError(Message("book.unknown", path=str(path)))
        book = ElephantEyeBook(data)
        if not book.is_sorted():
            raise BookError(Message("book.unsorted", path=str(path)))
        if not book.has_moves():
            raise BookError(Message("book.unknown", path=str(path)))
        return book

    @abstractmethod
    def probe(self, position: Position) -> Choices:
        """The book's legal moves in this position, highest weight first; empty if the position is unknown."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of entries."""

    def choose(self, position: Position, rng: random.Random) -> Move | None:
        """One of the book's moves, chosen with a probability proportional to its weight; None if there is none.

        Also None if the file can no longer be read: a game goes on without its book.
        """
        try:
            choices = self.probe(position)
        except BookError:
            return None
        if not choices:
            return None
        return rng.choices([move for move, _ in choices], [weight for _, weight in choices])[0]


class BookStack(Book):
    """Several books as one: the first that has the position is used.

    A book that can no longer be read raises its BookError once; then the others answer.
    """

    def __init__(self, books: Iterable[Book]) -> None:
        self._books = list(books)

    @staticmethod
    def load_all(files: str) -> BookStack:
        """Read the books of a ``;``-separated list, as in the option `bookfiles`."""
        return BookStack(Book.load(name.strip()) for name in files.split(";") if name.strip())

    def probe(self, position: Position) -> Choices:
        for book in list(self._books):
            try:
                choices = book.probe(position)
            except BookError:
                self._books.remove(book)
                raise
            if choices:
                return choices
        return []

    def __iter__(self) -> Iterator[Book]:
        return iter(self._books)

    def __len__(self) -> int:
        return sum(len(book) for book in self._books)


class BookFiles(NamedTuple):
    """Which books to use, each a ``;``-separated list. Without any for a side, that side has the bundled book."""

    both: str = ""
    red: str = ""  # asked before those for both sides
    black: str = ""


BUNDLED = BookFiles()


class SideBooks(Book):
    """A stack of books for each side."""

    def __init__(self, files: BookFiles = BUNDLED) -> None:
        bundled = default_book_path() or ""
        lists = [[own, files.both] if own or files.both else [bundled] for own in (files.red, files.black)]
        opened = {names: BookStack.load_all(names) for names in dict.fromkeys([*lists[0], *lists[1]])}
        self._books = [book for stack in opened.values() for book in stack]
        self._sides = [BookStack(book for names in side for book in opened[names]) for side in lists]

    def probe(self, position: Position) -> Choices:
        return self._sides[position.turn].probe(position)

    def __len__(self) -> int:
        return sum(map(len, self._books))


def default_book_path() -> str | None:
    """The book that ships with the project."""
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "book.bin")
    return path if os.path.exists(path) else None


class FileBook(Book):
    """A book that stores positions under a key, or the key of their mirror image."""

    merges_images = False  # whether a position's moves may be spread over both images

    def probe(self, position: Position) -> Choices:
        legal = {(move.from_square, move.to_square): move for move in position.legal_moves}
        choices: dict[Move, int] = {}
        for mirrored in (False, True):
            for squares, weight in self._lookup(position, mirrored):
                if weight > 0 and squares in legal:
                    choices[legal[squares]] = max(weight, choices.get(legal[squares], 0))
            if choices and not self.merges_images:
                break
        return sorted(choices.items(), key=lambda choice: (-choice[1], str(choice[0])))

    @abstractmethod
    def keys(self) -> set[int]:
        """The keys of all entries, unsigned."""

    @abstractmethod
    def key_of(self, position: Position) -> int:
        """The key under which the book stores a position, unsigned."""

    def piece_keys(self) -> tuple[int, Mapping[str, Sequence[int]]] | None:
        """What changes the key with a move: a number for the side to move, and one for each kind on each square.

        None if these are not known.
        """
        return None

    @abstractmethod
    def _lookup(self, position: Position, mirrored: bool) -> list[tuple[tuple[int, int], int]]:
        """The (from, to) squares and weights stored for the position, or for its mirror image and mirrored back."""


def start_key() -> int:
    from chuhe.engine.position import Position

    return Position().key


def mirror_square(square: int) -> int:
    return square - 2 * (square % 9) + 8


_MIRRORED = [mirror_square(square) for square in range(SQUARES)]


def keys_joined(position: Position, keys: Mapping[str, Sequence[int]], mirrored: bool) -> int:
    """The exclusive or of the keys of all pieces, given by kind and square."""
    key = 0
    for square, piece in position.pieces().items():
        key ^= keys[piece.symbol][_MIRRORED[square] if mirrored else square]
    return key


class _SortedEntries:
    """Fixed-size entries, sorted by their first field, found by binary search without unpacking them all."""

    def __init__(self, data: bytes, layout: struct.Struct) -> None:
        self.data, self.layout = data, layout
        self.count = len(data) // layout.size

    def __getitem__(self, index: int) -> tuple[int, int, int]:
        key, move, weight = self.layout.unpack_from(self.data, index * self.layout.size)
        return key, move, weight

    def __len__(self) -> int:
        return self.count

    def keys(self) -> set[int]:
        return {key for key, _, _ in self.layout.iter_unpack(self.data)}

    def with_key(self, key: int) -> Iterator[tuple[int, int]]:
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self[middle][0] < key else (low, middle)
        while low < self.count:
            found, move, weight = self[low]
            if found != key:
                return
            yield move, weight
            low += 1


class _SortedBook(FileBook):
    """A book whose entries are sorted by the key of their position."""

    layout: struct.Struct

    def __init__(self, entries: bytes) -> None:
        self._entries = _SortedEntries(entries, self.layout)

    def __len__(self) -> int:
        return len(self._entries)

    def keys(self) -> set[int]:
        return self._entries.keys()


class OwnBook(_SortedBook):
    layout = ENTRY

    def key_of(self, position: Position) -> int:
        return position.key

    def _lookup(self, position: Position, mirrored: bool) -> list[tuple[tuple[int, int], int]]:
        key = position.mirror().key if mirrored else position.key
        found = []
        for code, weight in self._entries.with_key(key):
            squares = divmod(code, SQUARES)
            found.append(((mirror_square(squares[0]), mirror_square(squares[1])) if mirrored else squares, weight))
        return found


# --- ElephantEye's format

_KINDS = "KABNRCPkabnrcp"  # the order of its key table
_CELLS = 256  # its board is 16 wide with a margin of three


class ElephantEyeBook(_SortedBook):
    layout = ELEPHANTEYE_ENTRY

    def key_of(self, position: Position) -> int:
        return elephanteye_lock(position)

    def piece_keys(self) -> tuple[int, Mapping[str, Sequence[int]]]:
        return _elephanteye_keys()

    def is_sorted(self) -> bool:
        locks = [lock for lock, _, _ in self._sample()]
        return locks == sorted(locks)

    def has_moves(self) -> bool:
        """Does any entry name two points? The format has no magic number, and a file of zeros is sorted too."""
        return any(None not in _squares(code) for _, code, _ in self._sample())

    def _sample(self) -> Iterator[tuple[int, int, int]]:
        """Some of the entries only, so that large files load quickly."""
        step = max(1, len(self._entries) // 4096)
        return (self._entries[index] for index in range(0, len(self._entries), step))

    def _lookup(self, position: Position, mirrored: bool) -> list[tuple[tuple[int, int], int]]:
        found = []
        for code, weight in self._entries.with_key(elephanteye_lock(position, mirrored)):
            from_square, to_square = _squares(code)
            if from_square is None or to_square is None:
                continue
            if mirrored:
                from_square, to_square = mirror_square(from_square), mirror_square(to_square)
            found.append(((from_square, to_square), weight))
        return found


def elephanteye_lock(position: Position, mirrored: bool = False) -> int:
    """The lock under which ElephantEye stores a position."""
    player, keys = _elephanteye_keys()
    return keys_joined(position, keys, mirrored) ^ (player if position.turn == BLACK else 0)


def elephanteye_cell(square: int) -> int:
    """A square in ElephantEye's numbering: rows from Black's side down, three cells of margin."""
    rank, file = divmod(square, 9)
    return 16 * (12 - rank) + file + 3


def elephanteye_code(move: Move) -> int:
    """A move as ElephantEye stores it."""
    return elephanteye_cell(move.from_square) | elephanteye_cell(move.to_square) << 8


def _squares(code: int) -> tuple[int | None, int | None]:
    """The points of a move."""
    return square_from_cell(code & 0xFF), square_from_cell(code >> 8)


def square_from_cell(cell: int) -> int | None:
    rank, file = 12 - cell // 16, cell % 16 - 3
    return 9 * rank + file if 0 <= rank <= 9 and 0 <= file <= 8 else None


def _rc4_zero_stream() -> Iterator[int]:
    """The bytes of RC4 under a key of zeros."""
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
    i = j = 0
    while True:
        i = (i + 1) & 255
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
        yield state[(state[i] + state[j]) & 255]


@lru_cache(maxsize=1)
def _elephanteye_keys() -> tuple[int, dict[str, list[int]]]:
    """The locks of the side to move and of every kind on every square: the third word of each key of three words."""
    stream = _rc4_zero_stream()

    def lock() -> int:
        words = bytes(next(stream) for _ in range(12))
        return int.from_bytes(words[8:], "little")

    player, cells = lock(), {kind: [lock() for _ in range(_CELLS)] for kind in _KINDS}
    return player, {
        kind: [locks[elephanteye_cell(square)] for square in range(SQUARES)] for kind, locks in cells.items()
    }
