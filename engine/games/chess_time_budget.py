"""How long the chess engine may think: a soft limit between two iterations, a hard one inside them."""

from __future__ import annotations

import time
from dataclasses import dataclass

from chuhe.engine.values import Limits

EXPECTED_MOVES = 36  # until the end of the game, if `movestogo` is not given
LARGEST_SHARE = 0.45  # of what is left on the clock, for one move
HARD_FACTOR = 4.0
LEAST = 0.001  # seconds


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
            self.factor = min(2.0, self.factor * 1.35)
        else:
            self.factor = max(0.6, self.factor * 0.92)
        if dropped > 25:
            self.factor = min(2.5, self.factor * (1.2 if dropped < 80 else 1.5))

    def is_spent(self) -> bool:
        """Would the next iteration probably not finish in time?"""
        return self.soft is not None and time.perf_counter() - self.started >= 0.55 * self.soft * self.factor


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
    moves = min(limits.moves_to_go or EXPECTED_MOVES, 50)
    soft = left / moves + 0.7 * limits.increment / 1000 + limits.byoyomi / 1000
    if pondering:
        soft *= 1.2
    largest = left if moves == 1 else max(LEAST, left * LARGEST_SHARE)
    return Budget(soft=min(soft, largest), hard=max(LEAST, min(soft * HARD_FACTOR, largest)))
