"""`chuhe tune eval`: fits the evaluation's weights to labelled positions, by Texel's tuning method.

The evaluation is linear in nearly all its weights, so fitting it to the games' results is a logistic regression:
convex, with one optimum, which L-BFGS finds within the rows' bounds. A Gaussian prior around the old values
(`--prior`, in centipawns) holds weights that the data says little about. It is tighter than our confidence in the old
values would suggest, because the hundred positions of one game are not independent.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import optimize

from chuhe.bench.learning.game_format import DataError
from chuhe.bench.learning.records import Doubles
from chuhe.bench.learning.table_output import add_table_options, begin_table
from chuhe.bench.learning.texel_data import (
    Features,
    Pairs,
    extract,
    pairs_of,
    read_samples,
    validation_games,
)
from chuhe.common.command_line import Parser, number, report_fault, whole_number
from chuhe.engine import tunables
from chuhe.engine.tunables import Tunable
from chuhe.files.writing import check_output, marked

MATERIAL_PRIOR = 5.0  # piece strengths may move this many times further than other weights
WRITE_SECONDS = 5.0  # interval between writes of the table


@dataclass(frozen=True)
class FitProblem:
    """The objective: the data, the curve from centipawns to expected result, and the prior around the old values."""

    features: Features
    target: Doubles
    slope: float
    start: Doubles
    looseness: Doubles  # the prior's standard deviation for each weight

    def loss(self, values: Doubles) -> tuple[float, Doubles]:
        """Mean cross entropy per position plus the prior, and its gradient."""
        logit = self.slope * self.features.evaluate(values)
        count = len(self.target)
        distance = (values - self.start) / self.looseness
        entropy = np.mean(np.logaddexp(0, logit) - self.target * logit)  # numerically stable for large logits
        error = self.slope * (sigmoid(logit) - self.target)
        gradient = self.features.transposed(error) / count + distance / self.looseness / count
        return float(entropy + 0.5 * np.sum(distance**2) / count), gradient


def sigmoid(x: Doubles) -> Doubles:
    """The expected result of a logit."""
    return 1 / (1 + np.exp(-np.clip(x, -40, 40)))


def fit_slope(scores: Doubles, results: Doubles) -> float:
    """The slope of the logistic curve that best maps these scores to these results."""

    def error(slope: float) -> float:
        return float(np.mean((sigmoid(slope * scores) - results) ** 2))

    found = optimize.minimize_scalar(error, bounds=(1e-4, 5e-2), method="bounded", options={"xatol": 1e-6})
    return float(found.x)


def blend(features: Features, slope: float, weight: float) -> Doubles:
    """The target: a mix of the game's result (with `weight`) and the result expected from the search score."""
    return weight * features.result + (1 - weight) * sigmoid(slope * features.score)


def mean_square(features: Features, values: Doubles, target: Doubles, slope: float) -> float:
    return float(np.mean((sigmoid(slope * features.evaluate(values)) - target) ** 2))


def current_values(pairs: Pairs, numbers: list[int]) -> Doubles:
    array = np.array(numbers, dtype=np.float64)
    return np.stack([array[pairs.middle], array[pairs.end]], axis=1)


def bounds_of(pairs: Pairs) -> tuple[Doubles, Doubles]:
    """The bounds of each weight, from the table."""
    least = [[first.minimum, last.minimum] for first, last in pairs.rows for _ in first.values]
    most = [[first.maximum, last.maximum] for first, last in pairs.rows for _ in first.values]
    return np.array(least, dtype=np.float64), np.array(most, dtype=np.float64)


def looseness_of(pairs: Pairs, prior: float) -> Doubles:
    factors = [
        MATERIAL_PRIOR if first.name.startswith("material") else 1.0 for first, _ in pairs.rows for _ in first.values
    ]
    return prior * np.repeat(np.array(factors)[:, None], 2, axis=1)


def minimise(problem: FitProblem, pairs: Pairs, epochs: int, watch: Callable[[int, Doubles], None]) -> Doubles:
    """The best values within their bounds; `watch` is called with each step's number and values."""
    shape = problem.start.shape
    step = 0

    def objective(flat: Doubles) -> tuple[float, Doubles]:
        loss, gradient = problem.loss(flat.reshape(shape))
        return loss, gradient.ravel()

    def callback(flat: Doubles) -> None:
        nonlocal step
        step += 1
        watch(step, flat.reshape(shape))

    least, most = bounds_of(pairs)
    found = optimize.minimize(
        objective,
        problem.start.ravel(),
        jac=True,
        method="L-BFGS-B",
        bounds=np.stack([least.ravel(), most.ravel()], axis=1),
        callback=callback,
        options={"maxiter": epochs, "maxcor": 20, "ftol": 1e-10, "gtol": 1e-9},
    )
    values: Doubles = found.x.reshape(shape)
    return values


