"""Trains a network: positions in, parameters out. Does no I/O.

    trainer = Training(recipe, dataset)
    for epoch in trainer.run():
        print(epoch.number, epoch.validation)

The order of the positions depends only on the seed and the epoch's number, so a run resumed after an epoch gives the
same result. For a given number of threads, the parameters are reproducible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
import numpy.typing as npt

from bench.learning._trainer import COUNTS, FEATURES, MAX_HIDDEN, RECORD_SIZE, Trainer
from bench.learning.records import BY_RULE, CAPTURE, CHECK, MATED, RECORD, RECURS, STRAY

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Records = npt.NDArray[np.void]

SMALLEST_SHARE = 0.01  # of the learning rate, at the end of the cosine schedule
WARM_UP = 100  # steps until the full learning rate is reached
HIDDEN_STEP = 32
OUTPUT_BOUND = 2.0  # bound on biases and output weights
NEURON_BITS = 12  # after the last epoch, rows and biases are rounded to this many bits, which the quantiser can keep


class TrainingError(ValueError):
    """A training that cannot be started or resumed; the message says why."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which positions to train on: only those in which a search would use the static evaluation."""

    most_score: int = 4000  # centipawns
    checks: bool = False  # keep positions in check
    captures: bool = False  # keep positions whose best move is a capture
    recurring: bool = False  # keep positions that occurred earlier in the game
    most_idle: int = 100  # plies without a capture: near the move limit, the limit distorts scores

    def __call__(self, records: Records) -> npt.NDArray[np.bool_]:
        unwanted = MATED | BY_RULE | STRAY  # STRAY: a random move follows, so the result says nothing
        unwanted |= 0 if self.checks else CHECK
        unwanted |= 0 if self.captures else CAPTURE
        unwanted |= 0 if self.recurring else RECURS
        kept: npt.NDArray[np.bool_] = (
            ((records["flags"] & unwanted) == 0)
            & (np.abs(records["score"].astype(np.int32)) <= self.most_score)
            & (records["since"] <= self.most_idle)
        )
        return kept


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """Everything the result depends on besides the data."""

    hidden: int = 256
    buckets: int = 8
    sets: str = "3321100"  # the set of rows by the opponent's rooks, knights and cannons, 0 to 6
    together: float = 0.6  # share of the epochs in which all sets are trained as one
    epochs: int = 10
    batch: int = 16384
    rate: float = 0.001
    blend: float = 0.3  # share of the game's result in the target
    slope: float = 0.0019  # expected result (as a logit) per centipawn
    decay: float = 0.15  # of a feature's weight (AdamW): against learning rare features by heart
    bound: float = 0.4  # on a feature's weight: keeps the neurons within 16 bits at a fine enough scale
    validation: float = 0.03  # share of the games
    mirror: bool = True  # mirror at random when the king's file does not determine the orientation
    seed: int = 1
    filter: Filter = field(default_factory=Filter)

    def check(self) -> None:
        """TrainingError for the first number out of range."""
        numbers: tuple[tuple[str, float, float, float], ...] = (
            ("hidden", self.hidden, HIDDEN_STEP, MAX_HIDDEN),
            ("buckets", self.buckets, 1, 13),
            ("together", self.together, 0, 1),
            ("epochs", self.epochs, 1, 10_000),
            ("batch", self.batch, 1, 1 << 24),
            ("rate", self.rate, 1e-9, 1),
            ("blend", self.blend, 0, 1),
            ("slope", self.slope, 1e-6, 1),
            ("decay", self.decay, 0, 100),
            ("bound", self.bound, 0.01, 8),
            ("validation", self.validation, 0.001, 0.5),
        )
        for name, value, least, most in numbers:
            if not least <= value <= most:  # also rejects nan
                raise TrainingError(f"{name} must be from {least} to {most}, not {value}")
        if self.hidden % HIDDEN_STEP:
            raise TrainingError(f"hidden must be a multiple of {HIDDEN_STEP}, not {self.hidden}")
        digits = sorted(set(self.sets))
        if len(self.sets) != COUNTS or digits != [str(number) for number in range(len(digits))]:
            raise TrainingError(f"sets must be {COUNTS} digits that leave out none from 0 on, not {self.sets!r}")

    @property
    def set_of(self) -> tuple[int, ...]:
        return tuple(int(digit) for digit in self.sets)

    @property
    def epochs_together(self) -> int:
        return round(self.together * self.epochs)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Positions, split by whole games into training and validation sets."""

    records: Records
    training: Indices
    validation: Indices
    games: int

    @property
    def raw(self) -> Bytes:
        """The records as rows of bytes."""
        return self.records.view(np.uint8).reshape(len(self.records), RECORD_SIZE)


def split_games(records: Records, game: Indices, recipe: TrainingRecipe) -> Dataset:
    """`game` gives the game index (0, 1, …) of each record."""
    assert records.dtype == RECORD
    if not len(records):
        raise TrainingError("no positions to train on: the files are empty, or the filters drop everything")
    games = int(game.max()) + 1
    held_back = np.random.default_rng([recipe.seed, 0]).random(games) < recipe.validation
    if not held_back.any():
        held_back[games - 1] = True
    validates = held_back[game]
    training, validation = np.flatnonzero(~validates), np.flatnonzero(validates)
    if not len(training) or not len(validation):
        raise TrainingError(f"too few games ({games}) to hold some out for validation")
    return Dataset(np.ascontiguousarray(records), training, validation, games)


@dataclass(frozen=True, slots=True)
class Loss:
    """Mean squared errors of the expected result, against the target and against the games' results."""

    target: float
    result: float


