"""How long the chess engine may think: a soft limit between two iterations, a hard one inside them."""

from __future__ import annotations

import time
from dataclasses import dataclass

from chuhe.engine.values import Limits

EXPECTED_MOVES = 36  # until the end of the game, if `movestogo` is not given
MOST_MOVES = 50  # planned for at once
INCREMENT_SHARE = 0.7  # of the increment, on top
PONDER_BONUS = 1.2  # a GUI that ponders gives back some of the time
LARGEST_SHARE = 0.45  # of what is left on the clock, for one move
HARD_FACTOR = 4.0
LEAST = 0.001  # seconds

NEXT_ITERATION = 0.55  # of the soft limit: an iteration that begins later would probably not finish
NEW_MOVE, SAME_MOVE = 1.35, 0.92  # factors of the soft limit after each iteration …
LEAST_FACTOR, MOST_FACTOR = 0.6, 2.0  # … and their bounds
DROP, LARGE_DROP = 25, 80  # centipawns by which the score fell
DROP_FACTOR, LARGE_DROP_FACTOR = 1.2, 1.5
MOST_AFTER_DROP = 2.5


@dataclass
class Budget:
    """The time for one move, in seconds; None: no clock. `note` and `is_spent` adapt it as the search goes."""

    soft: float | None = None
    hard: float | None = None
    started: float = 0.0
    running: bool = False
    factor: float = 1.0

    def note(self, changed: bool, dropped: int) -> None:
        """Note an iteration's result: a new best move or a dropping score gets more time, a stable one less."""
        if changed:
            self.factor = min(MOST_FACTOR, self.factor * NEW_MOVE)
        else:
            self.factor = max(LEAST_FACTOR, self.factor * SAME_MOVE)
        if dropped > DROP:
            factor = DROP_FACTOR if dropped < LARGE_DROP else LARGE_DROP_FACTOR
            self.factor = min(MOST_AFTER_DROP, self.factor * factor)

    def is_spent(self) -> bool:
        """Would the next iteration probably not finish in time?"""
        if self.soft is None:
            return False
        return time.perf_counter() - self.started >= NEXT_ITERATION * self.soft * self.factor


def budget_of(limits: Limits, overhead: int, pondering: bool = False) -> Budget:
    """
    >>> budget_of(Limits(movetime=1000), overhead=30).hard
    0.97
    """
    keep = overhead / 1000
    if limits.movetime is not None:
        return Budget(hard=max(LEAST, limits.movetime / 1000 - keep))
    if limits.time is None:
        return Budget()
    left = max(LEAST, limits.time / 1000 - keep)
    moves = min(limits.moves_to_go or EXPECTED_MOVES, MOST_MOVES)
    soft = left / moves + INCREMENT_SHARE * limits.increment / 1000 + limits.byoyomi / 1000
    if pondering:
        soft *= PONDER_BONUS
    largest = left if moves == 1 else max(LEAST, left * LARGEST_SHARE)
    return Budget(soft=min(soft, largest), hard=max(LEAST, min(soft * HARD_FACTOR, largest)))
