import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from paths import ROOT

from chuhe.commands.book import main
from chuhe.commands.eval import main as evaluate
from chuhe.engine import Position
from chuhe.records.books.book import Book, FileBook, default_book_path
from chuhe.records.books.pages import BookRecipe, pages_of_book, pages_of_games
from chuhe.records.files import write_games
from chuhe.records.pgn import parse_pgn

GAMES = """
1. h2e2 h9g7 2. h0g2 1-0
[Event "2"]
1. b2e2 b9c7 2. b0c2 0-1
[Event "3"]
1. c3c4 1/2-1/2
[Event "4"]
1. h2e2 b7e7 *
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    write_games(path, parse_pgn(GAMES))
    return path


def test_a_book_is_built_and_shown(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book_file = tmp_path / "book.bin"
    assert main(["build", str(games), "--output", str(book_file)]) == 0
    assert "moves from 4 games" in capsys.readouterr().out
    assert main(["show", "--book", str(book_file)]) == 0
    shown = capsys.readouterr().out
    assert "C2=5" in shown
    assert "37.5 %" in shown  # h2e2 and its mirror image: a win and an unfinished game, 3 each; c3c4, g3g4: a draw, 1
    assert main(["show", "--book", str(book_file), "C2=5", "--notation", "chinese"]) == 0
    assert "炮２平５" in capsys.readouterr().out


def test_mirror_images_are_one_position() -> None:
    keys = {page.position.key for page in pages_of_games(parse_pgn(GAMES), BookRecipe())}
    position = Position()
    position.push("h2e2")
    mirror = Position()
    mirror.push("b2e2")
    assert (position.key in keys) != (mirror.key in keys)


def test_probing_a_built_book_from_both_sides(games: Path, tmp_path: Path) -> None:
    main(["build", str(games), "--output", str(tmp_path / "b")])
    book = Book.load(tmp_path / "b")
    for first, reply in (("h2e2", "h9g7"), ("b2e2", "b9c7")):
        position = Position()
        position.push(first)
        assert reply in [str(move) for move, _ in book.probe(position)]


def test_recipes_count() -> None:
    def weights(recipe: BookRecipe) -> dict[str, int]:
        (page,) = pages_of_games(parse_pgn(GAMES), recipe)
        return {str(move): entry.weight for move, entry in page.entries.items() if entry.weight}

    assert weights(BookRecipe(plies=1)).keys() == {"h2e2", "b2e2", "c3c4", "g3g4"}
    assert weights(BookRecipe(plies=1, min_games=2)).keys() == {"h2e2", "b2e2"}
    assert weights(BookRecipe(plies=1, draw=0, loss=5))["h2e2"] == 2 + 5


def test_bad_input_is_named(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", str(tmp_path / "none.pgn")]) == 2
    assert main(["show", "--book", str(tmp_path / "none.bin")]) == 2
    assert main(["show", "--fen", "9/9 w"]) == 2
    main(["build", str(games), "--output", str(tmp_path / "b")])
    assert main(["show", "--book", str(tmp_path / "b"), "hello"]) == 2
    errors = capsys.readouterr().err
    assert "No such file" in errors
    assert "cannot read the book" in errors
    assert "'hello' is not a move" in errors


def test_eval_prints_the_terms(capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate([]) == 0
    assert evaluate(["--fen", "3k5/9/9/9/9/9/9/9/9/4K3R w", "R1+9"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("strength") == 2
    assert "for Red" in shown
    assert evaluate(["--fen", "9/9 w"]) == 2
    assert evaluate(["zzz"]) == 2


def test_the_book_that_ships_is_built_from_its_games(tmp_path: Path) -> None:
    """When the position keys change, rebuild it with `chuhe book build` as below."""
    games = ROOT / "chuhe/web/data/book_games.pgn"
    built = tmp_path / "book.bin"
    assert main(["build", str(games), "--plies", "18", "--min-games", "2", "--output", str(built)]) == 0
    shipped = default_book_path()
    assert shipped is not None
    assert built.read_bytes() == Path(shipped).read_bytes()


def test_the_book_that_ships_knows_the_start() -> None:
    path = default_book_path()
    assert path is not None
    book = Book.load(path)
    assert len(book) > 100
    assert len(book.probe(Position())) >= 2


def contents(path: Path) -> dict[str, dict[str, int]]:
    """The book's moves with their weights, by the FEN of the position that its lines lead to."""
    book = Book.load(path)
    assert isinstance(book, FileBook)
    return {
        page.position.fen(): {str(move): entry.weight for move, entry in page.entries.items()}
        for page in pages_of_book(book)
    }