def recentre(pairs: Pairs, values: npt.NDArray[np.int64], visits: Doubles) -> npt.NDArray[np.int64]:
    """Move the mean of a kind's square values into its strength, so that strength is the piece's average value.

    The mean is weighted by how often games visit each square. Kings have no strength, so their mean is dropped.
    """
    moved: npt.NDArray[np.int64] = values.copy()
    start = {first.name: int(np.searchsorted(pairs.middle, first.offset)) for first, _ in pairs.rows}
    least, most = bounds_of(pairs)
    for kind, name in enumerate(("king", "advisor", "bishop", "knight", "rook", "cannon", "pawn")):
        at = start[f"pst_{name}_mg"] + np.arange(50)
        met = at[visits[at] > 0]
        if not len(met):
            continue
        strength = start["material_mg"] + kind
        for phase in range(2):
            shift = round(float(np.average(moved[met, phase], weights=visits[met])))
            squares = moved[met, phase] - shift
            total = moved[strength, phase] + shift if kind else 0
            fits = np.all((squares >= least[met, phase]) & (squares <= most[met, phase]))
            if fits and least[strength, phase] <= total <= most[strength, phase]:
                moved[met, phase], moved[strength, phase] = squares, total
    return moved


def finished(pairs: Pairs, values: Doubles, visits: Doubles) -> npt.NDArray[np.int64]:
    """Whole numbers within the rows' bounds."""
    least, most = bounds_of(pairs)
    rounded = np.clip(np.rint(values), least, most).astype(np.int64)
    return recentre(pairs, rounded, visits)


def new_table(table: list[Tunable], pairs: Pairs, values: npt.NDArray[np.int64]) -> list[Tunable]:
    """The table with the tuned rows in place."""
    fresh = {}
    at = 0
    for first, last in pairs.rows:
        part = values[at : at + len(first.values)]
        fresh[first.name] = replace(first, values=tuple(int(value) for value in part[:, 0]))
        fresh[last.name] = replace(last, values=tuple(int(value) for value in part[:, 1]))
        at += len(first.values)
    return [fresh.get(row.name, row) for row in table]


def tune(table: list[Tunable], features: Features, options: argparse.Namespace, out: Path) -> list[Tunable]:
    """Fit, show progress, and write the table along the way; returns the final table."""
    pairs = pairs_of(table)
    kept = validation_games(features.game, options.validation)
    train, check = features.part(~kept), features.part(kept)
    if not len(train) or not len(check):
        raise DataError("too few games to split into training and validation")
    slope = options.slope or fit_slope(features.score, features.result)
    weight = options.weight
    start = current_values(pairs, [value for row in table for value in row.values])
    problem = FitProblem(train, blend(train, slope, weight), slope, start, looseness_of(pairs, options.prior))
    target = blend(check, slope, weight)
    visits = np.asarray(abs(features.counts).sum(axis=0)).ravel()
    games = int(features.game.max()) + 1
    print(f"{len(train)} training positions, {len(check)} for validation, {games} games; slope {slope:.5f}/cp")

    def line(step: str, values: Doubles) -> str:
        return (
            f"{step}: training error {mean_square(train, values, problem.target, slope):.6f}, "
            f"validation error {mean_square(check, values, target, slope):.6f}"
        )

    written = shown = time.monotonic()

    def watch(step: int, values: Doubles) -> None:
        nonlocal written, shown
        now = time.monotonic()
        if now - shown > 1.0:
            print(line(f"step {step}", values), flush=True)
            shown = now
        if now - written > WRITE_SECONDS:
            tunables.write(new_table(table, pairs, finished(pairs, values, visits)), out)
            written = now

    print(line("start", start), flush=True)
    values = minimise(problem, pairs, options.epochs, watch)
    whole = finished(pairs, values, visits)
    spread = np.std(features.evaluate(values)) / max(1e-9, np.std(features.evaluate(start)))
    print(line("whole numbers", whole.astype(np.float64)))
    print(f"the spread of the evaluations is {spread:.3f} times what it was")
    final = new_table(table, pairs, whole)
    tunables.write(final, out)
    return final


def parser() -> argparse.ArgumentParser:
    parser = Parser(prog="chuhe tune eval", description="Fit the evaluation's weights to labelled positions.")
    parser.add_argument(
        "data",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="games (chuhe selfplay writes them), or lines FEN|result|score",
    )
    parser.add_argument("--epochs", type=whole_number(1), default=300, help="maximum passes over all data")
    parser.add_argument(
        "--lambda",
        dest="weight",
        type=number(0, 1),
        default=0.6,
        help="weight of the result against the score",
    )
    parser.add_argument(
        "--positions",
        type=whole_number(1),
        default=500_000,
        help="at most this many from the games, evenly spread",
    )
    parser.add_argument("--slope", type=number(1e-5, 1), help="of the logistic curve, per centipawn (default fitted)")
    parser.add_argument(
        "--prior", type=number(0.001, 1e6), default=8.0, help="prior's standard deviation, in centipawns"
    )
    parser.add_argument("--validation", type=number(0.001, 0.9), default=0.1, help="share of the games held out")
    add_table_options(parser)
    return parser


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        check_output(options.out, force=options.force, ours=marked())
        table = tunables.read(options.table)
        samples = list(read_samples(options.data, options.positions))
        if not samples:
            raise DataError("the data holds no positions")
        features = extract(samples, pairs_of(table), tunables.numbers(table))
        begin_table(options.table, options.out)
        tune(table, features, options, options.out)
    except (OSError, ValueError) as error:
        return report_fault("tune eval", error)
    print(f"written: {options.out}")
    return 0
