"""The trainer: gradients against finite differences, learning from synthetic games, checkpoints, splits, filters."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chuhe.bench.learning import checkpoint
from chuhe.bench.learning import training as module
from chuhe.bench.learning._trainer import RECORD_SIZE, Trainer
from chuhe.bench.learning.position_store import PositionStore, StoredRecords
from chuhe.bench.learning.quantise import Floats, quantise, split
from chuhe.bench.learning.recipe import Filter, TrainingError, TrainingRecipe
from chuhe.bench.learning.records import CAPTURE, CHECK, MATED, NO_FEATURE, RECORD, Records
from chuhe.bench.learning.training import Training
from chuhe.engine import Position
from chuhe.engine.network import FEATURES

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


def stored(records: Records, game: np.ndarray, recipe: TrainingRecipe = SMALL) -> PositionStore:
    store = PositionStore(recipe.validation, recipe.seed)
    store.add(records, game, int(game.max()) + 1 if len(game) else 0)
    return store


def raw(records: Records) -> np.ndarray:
    return records.view(np.uint8).reshape(len(records), RECORD_SIZE)


def test_gradients_equal_finite_differences() -> None:
    records, _ = synthetic(12)
    trainer = Trainer(32, 8, 0.0019)
    rng = np.random.default_rng(2)
    trainer.parameters[:] = rng.normal(0, 0.25, len(trainer.parameters))
    trainer.parameters[FEATURES * 32 : FEATURES * 32 + 32] = rng.uniform(0.2, 0.6, 32)
    order, flips = np.arange(len(records)), rng.integers(0, 2, len(records), dtype=np.uint8)
    trainer.slice(0, raw(records), order, flips, 0.3)
    gradient = trainer.gradient_of(0).copy()

    def loss(index: int, value: float) -> float:
        kept = float(trainer.parameters[index])
        trainer.parameters[index] = value
        found = trainer.slice(0, raw(records), order, flips, 0.3, False)[0]
        trainer.parameters[index] = kept
        return found

    touched = np.flatnonzero(np.abs(gradient) > 1e-3)
    ends = [range(FEATURES * 32), range(FEATURES * 32, FEATURES * 32 + 32), range(FEATURES * 32 + 32, len(gradient))]
    for part in ends:  # pieces' rows, biases, output
        choice = [index for index in touched if index in part]
        assert len(choice) >= 5
        for index in rng.choice(choice, min(40, len(choice)), replace=False):
            at, step = float(trainer.parameters[index]), 2e-4
            slope = (loss(index, at + step) - loss(index, at - step)) / (2 * step)
            assert slope == pytest.approx(gradient[index], rel=0.06, abs=2e-4)
    untouched = np.flatnonzero(gradient == 0)
    assert len(untouched) > FEATURES * 16  # features that never occur are not trained


def test_neighbours_that_share_their_work_have_the_gradient_of_each_alone() -> None:
    # a game's positions: one piece moves, one is captured, the side changes
    position, rows = Position(), []
    for move in "h2e2 h9g7 h0g2 i9h9 b0c2 d9e8 i0h0 h7h3 h0h3 h9h3 e2e6".split():
        row = np.zeros(1, RECORD)
        row["features"] = NO_FEATURE
        pieces = position.piece_map().items()
        row["features"][0, : len(pieces)] = [
            90 * "KABNRCPkabnrcp".index(str(piece)) + square for square, piece in pieces
        ]
        row["side"], row["score"], row["result"] = position.turn, 30, 2
        rows.append(row)
        position.push_iccs(move)
    records, gradients = np.concatenate(rows), []
    for size in (len(rows), 1):
        trainer = Trainer(32, 8, 0.0019, 1, (3, 3, 2, 1, 1, 0, 0))
        trainer.parameters[:] = np.random.default_rng(2).normal(0, 0.1, len(trainer.parameters))
        loss = 0.0
        for at in range(0, len(rows), size):
            loss += trainer.slice(0, raw(records), np.arange(at, at + size), np.zeros(size, np.uint8), 0.3)[0]
        gradients.append((loss, trainer.gradient_of(0).copy()))
    assert gradients[0][0] == pytest.approx(gradients[1][0], rel=1e-5)
    assert np.allclose(gradients[0][1], gradients[1][1], atol=1e-6)
    assert np.abs(gradients[0][1]).max() > 1e-3


def test_a_position_trains_only_the_input_bucket_of_its_material() -> None:
    records, _ = synthetic(200)
    trainer = Trainer(32, 1, 0.0019, 1, (0, 1, 2, 2, 2, 2, 2))
    trainer.parameters[:] = np.random.default_rng(2).normal(0, 0.25, len(trainer.parameters))
    red, black = ((records["features"] // 90 == piece).sum(axis=1) for piece in (4, 11))  # rooks
    for count in range(3):
        chosen = np.flatnonzero((red == count) & (black == count))
        trainer.slice(0, raw(records), chosen, np.zeros(len(chosen), np.uint8), 0.3)
        rows = trainer.gradient_of(0)[: 3 * FEATURES * 32].reshape(3, -1)
        assert [bool(one.any()) for one in rows] == [number == count for number in range(3)]
        trainer.gradient_of(0)[:] = 0


def test_input_buckets_are_one_until_they_are_trained_apart() -> None:
    records, game = synthetic(1500)
    recipe = replace(SMALL, epochs=4, together=0.5, input_buckets="2100000")
    training = Training(recipe, stored(records, game, recipe))
    sizes = []
    for _ in training.run():
        sizes.append(training.feature_weights // (FEATURES * 32))
    assert sizes == [1, 1, 3, 3]
    sets = training.parameters[: training.feature_weights].reshape(3, -1)
    assert (sets[0] != sets[1]).any()
    assert (sets[1] != sets[2]).any()
    one = Training(replace(recipe, input_buckets="0000000"), stored(records, game, recipe))
    list(one.run())
    assert one.feature_weights == FEATURES * 32


@pytest.mark.parametrize("digits", ["", "000000", "00000000", "2000000", "000000x"])
def test_nonsense_input_buckets_are_refused(digits: str) -> None:
    with pytest.raises(TrainingError, match="input_buckets must be 7 digits"):
        replace(SMALL, input_buckets=digits).check()


def test_adam_takes_the_published_first_step() -> None:
    # Kingma and Ba: the first step is the learning rate against the gradient's sign, whatever its size
    records, _ = synthetic(50)
    trainer = Trainer(32, 1, 0.0019)
    trainer.parameters[:] = np.random.default_rng(3).normal(0, 0.2, len(trainer.parameters))
    trainer.slice(0, raw(records), np.arange(50), np.zeros(50, np.uint8), 0.0)
    gradient, before = trainer.gradient_of(0).copy(), trainer.parameters.copy()
    trainer.adam(0, len(before), 1 / 50, 0.01, 1, 8.0)
    large = np.abs(gradient) > 1e-3
    assert large.sum() > 100
    moved = trainer.parameters - before
    assert np.allclose(moved[large], -0.01 * np.sign(gradient[large]), rtol=1e-2)
    assert not trainer.gradient_of(0).any()  # ready for the next batch


def test_the_last_epoch_leaves_weights_that_the_quantiser_keeps() -> None:
    records, game = synthetic(1500)
    training = Training(replace(SMALL, epochs=2), stored(records, game))
    list(training.run())
    network = quantise(training.parameters, 32, 8, SMALL.slope, {}, SMALL.bucket_of)
    assert network.limit_bits >= 12
    rows, bias, _, _ = split(training.parameters, 32, 8)
    for floats, integers in ((rows, network.feature_weights), (bias, network.feature_bias)):
        assert (np.frombuffer(integers, "<i2") == floats.ravel() * 2**network.limit_bits).all()


def test_decay_shrinks_what_is_not_trained() -> None:
    trainer = Trainer(32, 1, 0.0019)
    trainer.parameters[:] = 0.5
    trainer.adam(0, len(trainer.parameters), 1.0, 0.01, 1, 8.0, 0.2)  # without any gradient
    assert trainer.parameters == pytest.approx(0.5 * (1 - 0.01 * 0.2))


def test_mirror_images_are_the_same_position_to_a_king_off_the_middle() -> None:
    trainer = Trainer(32, 1, 0.0019)
    trainer.parameters[:] = np.random.default_rng(4).normal(0, 0.3, len(trainer.parameters))
    records = np.zeros(2, RECORD)
    records["features"] = NO_FEATURE
    records["features"][0][:3] = [3, 7 * 90 + 84, 4 * 90 + 20]  # kings d0 and d9, a rook on c2
    records["features"][1][:3] = [5, 7 * 90 + 86, 4 * 90 + 24]  # kings f0 and f9, the rook on g2
    one, two = trainer.outputs(raw(records))
    assert one == two


def test_it_learns_what_material_is_worth() -> None:
    records, game = synthetic(6000)
    training = Training(replace(SMALL, epochs=6, rate=0.01), stored(records, game))
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
        training = Training(recipe, stored(records, game, recipe))
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
        training = Training(recipe, stored(records, game, recipe), threads)
        losses.append(next(training.run()).validation.target)
    assert losses[0] == pytest.approx(losses[1], rel=1e-3)


def test_games_are_held_out_whole() -> None:
    records, game = synthetic(2000, games=50)
    records["ply"] = game
    data = stored(records, game)
    training, validation = (
        {int(ply) for chunk in part.chunks(300) for ply in chunk["ply"]} for part in (data.training, data.validation)
    )
    assert training & validation == set()
    assert len(data.training) + len(data.validation) == 2000
    assert 0.05 < len(data.validation) / 2000 < 0.4


def test_a_store_gives_every_record_once_whatever_the_order() -> None:
    records, _ = synthetic(1000)
    records["ply"] = np.arange(1000)
    store = StoredRecords(None)
    for part in np.split(records, [7, 7, 300, 650]):
        store.add(part)
    assert [len(chunk) for chunk in store.chunks(256)] == [256, 256, 256, 232]
    in_order = np.concatenate([chunk.copy() for chunk in store.chunks(256)])
    assert in_order.tobytes() == records.tobytes()
    orders = [
        np.concatenate([chunk["ply"].copy() for chunk in store.chunks(256, np.random.default_rng(seed))])
        for seed in range(9)
    ]
    assert all(sorted(order) == list(range(1000)) for order in orders)
    assert len({order.tobytes() for order in orders}) > 1
    assert sum(buffer.nbytes for buffer in store._buffers) == 2 * 256 * RECORD_SIZE  # all that it holds in memory
    assert list(StoredRecords(None).chunks(256)) == []


def test_small_chunks_train_as_many_steps_and_learn_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    records, game = synthetic(3000)
    losses = []
    for chunk in (1 << 20, 512):
        monkeypatch.setattr(module, "CHUNK", chunk)
        store = PositionStore(SMALL.validation, SMALL.seed)
        for first in range(0, 3000, 75):  # a block for each game
            store.add(records[first : first + 75], game[first : first + 75] - game[first], 1)
        training = Training(replace(SMALL, epochs=4, rate=0.01), store)
        losses.append(list(training.run())[-1].validation.target)
        assert training.step == training.steps == len(store.training) // 256 * 4
    assert losses[1] == pytest.approx(losses[0], rel=0.3)


def test_the_result_counts_more_and_more() -> None:
    records, game = synthetic(600)
    training = Training(replace(SMALL, blend=0.1, last_blend=0.4), stored(records, game))
    assert training.blend_at(0) == pytest.approx(0.1)
    assert training.blend_at(training.steps // 2) == pytest.approx(0.25, abs=0.05)
    assert training.blend_at(training.steps) == pytest.approx(0.4)


def test_training_goes_on_from_a_network() -> None:
    records, game = synthetic(3000)
    first = Training(replace(SMALL, rate=0.01), stored(records, game))
    learned = list(first.run())[-1]
    network = quantise(first.parameters, 32, 8, SMALL.slope, {}, SMALL.bucket_of)
    second = Training(replace(SMALL, rate=1e-6), stored(records, game), start=[network])
    with ThreadPoolExecutor(1) as pool:
        assert second.validate(pool).target == pytest.approx(learned.validation.target, rel=0.01)
    with pytest.raises(TrainingError, match="--hidden 32 --buckets 8 --input-buckets 3321100"):
        Training(replace(SMALL, hidden=64), stored(records, game), start=[network])


def test_training_begins_with_the_mean_of_several_networks() -> None:
    data = stored(*synthetic(600))
    seeds = [Training(replace(SMALL, seed=seed), data) for seed in (1, 2)]
    for training in seeds:
        list(training.run())
    networks = [quantise(training.parameters, 32, 8, SMALL.slope, {}, SMALL.bucket_of) for training in seeds]
    mean = (seeds[0].parameters + seeds[1].parameters) / 2
    assert Training(SMALL, data, start=networks).parameters == pytest.approx(mean, abs=0.001)


def test_filters_drop_what_they_say() -> None:
    records, _ = synthetic(6)
    records["score"] = [0, 0, 0, 0, 5000, 0]
    records["flags"] = [0, CHECK, CAPTURE, MATED, 0, 0]
    records["half_move_clock"] = [0, 0, 0, 0, 0, 119]
    assert list(Filter()(records)) == [True, False, False, False, False, False]
    assert list(Filter(checks=True, captures=True, most_score=6000)(records)) == [True, True, True, False, True, False]
    records["ply"] = [20, 20, 20, 20, 20, 15]
    assert list(Filter(most_clock=255, least_ply=16)(records)) == [True, False, False, False, False, False]
    assert list(Filter(most_clock=255)(records)) == [True, False, False, False, False, True]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden": 33}, "hidden must be a multiple of 32, not 33"),
        ({"hidden": 0}, "hidden must be a whole number from 32 to 1024, not 0"),
        ({"rate": math.nan}, "rate must be from 1e-09 to 1, not nan"),
        ({"blend": 1.5}, "blend must be from 0 to 1, not 1.5"),
        ({"epochs": 0}, "epochs must be a whole number from 1"),
        ({"validation": 0.9}, "validation must be from"),
        ({"seed": -1}, "seed must be a whole number from 0"),
    ],
)
def test_nonsense_is_named(change: dict[str, float], message: str) -> None:
    with pytest.raises(TrainingError, match=message):
        replace(SMALL, **change).check()  # type: ignore[arg-type]


def test_no_data_is_said() -> None:
    records, game = synthetic(10)
    with pytest.raises(TrainingError, match="no positions to train on"):
        Training(SMALL, stored(records[:0], game[:0]))
    with pytest.raises(TrainingError, match=r"too few games \(1\)"):
        Training(SMALL, stored(records, game * 0))


def test_numbers_that_run_away_end_the_training() -> None:
    records, game = synthetic(600)
    training = Training(SMALL, stored(records, game))
    training.parameters[:] = np.nan
    with pytest.raises(TrainingError, match="weights are not finite"):
        list(training.run())


# Checkpoints


def test_a_resumed_training_ends_where_an_unbroken_one_does(tmp_path: Path) -> None:
    records, game = synthetic(1500)
    whole = Training(SMALL, stored(records, game))
    list(whole.run())
    broken = Training(SMALL, stored(records, game))
    next(broken.run())
    checkpoint.save(tmp_path / "x.checkpoint", broken, broken.parameters)
    resumed = Training(SMALL, stored(records, game))
    best = checkpoint.restore(tmp_path / "x.checkpoint", resumed)
    assert np.array_equal(best, broken.parameters)
    assert len(list(resumed.run())) == SMALL.epochs - 1
    assert np.array_equal(resumed.parameters, whole.parameters)
    assert [epoch.validation for epoch in resumed.epochs] == [epoch.validation for epoch in whole.epochs]


def test_a_checkpoint_of_something_else_is_refused(tmp_path: Path) -> None:
    records, game = synthetic(800)
    training = Training(SMALL, stored(records, game))
    path = tmp_path / "x.checkpoint"
    checkpoint.save(path, training, training.parameters)
    other = Training(replace(SMALL, rate=0.5), stored(records, game))
    with pytest.raises(TrainingError, match=r"differs in rate: .*, not 0\.5"):
        checkpoint.restore(path, other)
    changed = records.copy()
    changed["score"][17] += 1  # as many positions, but not the same
    with pytest.raises(TrainingError, match="was made with other positions"):
        checkpoint.restore(path, Training(SMALL, stored(changed, game)))
    whole = path.read_bytes()
    for byte in range(0, 400, 7):  # in the zip's and numpy's headers: damage is said, or does no harm
        path.write_bytes(whole[:byte] + bytes([whole[byte] ^ 0x55]) + whole[byte + 1 :])
        with suppress(TrainingError):
            checkpoint.restore(path, training)
    assert b"), }" in whole  # the end of an array's header, which numpy parses as Python
    for damaged in (whole.replace(b"), }", b"(, }", 1), whole.replace(b"), }", b"),  ", 1), whole[:1000], b""):
        path.write_bytes(damaged)
        with pytest.raises(TrainingError, match="is damaged"):
            checkpoint.restore(path, training)
    path.write_bytes(whole[:1000])
    with pytest.raises(TrainingError, match="is damaged"):
        checkpoint.restore(path, training)
    with pytest.raises(TrainingError, match="cannot be read"):
        checkpoint.restore(tmp_path / "none", training)


def test_a_checkpoint_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    records, game = synthetic(800)
    training = Training(SMALL, stored(records, game))
    with pytest.raises(TrainingError, match="cannot be written"):
        checkpoint.save(tmp_path / "none" / "x.checkpoint", training, training.parameters)
    assert not list(tmp_path.iterdir())


def test_validation_does_not_learn() -> None:
    records, game = synthetic(800)
    training = Training(SMALL, stored(records, game))
    before = training.parameters.copy()
    with ThreadPoolExecutor(1) as pool:
        assert training.validate(pool) == training.validate(pool)
    assert np.array_equal(before, training.parameters)
    assert not training.trainer.gradient_of(0).any()
