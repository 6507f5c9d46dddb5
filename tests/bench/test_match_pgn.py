"""The PGN of a match; cchess, an independent reader, must read the same moves as ours."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import cchess
import pytest
from random_play import play_at_random

from chuhe.bench.matches.match_pgn import write_game
from chuhe.bench.matches.match_values import MatchGame, MatchMove
from chuhe.engine import START_FEN, Position, Reason
from chuhe.engine.notation import Notation
from chuhe.records.pgn import parse_pgn


def random_game(seed: int, plies: int = 60, fen: str = START_FEN) -> MatchGame:
    moves = [str(after.move_stack[-1]) for after in play_at_random(random.Random(seed), plies, Position(fen))]
    records = tuple(
        MatchMove(move, index, 1000 - index, "#-3" if index == 5 else f"{index / 100:+.2f}", index or None, 99)
        for index, move in enumerate(moves[4:])
    )
    return MatchGame(
        seed, 1, "甲 [x]", 'b "q"', 0, fen, tuple(moves[:4]), records, "1/2-1/2", Reason.REPETITION, "so", "2026-01-02"
    )


def moves_of(game: MatchGame) -> tuple[str, ...]:
    return (*game.opening_moves, *(move.move for move in game.moves))


BLACK_FIRST = "r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 0 1"


@pytest.mark.parametrize("form", ["iccs", "wxf", "chinese"])
@pytest.mark.parametrize("fen", [START_FEN, BLACK_FIRST])
def test_what_is_written_is_read_back(form: Notation, fen: str) -> None:
    games = [random_game(seed, fen=fen) for seed in range(4)]
    read = parse_pgn("".join(write_game(game, "cup", form) for game in games))
    assert [tuple(map(str, game.plain_moves)) for game in read] == [moves_of(game) for game in games]
    assert {game.result for game in read} == {"1/2-1/2"}
    assert read[0].tags["Event"] == "cup"
    assert read[0].fen == fen
    assert [move.comment for move in read[0].moves[:5]] == ["", "", "", "", "+0.00,0.000s,99n,left=1.0s"]


@pytest.mark.parametrize("fen", [START_FEN, BLACK_FIRST])
def test_cchess_reads_the_same_moves(tmp_path: Path, fen: str) -> None:
    for seed in range(4):
        game = random_game(seed, fen=fen)
        path = tmp_path / f"{seed}.pgn"
        path.write_text(write_game(game), encoding="utf-8")
        found = cchess.Game.read_from(str(path))
        assert tuple(found.dump_iccs_moves()[0]) == moves_of(game)


def test_numbers_begin_where_the_position_does() -> None:
    game = random_game(0, 6, BLACK_FIRST[:-1] + "7")
    text = write_game(game).split("\n\n")[1]
    assert text.split()[0] == "7..."
    assert "8." in text.split()


def test_a_tag_is_one_line_and_reads_back() -> None:
    game = replace(random_game(0), detail='crash: "x"\nat C:\\b')
    (read,) = parse_pgn(write_game(game))
    assert (read.tags["Red"], read.tags["Black"]) == ("甲 [x]", 'b "q"')
    assert read.tags["Termination"] == 'crash: "x" at C:\\b'
