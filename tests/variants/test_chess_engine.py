"""The chess engine as the protocol sees it: limits, stop, ponder, positions, and whole games."""

from __future__ import annotations

import random
import threading
import time

import chess
import pytest
from searches import answer_of, wait_for

from chuhe.engine.errors import FenError, IllegalMoveError, InvalidMoveError, LimitError
from chuhe.engine.search_handle import SearchState
from chuhe.engine.values import Info, Limits, Score, Settings
from chuhe.variants.chess.engine import ChessEngine
from chuhe.variants.chess.time_budget import budget_of


@pytest.fixture
def engine() -> ChessEngine:
    return ChessEngine(Settings(hash_mb=4))


def test_a_search_reports_and_answers(engine: ChessEngine) -> None:
    infos: list[Info] = []
    best = engine.search(Limits(depth=6), infos.append)
    assert [info.depth for info in infos] == [1, 2, 3, 4, 5, 6]
    assert best.depth == 6
    assert best.move == infos[-1].pv[0]
    assert best.ponder == infos[-1].pv[1]
    assert best.nodes >= infos[-1].nodes > 0
    board = chess.Board()
    for move in best.pv:
        board.push_uci(str(move))


@pytest.mark.parametrize(
    ("fen", "move", "mate"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 2),
        ("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 0", "d5d8", 2),
    ],
)
def test_mates_are_found(engine: ChessEngine, fen: str, move: str, mate: int) -> None:
    engine.set_position(fen)
    best = engine.search(Limits(mate=mate))
    assert (str(best.move), best.score) == (move, Score(mate=mate))


def test_being_mated_counts_in_moves(engine: ChessEngine) -> None:
    engine.set_position("7k/8/5KQ1/8/8/8/8/8 b - - 0 1")
    assert engine.search(Limits(depth=4)).score == Score(cp=0)  # stalemate: nothing to play
    engine.set_position("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1")
    assert engine.search(Limits(depth=4)).score == Score(mate=-1)


def test_no_legal_move_is_no_move(engine: ChessEngine) -> None:
    engine.set_position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    best = engine.search(Limits(depth=3))
    assert best.move is None
    assert best.score == Score(mate=0)


def test_search_moves_and_ban_moves(engine: ChessEngine) -> None:
    wanted = engine.search(Limits(depth=3, search_moves=("a2a3", "a2a4")))  # type: ignore[arg-type]
    assert str(wanted.move) in ("a2a3", "a2a4")
    free = engine.search(Limits(depth=3))
    banned = engine.search(Limits(depth=3, ban_moves=(free.move,)))  # type: ignore[arg-type]
    assert banned.move != free.move


def test_nodes_movetime_and_clock_end_a_search(engine: ChessEngine) -> None:
    assert engine.search(Limits(nodes=3000)).nodes <= 3010
    for limits in (Limits(movetime=60), Limits(time=500, increment=10), Limits(time=200, moves_to_go=1)):
        assert engine.search(limits).move is not None
    assert engine.search(Limits(time=1)).move is not None


def test_stop_ends_an_infinite_search_which_else_waits(engine: ChessEngine) -> None:
    engine.set_position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    search = engine.start(None, Limits(infinite=True, depth=2))
    wait_for(search, SearchState.HELD)  # depth 2 is reached at once, but the answer must wait for `stop`
    search.stop()
    assert str(answer_of(search).move) == "a1a8"


@pytest.mark.parametrize("ending", ["ponderhit", "stop"])
def test_a_ponder_search_ends_by_ponderhit_or_stop(engine: ChessEngine, ending: str) -> None:
    search = engine.start(None, Limits(time=300, ponder=True))
    threading.Event().wait(0.2)
    assert not search.done()
    search.ponderhit() if ending == "ponderhit" else search.stop()
    assert answer_of(search).move is not None


@pytest.mark.parametrize(
    "fen",
    [
        "6k1/8/8/8/8/8/R7/K6Q w - - 99 90",
        "6k1/8/8/8/8/8/R7/K6Q w - - 110 90",
        "8/8/8/8/4k3/8/1R6/K7 w - - 99 90",
        "8/8/8/8/4k3/8/1R6/K7 w - - 97 90",
    ],
)
def test_no_line_runs_past_the_fifty_move_rule(fen: str) -> None:
    engine = ChessEngine(Settings(hash_mb=1, multipv=30))
    engine.set_position(fen)
    infos: list[Info] = []
    engine.search(Limits(depth=5), infos.append)
    for info in infos:
        board = chess.Board(fen)
        for number, move in enumerate(info.pv):
            assert number == 0 or board.halfmove_clock < 100, info.pv
            board.push_uci(str(move))


def test_a_mate_on_the_last_of_fifty_moves_counts() -> None:
    engine = ChessEngine(Settings(hash_mb=1))
    engine.set_position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 90")
    assert engine.search(Limits(depth=4)).score == Score(mate=1)


