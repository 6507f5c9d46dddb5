"""Trains a network: positions in, parameters out.

    training = Training(recipe, positions)
    for epoch in training.run():
        print(epoch.number, epoch.validation)

The order of the positions depends only on the seed and the epoch's number, so a run resumed after an epoch gives the
same result. For a given number of threads, the parameters are reproducible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import numpy.typing as npt

from chuhe.bench.learning._trainer import GROUP, MAX_THREADS, RECORD_SIZE, Trainer
from chuhe.bench.learning.position_store import PositionStore
from chuhe.bench.learning.quantise import Floats, dequantise
from chuhe.bench.learning.recipe import TrainingError, TrainingRecipe
from chuhe.bench.learning.records import Indices, Records
from chuhe.engine.network import ATTACKER_COUNTS, FEATURES, NetworkFile

Bytes = npt.NDArray[np.uint8]

CHUNK = 1 << 23  # positions in memory at a time, twice: 1.2 GB
SMALLEST_SHARE = 0.01  # of the learning rate, at the end of the cosine schedule
WARM_UP = 100  # steps until the full learning rate is reached
OUTPUT_BOUND = 2.0  # bound on biases and output weights
FEATURE_BITS = (
    12  # after the last epoch, feature weights and bias are rounded to these bits, as the quantiser keeps them
)


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
    """A network in training. It begins with random weights, or with the mean of those in `start`."""

    def __init__(
        self, recipe: TrainingRecipe, data: PositionStore, threads: int = 1, start: Sequence[NetworkFile] = ()
    ) -> None:
        recipe.check()
        if not 1 <= threads <= MAX_THREADS:
            raise TrainingError(f"threads must be from 1 to {MAX_THREADS}, not {threads}")
        if not len(data.training) + len(data.validation):
            raise TrainingError("no positions to train on: the files are empty, or the filters drop everything")
        if not len(data.training) or not len(data.validation):
            raise TrainingError(f"too few games ({data.games}) to hold some out for validation")
        self.recipe = recipe
        self.data = data
        self.threads = threads
        self.batch = min(recipe.batch, len(data.training))
        self.chunk = max(CHUNK // self.batch, 1) * self.batch
        self.steps = max(1, len(data.training) // self.batch * recipe.epochs)
        self.step = 0
        self.epochs: list[Epoch] = []
        self.trainer = self._new_trainer((0,) * ATTACKER_COUNTS)
        if start:
            self._begin_with(start)
        else:
            self._randomise()
        self.separate_buckets(0)

    def _new_trainer(self, bucket_of: tuple[int, ...]) -> Trainer:
        recipe = self.recipe
        return Trainer(recipe.hidden, recipe.buckets, recipe.slope, self.threads, bucket_of)

    def separate_buckets(self, epochs: int) -> None:
        """Separate the input buckets, if it is time to do so after this many epochs.

        Until then they are one, which learns from all positions. Each begins as a copy of it.
        """
        one_bucket = FEATURES * self.recipe.hidden
        separate = self.feature_weights > one_bucket or not any(self.recipe.bucket_of)
        if separate or epochs < self.recipe.epochs_together:
            return
        one, self.trainer = self.trainer, self._new_trainer(self.recipe.bucket_of)
        for name in ("parameters", "moment1", "moment2"):
            old = getattr(one, name)
            copies = np.tile(old[:one_bucket], len(set(self.recipe.input_buckets)))
            getattr(self.trainer, name)[:] = np.concatenate([copies, old[one_bucket:]])

    @property
    def feature_weights(self) -> int:
        """The number of feature weights in all input buckets; the other parameters follow them."""
        hidden, buckets = self.recipe.hidden, self.recipe.buckets
        return len(self.parameters) - hidden - buckets * (2 * hidden + 1)

    @property
    def parameters(self) -> Floats:
        parameters: Floats = self.trainer.parameters
        return parameters

    def _randomise(self) -> None:
        """Random weights, scaled so that neurons start within their limits."""
        hidden, buckets = self.recipe.hidden, self.recipe.buckets
        rng = np.random.default_rng([self.recipe.seed, 1])
        features, neurons = FEATURES * hidden, FEATURES * hidden + hidden
        self.parameters[:features] = rng.normal(0, 0.5 / math.sqrt(32), features)
        self.parameters[features:neurons] = 0.1
        self.parameters[neurons:-buckets] = rng.normal(0, math.sqrt(0.5 / hidden), buckets * 2 * hidden)
        bound = self.recipe.bound
        np.clip(self.parameters[:features], -bound, bound, out=self.parameters[:features])

    def _begin_with(self, start: Sequence[NetworkFile]) -> None:
        recipe = self.recipe
        mine = (recipe.hidden, recipe.buckets, bytes(recipe.bucket_of))
        for network in start:
            if (network.hidden, network.buckets, network.bucket_of) != mine:
                digits = "".join(map(str, network.bucket_of))
                raise TrainingError(
                    f"a network to begin with has --hidden {network.hidden} --buckets {network.buckets} "
                    f"--input-buckets {digits}: the recipe must have the same"
                )
        if any(recipe.bucket_of):
            self.trainer = self._new_trainer(recipe.bucket_of)
        self.parameters[:] = np.mean([dequantise(network, recipe.slope) for network in start], axis=0)

    def rate_at(self, step: int) -> float:
        """The learning rate of a step: a short warm-up, then cosine decay to almost zero."""
        cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, step / self.steps)))
        share = cosine * (1 - SMALLEST_SHARE) + SMALLEST_SHARE
        return self.recipe.rate * share * min(1.0, step / min(WARM_UP, self.steps))

    def blend_at(self, step: int) -> float:
        """The share of the game's result in the target of a step."""
        recipe = self.recipe
        return recipe.blend + (recipe.last_blend - recipe.blend) * min(1.0, step / self.steps)

    def run(self, watch: Callable[[int], None] | None = None) -> Iterator[Epoch]:
        """Run the remaining epochs; `watch` is called with the size of each batch."""
        with ThreadPoolExecutor(self.threads) as pool:
            while len(self.epochs) < self.recipe.epochs:
                self.epochs.append(self._epoch(len(self.epochs) + 1, pool, watch))
                yield self.epochs[-1]
                self.separate_buckets(len(self.epochs))

    def _epoch(self, number: int, pool: ThreadPoolExecutor, watch: Callable[[int], None] | None) -> Epoch:
        rng = np.random.default_rng([self.recipe.seed, 2, number])
        began = perf_counter()
        target = result = 0.0
        count = 0
        for chunk in self.data.training.chunks(self.chunk, rng):
            # groups of neighbours in random order: the trainer is several times as fast as with single positions
            groups = rng.permutation(-(-len(chunk) // GROUP))
            order = (groups[:, None] * GROUP + np.arange(GROUP)).ravel()
            flips = np.repeat(rng.integers(0, 2 if self.recipe.mirror else 1, len(groups), dtype=np.uint8), GROUP)
            flips, order = flips[order < len(chunk)], order[order < len(chunk)]
            for at in range(0, len(order) - self.batch + 1, self.batch):
                losses = self._batch(pool, _raw(chunk), order[at : at + self.batch], flips[at : at + self.batch])
                target, result, count = target + losses[0], result + losses[1], count + self.batch
                if watch is not None:
                    watch(self.batch)
        seconds = max(1e-9, perf_counter() - began)
        if not math.isfinite(target):
            raise TrainingError(f"epoch {number} diverged (weights are not finite): try a lower learning rate")
        if number == self.recipe.epochs:
            neurons = self.parameters[: self.feature_weights + self.recipe.hidden]
            neurons[:] = np.rint(neurons * 2**FEATURE_BITS) / 2**FEATURE_BITS
        return Epoch(number, Loss(target / count, result / count), self.validate(pool), count / seconds)

    def _batch(self, pool: ThreadPoolExecutor, raw: Bytes, order: Indices, flips: Bytes) -> tuple[float, float]:
        count, blend = len(order), self.blend_at(self.step)

        def learn(thread: int) -> tuple[float, float]:
            part = slice(count * thread // self.threads, count * (thread + 1) // self.threads)
            losses: tuple[float, float] = self.trainer.slice(thread, raw, order[part], flips[part], blend)
            return losses

        losses = list(pool.map(learn, range(self.threads)))
        self.step += 1
        features, size, rate = self.feature_weights, len(self.parameters), self.rate_at(self.step)

        def adjust(thread: int) -> None:
            recipe = self.recipe
            parts = ((0, features, recipe.bound, recipe.decay), (features, size, OUTPUT_BOUND, 0.0))
            for first, end, bound, decay in parts:
                low, high = (first + (end - first) * (thread + i) // self.threads for i in range(2))
                self.trainer.adam(low, high, 1 / count, rate, self.step, bound, decay)

        list(pool.map(adjust, range(self.threads)))
        return sum(loss[0] for loss in losses), sum(loss[1] for loss in losses)

    def validate(self, pool: ThreadPoolExecutor) -> Loss:
        """The losses on the held-out games, without mirroring, for the target of the last step."""
        target = result = 0.0
        for chunk in self.data.validation.chunks(CHUNK):
            raw, parts = _raw(chunk), np.array_split(np.arange(len(chunk)), self.threads)
            flips = np.zeros(len(parts[0]), np.uint8)
            blend = self.recipe.last_blend
            for losses in pool.map(
                lambda job: self.trainer.slice(job[0], raw, job[1], flips, blend, False),  # noqa: B023 - used at once
                enumerate(parts),
            ):
                target, result = target + losses[0], result + losses[1]
        count = len(self.data.validation)
        return Loss(target / count, result / count)


def _raw(records: Records) -> Bytes:
    """The records as rows of bytes."""
    return records.view(np.uint8).reshape(len(records), RECORD_SIZE)
