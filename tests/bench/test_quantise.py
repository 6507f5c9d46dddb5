"""Quantisation: close to the floats, and never beyond 16 bits."""

from __future__ import annotations

import random
from contextlib import suppress

import numpy as np
import pytest
from random_play import play_at_random

from chuhe.bench.learning._trainer import RECORD_SIZE, Trainer
from chuhe.bench.learning.quantise import Floats, QuantisationError, dequantise, largest_neuron, quantise, split
from chuhe.bench.learning.records import NO_FEATURE, RECORD
from chuhe.engine import CANNON, KNIGHT, ROOK, Position
from chuhe.engine.errors import FenError
from chuhe.engine.network import FEATURES

SLOPE = 0.0019
HIDDEN, BUCKETS = 128, 8


def trained_like(seed: int) -> Floats:
    """Parameters of the magnitude that training gives (the bundled network's: rows 0.06 on average, output 0.1)."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(0, 0.08, FEATURES * HIDDEN)
    bias = rng.uniform(-0.1, 0.4, HIDDEN)
    weights = rng.normal(0, 0.12, BUCKETS * 2 * HIDDEN)
    offsets = rng.normal(0, 0.05, BUCKETS)
    return np.concatenate([rows, bias, weights, offsets]).astype(np.float32)


def positions(count: int, seed: int) -> list[Position]:
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        found += [Position(position.fen()) for position in play_at_random(rng, 200, Position())]
    return found[:count]


def records_of(boards: list[Position]) -> np.ndarray:
    records = np.zeros(len(boards), RECORD)
    records["features"] = NO_FEATURE
    for record, board in zip(records, boards, strict=True):
        pieces = [(piece.colour * 7 + piece.kind) * 90 + square for square, piece in board.pieces().items()]
        record["features"][: len(pieces)] = pieces
        record["side"] = board.turn
    return records


def test_quantised_within_two_centipawns_of_the_floats_on_10000_positions() -> None:
    parameters = trained_like(1)
    trainer = Trainer(HIDDEN, BUCKETS, SLOPE)
    trainer.parameters[:] = parameters
    boards = positions(10_000, 5)
    records = records_of(boards)
    floats = trainer.outputs(records.view(np.uint8).reshape(len(records), RECORD_SIZE)) / SLOPE
    network = quantise(parameters, HIDDEN, BUCKETS, SLOPE, {}).load()
    integers = np.array([network.evaluate(board) for board in boards])
    assert np.ptp(floats) > 100  # the outputs really vary
    assert np.abs(integers - floats).max() <= 2


def unequal(boards: list[Position], seed: int) -> list[Position]:
    """The positions with rooks, knights and cannons taken off at random, mostly from one side."""
    rng = random.Random(seed)
    found = []
    for number, board in enumerate(boards):
        symbols = "RNC" if number % 2 else "rnc"
        placement, rest = board.fen().split(" ", 1)
        for symbol in symbols * 2:
            if symbol in placement and rng.random() < 0.6:
                placement = placement.replace(symbol, "1", 1)
        with suppress(FenError):  # a piece gone may open a check against the side that has moved
            found.append(Position(f"{placement} {rest}"))
    return found


def test_core_and_trainer_choose_the_same_input_buckets() -> None:
    # own and opponent's attackers swapped, or two buckets, would give other numbers
    rng = np.random.default_rng(11)
    bucket_of = (3, 3, 2, 1, 1, 0, 0)
    parameters = np.concatenate(
        [*(rng.normal(0, 0.08, FEATURES * HIDDEN) for _ in range(4)), trained_like(1)[FEATURES * HIDDEN :]]
    )
    trainer = Trainer(HIDDEN, BUCKETS, SLOPE, 1, bucket_of)
    trainer.parameters[:] = parameters
    boards = unequal(positions(2000, 6), 7)
    counts = [
        tuple(
            sum(piece.colour == side and piece.kind in (KNIGHT, ROOK, CANNON) for piece in board.pieces().values())
            for side in (0, 1)
        )
        for board in boards
    ]
    assert {bucket_of[red] for red, black in counts if bucket_of[red] != bucket_of[black]} == {0, 1, 2, 3}
    records = records_of(boards)
    floats = trainer.outputs(records.view(np.uint8).reshape(len(records), RECORD_SIZE)) / SLOPE
    network = quantise(trainer.parameters, HIDDEN, BUCKETS, SLOPE, {}, bucket_of).load()
    integers = np.array([network.evaluate(board) for board in boards])
    assert np.ptp(floats) > 100
    assert np.abs(integers - floats).max() <= 2


def test_a_network_becomes_floats_and_the_same_network_again() -> None:
    made = quantise(trained_like(4), HIDDEN, BUCKETS, SLOPE, {})
    again = quantise(dequantise(made, SLOPE), HIDDEN, BUCKETS, SLOPE, {})
    assert (again.limit_bits, again.factor) == (made.limit_bits, made.factor)
    assert again.feature_weights == made.feature_weights
    assert again.output_weights == made.output_weights


def test_no_position_can_overflow_a_neuron() -> None:
    parameters = trained_like(2)
    (rows,), bias, _, _ = split(parameters, HIDDEN, BUCKETS)
    made = quantise(parameters, HIDDEN, BUCKETS, SLOPE, {})
    integers = np.frombuffer(made.feature_weights, "<i2").reshape(FEATURES, HIDDEN).astype(np.int64)
    start = np.frombuffer(made.feature_bias, "<i2").astype(np.int64)
    worst = int(np.floor(largest_neuron(rows, bias) * (1 << made.limit_bits))) + 32  # 32 pieces, half a unit each
    assert worst <= 32767 + 32
    for position in positions(300, 3):
        pieces = [piece.colour * 7 * 90 + piece.kind * 90 + square for square, piece in position.pieces().items()]
        assert np.abs(start + integers[pieces].sum(axis=0)).max() <= worst


def test_larger_weights_take_a_coarser_scale_and_absurd_ones_are_refused() -> None:
    fine = quantise(trained_like(3), HIDDEN, BUCKETS, SLOPE, {})
    coarse = quantise(np.float32(4) * trained_like(3), HIDDEN, BUCKETS, SLOPE, {})
    assert coarse.limit_bits < fine.limit_bits
    with pytest.raises(QuantisationError, match="too large for 16 bits"):
        quantise(np.float32(1e6) * trained_like(3), HIDDEN, BUCKETS, SLOPE, {})


def test_the_bound_of_a_neuron_worked_out_by_hand() -> None:
    rows = np.zeros((FEATURES, 2), np.float32)
    rows[6 * 90 + 30 : 6 * 90 + 37, 0] = [1, 2, 3, 4, 5, 6, 7]  # own pawns: the five best squares, 25
    rows[0:90, 0] = -1  # the own king: always there, at -1
    rows[7 * 90 + 80, 1] = -0.5  # the other king: its best for a negative sum is -0.5
    bias = np.array([0.25, 0], np.float32)
    assert largest_neuron(rows, bias) == pytest.approx(25 - 1 + 0.25)
