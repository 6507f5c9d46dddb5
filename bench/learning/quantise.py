"""Quantises the trainer's floats to the network's 16-bit integers, as precisely as they allow.

Each scale is the largest power of two that cannot overflow. A neuron must fit int16 for any pieces on the board, and
the sum of squares times output weights must fit 32 bits in each lane of a vector.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.network import INPUTS, ONE_SET, NetworkFile

Floats = npt.NDArray[np.float32]

KIND_COUNTS = (1, 2, 2, 2, 2, 2, 5)  # the most pieces of each kind a side can have
MOST_LIMIT_BITS = 14
SQUARE_ONE = 1 << 13  # the square of a neuron at its limit
WORD = (1 << 15) - 1


class QuantisationError(ValueError):
    """Weights too large for 16 bits at any scale."""


def split(parameters: Floats, hidden: int, buckets: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Split the trainer's parameter array into rows (of all sets), biases, output weights and offsets."""
    edges = np.cumsum([len(parameters) - hidden - buckets * (2 * hidden + 1), hidden, buckets * 2 * hidden])
    rows, bias, weights, offsets = np.split(parameters, edges)
    return rows.reshape(-1, INPUTS, hidden), bias, weights.reshape(buckets, 2 * hidden), offsets


def largest_neuron(rows: Floats, bias: Floats) -> float:
    """An upper bound on each neuron over all positions: the largest weights for the most pieces there can be.

    `rows` is one set.
    """
    by_piece = rows.reshape(14, 90, -1)
    bound = np.zeros(2)
    for sign in (0, 1):
        size = by_piece if sign == 0 else -by_piece
        total = (bias if sign == 0 else -bias).astype(np.float64)
        for piece in range(14):
            best = np.sort(size[piece], axis=0)[::-1][: KIND_COUNTS[piece % 7]]
            # a king is always present; there may be any number of the others
            total = total + (best[0] if piece % 7 == 0 else np.maximum(best, 0).sum(axis=0))
        bound[sign] = total.max()
    return float(bound.max())


def lane_weights(weights: Floats, hidden: int) -> Floats:
    """The sums of weights (absolute) that the core adds in one 32-bit lane, with the fewest lanes (SSE2).

    A lane takes two neighbouring neurons of every eight.
    """
    sums: Floats = np.abs(weights).reshape(-1, hidden // 8, 4, 2).sum(axis=(1, 3))
    return sums


def power_below(limit: float) -> int:
    """The largest n with 2**n <= limit."""
    return int(np.floor(np.log2(limit)))


def quantise(
    parameters: Floats,
    hidden: int,
    buckets: int,
    slope: float,
    recipe: dict[str, Any],
    set_of: Sequence[int] = ONE_SET,
) -> NetworkFile:
    """The quantised network; `slope` is the expected result (as a logit) per centipawn.

    `set_of` only matters if the parameters hold more than one set of rows.
    """
    rows, bias, weights, offsets = split(parameters, hidden, buckets)
    largest = max(*(largest_neuron(one, bias) for one in rows), float(np.abs(rows).max()), 1.0)
    limit_bits = min(MOST_LIMIT_BITS, power_below(WORD / largest))
    heaviest = max(float(lane_weights(weights, hidden).max()), 1e-6)
    weight_bits = min(
        power_below((2**31 - 1) / SQUARE_ONE / heaviest / 1.01),
        power_below(WORD / max(float(np.abs(weights).max()), 1e-6)),
    )
    if limit_bits < 1 or weight_bits < 1:
        raise QuantisationError(f"the weights are too large for 16 bits: a neuron may reach {largest:.1f}")
    one = SQUARE_ONE << weight_bits
    return NetworkFile(
        hidden=hidden,
        buckets=buckets,
        limit_bits=limit_bits,
        set_of=bytes(set_of if len(rows) > 1 else ONE_SET),
        factor=round(2**32 / slope / one),
        recipe=json.dumps(recipe, sort_keys=True),
        rows=np.rint(rows * (1 << limit_bits)).astype("<i2").tobytes(),
        bias=np.rint(bias * (1 << limit_bits)).astype("<i2").tobytes(),
        weights=np.rint(weights * (1 << weight_bits)).astype("<i2").tobytes(),
        offsets=np.rint(offsets * one).astype("<i4").tobytes(),
    )
