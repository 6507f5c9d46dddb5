"""The schedule of a match: a pure function of the settings, so that a match can be resumed.

Games are numbered round by round. Asking for more games later only adds to the end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Literal

from chuhe.bench.matches.match_values import Format, GamePlan, MatchSettings


def encounters(names: Sequence[str], form: Format) -> list[tuple[str, str]]:
    """The pairings of each round: all against all, or the first engine against each other.

    >>> encounters(["a", "b", "c"], "roundrobin")
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> encounters(["a", "b", "c"], "gauntlet")
    [('a', 'b'), ('a', 'c')]
    """
    if form == "gauntlet":
        return [(names[0], other) for other in names[1:]]
    return list(combinations(names, 2))


def opening_order(count: int, order: Literal["random", "sequential"], seed: int, start: int = 1) -> Iterator[int]:
    """An endless sequence of opening indices, from the `start`-th on: each is used once before any is repeated."""
    return islice(_opening_order(count, order, seed), start - 1, None)


def _opening_order(count: int, order: Literal["random", "sequential"], seed: int) -> Iterator[int]:
    generator = random.Random(seed)
    while True:
        indices = list(range(count))
        if order == "random":
            generator.shuffle(indices)
        yield from indices


def schedule(settings: MatchSettings, openings: int) -> Iterator[GamePlan]:
    """All games of the match. Both games of a pair, and all pairs of a round, begin with the same opening."""
    names = [engine.name for engine in settings.engines]
    meetings = encounters(names, settings.format)
    order = opening_order(openings, settings.order, settings.seed, settings.opening_start)
    pair = 0
    for _ in range(settings.games // 2):
        opening = next(order)
        for first, second in meetings:
            pair += 1
            yield GamePlan(2 * pair - 1, pair, first, second, opening)
            yield GamePlan(2 * pair, pair, second, first, opening)
