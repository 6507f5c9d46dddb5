"""Whole games through third-party clients: cchess for xiangqi, python-chess for chess."""

from __future__ import annotations

import random
import shlex
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest
from cchess import ChessBoard
from cchess import engine as cchess_engine
from paths import PYTHON, ROOT
from waiting import PATIENCE, wait_until

from chuhe.engine import Position

LONGEST = 200  # plies; a three-ply search mates a random mover well before this


@pytest.fixture
def executable(tmp_path: Path) -> str:
    """A single executable file, as GUIs need."""
    script = tmp_path / "chuhe"
    script.write_text(f'#!/bin/sh\ncd {shlex.quote(str(ROOT))} && exec {PYTHON} -m chuhe "$@"\n')
    script.chmod(0o755)
    return str(script)


def cchess_answer(engine: Any, fen: str) -> dict[str, Any]:
    engine.go_from(fen, {"depth": 3})
    answers: list[dict[str, Any]] = []

    def answered() -> bool:
        action = engine.get_action()
        if action is not None and action["action"] in ("bestmove", "dead", "draw"):
            answers.append(dict(action))
        return bool(answers)

    wait_until(answered)
    return answers[0]


@pytest.mark.parametrize("kind", ["UcciEngine", "UciEngine"])
def test_cchess_plays_a_game_with_us(kind: str, executable: str) -> None:
    engine = getattr(cchess_engine, kind)()
    assert engine.load(executable)

    def is_ready() -> bool:  # its own wait sleeps 0.2 s for every line
        engine.get_action()
        return bool(engine.engine_status == cchess_engine.EngineStatus.READY)

    wait_until(is_ready)
    assert engine.ids["name"].startswith("Chuhe")
    engine.set_option("Hash", 16)
    rng = random.Random(5)
    position = Position()
    board = ChessBoard(position.fen())
    scores = 0
    while position.outcome() is None and len(position.move_stack) < LONGEST:
        if position.turn == 0:
            answer = cchess_answer(engine, position.fen())
            text = answer["move"]
            scores += "score" in answer or "mate" in answer
        else:
            text = str(rng.choice(position.legal_moves))
        assert board.move_iccs(text) is not None
        board.next_turn()
        position.push(text)
        assert board.to_fen().split()[0] == position.fen().split()[0]
    engine.running = False
    engine.quit()
    engine.process.wait(PATIENCE)
    for stream in (engine.process.stdin, engine.process.stdout):
        stream.close()
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.result == "1-0"
    assert scores > 5


@pytest.mark.parametrize("arguments", [[], ["--variant", "chess"]])
def test_python_chess_plays_a_game_with_us(arguments: list[str], executable: str) -> None:
    rng = random.Random(3)
    board = chess.Board()
    with chess.engine.SimpleEngine.popen_uci([executable, *arguments], timeout=PATIENCE) as engine:
        engine.configure({"Hash": 16, "Move Overhead": 10})
        while not board.is_game_over() and board.ply() < LONGEST:
            if board.turn == chess.WHITE:
                played = engine.play(board, chess.engine.Limit(depth=4), info=chess.engine.INFO_ALL)
                assert played.move is not None
                assert "score" in played.info
                board.push(played.move)
            else:
                board.push(rng.choice(list(board.legal_moves)))
    assert board.is_checkmate()
    assert board.result() == "1-0"


def test_python_chess_analyses_ponders_and_stops(executable: str) -> None:
    board = chess.Board()
    with chess.engine.SimpleEngine.popen_uci(executable, timeout=PATIENCE) as engine:
        lines = engine.analyse(board, chess.engine.Limit(depth=3), multipv=3)
        assert len({line["pv"][0] for line in lines}) == 3
        restricted = engine.analyse(board, chess.engine.Limit(depth=3), root_moves=[chess.Move.from_uci("a2a3")])
        assert restricted["pv"][0].uci() == "a2a3"
        clock = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01)
        for _ in range(3):
            played = engine.play(board, clock, ponder=True)
            assert played.move is not None
            board.push(played.move)
            board.push(played.ponder if played.ponder is not None else next(iter(board.legal_moves)))
        with engine.analysis(board) as analysis:
            analysis.stop()
            move = analysis.wait().move
            assert move is not None
            assert board.is_legal(move)
