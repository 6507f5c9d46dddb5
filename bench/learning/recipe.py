"""A training's recipe: what the result depends on besides the data. NumPy is not needed to read or to show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from chuhe.engine import _core
from chuhe.engine.bounds import ENDLESS, bounded, check_bounds
from chuhe.engine.network import ATTACKER_COUNTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from chuhe.bench.learning.records import Records

MAX_BUCKETS = _core.NETWORK_SIZES["max_buckets"]
NEURON_STEP = _core.NETWORK_SIZES["neuron_step"]
MAX_NEURONS = _core.NETWORK_SIZES["max_neurons"]


class TrainingError(ValueError):
    """A training that cannot be started or resumed; the message says why."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which positions to train on: only those in which a search would use the static evaluation."""

    most_score: int = 4000  # centipawns
    checks: bool = False  # keep positions in check
    captures: bool = False  # keep positions whose best move is a capture
    recurring: bool = False  # keep positions that occurred earlier in the game
    most_clock: int = 100  # half-move clock: near the move limit, the limit distorts scores
    least_ply: int = 0  # earlier positions are left out: every game has them

    def __call__(self, records: Records) -> npt.NDArray[np.bool_]:
        import numpy as np

        from chuhe.bench.learning.records import BY_RULE, CAPTURE, CHECK, MATED, RECURS, STRAY

        unwanted = MATED | BY_RULE | STRAY  # STRAY: a random move follows, so the result says nothing
        unwanted |= 0 if self.checks else CHECK
        unwanted |= 0 if self.captures else CAPTURE
        unwanted |= 0 if self.recurring else RECURS
        kept: npt.NDArray[np.bool_] = (
            ((records["flags"] & unwanted) == 0)
            & (np.abs(records["score"].astype(np.int32)) <= self.most_score)
            & (records["half_move_clock"] <= self.most_clock)
            & (records["ply"] >= self.least_ply)
        )
        return kept


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """Everything the result depends on besides the data."""

    hidden: int = bounded(256, NEURON_STEP, MAX_NEURONS)
    buckets: int = bounded(8, 1, MAX_BUCKETS)  # output buckets
    input_buckets: str = "3321100"  # the input bucket by the opponent's rooks, knights and cannons, 0 to 6
    together: float = bounded(0.6, 0.0, 1.0)  # share of the epochs in which all input buckets are trained as one
    epochs: int = bounded(10, 1, 10_000)
    batch: int = bounded(8192, 1, 1 << 24)
    rate: float = bounded(0.005, 1e-9, 1.0)
    blend: float = bounded(0.3, 0.0, 1.0)  # share of the game's result in the target, at the beginning
    last_blend: float = bounded(0.3, 0.0, 1.0)  # and at the end; in between it changes evenly
    slope: float = bounded(0.0019, 1e-6, 1.0)  # expected result (as a logit) per centipawn
    decay: float = bounded(0.15, 0.0, 100.0)  # of a feature's weight (AdamW): against learning rare features by heart
    bound: float = bounded(0.4, 0.01, 8.0)  # on a feature's weight: keeps the neurons within 16 bits at a fine scale
    validation: float = bounded(0.03, 0.001, 0.5)  # share of the games
    mirror: bool = True  # mirror at random when the king's file does not determine the orientation
    seed: int = bounded(1, 0, ENDLESS)
    start: str = ""  # the networks whose mean it begins with, by name and checksum; empty: random weights
    filter: Filter = field(default_factory=Filter)

    def check(self) -> None:
        """TrainingError for the first number out of range."""
        check_bounds(self, TrainingError)
        if self.hidden % NEURON_STEP:
            raise TrainingError(f"hidden must be a multiple of {NEURON_STEP}, not {self.hidden}")
        digits = sorted(set(self.input_buckets))
        if len(self.input_buckets) != ATTACKER_COUNTS or digits != [str(number) for number in range(len(digits))]:
            raise TrainingError(
                f"input_buckets must be {ATTACKER_COUNTS} digits that use every number from 0 to the largest, "
                f"not {self.input_buckets!r}"
            )

    @property
    def bucket_of(self) -> tuple[int, ...]:
        return tuple(int(digit) for digit in self.input_buckets)

    @property
    def epochs_together(self) -> int:
        return round(self.together * self.epochs)


def checkpoint_of(output: Path) -> Path:
    """The checkpoint's file for a network that is being trained."""
    return output.with_name(output.name + ".checkpoint")
