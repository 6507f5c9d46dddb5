"""SPSA without games: which points to compare, and how far a result moves the estimate.

Simultaneous perturbation: all numbers are shifted at once, each by its step up or down at random; two engines, one with
the shifts and one with their opposites, play a pair of games; every number goes a little towards the winner.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

ALPHA = 0.602  # how fast the rate falls
GAMMA = 0.101  # how fast the shifts shrink
SETTLING = 0.1  # share of the iterations by which the falling of the rate is put off


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number that is tuned."""

    name: str
    index: int  # in the core's array
    minimum: int
    maximum: int
    step: int  # the shift of the last iteration


@dataclass(frozen=True, slots=True)
class Shift:
    """What one iteration compares: the signs, the sizes, and the two sets of whole numbers."""

    iteration: int
    signs: tuple[int, ...]
    sizes: tuple[float, ...]
    plus: tuple[int, ...]
    minus: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """How shifts and rate fall over a run of so many iterations; `rate` is the last iteration's."""

    iterations: int
    rate: float

    def size(self, parameter: Parameter, iteration: int) -> float:
        return float(parameter.step * (self.iterations / (iteration + 1)) ** GAMMA)

    def rate_at(self, iteration: int) -> float:
        """In units of the squared shift."""
        delay = SETTLING * self.iterations
        fallen = ((delay + self.iterations) / (delay + iteration + 1)) ** ALPHA
        shrunk = (self.iterations / (iteration + 1)) ** (2 * GAMMA)
        return float(self.rate * fallen / shrunk)


def clipped(parameter: Parameter, value: float) -> float:
    return min(max(value, parameter.minimum), parameter.maximum)


def rounded(value: float, rng: random.Random) -> int:
    """Up or down, so that the mean is the value: small steps are not lost in rounding."""
    low = math.floor(value)
    return low + (rng.random() < value - low)


def shift(
    parameters: Sequence[Parameter],
    values: Mapping[str, float],
    schedule: Schedule,
    iteration: int,
    rng: random.Random,
) -> Shift:
    """The two sets of numbers that this iteration compares."""
    signs = tuple(rng.choice((-1, 1)) for _ in parameters)
    sizes = tuple(schedule.size(parameter, iteration) for parameter in parameters)
    sides: list[tuple[int, ...]] = []
    for direction in (1, -1):
        points = [
            clipped(parameter, values[parameter.name] + direction * sign * size)
            for parameter, sign, size in zip(parameters, signs, sizes, strict=True)
        ]
        sides.append(tuple(rounded(point, rng) for point in points))
    return Shift(iteration, signs, sizes, sides[0], sides[1])


def moved(
    parameters: Sequence[Parameter], values: Mapping[str, float], schedule: Schedule, tried: Shift, result: float
) -> dict[str, float]:
    """The estimate after a result: the plus side's points less the minus side's."""
    rate = schedule.rate_at(tried.iteration)
    fresh = dict(values)
    for parameter, sign, size in zip(parameters, tried.signs, tried.sizes, strict=True):
        fresh[parameter.name] = clipped(parameter, values[parameter.name] + rate * size * sign * result)
    return fresh