def test_every_format_converts_to_every_other_without_loss(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = default_book_path()
    assert source is not None
    expected = contents(Path(source))
    last = Path(source)
    for step, suffix in enumerate([".obk", ".dat", ".pgn", ".bin", ".pgn", ".obk", ".bin", ".dat", ".obk"]):
        target = tmp_path / f"{step}{suffix}"
        assert main(["convert", str(last), str(target)]) == 0, capsys.readouterr().err
        if suffix != ".pgn":
            assert contents(target) == expected
        last = target
    assert (tmp_path / "3.bin").read_bytes() == (tmp_path / "6.bin").read_bytes()
    assert "330 of 334 moves" in capsys.readouterr().out  # four follow two moves that it does not have


def test_games_become_an_obk_with_their_results(games: Path, tmp_path: Path) -> None:
    target = tmp_path / "book.obk"
    assert main(["build", str(games), "--output", str(target)]) == 0
    with closing(sqlite3.connect(target)) as rows:
        found = rows.execute(
            "SELECT vscore, vwin, vdraw, vlost, vvalid FROM bhobk WHERE vmove = ?", (0xAAA7,)
        ).fetchall()
    assert found == [(3, 1, 1, 1, 1)]  # h2e2: won, unfinished, and lost as b2e2


def test_light_moves_are_left_out_of_a_conversion(games: Path, tmp_path: Path) -> None:
    main(["build", str(games), "--output", str(tmp_path / "b.bin")])
    assert main(["convert", str(tmp_path / "b.bin"), str(tmp_path / "c.obk"), "--min-weight", "2", "--plies", "1"]) == 0
    assert list(contents(tmp_path / "c.obk").values()) == [{"h2e2": 3, "b2e2": 3}]


@pytest.mark.parametrize("suffix", [".bin", ".obk", ".dat"])
def test_a_move_is_added_weighed_and_deleted(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / f"mine{suffix}")

    def edit(*words: str) -> str:
        code = main(["edit", path, *words])
        output = capsys.readouterr()
        return output.out if code == 0 else f"{code} {output.err}"

    assert "weight      1  100.0 %" in edit("add", "炮二平五")
    assert "weight     30" in edit("add", "C8=5", "30")
    assert "already" in edit("add", "h2e2")
    assert "weight     10   25.0 %" in edit("weigh", "h2e2", "10")
    assert "h9g7" in edit("add", "h9g7", "5", "--after", "h2e2")
    assert "b9a7" in edit("add", "b9a7", "5", "--after", "b2e2")  # the mirror image of the position above
    assert main(["show", "--book", path, "h2e2"]) == 0
    shown = capsys.readouterr().out
    assert "h9g7" in shown
    assert "h9i7" in shown
    assert "h9g7" not in edit("delete", "b9c7", "--after", "b2e2")
    assert "does not have h9g7" in edit("delete", "h9g7", "--after", "h2e2")
    assert "2 chuhe book: " in edit("weigh", "h2e2")
    assert "2 chuhe book: " in edit("delete", "h2e9")


@pytest.mark.parametrize("suffix", [".bin", ".obk", ".dat"])
def test_a_book_for_one_side_is_converted_in_full(suffix: str, tmp_path: Path) -> None:
    """It has no moves of Black: the moves that lead on are found by what follows them."""
    source, target = tmp_path / f"red{suffix}", tmp_path / "out.obk"
    for after, move in (("", "h2e2"), ("h2e2 h9g7", "h0g2"), ("h2e2 b9c7", "h0g2"), ("h2e2 h9g7 h0g2 i9h9", "i0h0")):
        edits = ["edit", str(source), "add", move, "7"]
        assert main([*edits, "--after", *after.split()] if after else edits) == 0
    assert main(["convert", str(source), str(target)]) == 0
    book = Book.load(target)
    assert len(book) == 4
    position = Position()
    for move in "h2e2 h9g7 h0g2 i9h9".split():
        position.push(move)
    assert [(str(move), weight) for move, weight in book.probe(position)] == [("i0h0", 7)]


def test_a_book_without_moves_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (games := tmp_path / "a.pgn").write_text('[Event "x"]\n\n*\n')
    assert main(["build", str(games), "--output", str(tmp_path / "x.bin")]) == 2
    assert "the games have no moves for a book" in capsys.readouterr().err
    assert not (tmp_path / "x.bin").exists()
