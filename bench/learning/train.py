"""`chuhe train`: trains a network on self-play games. `docs/network.md` describes the whole procedure."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from bench.learning import checkpoint
from bench.learning.game_files import read_blocks
from bench.learning.game_format import DataError
from bench.learning.quantise import QuantisationError, quantise
from bench.learning.records import expand
from bench.learning.training import Dataset, Epoch, Filter, Training, TrainingError, TrainingRecipe, split_games
from bench.progress import Bar
from bench.score_plot import check_plot, figure_and_axes, save_figure
from engine.safe_files import OutputError, write_file
from engine.version import VERSION


def read_positions(paths: Sequence[Path], recipe: TrainingRecipe) -> Dataset:
    """The positions of all files that pass the filter; DataError names a damaged block."""
    blocks = list(read_blocks(paths))
    bar = Bar(sum(block.positions for block in blocks), "positions read")
    records, game_of, games = [], [], 0
    for block in blocks:
        positions, rows = expand(block)
        kept = recipe.filter(positions)
        records.append(positions[kept])
        game_of.append(np.repeat(np.arange(games, games + len(rows)), rows["count"])[kept])
        games += len(rows)
        bar.step(count=block.positions)
    bar.close()
    if not records:
        raise TrainingError("these files hold no games")
    return split_games(np.concatenate(records), np.concatenate(game_of), recipe)


def describe(data: Dataset, paths: Sequence[Path]) -> dict[str, Any]:
    """How the network was made, for its file's header."""
    return {
        "files": [path.name for path in paths],
        "games": data.games,
        "positions": len(data.training),
        "held_back": len(data.validation),
    }


def write_network(path: Path, training: Training, parameters: Any, about: dict[str, Any], best: Epoch) -> None:
    recipe = training.recipe
    text = {
        "made_by": f"chuhe train {VERSION}",
        "recipe": asdict(recipe),
        "data": about,
        "epoch": best.number,
        "validation": asdict(best.validation),
    }
    network = quantise(parameters, recipe.hidden, recipe.buckets, recipe.slope, text, recipe.set_of)
    try:
        write_file(path, network.to_bytes())
    except OutputError as error:
        raise TrainingError(f"the network cannot be written: {error}") from None


def draw_curve(path: Path, epochs: Sequence[Epoch]) -> None:
    """Plot the losses over the epochs."""
    figure, axes = figure_and_axes()
    numbers = [epoch.number for epoch in epochs]
    axes.plot(numbers, [epoch.training.target for epoch in epochs], label="learned from", marker=".")
    axes.plot(numbers, [epoch.validation.target for epoch in epochs], label="held out", marker=".")
    axes.set(xlabel="epoch", ylabel="mean square error of the target", title=f"{path.stem}")
    axes.legend()
    save_figure(figure, path)


def train(training: Training, output: Path, about: dict[str, Any], resume: bool) -> Epoch:
    """Run the remaining epochs. `output` always holds the best network so far, with a checkpoint beside it."""
    state = output.with_name(output.name + ".checkpoint")
    best_parameters = training.parameters.copy()
    if resume and state.exists():
        best_parameters = checkpoint.restore(state, training)
    best = min(training.epochs, key=lambda epoch: epoch.validation.target, default=None)
    count = len(training.data.training) // training.batch * training.batch
    bar = Bar(count * training.recipe.epochs, "positions", count * len(training.epochs))
    try:
        for epoch in training.run(lambda positions: bar.step(count=positions)):
            if best is None or epoch.validation.target < best.validation.target:
                best, best_parameters = epoch, training.parameters.copy()
                write_network(output, training, best_parameters, about, best)
            checkpoint.save(state, training, best_parameters)
            bar.write(describe_epoch(epoch, best))
    finally:
        bar.close()
    assert best is not None
    return best


def describe_epoch(epoch: Epoch, best: Epoch) -> str:
    return (
        f"epoch {epoch.number}: loss {epoch.training.target:.6f}, validation {epoch.validation.target:.6f} "
        f"(result {epoch.validation.result:.6f}), {epoch.positions_per_second:,.0f} positions/s"
        + ("" if epoch is best else f"; best is epoch {best.number}")
    )


