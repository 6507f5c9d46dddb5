"""Quantises the trainer's floats to the network's 16-bit integers, as precisely as they allow.

Each scale is the largest power of two that cannot overflow. A neuron must fit int16 for any pieces on the board, and
the sum of squares times output weights must fit the core's 32-bit lanes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from chuhe.engine import _core
from chuhe.engine.network import FEATURES, ONE_BUCKET, NetworkFile

Floats = npt.NDArray[np.float32]

PIECE_COUNTS = 2 * (1, 2, 2, 2, 2, 2, 5)  # the most there can be: of each kind, Red's and Black's
MAX_LIMIT_BITS = _core.NETWORK_SIZES["max_limit_bits"]
SQUARE_ONE = 1 << _core.NETWORK_SIZES["square_bits"]  # the square of a neuron at its limit
WORD = (1 << 15) - 1


class QuantisationError(ValueError):
    """Weights too large for 16 bits at any scale."""


def split(parameters: Floats, hidden: int, buckets: int) -> tuple[Floats, Floats, Floats, Floats]:
    """The trainer's parameters: feature weights (of all input buckets) and bias, output weights and bias."""
    edges = np.cumsum([len(parameters) - hidden - buckets * (2 * hidden + 1), hidden, buckets * 2 * hidden])
    feature_weights, feature_bias, output_weights, output_bias = np.split(parameters, edges)
    return (
        feature_weights.reshape(-1, FEATURES, hidden),
        feature_bias,
        output_weights.reshape(buckets, 2 * hidden),
        output_bias,
    )


def largest_neuron(weights: Floats, bias: Floats) -> float:
    """An upper bound on each neuron over all positions: the largest weights for the most pieces there can be.

    `weights` are the feature weights of one input bucket.
    """
    by_piece = weights.reshape(len(PIECE_COUNTS), -1, len(bias))
    bound = np.zeros(2)
    for sign in (0, 1):
        size = by_piece if sign == 0 else -by_piece
        total = (bias if sign == 0 else -bias).astype(np.float64)
        for piece, count in enumerate(PIECE_COUNTS):
            best = np.sort(size[piece], axis=0)[::-1][:count]
            # a king is always present; there may be any number of the others
            total = total + (best[0] if count == 1 else np.maximum(best, 0).sum(axis=0))
        bound[sign] = total.max()
    return float(bound.max())


def power_below(limit: float) -> int:
    """The largest n with 2**n <= limit."""
    return int(np.floor(np.log2(limit)))


def scaled(weights: Floats, bits: int) -> bytes:
    return bytes(np.rint(weights * np.float64(1 << bits)).astype("<i2"))


def output_scale(weights: Floats, hidden: int) -> int:
    """The log2 of the largest scale at which the core accepts these output weights; 0 if there is none."""
    bits = power_below(WORD / max(float(np.abs(weights).max()), 1e-6))
    while bits > 0 and not _core.output_weights_fit(scaled(weights, bits), hidden):
        bits -= 1
    return max(bits, 0)


def quantise(
    parameters: Floats,
    hidden: int,
    buckets: int,
    slope: float,
    recipe: dict[str, Any],
    bucket_of: Sequence[int] = ONE_BUCKET,
) -> NetworkFile:
    """The quantised network; `slope` is the expected result (as a logit) per centipawn.

    `bucket_of` only matters if the parameters have more than one input bucket.
    """
    feature_weights, feature_bias, output_weights, output_bias = split(parameters, hidden, buckets)
    largest = max(
        *(largest_neuron(one, feature_bias) for one in feature_weights), float(np.abs(feature_weights).max()), 1.0
    )
    limit_bits = min(MAX_LIMIT_BITS, power_below(WORD / largest))
    output_bits = output_scale(output_weights, hidden)
    if limit_bits < 1 or output_bits < 1:
        raise QuantisationError(f"the weights are too large for 16 bits: a neuron may reach {largest:.1f}")
    one = SQUARE_ONE << output_bits
    return NetworkFile(
        hidden=hidden,
        buckets=buckets,
        limit_bits=limit_bits,
        bucket_of=bytes(bucket_of if len(feature_weights) > 1 else ONE_BUCKET),
        factor=round(2**32 / slope / one),
        recipe=json.dumps(recipe, sort_keys=True),
        feature_weights=scaled(feature_weights, limit_bits),
        feature_bias=scaled(feature_bias, limit_bits),
        output_weights=scaled(output_weights, output_bits),
        output_bias=np.rint(output_bias * np.float64(one)).astype("<i4").tobytes(),
    )


def dequantise(network: NetworkFile, slope: float) -> Floats:
    """A network's numbers as the trainer's parameters."""
    output_one = 2**32 / slope / network.factor
    parts = (
        (network.feature_weights, "<i2", float(1 << network.limit_bits)),
        (network.feature_bias, "<i2", float(1 << network.limit_bits)),
        (network.output_weights, "<i2", output_one / SQUARE_ONE),
        (network.output_bias, "<i4", output_one),
    )
    return np.concatenate([(np.frombuffer(data, kind) / scale).astype(np.float32) for data, kind, scale in parts])
