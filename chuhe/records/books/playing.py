"""Self-play games for an opening book: varied but sound moves in the opening, then always the best move."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from chuhe.engine import Engine, Info, Law, Limits, Move, Position, Settings
from chuhe.engine.values import Result
from chuhe.records.game_record import GameRecord, RecordedMove

WON = 220  # centipawns: a side that stays this far ahead for `PATIENCE` plies has won
PATIENCE = 6
LONGEST = 240  # plies; a longer game is a draw


@dataclass(frozen=True)
class Plan:
    """How the games are played. Limits are in nodes, not time, so that a seed gives the same games everywhere."""

    plies: int = 20  # length of the opening, where moves are varied
    lines: int = 5  # considered in the opening (MultiPV)
    margin: int = 8  # centipawns: how much worse than the best an opening move may be
    sharpness: float = 3.0  # a move this many centipawns worse is e times less likely
    opening_nodes: int = 100_000
    nodes: int = 20_000
    hash_mb: int = 32

    @property
    def settings(self) -> Settings:
        return Settings(hash_mb=self.hash_mb, use_tables=False)


def candidates(engine: Engine, position: Position, plan: Plan) -> list[tuple[Move, int]]:
    """The moves within the margin, each with its loss against the best."""
    lines: dict[int, tuple[Move, int]] = {}

    def on_info(info: Info) -> None:
        if info.pv and info.currmove is None and info.bound == "exact":
            lines[info.multipv] = (info.pv[0], info.score.as_centipawns())

    engine.set_position(position)
    best = engine.search(Limits(nodes=plan.opening_nodes), on_info=on_info)
    assert best.move is not None
    top = max((score for _, score in lines.values()), default=0)
    near = {move: top - score for move, score in lines.values() if top - score <= plan.margin}
    return list(near.items()) or [(best.move, 0)]


def vary(choices: list[tuple[Move, int]], sharpness: float, rng: random.Random) -> Move:
    """Picks a candidate at random; better moves are likelier."""
    weights = [math.exp(-loss / sharpness) for _, loss in choices]
    return rng.choices([move for move, _ in choices], weights)[0]


def play_game(plan: Plan, seed: int, number: int, engine: Engine) -> GameRecord:
    """The game with that number, by an engine with the plan's settings; the same seed gives the same game."""
    rng = random.Random(f"{seed}/{number}")
    engine.new_game()
    position = Position()
    engine.configure(multipv=plan.lines)
    while position.ply < plan.plies and position.outcome() is None:
        position.push(vary(candidates(engine, position, plan), plan.sharpness, rng))
    engine.configure(multipv=1)
    result = _finish(position, plan, engine)
    moves = tuple(RecordedMove(move) for move in position.move_stack)
    tags = {"Event": f"self-play, seed {seed}", "Round": str(number), "Red": "Chuhe", "Black": "Chuhe"}
    return GameRecord(moves=moves, tags=tags, result=result)


def _finish(position: Position, plan: Plan, engine: Engine) -> Result:
    ahead = 0  # plies in a row that one side has been winning; the sign says who
    while position.ply < LONGEST:
        outcome = position.outcome(Law())
        if outcome is not None:
            return outcome.result
        engine.set_position(position)
        best = engine.search(Limits(nodes=plan.nodes))
        assert best.move is not None
        value = best.score.as_centipawns() * (1 if position.turn == 0 else -1)
        ahead = _streak(ahead, value)
        if abs(ahead) >= PATIENCE:
            return "1-0" if ahead > 0 else "0-1"
        position.push(best.move)
    return "1/2-1/2"


def _streak(ahead: int, value: int) -> int:
    """
    >>> _streak(3, 1000), _streak(3, -1000), _streak(3, 0), _streak(-2, -950)
    (4, -1, 0, -3)
    """
    if value >= WON:
        return max(ahead, 0) + 1
    if value <= -WON:
        return min(ahead, 0) - 1
    return 0
