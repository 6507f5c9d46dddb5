from pathlib import Path

import pytest

import play
from engine import Position
from engine.book import Book, default_book_path
from engine.pgn import parse_pgn
from play.book_command import BookRecipe, build_weights, main
from play.eval_command import main as evaluate
from play.files import write_games

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
    weights = build_weights(parse_pgn(GAMES), BookRecipe())
    position = Position()
    position.push("h2e2")
    mirror = Position()
    mirror.push("b2e2")
    keys = {key for key, _, _ in weights}
    assert (position.key in keys) != (mirror.key in keys)


def test_probing_a_built_book_from_both_sides(games: Path, tmp_path: Path) -> None:
    main(["build", str(games), "--output", str(tmp_path / "b")])
    book = Book.load(tmp_path / "b")
    for first, reply in (("h2e2", "h9g7"), ("b2e2", "b9c7")):
        position = Position()
        position.push(first)
        assert reply in [str(move) for move, _ in book.probe(position)]


def test_recipes_count() -> None:
    all_games = parse_pgn(GAMES)
    start = Position().key
    cannons = {(start, 25, 22), (start, 19, 22)}
    assert build_weights(all_games, BookRecipe(plies=1)).keys() == cannons | {(start, 29, 38), (start, 33, 42)}
    assert build_weights(all_games, BookRecipe(plies=1, min_games=2)).keys() == cannons
    assert build_weights(all_games, BookRecipe(plies=1, draw=0, loss=5))[start, 25, 22] == 2 + 5


def test_bad_input_is_named(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", str(tmp_path / "none.pgn")]) == 2
    assert main(["show", "--book", str(tmp_path / "none.bin")]) == 2
    assert main(["show", "--fen", "9/9 w"]) == 2
    main(["build", str(games), "--output", str(tmp_path / "b")])
    assert main(["show", "--book", str(tmp_path / "b"), "hello"]) == 2
    errors = capsys.readouterr().err
    assert "no such file" in errors
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
    games = Path(play.__file__).parent / "data" / "book_games.pgn"
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
