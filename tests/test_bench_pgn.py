"""PGN out and in; cchess, an independent reader, must find the same moves."""

from __future__ import annotations

import random
from pathlib import Path

import cchess
import pytest

from bench.pgn import PgnError, parse_games, read_games, write_game
from bench.values import GameRecord, MoveRecord, Notation
from engine import START_FEN, Position


def random_game(seed: int, plies: int = 60, fen: str = START_FEN) -> GameRecord:
    generator = random.Random(seed)
    position = Position(fen)
    moves = []
    for _ in range(plies):
        legal = sorted(map(str, position.legal_moves))
        if not legal:
            break
        moves.append(generator.choice(legal))
        position.push(moves[-1])
    records = tuple(
        MoveRecord(move, index, 1000 - index, "#-3" if index == 5 else f"{index / 100:+.2f}", index or None, 99)
        for index, move in enumerate(moves[4:])
    )
    return GameRecord(
        seed, 1, "甲 [x]", 'b "q"', 0, fen, tuple(moves[:4]), records, "1/2-1/2", "repetition", "so", "2026-01-02"
    )


def moves_of(game: GameRecord) -> tuple[str, ...]:
    return (*game.opening_moves, *(move.move for move in game.moves))


BLACK_FIRST = "r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 0 1"


@pytest.mark.parametrize("form", ["iccs", "wxf", "chinese"])
@pytest.mark.parametrize("fen", [START_FEN, BLACK_FIRST])
def test_what_is_written_is_read_back(form: Notation, fen: str) -> None:
    games = [random_game(seed, fen=fen) for seed in range(4)]
    read = list(parse_games("".join(write_game(game, "cup", form) for game in games)))
    assert [game.moves for game in read] == [moves_of(game) for game in games]
    assert {game.result for game in read} == {"1/2-1/2"}
    assert read[0].tags["Event"] == "cup"
    assert (read[0].fen is None) == (fen == START_FEN)


@pytest.mark.parametrize("fen", [START_FEN, BLACK_FIRST])
def test_cchess_reads_the_same_moves(tmp_path: Path, fen: str) -> None:
    for seed in range(4):
        game = random_game(seed, fen=fen)
        path = tmp_path / f"{seed}.pgn"
        path.write_text(write_game(game), encoding="utf-8")
        found = cchess.Game.read_from(str(path))
        assert tuple(found.dump_iccs_moves()[0]) == moves_of(game)


def test_what_others_write_is_read() -> None:
    text = """[Event "x"]
[Result "1-0"]

{a comment
[Not "a tag"] of two lines} 1. H2-E2 H9-G7 ; to the end of the line
2. H0-G2 (2. b0c2 b9c7 (2... a9a8)) I9-H9 $1
3. I0H0 1-0
"""
    (game,) = parse_games(text)
    assert game.moves == ("h2e2", "h9g7", "h0g2", "i9h9", "i0h0")
    assert game.result == "1-0"


def test_old_chinese_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "old.pgn"
    path.write_bytes('[Red "许银川"]\n\n1. 炮二平五 马8进7\n2. 马二进三 *\n'.encode("gb18030"))
    (game,) = read_games(path)
    assert game.tags["Red"] == "许银川"
    assert game.moves == ("h2e2", "h9g7", "h0g2")


def test_a_wrong_move_is_named() -> None:
    with pytest.raises(PgnError, match=r"game 2, move 2 \(h9h8\)"):
        list(parse_games('[Red "a"]\n1. h2e2 *\n\n[Red "b"]\n1. h2e2 h9g7 2. h0g2 h9h8 *\n'))
