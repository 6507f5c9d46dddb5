"""OBK books, made here row by row as other programs make them; cchess is the oracle for the keys."""

import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from cchess import ChessBoard
from random_play import random_position

from chuhe.engine import Position
from chuhe.records.books.book import Book, BookError, BookStack
from chuhe.records.books.editing import _edit_obk, edit_book
from chuhe.records.books.obk import as_float, obk_key

TABLE = """CREATE TABLE bhobk (id INTEGER PRIMARY KEY AUTOINCREMENT, vkey INTEGER, vmove INTEGER, vscore INTEGER,
vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex INTEGER)"""
INSERT = "INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) VALUES (?, ?, ?, ?, ?, ?, ?)"
CENTRAL_CANNON, PAWN, KNIGHT = 0xAAA7, 0x9585, 0xCAA9  # h2e2, c3c4, h0g2: from and to cells of a board 16 wide


RawRow = tuple[object, ...]


def cchess_key(fen: str) -> int:
    key: int = ChessBoard().zhash(fen)
    return key


def write(path: Path, rows: Sequence[RawRow], table: str = TABLE) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(table)
        connection.executemany(INSERT, rows)
    return path


def row(
    fen: str, code: object, score: object = 10, valid: object = 1, games: tuple[int, int] = (0, 0)
) -> tuple[object, ...]:
    return (cchess_key(fen), code, score, *games, 0, valid)


def probe(path: Path, position: Position | None = None) -> list[tuple[str, int]]:
    return [(str(move), weight) for move, weight in Book.load(path).probe(position or Position())]


def after(*moves: str) -> Position:
    position = Position()
    for move in moves:
        position.push(move)
    return position


def test_keys_are_those_of_cchess_for_both_sides_and_images() -> None:
    rng = random.Random(24)
    for _ in range(60):
        position = random_position(rng, rng.randrange(80))
        assert obk_key(position) == cchess_key(position.fen())
        assert obk_key(position, mirrored=True) == cchess_key(position.mirror().fen())


def test_moves_are_weighed_by_their_score(tmp_path: Path) -> None:
    start = Position().fen()
    path = write(tmp_path / "a.obk", [row(start, PAWN, 3), row(start, CENTRAL_CANNON, 70), row(start, KNIGHT, -5)])
    assert probe(path) == [("h2e2", 70), ("c3c4", 3)]
    assert len(Book.load(path)) == 3


def test_black_positions_and_mirror_images_are_found(tmp_path: Path) -> None:
    path = write(tmp_path / "a.obk", [row(after("h2e2").fen(), 0x3A59)])  # h9g7
    assert probe(path, after("h2e2")) == [("h9g7", 10)]
    assert probe(path, after("b2e2")) == [("b9c7", 10)]
    assert probe(path, after("c3c4")) == []


def test_moves_of_both_images_are_joined(tmp_path: Path) -> None:
    rows = [row(after("h2e2").fen(), 0x3A59, 4), row(after("b2e2").fen(), 0x3A59, 6)]  # h9g7 in both
    assert probe(write(tmp_path / "a.obk", rows), after("h2e2")) == [("b9c7", 6), ("h9g7", 4)]


def test_a_symmetrical_position_offers_what_is_stored(tmp_path: Path) -> None:
    assert probe(write(tmp_path / "a.obk", [row(Position().fen(), CENTRAL_CANNON)])) == [("h2e2", 10)]


def test_cells_in_the_other_order_are_read(tmp_path: Path) -> None:
    assert probe(write(tmp_path / "a.obk", [row(Position().fen(), 0xA7AA)])) == [("h2e2", 10)]


