import random
import struct
from pathlib import Path

import pytest
from book_file import write_book

from chuhe.engine import Move, Position
from chuhe.records.books.book import (
    Book,
    BookError,
    BookFiles,
    BookStack,
    ElephantEyeBook,
    SideBooks,
    elephanteye_cell,
    elephanteye_lock,
)
from chuhe.records.books.pages import BookEntry, Page
from chuhe.records.books.writing import write_own

CENTRAL_CANNON = (25, 22)  # h2e2
PAWN = (29, 38)  # c3c4


def key() -> int:
    return Position().key


def elephanteye_entry(position: Position, move: tuple[int, int], weight: int, mirrored: bool = False) -> bytes:
    code = elephanteye_cell(move[0]) | elephanteye_cell(move[1]) << 8
    return struct.pack("<IHH", elephanteye_lock(position, mirrored), code, weight)


def test_our_own_format_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "book.bin"
    write_book(path, {(key(), *CENTRAL_CANNON): 7, (key(), *PAWN): 3, (key() + 1, 0, 9): 5})
    book = Book.load(path)
    assert len(book) == 3
    assert [(str(move), weight) for move, weight in book.probe(Position())] == [("h2e2", 7), ("c3c4", 3)]


def start_page(**weights: int) -> Page:
    return Page(Position(), {Move.from_iccs(move): BookEntry(weight) for move, weight in weights.items()})


def test_moves_without_weight_are_not_written(tmp_path: Path) -> None:
    assert write_own(tmp_path / "b", [start_page(c3c4=0, h2e2=1)]) == 1


def test_large_weights_keep_their_proportion(tmp_path: Path) -> None:
    write_own(tmp_path / "b", [start_page(h2e2=200_000, c3c4=100_000)])
    (_, large), (_, small) = Book.load(tmp_path / "b").probe(Position())
    assert large == 0xFFFF
    assert abs(large / small - 2) < 0.001


def test_a_mirrored_position_is_found_with_mirrored_moves(tmp_path: Path) -> None:
    position = Position()
    position.push("h2e2")
    write_book(tmp_path / "b", {(position.key, 88, 69): 4})  # h9g7
    mirror = Position()
    mirror.push("b2e2")
    assert [(str(move), weight) for move, weight in Book.load(tmp_path / "b").probe(mirror)] == [("b9c7", 4)]


def test_illegal_entries_are_passed_over(tmp_path: Path) -> None:
    write_book(tmp_path / "b", {(key(), 0, 45): 9})  # a rook through its own pawn
    assert Book.load(tmp_path / "b").probe(Position()) == []


def test_choice_follows_the_weights(tmp_path: Path) -> None:
    write_book(tmp_path / "b", {(key(), *CENTRAL_CANNON): 3, (key(), *PAWN): 1})
    book = Book.load(tmp_path / "b")
    rng = random.Random(5)
    chosen = [str(book.choose(Position(), rng)) for _ in range(400)]
    assert 250 < chosen.count("h2e2") < 350
    assert book.choose(Position("4k4/9/9/9/9/9/9/9/9/3K4R w"), rng) is None


def test_elephanteyes_lock_of_the_start_is_the_published_one() -> None:
    """XQWLight's book, made from ElephantEye's, files the start position under this lock without its lowest bit."""
    assert elephanteye_lock(Position()) >> 1 == 43199338


def test_elephanteyes_format_reads(tmp_path: Path) -> None:
    black = Position()
    black.push("h2e2")
    entries = [
        elephanteye_entry(Position(), CENTRAL_CANNON, 546),
        elephanteye_entry(Position(), PAWN, 18),
        elephanteye_entry(black, (88, 69), 100, mirrored=False),
    ]
    entries.sort(key=lambda entry: struct.unpack("<IHH", entry)[0])
    path = tmp_path / "BOOK.DAT"
    path.write_bytes(b"".join(entries))
    book = Book.load(path)
    assert isinstance(book, ElephantEyeBook)
    assert len(book) == 3
    assert [(str(move), weight) for move, weight in book.probe(Position())] == [("h2e2", 546), ("c3c4", 18)]
    assert [str(move) for move, _ in book.probe(black)] == ["h9g7"]
    mirror = Position()
    mirror.push("b2e2")
    assert [str(move) for move, _ in book.probe(mirror)] == ["b9c7"]


def test_an_elephanteye_move_is_two_cells_of_its_board() -> None:
    """The heaviest move of the published book in the start position, 42922, is the central cannon from the right."""
    assert elephanteye_cell(25) | elephanteye_cell(22) << 8 == 42922


def test_the_first_book_that_knows_answers(tmp_path: Path) -> None:
    write_book(tmp_path / "a", {(key() + 1, *PAWN): 1})
    write_book(tmp_path / "b", {(key(), *CENTRAL_CANNON): 1})
    write_book(tmp_path / "c", {(key(), *PAWN): 1})
    stack = BookStack.load_all(f"{tmp_path}/a; {tmp_path}/b;{tmp_path}/c;")
    assert [str(move) for move, _ in stack.probe(Position())] == ["h2e2"]
    assert len(stack) == 3


def test_each_side_has_its_own_books_before_the_others(tmp_path: Path) -> None:
    after = Position()
    after.push("h2e2")
    write_book(tmp_path / "both", {(key(), *PAWN): 1, (after.key, 88, 69): 1})
    write_book(tmp_path / "red", {(key(), *CENTRAL_CANNON): 1})

    def moves(books: SideBooks) -> list[list[str]]:
        return [[str(move) for move, _ in books.probe(position)] for position in (Position(), after)]

    both, red = str(tmp_path / "both"), str(tmp_path / "red")
    assert moves(SideBooks(BookFiles(both))) == [["c3c4"], ["h9g7"]]
    assert moves(SideBooks(BookFiles(both, red=red))) == [["h2e2"], ["h9g7"]]
    assert moves(SideBooks(BookFiles(both, black=red))) == [["c3c4"], ["h9g7"]]
    assert len(SideBooks(BookFiles(both, red=red))) == 3
    bundled = moves(SideBooks())
    assert moves(SideBooks(BookFiles(red=red))) == [["h2e2"], bundled[1]]  # a side without books has the bundled one


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "not a Chuhe book"),
        (b"hello", "not a Chuhe book"),
        (b"CHUHEBK1abc", "cut off"),
        (b"CHUHEBK1" + bytes(8), "different position keys"),
        (bytes(range(255, 239, -1)) * 9, "unsorted"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, content: bytes, fault: str) -> None:
    (tmp_path / "bad").write_bytes(content)
    with pytest.raises(BookError, match=fault):
        Book.load(tmp_path / "bad")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="nowhere"):
        Book.load(tmp_path / "nowhere")