@dataclass(frozen=True, slots=True)
class Epoch:
    number: int  # from 1
    training: Loss
    validation: Loss
    positions_per_second: float


class Training:
    """A network in training."""

    def __init__(self, recipe: TrainingRecipe, data: Dataset, threads: int = 1) -> None:
        recipe.check()
        if threads < 1:
            raise TrainingError(f"threads must be at least 1, not {threads}")
        self.recipe = recipe
        self.data = data
        self.threads = threads
        self.batch = min(recipe.batch, len(data.training))
        self.step = 0
        self.epochs: list[Epoch] = []
        self.trainer = self._new_trainer((0,) * COUNTS)
        self._start()
        self.use_sets(0)

    def _new_trainer(self, set_of: tuple[int, ...]) -> Trainer:
        recipe = self.recipe
        return Trainer(recipe.hidden, recipe.buckets, recipe.slope, recipe.blend, self.threads, set_of)

    def use_sets(self, epochs: int) -> None:
        """Separate the sets of rows, if it is time to do so after this many epochs.

        Until then they are one set, which learns from all positions. Each begins as a copy of it.
        """
        rows = FEATURES * self.recipe.hidden
        separate = self.row_weights > rows or not any(self.recipe.set_of)
        if separate or epochs < self.recipe.epochs_together:
            return
        one, self.trainer = self.trainer, self._new_trainer(self.recipe.set_of)
        for name in ("parameters", "moment1", "moment2"):
            old = getattr(one, name)
            copies = np.tile(old[:rows], len(set(self.recipe.sets)))
            getattr(self.trainer, name)[:] = np.concatenate([copies, old[rows:]])

    @property
    def row_weights(self) -> int:
        """The number of weights in all sets of rows; the biases and the output follow them."""
        hidden, buckets = self.recipe.hidden, self.recipe.buckets
        return len(self.parameters) - hidden - buckets * (2 * hidden + 1)

    @property
    def parameters(self) -> Floats:
        parameters: Floats = self.trainer.parameters
        return parameters

    def _start(self) -> None:
        """Random weights, scaled so that neurons start within their limits."""
        hidden, buckets = self.recipe.hidden, self.recipe.buckets
        rng = np.random.default_rng([self.recipe.seed, 1])
        rows, neurons = FEATURES * hidden, FEATURES * hidden + hidden
        self.parameters[:rows] = rng.normal(0, 0.5 / math.sqrt(32), rows)
        self.parameters[rows:neurons] = 0.1
        self.parameters[neurons:-buckets] = rng.normal(0, math.sqrt(0.5 / hidden), buckets * 2 * hidden)
        np.clip(self.parameters[:rows], -self.recipe.bound, self.recipe.bound, out=self.parameters[:rows])

    def rate_at(self, step: int) -> float:
        """The learning rate of a step: a short warm-up, then cosine decay to almost zero."""
        steps = max(1, len(self.data.training) // self.batch * self.recipe.epochs)
        cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps)))
        share = cosine * (1 - SMALLEST_SHARE) + SMALLEST_SHARE
        return self.recipe.rate * share * min(1.0, step / min(WARM_UP, steps))

    def run(self, watch: Callable[[int], None] | None = None) -> Iterator[Epoch]:
        """Run the remaining epochs; `watch` is called with the size of each batch."""
        with ThreadPoolExecutor(self.threads) as pool:
            while len(self.epochs) < self.recipe.epochs:
                self.epochs.append(self._epoch(len(self.epochs) + 1, pool, watch))
                yield self.epochs[-1]
                self.use_sets(len(self.epochs))

    def _epoch(self, number: int, pool: ThreadPoolExecutor, watch: Callable[[int], None] | None) -> Epoch:
        rng = np.random.default_rng([self.recipe.seed, 2, number])
        order = rng.permutation(self.data.training)
        flips = rng.integers(0, 2 if self.recipe.mirror else 1, len(order), dtype=np.uint8)
        began = perf_counter()
        target = result = 0.0
        count = 0
        for at in range(0, len(order) - self.batch + 1, self.batch):
            losses = self._batch(pool, order[at : at + self.batch], flips[at : at + self.batch])
            target, result, count = target + losses[0], result + losses[1], count + self.batch
            if watch is not None:
                watch(self.batch)
        seconds = max(1e-9, perf_counter() - began)
        if not math.isfinite(target):
            raise TrainingError(f"epoch {number} diverged (weights are not finite): try a lower learning rate")
        if number == self.recipe.epochs:
            neurons = self.parameters[: self.row_weights + self.recipe.hidden]
            neurons[:] = np.rint(neurons * 2**NEURON_BITS) / 2**NEURON_BITS
        return Epoch(number, Loss(target / count, result / count), self.validate(pool), count / seconds)

    def _batch(self, pool: ThreadPoolExecutor, order: Indices, flips: Bytes) -> tuple[float, float]:
        raw, count = self.data.raw, len(order)

        def learn(thread: int) -> tuple[float, float]:
            part = slice(count * thread // self.threads, count * (thread + 1) // self.threads)
            losses: tuple[float, float] = self.trainer.slice(thread, raw, order[part], flips[part])
            return losses

        losses = list(pool.map(learn, range(self.threads)))
        self.step += 1
        rows, size, rate = self.row_weights, len(self.parameters), self.rate_at(self.step)

        def adjust(thread: int) -> None:
            recipe = self.recipe
            for first, end, bound, decay in ((0, rows, recipe.bound, recipe.decay), (rows, size, OUTPUT_BOUND, 0.0)):
                low, high = (first + (end - first) * (thread + i) // self.threads for i in range(2))
                self.trainer.adam(low, high, 1 / count, rate, self.step, bound, decay)

        list(pool.map(adjust, range(self.threads)))
        return sum(loss[0] for loss in losses), sum(loss[1] for loss in losses)

    def validate(self, pool: ThreadPoolExecutor) -> Loss:
        """The losses on the held-out games, without mirroring."""
        raw, parts = self.data.raw, np.array_split(self.data.validation, self.threads)
        flips = np.zeros(len(parts[0]), np.uint8)
        losses = list(pool.map(lambda job: self.trainer.slice(job[0], raw, job[1], flips, False), enumerate(parts)))
        count = len(self.data.validation)
        return Loss(sum(loss[0] for loss in losses) / count, sum(loss[1] for loss in losses) / count)
