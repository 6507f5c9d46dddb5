"""Compares the referee's verdicts with pyffish's: `verify_games.py RESULTS…` checks the games of finished matches.

Where the two laws differ on purpose, nothing is compared: see `verdicts`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pyffish

from chuhe.bench.matches.match_values import MatchGame
from chuhe.bench.matches.store import read_results
from chuhe.engine import Move, Position, Reason

OUR_OWN = frozenset({Reason.MOVE_LIMIT, Reason.MATERIAL})  # pyffish counts moves differently and ignores material


def result_of(value: int, red_to_move: bool) -> str:
    """pyffish's value, from the mover's side, as a result."""
    if value == 0:
        return "1/2-1/2"
    return "1-0" if (value > 0) == red_to_move else "0-1"


def verdict(fen: str, moves: Sequence[str]) -> str | None:
    """pyffish's verdict after these moves (ICCS): a result, or None if the game continues."""
    played = [Move.from_iccs(move).uci for move in moves]
    red = (len(moves) % 2 == 0) == (fen.split()[1] == "w")
    if not pyffish.legal_moves("xiangqi", fen, played):
        return result_of(pyffish.game_result("xiangqi", fen, played), red)
    ended, value = pyffish.is_optional_game_end("xiangqi", fen, played)
    return result_of(value, red) if ended else None


def verdicts(game: MatchGame) -> list[str | None]:
    """pyffish's verdict after every ply at which the game could be over: third occurrences, and the last position.

    It draws a game after 50 moves without a capture where our law says 60, and counts checks that ours does not. It
    also lets the move before the first of the three occurrences break a chase, where our law judges only the moves of
    the cycle. So it gets only the moves since the first of the three occurrences, with the counter at zero.
    """
    moves = [*game.opening_moves, *(move.move for move in game.moves)]
    position = Position(game.fen)
    fens = [_fresh(position.fen())]
    said: list[str | None] = []
    for ply, text in enumerate(moves, 1):
        position.push(Move.from_iccs(text))
        fens.append(_fresh(position.fen()))
        occurrences = [number for number, fen in enumerate(fens) if fen == fens[-1]]
        if ply == len(moves) or len(occurrences) >= 3:
            begin = occurrences[-3] if len(occurrences) >= 3 else ply
            said.append(verdict(fens[begin], moves[begin:ply]))
    return said


def _fresh(fen: str) -> str:
    return " ".join([*fen.split()[:2], "- - 0 1"])


def disagreements(game: MatchGame) -> list[str]:
    """The first disagreement, in words; empty if pyffish agrees throughout."""
    *before, final = verdicts(game) or [None]
    for number, early in enumerate(before, 1):
        if early is not None:
            return [f"game {game.number}: pyffish ends it with {early} at repetition {number} of {len(before)}"]
    if game.reason in OUR_OWN:
        return []
    if isinstance(game.reason, Reason) and final != game.result:
        return [f"game {game.number}: {game.result} by {game.reason}, pyffish says {final}"]
    if not isinstance(game.reason, Reason) and final is not None:
        return [f"game {game.number}: went on to {game.reason}, pyffish ends it with {final}"]
    return []


def main(paths: list[str]) -> int:
    games = faults = 0
    for path in paths:
        for game in read_results(path)[1]:
            games += 1
            for text in disagreements(game):
                faults += 1
                print(f"{path}: {text}")
    print(f"{games} games, {faults} disagreements")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
