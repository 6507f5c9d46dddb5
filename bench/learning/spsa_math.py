"""The arithmetic of SPSA: which points to compare, and how far a result moves the estimate.

Simultaneous perturbation: all values are shifted at once, each up or down at random. Two engines, one with the shifts
and one with the opposite shifts, play a pair of games. Every value then moves a little towards the winner's.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

ALPHA = 0.602  # decay exponent of the learning rate
GAMMA = 0.101  # decay exponent of the shifts
SETTLING = 0.1  # SPSA's stability constant A, as a share of the iterations: it delays the decay of the rate


@dataclass(frozen=True, slots=True)
class Parameter:
    """One tuned value."""

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
    """The decay of shifts and learning rate over a run; `rate` is that of the last iteration."""

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
    """Round up or down at random so that the mean is the value, and small steps are not lost."""
    low = math.floor(value)
    return low + (rng.random() < value - low)


def shift(
    parameters: Sequence[Parameter],
    values: Mapping[str, float],
    schedule: Schedule,
    iteration: int,
    rng: random.Random,
) -> Shift:
    """The two sets of values that this iteration compares."""
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
    """The estimate after a result: the plus side's points minus the minus side's."""
    rate = schedule.rate_at(tried.iteration)
    fresh = dict(values)
    for parameter, sign, size in zip(parameters, tried.signs, tried.sizes, strict=True):
        fresh[parameter.name] = clipped(parameter, values[parameter.name] + rate * size * sign * result)
    return fresh
