"""Our library's speed against python-chess, pyffish and cchess on the same kind of work, in one run.

    python tests/tools/library_speed.py

A ratio above 1 means that ours is faster, in processor time. All take turns, and each figure is the best of several
rounds. python-chess plays chess: its positions come from as many random moves.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import cchess
import chess
import pyffish

import chuhe

ROUNDS = 5
Work = Callable[[], int]  # does it, and returns how often


def xiangqi_games(count: int, plies: int) -> list[list[chuhe.Position]]:
    rng = random.Random(1)
    games = []
    for _ in range(count):
        position = chuhe.Position()
        line = [position.copy(stack=False)]
        while len(line) <= plies and (moves := position.legal_moves):
            position.push(rng.choice(moves))
            line.append(position.copy(stack=False))
        games.append(line)
    return games


def chess_games(count: int, plies: int) -> list[list[chess.Board]]:
    rng = random.Random(1)
    games = []
    for _ in range(count):
        board = chess.Board()
        line = [board.copy(stack=False)]
        while len(line) <= plies and (moves := list(board.legal_moves)):
            board.push(rng.choice(moves))
            line.append(board.copy(stack=False))
        games.append(line)
    return games


def each(things: list[object], work: Callable[..., object]) -> Work:
    """Work on every thing (a tuple: its arguments)."""

    def run() -> int:
        for thing in things:
            work(*thing) if isinstance(thing, tuple) else work(thing)
        return len(things)

    return run


def works() -> dict[str, dict[str, Work]]:
    """The kinds of work; each by the library that does it, ours first."""
    ours = [position for line in xiangqi_games(5, 50) for position in line]
    theirs = [board for line in chess_games(5, 50) for board in line]
    fens = [position.fen() for position in ours]
    boards = [cchess.ChessBoard(fen) for fen in fens]
    moved = [(position, move) for position in ours for move in position.legal_moves[:1]]
    moved_there = [(board, move) for board in theirs for move in list(board.legal_moves)[:1]]
    wxf = [(position, position.wxf(move)) for position, move in moved]
    chinese = [(position, position.chinese(move)) for position, move in moved]
    san = [(board, board.san(move)) for board, move in moved_there]
    iccs = [(position, move.iccs) for position, move in moved]
    uci = [(board, move.uci()) for board, move in moved_there]

    def pushed(position: chuhe.Position, text: str) -> None:
        position.push(text)
        position.pop()

    def pushed_iccs(position: chuhe.Position, text: str) -> None:
        position.push_iccs(text)
        position.pop()

    def pushed_there(board: chess.Board, text: str) -> None:
        board.push_uci(text)
        board.pop()

    return {
        "legal moves": {
            "chuhe": each([*ours], lambda position: position.legal_moves),
            "python-chess": each([*theirs], lambda board: list(board.legal_moves)),
            "pyffish": each([(fen,) for fen in fens], lambda fen: pyffish.legal_moves("xiangqi", fen, [])),
            "cchess": each([*boards], lambda board: list(board.create_moves())),
        },
        "read a FEN": {
            "chuhe": each([*fens], chuhe.Position),
            "python-chess": each([board.fen() for board in theirs], chess.Board),
            "cchess": each([*fens], cchess.ChessBoard),
        },
        "move to text": {
            "chuhe": each([*moved], lambda position, move: position.wxf(move)),
            "python-chess": each([*moved_there], lambda board, move: board.san(move)),
            "pyffish": each(
                [(fen, move.uci) for fen, (_, move) in zip(fens, moved, strict=False)],
                lambda fen, move: pyffish.get_san("xiangqi", fen, move, False, pyffish.NOTATION_XIANGQI_WXF),
            ),
        },
        "text to move (WXF, SAN)": {
            "chuhe": each([*wxf], lambda position, text: position.parse_move(text)),
            "python-chess": each([*san], lambda board, text: board.parse_san(text)),
        },
        "text to move (Chinese)": {
            "chuhe": each([*chinese], lambda position, text: position.parse_move(text)),
            "cchess": each(
                [(board, text) for board, (_, text) in zip(boards, chinese, strict=False)],
                lambda board, text: board.copy().move_text(text),
            ),
        },
        "push(text), pop": {
            "chuhe": each([*iccs], pushed),
            "chuhe, push_iccs": each([*iccs], pushed_iccs),
            "python-chess": each([*uci], pushed_there),
        },
    }


def main() -> None:
    for name, libraries in works().items():
        best: dict[str, float] = {}
        for _ in range(ROUNDS):
            for library, work in libraries.items():
                began = time.process_time()
                count = work()
                best[library] = max(best.get(library, 0.0), count / (time.process_time() - began))
        ours = best["chuhe"]
        cells = [f"{library} {ours / speed:.2f}" for library, speed in best.items() if library != "chuhe"]
        print(f"{name:<24} {ours:>10,.0f} per second; faster than {', '.join(cells)}")


if __name__ == "__main__":
    main()
