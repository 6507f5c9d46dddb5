"""The evaluation's tuner: its data, its features, and that it recovers known weights from synthetic results."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from random_play import random_position

from chuhe.bench.learning import texel
from chuhe.bench.learning.game_files import GameWriter
from chuhe.bench.learning.game_format import DataError
from chuhe.bench.learning.texel import bounds_of, current_values, fit_slope, minimise, recentre, sigmoid
from chuhe.bench.learning.texel_data import (
    Features,
    Pairs,
    Sample,
    extract,
    number_games,
    pairs_of,
    parse_sample,
    read_samples,
    validation_games,
)
from chuhe.bench.learning.text_games import parse_game
from chuhe.commands import tune
from chuhe.engine import RED, START_FEN, Position, _core, tunables

NUMBERS = tunables.numbers(tunables.read())


def random_fens(count: int, seed: int = 1, longest: int = 150) -> list[str]:
    rng = random.Random(seed)
    return [random_position(rng, rng.randrange(longest)).fen() for _ in range(count)]


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    return pairs_of(tunables.read())


@pytest.fixture(scope="module")
def features(pairs: Pairs) -> Features:
    return extract([Sample(fen, 0.5, 0) for fen in random_fens(1500)], pairs, NUMBERS)


# Data


def test_a_line_is_read() -> None:
    assert parse_sample(f"{START_FEN}|0.5|-17\n") == Sample(START_FEN, 0.5, -17)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("only a fen", "expected FEN"),
        ("f|1|x", "the score 'x' is not a number"),
        ("f||3", "is not a number"),
        ("f|0.7|3", "must be 1, 0.5 or 0"),
    ],
)
def test_a_bad_line_is_named(line: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_text(f"# comment\n{line}\n", encoding="ascii")
    with pytest.raises(DataError, match=rf"data\.txt:2: .*{fault}"):
        list(read_samples([path]))


def test_a_line_that_is_still_being_written_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_text(f"{START_FEN}|1|5\n{START_FEN[:20]}", encoding="ascii")
    assert list(read_samples([path])) == [Sample(START_FEN, 1.0, 5)]


def test_games_are_told_apart() -> None:
    def at(side: str, move: int, result: float) -> Sample:
        return Sample(f"9/9 {side} - - 0 {move}", result, 0)

    samples = [at("w", 4, 1), at("b", 4, 1), at("w", 9, 1), at("b", 5, 1), at("w", 6, 1), at("w", 7, 0)]
    assert list(number_games(samples)) == [0, 0, 0, 1, 1, 2]


def test_validation_takes_whole_games() -> None:
    game = np.repeat(np.arange(400), 5)
    kept = validation_games(game, 0.25)
    assert np.array_equal(kept, np.repeat(kept[::5], 5))
    assert 60 < kept[::5].sum() < 140


# Features


def test_features_add_up_to_the_evaluation(features: Features, pairs: Pairs) -> None:
    """The tuner's evaluation equals the engine's, apart from rounding."""
    values = current_values(pairs, NUMBERS)
    fitted = features.evaluate(values)
    for fen, score in zip(random_fens(1500), fitted, strict=True):
        position = Position(fen)
        real = _core.static_evaluation(position) * (1 if position.turn == RED else -1)
        assert abs(real - score) < 2, fen


def test_features_refuse_what_is_no_number_of_the_table() -> None:
    with pytest.raises(IndexError, match="there is no index 100000"):
        _core.evaluation_features([Position()], [100_000], NUMBERS)


def test_the_gradient_is_the_derivative(features: Features, pairs: Pairs) -> None:
    rng = np.random.default_rng(1)
    start = current_values(pairs, NUMBERS)
    target = rng.random(len(features))
    problem = texel.FitProblem(features, target, 0.004, start, np.full(start.shape, 10.0))
    values = start + rng.normal(0, 5, start.shape)
    loss, gradient = problem.loss(values)
    direction = rng.normal(0, 1, start.shape)
    step = 1e-4
    numeric = (problem.loss(values + step * direction)[0] - problem.loss(values - step * direction)[0]) / (2 * step)
    assert loss > 0
    assert numeric == pytest.approx(float(np.sum(gradient * direction)), rel=1e-4)


# Fitting


def test_the_slope_of_synthetic_results_is_found() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(0, 300, 40_000)
    results = (rng.random(40_000) < sigmoid(0.005 * scores)).astype(np.float64)
    assert fit_slope(scores, results) == pytest.approx(0.005, rel=0.05)


def test_hidden_values_are_found(features: Features, pairs: Pairs) -> None:
    """Results are drawn with piece values other than the table's; the tuner must find them."""
    start = current_values(pairs, NUMBERS)
    hidden = start.copy()
    hidden[:7] *= 1.25
    target = sigmoid(0.004 * features.evaluate(hidden))
    problem = texel.FitProblem(features, target, 0.004, start, texel.looseness_of(pairs, 100.0))
    steps: list[int] = []
    found = minimise(problem, pairs, 150, lambda step, _: steps.append(step))
    before = np.mean((sigmoid(0.004 * features.evaluate(start)) - target) ** 2)
    after = np.mean((sigmoid(0.004 * features.evaluate(found)) - target) ** 2)
    assert steps == list(range(1, len(steps) + 1))
    assert after < before / 20


