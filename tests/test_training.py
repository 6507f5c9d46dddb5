"""The trainer: gradients against finite differences, learning from synthetic games, checkpoints, splits, filters."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.learning import checkpoint
from bench.learning._trainer import FEATURES, RECORD_SIZE, Trainer
from bench.learning.quantise import quantise, split
from bench.learning.records import CAPTURE, CHECK, MATED, NO_FEATURE, RECORD
from bench.learning.training import Filter, Floats, Records, Training, TrainingError, TrainingRecipe, split_games

SMALL = TrainingRecipe(hidden=32, epochs=3, batch=256, validation=0.2)


def synthetic(count: int, seed: int = 1, games: int = 40) -> tuple[Records, np.ndarray]:
    """Positions decided by material: an extra rook is +500, and the result follows the score."""
    rng = np.random.default_rng(seed)
    records = np.zeros(count, RECORD)
    records["features"] = NO_FEATURE
    for record in records:
        red, black = rng.integers(0, 3, 2)
        kings = [(0, int(rng.choice([3, 4, 5]))), (7, 81 + int(rng.choice([3, 4, 5])))]
        rooks = [(4, int(square)) for square in rng.choice(range(9, 40), red, replace=False)]
        rooks += [(11, int(square)) for square in rng.choice(range(45, 80), black, replace=False)]
        pieces = [piece * 90 + square for piece, square in kings + rooks]
        record["features"][: len(pieces)] = pieces
        record["side"] = rng.integers(0, 2)
        score = 500 * (int(red) - int(black)) * (-1 if record["side"] else 1)
        record["score"] = score
        record["result"] = 1 if score == 0 else 2 if score > 0 else 0
    return records, np.arange(count) * games // count


def raw(records: Records) -> np.ndarray:
    return records.view(np.uint8).reshape(len(records), RECORD_SIZE)


def test_gradients_equal_finite_differences() -> None:
    records, _ = synthetic(12)
    trainer = Trainer(32, 8, 0.0019, 0.3, 1)
    rng = np.random.default_rng(2)
    trainer.parameters[:] = rng.normal(0, 0.25, len(trainer.parameters))
    trainer.parameters[FEATURES * 32 : FEATURES * 32 + 32] = rng.uniform(0.2, 0.6, 32)
    order, flips = np.arange(len(records)), rng.integers(0, 2, len(records), dtype=np.uint8)
    trainer.slice(0, raw(records), order, flips)
    gradient = trainer.gradient_of(0).copy()

    def loss(index: int, value: float) -> float:
        kept = float(trainer.parameters[index])
        trainer.parameters[index] = value
        found = trainer.slice(0, raw(records), order, flips, False)[0]
        trainer.parameters[index] = kept
        return found

    touched = np.flatnonzero(np.abs(gradient) > 1e-3)
    ends = [range(FEATURES * 32), range(FEATURES * 32, FEATURES * 32 + 32), range(FEATURES * 32 + 32, len(gradient))]
    for part in ends:  # pieces' rows, biases, output
        choice = [index for index in touched if index in part]
        assert len(choice) >= 5
        for index in rng.choice(choice, min(40, len(choice)), replace=False):
            at, step = float(trainer.parameters[index]), 2e-3
            slope = (loss(index, at + step) - loss(index, at - step)) / (2 * step)
            assert slope == pytest.approx(gradient[index], rel=0.06, abs=2e-4)
    untouched = np.flatnonzero(gradient == 0)
    assert len(untouched) > FEATURES * 16  # features that never occur are not trained


def test_a_position_trains_only_the_set_of_its_material() -> None:
    records, _ = synthetic(200)
    trainer = Trainer(32, 1, 0.0019, 0.3, 1, (0, 1, 2, 2, 2, 2, 2))
    trainer.parameters[:] = np.random.default_rng(2).normal(0, 0.25, len(trainer.parameters))
    red, black = ((records["features"] // 90 == piece).sum(axis=1) for piece in (4, 11))  # rooks
    for count in range(3):
        chosen = np.flatnonzero((red == count) & (black == count))
        trainer.slice(0, raw(records), chosen, np.zeros(len(chosen), np.uint8))
        rows = trainer.gradient_of(0)[: 3 * FEATURES * 32].reshape(3, -1)
        assert [bool(one.any()) for one in rows] == [number == count for number in range(3)]
        trainer.gradient_of(0)[:] = 0


def test_sets_are_one_until_they_are_trained_apart() -> None:
    records, game = synthetic(1500)
    recipe = replace(SMALL, epochs=4, together=0.5, sets="2100000")
    training = Training(recipe, split_games(records, game, recipe))
    sizes = []
    for _ in training.run():
        sizes.append(training.row_weights // (FEATURES * 32))
    assert sizes == [1, 1, 3, 3]
    sets = training.parameters[: training.row_weights].reshape(3, -1)
    assert (sets[0] != sets[1]).any()
    assert (sets[1] != sets[2]).any()
    one = Training(replace(recipe, sets="0000000"), split_games(records, game, recipe))
    list(one.run())
    assert one.row_weights == FEATURES * 32


@pytest.mark.parametrize("sets", ["", "000000", "00000000", "2000000", "000000x"])
def test_nonsense_sets_are_refused(sets: str) -> None:
    with pytest.raises(TrainingError, match="sets must be 7 digits"):
        replace(SMALL, sets=sets).check()


def test_adam_takes_the_published_first_step() -> None:
    # Kingma and Ba: the first step is the learning rate against the gradient's sign, whatever its size
    records, _ = synthetic(50)
    trainer = Trainer(32, 1, 0.0019, 0.0, 1)
    trainer.parameters[:] = np.random.default_rng(3).normal(0, 0.2, len(trainer.parameters))
    trainer.slice(0, raw(records), np.arange(50), np.zeros(50, np.uint8))
    gradient, before = trainer.gradient_of(0).copy(), trainer.parameters.copy()
    trainer.adam(0, len(before), 1 / 50, 0.01, 1, 8.0)
    large = np.abs(gradient) > 1e-3
    assert large.sum() > 100
    moved = trainer.parameters - before
    assert np.allclose(moved[large], -0.01 * np.sign(gradient[large]), rtol=1e-2)
    assert not trainer.gradient_of(0).any()  # ready for the next batch


def test_the_last_epoch_leaves_weights_that_the_quantiser_keeps() -> None:
    records, game = synthetic(1500)
    training = Training(replace(SMALL, epochs=2), split_games(records, game, SMALL))
    list(training.run())
    network = quantise(training.parameters, 32, 8, SMALL.slope, {}, SMALL.set_of)
    assert network.limit_bits >= 12
    rows, bias, _, _ = split(training.parameters, 32, 8)
    for floats, integers in ((rows, network.rows), (bias, network.bias)):
        assert (np.frombuffer(integers, "<i2") == floats.ravel() * 2**network.limit_bits).all()


def test_decay_shrinks_what_is_not_trained() -> None:
    trainer = Trainer(32, 1, 0.0019, 0.0, 1)
    trainer.parameters[:] = 0.5
    trainer.adam(0, len(trainer.parameters), 1.0, 0.01, 1, 8.0, 0.2)  # without any gradient
    assert trainer.parameters == pytest.approx(0.5 * (1 - 0.01 * 0.2))


def test_mirror_images_are_the_same_position_to_a_king_off_the_middle() -> None:
    trainer = Trainer(32, 1, 0.0019, 0.0, 1)
    trainer.parameters[:] = np.random.default_rng(4).normal(0, 0.3, len(trainer.parameters))
    records = np.zeros(2, RECORD)
    records["features"] = NO_FEATURE
    records["features"][0][:3] = [3, 7 * 90 + 84, 4 * 90 + 20]  # kings d0 and d9, a rook on c2
    records["features"][1][:3] = [5, 7 * 90 + 86, 4 * 90 + 24]  # kings f0 and f9, the rook on g2
    one, two = trainer.outputs(raw(records))
    assert one == two


def test_it_learns_what_material_is_worth() -> None:
    records, game = synthetic(6000)
    training = Training(replace(SMALL, epochs=6, rate=0.01), split_games(records, game, SMALL))
    epochs = list(training.run())
    assert epochs[-1].validation.target < 0.2 * epochs[0].training.target
    assert epochs[-1].validation.target < 0.003
    outputs = training.trainer.outputs(raw(records))
    ahead, behind = records["score"] > 0, records["score"] < 0
    assert (outputs[ahead] > 0.3).mean() > 0.95
    assert (outputs[behind] < -0.3).mean() > 0.95


def test_the_same_seed_gives_the_same_network_and_another_another() -> None:
    records, game = synthetic(1500)

    def parameters(recipe: TrainingRecipe) -> Floats:
        training = Training(recipe, split_games(records, game, recipe))
        list(training.run())
        found: Floats = training.parameters.copy()
        return found

    assert np.array_equal(parameters(SMALL), parameters(SMALL))
    assert not np.array_equal(parameters(SMALL), parameters(replace(SMALL, seed=2)))


def test_two_threads_find_the_same_gradient_as_one() -> None:
    records, game = synthetic(1500)
    recipe = replace(SMALL, epochs=1, batch=1024)
    losses = []
    for threads in (1, 2):
        training = Training(recipe, split_games(records, game, recipe), threads)
        losses.append(next(training.run()).validation.target)
    assert losses[0] == pytest.approx(losses[1], rel=1e-3)


def test_games_are_held_back_whole() -> None:
    records, game = synthetic(2000, games=50)
    data = split_games(records, game, SMALL)
    assert set(game[data.training]) & set(game[data.validation]) == set()
    assert len(data.training) + len(data.validation) == 2000
    assert 0.05 < len(data.validation) / 2000 < 0.4


def test_filters_drop_what_they_say() -> None:
    records, _ = synthetic(6)
    records["score"] = [0, 0, 0, 0, 5000, 0]
    records["flags"] = [0, CHECK, CAPTURE, MATED, 0, 0]
    records["since"] = [0, 0, 0, 0, 0, 119]
    assert list(Filter()(records)) == [True, False, False, False, False, False]
    assert list(Filter(checks=True, captures=True, most_score=6000)(records)) == [True, True, True, False, True, False]
    assert list(Filter(most_idle=255)(records)) == [True, False, False, False, False, True]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden": 33}, "hidden must be a multiple of 32, not 33"),
        ({"hidden": 0}, "hidden must be from 32 to 1024, not 0"),
        ({"rate": math.nan}, "rate must be from 1e-09 to 1, not nan"),
        ({"blend": 1.5}, "blend must be from 0 to 1, not 1.5"),
        ({"epochs": 0}, "epochs must be from 1"),
        ({"validation": 0.9}, "validation must be from"),
    ],
)
def test_nonsense_is_named(change: dict[str, float], message: str) -> None:
    with pytest.raises(TrainingError, match=message):
        replace(SMALL, **change).check()  # type: ignore[arg-type]


def test_no_data_is_said() -> None:
    records, game = synthetic(10)
    with pytest.raises(TrainingError, match="no positions to train on"):
        split_games(records[:0], game[:0], SMALL)
    with pytest.raises(TrainingError, match=r"too few games \(1\)"):
        split_games(records, game * 0, SMALL)


def test_numbers_that_run_away_end_the_training() -> None:
    records, game = synthetic(600)
    training = Training(SMALL, split_games(records, game, SMALL))
    training.parameters[:] = np.nan
    with pytest.raises(TrainingError, match="weights are not finite"):
        list(training.run())


# Checkpoints


def test_a_resumed_training_ends_where_an_unbroken_one_does(tmp_path: Path) -> None:
    records, game = synthetic(1500)
    whole = Training(SMALL, split_games(records, game, SMALL))
    list(whole.run())
    broken = Training(SMALL, split_games(records, game, SMALL))
    next(broken.run())
    checkpoint.save(tmp_path / "x.checkpoint", broken, broken.parameters)
    resumed = Training(SMALL, split_games(records, game, SMALL))
    best = checkpoint.restore(tmp_path / "x.checkpoint", resumed)
    assert np.array_equal(best, broken.parameters)
    assert len(list(resumed.run())) == SMALL.epochs - 1
    assert np.array_equal(resumed.parameters, whole.parameters)
    assert [epoch.validation for epoch in resumed.epochs] == [epoch.validation for epoch in whole.epochs]


def test_a_checkpoint_of_something_else_is_refused(tmp_path: Path) -> None:
    records, game = synthetic(800)
    training = Training(SMALL, split_games(records, game, SMALL))
    path = tmp_path / "x.checkpoint"
    checkpoint.save(path, training, training.parameters)
    other = Training(replace(SMALL, rate=0.5), split_games(records, game, SMALL))
    with pytest.raises(TrainingError, match="differs in recipe: "):
        checkpoint.restore(path, other)
    fewer = Training(SMALL, split_games(records[:700], game[:700], SMALL))
    with pytest.raises(TrainingError, match="differs in positions: 800, not 700"):
        checkpoint.restore(path, fewer)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(TrainingError, match="is damaged"):
        checkpoint.restore(path, training)
    with pytest.raises(TrainingError, match="cannot be read"):
        checkpoint.restore(tmp_path / "none", training)


def test_a_checkpoint_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    records, game = synthetic(800)
    training = Training(SMALL, split_games(records, game, SMALL))
    with pytest.raises(TrainingError, match="cannot be written"):
        checkpoint.save(tmp_path / "none" / "x.checkpoint", training, training.parameters)
    assert not list(tmp_path.iterdir())


def test_validation_does_not_learn() -> None:
    records, game = synthetic(800)
    training = Training(SMALL, split_games(records, game, SMALL))
    before = training.parameters.copy()
    with ThreadPoolExecutor(1) as pool:
        assert training.validate(pool) == training.validate(pool)
    assert np.array_equal(before, training.parameters)
    assert not training.trainer.gradient_of(0).any()