@pytest.mark.parametrize(
    ("fen", "fault"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "bad castling rights"),
        ("r3k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1", "bad castling rights"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1", "bad castling rights"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "invalid ep square"),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e3 0 1", "invalid ep square"),
    ],
)
def test_what_no_game_can_lead_to_is_refused(engine: ChessEngine, fen: str, fault: str) -> None:
    with pytest.raises(FenError, match=fault):
        engine.set_position(fen)


def test_what_a_game_can_lead_to_is_accepted(engine: ChessEngine) -> None:
    for fen in (
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",  # some always name the square
    ):
        engine.set_position(fen)


def test_several_lines(engine: ChessEngine) -> None:
    engine.configure(multipv=3)
    infos: list[Info] = []
    engine.search(Limits(depth=4), infos.append)
    last = infos[-3:]
    assert [info.multipv for info in last] == [1, 2, 3]
    assert len({info.pv[0] for info in last}) == 3
    engine.configure(multipv=128)
    engine.search(Limits(depth=1), infos.append)
    assert infos[-1].multipv == 20


def test_bad_positions_leave_the_old_one(engine: ChessEngine) -> None:
    engine.set_position(None, ["e2e4"])
    before = engine.fen
    with pytest.raises(FenError, match="expected 8 rows"):
        engine.set_position("8/8/8 w - - 0 1")
    with pytest.raises(FenError, match="no white king"):
        engine.set_position("4k3/8/8/8/8/8/8/8 w - - 0 1")
    with pytest.raises(FenError, match="opposite check"):
        engine.set_position("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(InvalidMoveError, match="move 2: 'x' is not a move"):
        engine.set_position(None, ["e2e4", "x"])
    with pytest.raises(IllegalMoveError, match="move 1: e2e5 is not legal here"):
        engine.set_position(None, ["e2e5"])
    assert engine.fen == before
    assert str(engine.search(Limits(depth=1)).move) in {move.uci() for move in engine.board.legal_moves}


def test_settings_are_checked(engine: ChessEngine) -> None:
    engine.configure(hash_mb=2, overhead=5)
    with pytest.raises(LimitError, match="no setting 'colour'"):
        engine.configure(colour=1)
    with pytest.raises(LimitError):
        engine.configure(multipv=0)
    assert engine.settings == Settings(hash_mb=2, overhead=5)


def test_a_repetition_in_the_game_is_seen_by_the_search(engine: ChessEngine) -> None:
    """White, a queen down, can repeat: the search uses the game's history and scores it as a draw."""
    fen = "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1"
    moves = ["h5e8", "g8h7", "e8h5", "h7g8"]
    engine.set_position(fen, moves)
    assert engine.search(Limits(depth=6)).score == Score(cp=0)


def test_what_the_table_knows(engine: ChessEngine) -> None:
    assert engine.probe() is None
    best = engine.search(Limits(depth=5))
    entry = engine.probe()
    assert entry is not None
    assert (entry.move, entry.depth) == (best.move, 5)
    engine.clear_hash()
    assert engine.probe() is None


def test_perft_and_evaluation_for_people(engine: ChessEngine) -> None:
    assert sum(count for _, count in engine.perft(3)) == 8902
    assert list(engine.perft(3, stopped=lambda: True)) == []
    assert engine.evaluate().cp == int(engine.evaluation_table().split()[-1])


def test_games_against_random_moves_are_won_quickly() -> None:
    engine = ChessEngine(Settings(hash_mb=2))
    source = random.Random(7)
    for side in chess.COLORS:
        engine.new_game()
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 120:
            if board.turn == side:
                engine.set_position(None, [move.uci() for move in board.move_stack])
                board.push_uci(str(engine.search(Limits(depth=5)).move))
            else:
                board.push(source.choice(list(board.legal_moves)))
        assert board.is_checkmate()
        assert board.turn != side


def test_rook_and_king_mate_a_bare_king() -> None:
    engine = ChessEngine(Settings(hash_mb=4))
    board = chess.Board("8/8/8/4k3/8/8/8/R3K3 w - - 0 1")
    while not board.is_game_over():
        engine.set_position("8/8/8/4k3/8/8/8/R3K3 w - - 0 1", [move.uci() for move in board.move_stack])
        board.push_uci(str(engine.search(Limits(depth=10)).move))
    assert board.is_checkmate()


def test_the_budget_begins_and_ends_by_one_clock(engine: ChessEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, `monotonic` and `perf_counter` count from different moments."""
    monkeypatch.setattr(time, "perf_counter", lambda: 5000.0)
    engine.search(Limits(time=1000, depth=2))
    assert engine._budget.started == 5000.0


def test_time_budgets_stay_within_the_clock() -> None:
    source = random.Random(1)
    for _ in range(500):
        clock = source.randint(1, 600_000)
        limits = Limits(time=clock, increment=source.randint(0, 10_000), moves_to_go=source.choice((None, 1, 5, 40)))
        budget = budget_of(limits, overhead=30)
        assert budget.soft is not None
        assert budget.hard is not None
        assert 0 < budget.hard <= max(0.001, clock / 1000 - 0.03)
        assert budget.soft <= max(0.001, clock / 1000)
