"""Games between engine objects in this process: no pipes, so short games cost little beyond their searches.

The SPSA tuner uses this; `chuhe selfplay` plays inside the core, and `chuhe.bench.matches` plays engine processes.
"""

from __future__ import annotations

from dataclasses import dataclass

from chuhe.bench.matches.match_values import Adjudication, GameEnd
from chuhe.bench.matches.referee import Adjudicator, decided_by_law
from chuhe.engine import RED, BestMove, Engine, Law, Limits, Move, Position
from chuhe.engine.values import FinalResult

DEFAULT_ADJUDICATION = Adjudication(
    draw_from=60, draw_moves=15, draw_score=2, resign_moves=2, resign_score=500, max_moves=150
)
GAME_LAW = Law()


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a game: the position before it, and the search result."""

    fen: str
    turn: int
    answer: BestMove


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game."""

    opening: tuple[Move, ...]
    plies: tuple[Ply, ...]
    result: FinalResult
    reason: GameEnd
    detail: str


def play_game(
    engines: tuple[Engine, Engine],
    opening: Position,
    limits: Limits,
    adjudication: Adjudication = DEFAULT_ADJUDICATION,
    law: Law = GAME_LAW,
) -> PlayedGame:
    """A game between Red's and Black's engine."""
    position = opening.copy()
    adjudicator = Adjudicator(adjudication)
    plies: list[Ply] = []
    for engine in engines:
        engine.new_game()
    ending = decided_by_law(position, law)
    while ending is None:
        turn = position.turn
        engine = engines[0 if turn == RED else 1]
        engine.set_position(position)
        answer = engine.search(limits)
        assert answer.move is not None  # the law would have ended the game
        plies.append(Ply(position.fen(), turn, answer))
        position.push(answer.move)
        adjudicator.note(turn, answer.score)
        ending = decided_by_law(position, law) or adjudicator.ending(turn, position.ply // 2)
    return PlayedGame(tuple(opening.move_stack), tuple(plies), *ending)
