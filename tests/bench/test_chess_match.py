"""The chess variant, driven by python-chess's client, alone and against Debian's stockfish."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import chess
import chess.engine
import pytest
from paths import ROOT
from waiting import PATIENCE

from chuhe.bench.matches.chess_match import ChessClocks, play_game

OURS = [sys.executable, "-m", "chuhe", "--variant", "chess"]


@pytest.fixture
def ours() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(OURS, timeout=PATIENCE, cwd=ROOT) as engine:
        yield engine


@pytest.mark.needs("stockfish")
def test_a_game_against_the_weakest_stockfish(ours: chess.engine.SimpleEngine) -> None:
    """Every move is legal (the client raises if not), with pondering and very short searches."""
    with chess.engine.SimpleEngine.popen_uci("stockfish", timeout=PATIENCE) as theirs:
        theirs.configure({"Skill Level": 0, "Hash": 1})
        for white in (True, False):
            board = chess.Board()
            while not board.is_game_over(claim_draw=True) and board.ply() < 160:
                mine = board.turn == white
                limit = chess.engine.Limit(time=0.01)
                result = (ours if mine else theirs).play(board, limit, game=white, ponder=mine)
                assert result.move is not None
                board.push(result.move)
            assert board.is_valid()


def test_clocks_and_results_of_a_match_game(ours: chess.engine.SimpleEngine) -> None:
    """King and rook against king, our engine on both sides, with ample time."""
    board = chess.Board("7k/8/5K2/8/8/8/8/R7 w - - 0 1")
    result = play_game({True: ours, False: ours}, True, board, ChessClocks(20.0, 0.0), game=1)
    assert (result.score, result.reason) == (1.0, "checkmate")
    clock = ChessClocks(1.0, 0.5)
    assert clock.spend(True, 0.9)
    assert clock.left == {True: pytest.approx(0.6), False: 1.0}
    assert not clock.spend(True, 0.7)


def test_analysis_and_options_through_the_client(ours: chess.engine.SimpleEngine) -> None:
    assert {"Hash", "Move Overhead", "MultiPV", "Ponder"} <= set(ours.options)
    lines = ours.analyse(chess.Board(), chess.engine.Limit(depth=6), multipv=3)
    assert len(lines) == 3
    assert len({line["pv"][0] for line in lines}) == 3
    ours.configure({"Hash": 2})
    mate = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    assert ours.analyse(mate, chess.engine.Limit(depth=4))["score"].white() == chess.engine.Mate(1)
    with ours.analysis(chess.Board()) as analysis:  # infinite, until the block ends
        assert any(info.get("depth", 0) >= 5 for info in analysis)
