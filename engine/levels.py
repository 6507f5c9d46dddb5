"""Weaker play: a shallower search and, among moves of nearly equal value, not always the best one.

A level never plays at random: it searches a few plies, so it takes hanging pieces, and it departs from the best move
only within its spread. The more a move costs, the less often it is played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chuhe.engine._core import RootLine


@dataclass(frozen=True, slots=True)
class Handicap:
    """The handicap of a level: search depth (0: no limit), candidate moves, spread in centipawns (0: none)."""

    depth: int
    candidates: int
    spread: int


# measured by `chuhe ladder`: each scores about 60 to 90 % against the one before it
HANDICAPS = (
    Handicap(1, 8, 800),
    Handicap(1, 8, 180),
    Handicap(4, 8, 160),
    Handicap(5, 8, 80),
    Handicap(6, 6, 50),
    Handicap(8, 5, 90),
    Handicap(9, 5, 60),
    Handicap(12, 4, 40),
    Handicap(14, 3, 15),
    Handicap(0, 1, 0),
)
LEVELS = range(1, len(HANDICAPS) + 1)  # 1 beginner … 10 full strength


def handicap(level: int) -> Handicap:
    return HANDICAPS[level - 1]


def weaker_choice(lines: list[RootLine], spread: int, draw: Callable[[], float] | None = None) -> RootLine:
    """Choose one of the lines after adding noise of up to the spread to each score."""
    if draw is None:
        from random import random  # imported here to keep start-up fast

        draw = random
    blur = draw
    return max(lines, key=lambda line: line.score + blur() * spread)
