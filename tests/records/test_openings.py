"""Opening names: a hundred games named by hand, their mirror images, and other orders of the same moves."""

import random

import pytest
from paths import ROOT

from chuhe.engine import Move, Position
from chuhe.records.books.pages import mirrored
from chuhe.records.game_record import GameRecord, RecordedMove
from chuhe.records.openings import opening_name, opening_of, openings, with_opening
from chuhe.records.pgn import parse_pgn
from chuhe.text.message import LANGUAGES, Message

LINES = (ROOT / "tests" / "data" / "opening_games.txt").read_text(encoding="utf-8").splitlines()[1:]


def parsed(words: str) -> list[Move]:
    position, moves = Position(), []
    for word in words.split():
        moves.append(position.parse_move(word))
        position.push(moves[-1])
    return moves


def chinese(opening: Message | None) -> str:
    return opening.text("zh-Hans") if opening else ""


def test_there_are_a_hundred_games_and_enough_families() -> None:
    assert len(LINES) >= 100
    assert len(openings()) >= 40
    assert {line.split(" | ")[0] for line in LINES} == {chinese(opening) for opening in openings()}


@pytest.mark.parametrize("line", LINES)
def test_a_game_has_the_name_that_books_give_it(line: str) -> None:
    name, words = line.split(" | ")
    moves = parsed(words)
    assert chinese(opening_name(moves)) == name
    assert chinese(opening_name([mirrored(move) for move in moves])) == name


def test_the_order_of_the_moves_does_not_matter() -> None:
    """Each side's moves are shuffled; what can still be played, and ends in the same position, has the same name."""
    rng = random.Random(4)
    tried = 0
    for line in LINES:
        name, words = line.split(" | ")
        moves = parsed(words)
        if len(moves) < 6:
            continue
        end = Position()
        for move in moves:
            end.push(move)
        for _ in range(30):
            red, black = moves[::2], moves[1::2]
            rng.shuffle(red)
            rng.shuffle(black)
            order = [move for pair in zip(red, [*black, black[0]], strict=False) for move in pair][: len(moves)]
            position = Position()
            if all(_played(position, move) for move in order) and position.key == end.key:
                found = opening_name(order)
                tried += 1
                assert found is not None
                assert chinese(found) == name, " ".join(map(str, order))
    assert tried > 100


def _played(position: Position, move: Move) -> bool:
    legal = position.is_legal(move)
    if legal:
        position.push(move)
    return legal


def test_names_in_every_language_and_as_a_tag() -> None:
    (game,) = parse_pgn("1. 炮二平五 马8进7 2. 马二进三 马2进3 *")
    assert with_opening(game, "wxf").tags["Opening"] == "Central Cannon, Screen Horses"
    assert with_opening(game, "chinese").tags["Opening"] == "中炮对屏风马"
    assert with_opening(game, "traditional").tags["Opening"] == "中炮對屏風馬"
    named = GameRecord(moves=game.moves, tags={"Opening": "mine"})
    assert with_opening(named, "wxf") is named
    for language in LANGUAGES:
        assert len({opening.text(language) for opening in openings()}) == len(openings())
        assert all(opening.text(language) != opening.code for opening in openings())


def test_no_name_without_a_start() -> None:
    assert opening_name([]) is None
    endgame = GameRecord("3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1", (RecordedMove(Move.from_iccs("i0i9")),))
    assert opening_of(endgame) is None
    assert with_opening(endgame, "wxf") is endgame