def test_a_key_stored_as_a_float_of_the_same_bits_is_found(tmp_path: Path) -> None:
    position = next(after(str(move)) for move in Position().legal_moves if obk_key(after(str(move))) < 0)
    key = as_float(obk_key(position))
    move = position.legal_moves[0]
    cells = [16 * (12 - square // 9) + square % 9 + 3 for square in (move.from_square, move.to_square)]
    path = write(tmp_path / "a.obk", [(key, cells[0] << 8 | cells[1], 5, 0, 0, 0, 1)])
    assert probe(path, position) == [(str(move), 5)]


def test_without_scores_the_games_count_and_without_games_the_best_moves_are_alike(tmp_path: Path) -> None:
    start = Position().fen()
    games = [row(start, PAWN, 0, games=(2, 1)), row(start, CENTRAL_CANNON, 0, games=(0, 9))]
    assert probe(write(tmp_path / "a.obk", games)) == [("h2e2", 9), ("c3c4", 5)]
    worse = [row(start, PAWN, -3), row(start, CENTRAL_CANNON, -1), row(start, KNIGHT, -1)]
    assert probe(write(tmp_path / "b.obk", worse)) == [("h0g2", 1), ("h2e2", 1)]


@pytest.mark.parametrize(
    "bad",
    [
        row(Position().fen(), CENTRAL_CANNON, 900, valid=0),
        row(Position().fen(), CENTRAL_CANNON, 900, valid=None),
        row(Position().fen(), CENTRAL_CANNON, None),
        row(Position().fen(), 0xAAFF, 900),
        row(Position().fen(), 0x0000, 900),
        row(Position().fen(), -1, 900),
        row(Position().fen(), 2**40, 900),
        row(Position().fen(), None, 900),
        row(Position().fen(), b"\xff" * 1000, 900),
        row(Position().fen(), "h2e2", 900),
        row(Position().fen(), 0xAAA8, 900),  # h2f2 is legal: the row after it is not
        row(Position().fen(), 0xC3A3, 900),  # a rook through its own pawn
    ],
)
def test_bad_rows_are_passed_over(tmp_path: Path, bad: RawRow) -> None:
    found = probe(write(tmp_path / "a.obk", [bad, row(Position().fen(), PAWN, 1)]))
    assert ("c3c4", 1) in found
    assert "h2e2" not in dict(found)


def test_a_table_with_fewer_columns_is_read(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.obk")) as connection, connection:
        connection.execute("CREATE TABLE BHOBK (VKEY, VMOVE)")
        connection.execute("INSERT INTO bhobk VALUES (?, ?)", (cchess_key(Position().fen()), CENTRAL_CANNON))
    assert probe(tmp_path / "a.obk") == [("h2e2", 1)]


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("CREATE TABLE other (vkey, vmove)", "no table bhobk"),
        ("CREATE TABLE bhobk (vkey, vscore)", "no column vmove"),
        ("CREATE VIEW bhobk AS SELECT 1 AS vkey, 2 AS vmove", "contains the VIEW"),
    ],
)
def test_another_database_is_refused(tmp_path: Path, table: str, fault: str) -> None:
    with closing(sqlite3.connect(tmp_path / "a.obk")) as connection, connection:
        connection.execute(table)
    with pytest.raises(BookError, match=fault):
        Book.load(tmp_path / "a.obk")


def test_damage_is_one_clear_error_and_never_another(tmp_path: Path) -> None:
    rows = [row(Position().fen(), PAWN), *((key, PAWN, 1, 0, 0, 0, 1) for key in range(3000))]
    whole = write(tmp_path / "a.obk", rows).read_bytes()
    rng = random.Random(7)
    refused = []
    for _ in range(150):
        damaged = bytearray(whole[: rng.randrange(16, len(whole))] if rng.random() < 0.3 else whole)
        for _ in range(rng.choice((1, 10, 1000))):
            damaged[rng.randrange(16, len(damaged)) if len(damaged) > 16 else 0] = rng.randrange(256)
        path = tmp_path / "damaged.obk"
        path.write_bytes(damaged)
        try:
            book = Book.load(path)
            book.probe(Position())
            len(book)
        except BookError as error:
            refused.append(str(error))
    assert len(refused) > 20
    assert not any("\n" in text for text in refused)


def test_a_book_stays_on_disk(tmp_path: Path) -> None:
    """A probe reads a few pages of the file: the file may be larger than what it takes to read it."""
    start = (cchess_key(Position().fen()), CENTRAL_CANNON, 5, 0, 0, 0, 1)
    rows = [start, *((key, PAWN, 1, 0, 0, 0, 1) for key in range(200_000))]
    path = write(tmp_path / "a.obk", rows, TABLE)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE INDEX keys ON bhobk (vkey)")
    code = f"""
import resource
from chuhe.engine import Position
from chuhe.records.books.book import Book
position = Position()
import sqlite3
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
book = Book.load({str(path)!r})
for _ in range(100):
    assert [str(move) for move, _ in book.probe(position)] == ["h2e2"]
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    grown = int(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    assert grown * 1024 < path.stat().st_size / 2


def test_sqlite_is_loaded_only_for_an_obk(tmp_path: Path) -> None:
    write(tmp_path / "a.obk", [row(Position().fen(), PAWN)])
    code = """
import sys
from chuhe.records.books.book import Book, default_book_path
Book.load(default_book_path())
assert "sqlite3" not in sys.modules
Book.load(sys.argv[1])
assert "sqlite3" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.obk")], check=True)


def test_names_with_odd_characters_open(tmp_path: Path) -> None:
    path = write(tmp_path / "开局库 50%?#1.obk", [row(Position().fen(), PAWN)])
    assert probe(path) == [("c3c4", 10)]


def test_a_book_that_becomes_unreadable_is_told_once_and_the_others_answer(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.obk", [row(Position().fen(), PAWN)])
    good = write(tmp_path / "good.obk", [row(Position().fen(), CENTRAL_CANNON)])
    stack = BookStack.load_all(f"{bad};{good}")
    assert [str(move) for move, _ in stack.probe(Position())] == ["c3c4"]
    with closing(sqlite3.connect(bad)) as connection, connection:
        connection.execute("DROP TABLE bhobk")
    with pytest.raises(BookError, match=r"bad\.obk cannot be used"):
        stack.probe(Position())
    assert [str(move) for move, _ in stack.probe(Position())] == ["h2e2"]


def test_a_game_goes_on_without_its_book(tmp_path: Path) -> None:
    book = Book.load(write(tmp_path / "a.obk", [row(Position().fen(), PAWN)]))
    with closing(sqlite3.connect(tmp_path / "a.obk")) as connection, connection:
        connection.execute("DROP TABLE bhobk")
    assert book.choose(Position(), random.Random(1)) is None


def test_threads_share_a_book(tmp_path: Path) -> None:
    book = Book.load(write(tmp_path / "a.obk", [row(Position().fen(), PAWN)]))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: book.probe(Position()), range(200)))
    assert {str(choices) for choices in answers} == {str(answers[0])}


