"""Chess games through python-chess's client: `python -m chuhe.bench.matches.chess_match --help`.

An independent check of the chess variant: every move must be legal and no clock may run out.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import Any

from chuhe.common.command_line import Parser, seconds, whole_number
from chuhe.common.extras import needs
from chuhe.protocol.programs import own_command, split_command

OPENING_PLIES = 4  # random plies, the same for both games of a pair


class TimeForfeit(Enum):
    """How a game ends other than by the laws of chess."""

    OURS = "our time ran out"
    THEIRS = "their time ran out"


@dataclass(frozen=True, slots=True)
class ChessResult:
    """One game from our side: score (1, 0.5 or 0), why it ended, and the least time left on our clock, in seconds."""

    score: float
    end: Any  # a TimeForfeit or a chess.Termination
    plies: int
    least_left: float

    @property
    def reason(self) -> str:
        return str(self.end.value) if isinstance(self.end, TimeForfeit) else self.end.name.lower().replace("_", " ")


class ChessClocks:
    """Both sides' clocks: what the engines are told, and which side has run out of time."""

    def __init__(self, seconds: float, increment: float) -> None:
        self.left = {True: seconds, False: seconds}
        self.increment = increment
        self.least = {True: seconds, False: seconds}

    def limit(self, chess_engine: Any) -> Any:
        return chess_engine.Limit(
            white_clock=self.left[True], black_clock=self.left[False],
            white_inc=self.increment, black_inc=self.increment,
        )  # fmt: skip

    def spend(self, side: bool, seconds: float) -> bool:
        """False when the side has run out of time."""
        self.left[side] -= seconds
        self.least[side] = min(self.least[side], self.left[side])
        self.left[side] += self.increment
        return self.least[side] >= 0


def play_game(players: dict[bool, Any], ours: bool, board: Any, clock: ChessClocks, game: object) -> ChessResult:
    """One game; the client raises an error for an illegal move or a dead engine."""
    import chess.engine as chess_engine

    while not board.is_game_over(claim_draw=True):
        mover = board.turn
        began = time.perf_counter()
        move = players[mover].play(board, clock.limit(chess_engine), game=game).move
        if not clock.spend(mover, time.perf_counter() - began):
            end = TimeForfeit.OURS if mover == ours else TimeForfeit.THEIRS
            return ChessResult(float(mover != ours), end, board.ply(), clock.least[ours])
        board.push(move)
    outcome = board.outcome(claim_draw=True)
    score = 0.5 if outcome.winner is None else float(outcome.winner == ours)
    return ChessResult(score, outcome.termination, board.ply(), clock.least[ours])


def random_opening(chess: Any, source: random.Random) -> Any:
    board = chess.Board()
    for _ in range(OPENING_PLIES):
        board.push(source.choice(list(board.legal_moves)))
    return board


def arguments_parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m chuhe.bench.matches.chess_match", description=__doc__)
    parser.add_argument("opponent", metavar="ENGINE", nargs="?", default="stockfish", help="the other engine's command")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=X", help="an option for the opponent")
    parser.add_argument("--games", type=whole_number(1), default=10, help="games to play")
    parser.add_argument("--time", type=seconds(), default=5.0, metavar="SECONDS", help="seconds on each clock")
    parser.add_argument(
        "--increment", type=seconds(), default=0.05, metavar="SECONDS", help="seconds added for each move"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed for the openings")
    return parser


def main(arguments: list[str]) -> int:
    options = arguments_parser().parse_args(arguments)
    try:
        import chess
        import chess.engine
    except ImportError:
        print(needs("chess_match", "chess"), file=sys.stderr)
        return 2
    ours = chess.engine.SimpleEngine.popen_uci(own_command("--variant", "chess"), timeout=30)
    theirs = chess.engine.SimpleEngine.popen_uci(split_command(options.opponent), timeout=30)
    try:
        theirs.configure(dict(text.split("=", 1) for text in options.option))
        print(f"{ours.id['name']} against {theirs.id['name']}")
        results = play_match(ours, theirs, options, chess)
    finally:
        ours.quit()
        theirs.quit()
    reasons = Counter(result.reason for result in results)
    print(f"score {sum(result.score for result in results):g}/{len(results)}, no illegal move, "
          + ", ".join(f"{reason}: {count}" for reason, count in reasons.items()))  # fmt: skip
    print(f"least time left on our clock: {min(result.least_left for result in results):.2f} s")
    return 1 if any(result.end is TimeForfeit.OURS for result in results) else 0


def play_match(ours: Any, theirs: Any, options: argparse.Namespace, chess: Any) -> list[ChessResult]:
    source = random.Random(options.seed)
    results: list[ChessResult] = []
    opening = chess.Board()
    for number in range(options.games):
        white = number % 2 == 0
        opening = random_opening(chess, source) if white else opening
        board = opening.copy()
        clock = ChessClocks(options.time, options.increment)
        players = {white: ours, not white: theirs}
        result = play_game(players, white, board, clock, number)
        results.append(result)
        side = "White" if white else "Black"
        print(f"game {number + 1}: {result.score:g} as {side}, {result.reason}, {result.plies} plies, "
              f"least left {result.least_left:.2f} s", flush=True)  # fmt: skip
    return results


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
