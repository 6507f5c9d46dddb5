"""Games between engine objects of this very process: no pipes, so thousands of short games cost only their searches.

The tuners and the generator of tuning data play like this. A match between programs is `bench.matches.runner`'s.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from bench.matches.match_values import Adjudication, Result
from bench.matches.referee import Adjudicator, Ending
from engine import RED, BestMove, Engine, Law, Limits, Move, Position

QUIET_SCORE = 2000  # beyond it a position teaches the evaluation nothing
MAX_ATTEMPTS = 1000  # at a balanced opening, before something must be wrong
DEFAULT_ADJUDICATION = Adjudication(
    draw_from=60, draw_moves=15, draw_score=8, resign_moves=2, resign_score=2000, max_moves=150
)
GAME_LAW = Law(occurrences=2)


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a game: the position before it, and what the search said."""

    fen: str
    turn: int
    quiet: bool  # not in check, the best move takes nothing, no side is winning already
    answer: BestMove

    @property
    def red_score(self) -> int:
        score = self.answer.score.as_centipawns()
        return score if self.turn == RED else -score


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game."""

    opening: tuple[Move, ...]
    plies: tuple[Ply, ...]
    result: Result
    reason: str
    detail: str


def random_opening(rng: random.Random, plies: tuple[int, int]) -> Position | None:
    """So many random moves from the start; None if they ended the game."""
    position = Position()
    for _ in range(rng.randint(*plies)):
        moves = position.legal_moves
        if not moves:
            return None
        position.push(rng.choice(moves))
    return position if position.outcome(GAME_LAW) is None else None


def balanced_opening(rng: random.Random, engine: Engine, plies: tuple[int, int], limits: Limits, most: int) -> Position:
    """A random opening that the engine scores within ±most centipawns."""
    for _ in range(MAX_ATTEMPTS):
        position = random_opening(rng, plies)
        if position is None:
            continue
        engine.new_game()
        engine.set_position(position)
        if abs(engine.search(limits).score.as_centipawns()) <= most:
            return position
    raise ValueError(f"none of {MAX_ATTEMPTS} random openings is within ±{most} centipawns: ask for a wider balance")


def play_game(
    engines: tuple[Engine, Engine],
    opening: Position,
    limits: Limits,
    adjudication: Adjudication = DEFAULT_ADJUDICATION,
    before_move: Callable[[int], None] | None = None,
    law: Law = GAME_LAW,
) -> PlayedGame:
    """A game between Red's and Black's engine; `before_move` is told which side is about to search."""
    position = opening.copy()
    adjudicator = Adjudicator(adjudication)
    plies: list[Ply] = []
    for engine in engines:
        engine.new_game()
    ending = _by_law(position, law)
    while ending is None:
        turn = position.turn
        if before_move is not None:
            before_move(turn)
        engine = engines[0 if turn == RED else 1]
        engine.set_position(position)
        answer = engine.search(limits)
        assert answer.move is not None  # the law would have ended the game
        plies.append(Ply(position.fen(), turn, is_quiet(position, answer), answer))
        position.push(answer.move)
        adjudicator.note(turn, answer.score)
        ending = _by_law(position, law) or adjudicator.ending(turn, position.ply // 2)
    return PlayedGame(tuple(opening.move_stack), tuple(plies), *ending)


def is_quiet(position: Position, answer: BestMove) -> bool:
    """Whether the static evaluation of the position can be held against its score."""
    if answer.move is None or answer.score.is_mate or abs(answer.score.as_centipawns()) > QUIET_SCORE:
        return False
    return not position.is_check() and not position.is_capture(answer.move)


def _by_law(position: Position, law: Law) -> Ending | None:
    outcome = position.outcome(law)
    if outcome is None or outcome.result == "*":
        return None
    return outcome.result, outcome.reason.value, outcome.text