def test_values_stay_in_their_bounds(features: Features, pairs: Pairs) -> None:
    start = current_values(pairs, NUMBERS)
    target = sigmoid(0.5 * features.evaluate(start))  # results so extreme that every weight tends to grow
    problem = texel.FitProblem(features, target, 0.004, start, texel.looseness_of(pairs, 1e5))
    found = minimise(problem, pairs, 30, lambda *_: None)
    least, most = bounds_of(pairs)
    assert np.all((found >= least) & (found <= most))
    assert np.any(found == most)


def test_recentring_changes_no_evaluation(features: Features, pairs: Pairs) -> None:
    rng = np.random.default_rng(3)
    visits = np.asarray(abs(features.counts).sum(axis=0)).ravel()
    values = np.rint(current_values(pairs, NUMBERS)).astype(np.int64)
    values[14:364] += rng.integers(-20, 60, (350, 2))
    least, most = bounds_of(pairs)
    values = np.clip(values, least, most).astype(np.int64)
    moved = recentre(pairs, values, visits)
    assert not np.array_equal(moved, values)
    assert np.allclose(features.evaluate(moved.astype(float)), features.evaluate(values.astype(float)))
    squares = 7 + 50 * 4 + np.arange(50)  # the rook's
    assert abs(np.average(moved[squares, 0], weights=visits[squares])) <= 0.5


# The command


def write_data(path: Path) -> None:
    """Games of two positions each, with results drawn from the evaluation itself."""
    rng = random.Random(4)
    with path.open("w", encoding="ascii") as file:
        for fen in random_fens(300, seed=5):
            position = Position(fen)
            score = _core.static_evaluation(position) * (1 if position.turn == RED else -1)
            result = 1 if rng.random() < 1 / (1 + np.exp(-0.004 * score)) else 0
            file.write(f"{fen}|{result}|{score}\n")


def test_the_command_writes_a_table_that_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, out = tmp_path / "data.txt", tmp_path / "table.txt"
    write_data(data)
    assert tune.main(["eval", str(data), "--out", str(out), "--epochs", "5"]) == 0
    before, after = tunables.read(), tunables.read(out)
    assert [row.name for row in before] == [row.name for row in after]
    assert before != after
    changed = {new.name for old, new in zip(before, after, strict=True) if old != new}
    assert all(name.endswith(("_mg", "_eg")) for name in changed)
    assert "validation error" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["nowhere.txt"], "nowhere.txt"),
        (["EMPTY"], "the data holds no positions"),
    ],
)
def test_a_fault_is_one_line(
    arguments: list[str], fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, empty, out = tmp_path / "data.txt", tmp_path / "empty.txt", tmp_path / "out.txt"
    write_data(data)
    empty.write_text("# nothing\n", encoding="ascii")
    paths = {"DATA": str(data), "EMPTY": str(empty)}
    code = tune.main(["eval", *(paths.get(word, word) for word in arguments), "--out", str(out)])
    error = capsys.readouterr().err
    assert code == 2
    assert fault in error.splitlines()[-1]
    assert not out.exists()


def test_the_tuner_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert tune.main([]) == 2
    assert tune.main(["book"]) == 2
    assert "there is no tuner 'book'" in capsys.readouterr().err
    assert tune.main(["--help"]) == 0


def test_reading_games_loses_no_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """numpy looks up attributes of what it compares with, and forgets what is raised there."""
    asked = []

    class Watched(type):
        def __getattr__(cls, name: str) -> object:
            asked.append(name)
            raise AttributeError(name)

    class Red(int, metaclass=Watched):
        pass

    path = tmp_path / "x.games"
    with GameWriter(path, {}) as writer:
        writer.add(parse_game("1-0 agreed|h2e2 h9g7|h0g2:35 i9h9:-29 g3g4:300", 1))
    monkeypatch.setattr("chuhe.bench.learning.texel_data.RED", Red(0))
    assert [sample.score for sample in read_samples([path])] == [35, 29, 300]
    assert asked == []