def parser() -> argparse.ArgumentParser:
    standard = TrainingRecipe()
    parser = argparse.ArgumentParser(
        prog="chuhe train", description="Train a network on games of `chuhe selfplay`. The best epoch is kept."
    )
    parser.add_argument("data", nargs="*", type=Path, help="files of games")
    parser.add_argument("--output", type=Path, help="the network; a checkpoint is kept beside it")
    parser.add_argument(
        "--demo", action="store_true", help="self-play, training and a match on a small scale, in ten minutes"
    )
    parser.add_argument("--resume", action="store_true", help="resume from the checkpoint beside the output")
    parser.add_argument("--force", action="store_true", help="overwrite an existing network")
    parser.add_argument("--threads", type=int, default=min(64, os.cpu_count() or 1), help="default %(default)s")
    parser.add_argument("--plot", type=Path, help="plot the losses to this file (svg or png; needs matplotlib)")
    group = parser.add_argument_group("recipe")
    for name, text in (
        ("hidden", "neurons per side"),
        ("buckets", "sets of output weights, by remaining pieces"),
        ("epochs", "passes over the data"),
        ("batch", "positions per step"),
        ("seed", "seed for the initial weights and the order"),
    ):
        group.add_argument(f"--{name}", type=int, default=getattr(standard, name), help=f"{text} (default %(default)s)")
    group.add_argument(
        "--sets",
        default=standard.sets,
        help="seven digits: which set of rows is used against 0 to 6 rooks, knights and cannons "
        "(default %(default)s; 0000000: a single set)",
    )
    for name, text in (
        ("together", "share of the epochs in which all sets are trained as one"),
        ("rate", "initial learning rate"),
        ("blend", "share of the game's result in the target"),
        ("slope", "expected result per centipawn, as a logit"),
        ("decay", "weight decay of the features"),
        ("bound", "largest weight of a feature"),
        ("validation", "share of the games held out"),
    ):
        group.add_argument(
            f"--{name}", type=float, default=getattr(standard, name), help=f"{text} (default %(default)s)"
        )
    chosen = parser.add_argument_group("which positions to train on")
    chosen.add_argument("--most-score", type=int, default=standard.filter.most_score, help="centipawns (%(default)s)")
    chosen.add_argument("--most-idle", type=int, default=standard.filter.most_idle, help="plies (%(default)s)")
    for name in ("checks", "captures", "recurring"):
        chosen.add_argument(f"--{name}", action="store_true", help="also keep these")
    return parser


def recipe_of(arguments: argparse.Namespace) -> TrainingRecipe:
    names = [field.name for field in fields(TrainingRecipe) if field.name not in ("filter", "mirror")]
    chosen = ("most_score", "most_idle", "checks", "captures", "recurring")
    recipe = TrainingRecipe(
        **{name: getattr(arguments, name) for name in names},
        filter=Filter(**{name: getattr(arguments, name) for name in chosen}),
    )
    recipe.check()
    return recipe


def check_output(arguments: argparse.Namespace) -> None:
    """Check everything that can be checked before the work starts."""
    if not arguments.data or arguments.output is None:
        raise TrainingError("name the files of games, and the network with --output (or try --demo)")
    if arguments.output.exists() and not (arguments.force or arguments.resume):
        raise TrainingError(f"{arguments.output} exists: --resume continues it, --force overwrites it")
    for path in (arguments.output, arguments.plot):
        if path is not None and not path.parent.is_dir():
            raise TrainingError(f"there is no directory {path.parent}")
    if arguments.plot is not None:
        try:
            check_plot(arguments.plot, force=arguments.force)
        except ValueError as error:
            raise TrainingError(str(error)) from None


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        if options.demo:
            from bench.learning.demo import run_demo

            return run_demo(options.output, options.threads)
        recipe = recipe_of(options)
        check_output(options)
        data = read_positions(options.data, recipe)
        print(f"{data.games} games, {len(data.training)} training positions, {len(data.validation)} held out")
        training = Training(recipe, data, options.threads)
        best = train(training, options.output, describe(data, options.data), options.resume)
        print(f"{options.output}: epoch {best.number}, {json.dumps(asdict(best.validation))}")
        if options.plot is not None:
            draw_curve(options.plot, training.epochs)
    except (TrainingError, DataError, QuantisationError, OSError, MemoryError) as error:
        print(f"chuhe train: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nchuhe train: interrupted; --resume continues after the last complete epoch", file=sys.stderr)
        return 130
    return 0
