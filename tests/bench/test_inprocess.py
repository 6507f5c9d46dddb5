"""Games between engine objects in this process."""

from __future__ import annotations

import pytest

from chuhe.bench.inprocess import DEFAULT_ADJUDICATION, play_game
from chuhe.bench.matches.match_values import Adjudication
from chuhe.engine import BLACK, RED, Engine, Limits, Position, Settings


@pytest.fixture
def engine() -> Engine:
    return Engine(Settings(hash_mb=1))


def test_a_game_is_played_to_an_end_by_the_law(engine: Engine) -> None:
    game = play_game((engine, engine), Position("3k5/9/9/9/9/9/9/9/R8/1R2K4 w"), Limits(depth=4))
    assert (game.result, game.reason) == ("1-0", "checkmate")
    position = Position("3k5/9/9/9/9/9/9/9/R8/1R2K4 w")
    for ply in game.plies:
        assert ply.fen == position.fen()
        assert ply.turn == position.turn
        assert ply.answer.move is not None
        position.push(ply.answer.move)
    assert position.is_checkmate()


def test_a_finished_opening_is_a_finished_game(engine: Engine) -> None:
    game = play_game((engine, engine), Position("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b"), Limits(depth=1))
    assert (game.result, game.plies) == ("1-0", ())


def test_a_game_can_be_adjudicated(engine: Engine) -> None:
    short = Adjudication(max_moves=3)
    game = play_game((engine, engine), Position(), Limits(nodes=50), short)
    assert (game.result, game.reason, len(game.plies)) == ("1/2-1/2", "move count", 6)
    assert DEFAULT_ADJUDICATION.max_moves


def test_the_sides_move_in_turn(engine: Engine) -> None:
    game = play_game((engine, engine), Position(), Limits(nodes=50), Adjudication(max_moves=2))
    assert [ply.turn for ply in game.plies] == [RED, BLACK, RED, BLACK]


def test_scores_are_seen_from_red(engine: Engine) -> None:
    ahead = Position("3akab2/9/4b4/9/9/9/9/4B4/4A4/R1BAK4 b")
    game = play_game((engine, engine), ahead, Limits(nodes=200), Adjudication(max_moves=2))
    assert all(ply.answer.score.as_centipawns() * (1 if ply.turn == RED else -1) > 25 for ply in game.plies)