RUNS = [
    "CREATE TRIGGER more AFTER INSERT ON bhobk BEGIN INSERT INTO bhobk (vkey) SELECT vkey FROM bhobk; END",
    "CREATE VIEW other AS SELECT 1",
    "CREATE VIRTUAL TABLE words USING fts5(word)",
]


@pytest.mark.parametrize("sql", RUNS)
def test_what_could_run_anything_is_refused(tmp_path: Path, sql: str) -> None:
    book = write(tmp_path / "a.obk", [row(Position().fen(), PAWN, 1)])
    with closing(sqlite3.connect(book)) as connection, connection:
        connection.execute(sql)
    before = book.read_bytes()
    position = Position()
    kind = " ".join(sql.split()[1:3]) if "VIRTUAL" in sql else sql.split()[1]
    for use in (
        lambda: Book.load(book),
        lambda: edit_book(book, "add", position, position.parse_move("h2e2"), 5),
        lambda: _edit_obk(book, position, position.parse_move("h2e2"), 5),
    ):
        with pytest.raises(BookError, match=f"it contains the {kind}"):
            use()
    assert book.read_bytes() == before


def test_a_book_is_read_after_an_edit_that_was_killed(tmp_path: Path) -> None:
    """SQLite had begun to write the book, and left the journal with which it undoes that."""
    book = write(tmp_path / "a.obk", [row(Position().fen(), PAWN, 1)] * 2000)
    before, killed = Book.load(book).probe(Position()), tmp_path / "b.obk"
    with closing(sqlite3.connect(book)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("UPDATE bhobk SET vscore = 99")
        for end in ("", "-journal"):
            Path(f"{killed}{end}").write_bytes(Path(f"{book}{end}").read_bytes())
    assert Book.load(killed).probe(Position()) == before
    assert not Path(f"{killed}-journal").exists()


def test_an_edit_ends_after_a_number_of_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.records.books.obk.STEPS_AT_ONCE", 10)
    monkeypatch.setattr("chuhe.records.books.obk.MOST_STEPS", 100)
    book = write(tmp_path / "a.obk", [row(Position().fen(), PAWN, 1)] * 1000)
    before = book.read_bytes()
    with pytest.raises(BookError, match="interrupted"):
        edit_book(book, "weigh", Position(), Position().parse_move("c3c4"), 5)
    assert book.read_bytes() == before


@pytest.mark.parametrize("suffix", [".book", ".dat", ".obk"])
def test_edits_at_the_same_time_are_all_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    book, position = tmp_path / f"a{suffix}", Position()
    moves = position.legal_moves[:8]
    usual = Book.load

    def slow(path: Path) -> Book:
        found = usual(path)
        time.sleep(0.02)  # the others have read the book, too
        return found

    edit_book(book, "add", position, position.parse_move("c3c4"), 1)
    monkeypatch.setattr("chuhe.records.books.editing.Book.load", slow)
    with ThreadPoolExecutor(8) as people:
        list(people.map(lambda move: edit_book(book, "add", position, move, 7), moves))
    assert {move for move, _ in usual(book).probe(position)} >= set(moves)
    assert [path.name for path in tmp_path.iterdir()] == [book.name]
