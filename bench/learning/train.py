"""Training a network on self-play games, from files to a file. `docs/training.md` describes the whole procedure."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from chuhe.bench.learning import checkpoint
from chuhe.bench.learning.game_files import read_blocks
from chuhe.bench.learning.position_store import PositionStore
from chuhe.bench.learning.quantise import quantise
from chuhe.bench.learning.recipe import TrainingError, TrainingRecipe, checkpoint_of
from chuhe.bench.learning.records import expand
from chuhe.bench.learning.training import Epoch, Training
from chuhe.common.progress import Bar
from chuhe.common.score_plot import check_plot, figure_and_axes, save_figure
from chuhe.engine.network import MAGIC, NetworkFile, read
from chuhe.engine.version import VERSION
from chuhe.files import writing as safe_files
from chuhe.files.writing import OutputError, write_file


def read_positions(paths: Sequence[Path], recipe: TrainingRecipe, directory: Path | None = None) -> PositionStore:
    """The positions of all files that pass the filter, in unnamed files of `directory`.

    DataError names a damaged block.
    """
    store = PositionStore(recipe.validation, recipe.seed, directory)
    bar = Bar(sum(path.stat().st_size for path in paths) >> 10, "KB read")
    read = shown = 0
    try:
        for block in read_blocks(paths):
            positions, rows = expand(block)
            kept = recipe.filter(positions)
            game = np.repeat(np.arange(len(rows)), rows["count"])
            store.add(positions[kept], game[kept], len(rows))
            read += len(block.stored)
            bar.step(count=(read >> 10) - shown)
            shown = read >> 10
    finally:
        bar.close()
    return store


def describe(data: PositionStore, paths: Sequence[Path]) -> dict[str, Any]:
    """How the network was made, for its file's header."""
    return {
        "files": [path.name for path in paths],
        "games": data.games,
        "positions": len(data.training),
        "held_back": len(data.validation),
        "identity": data.identity,
    }


def read_start(paths: Sequence[Path]) -> tuple[list[NetworkFile], str]:
    """The networks to begin with, and their names and checksums for the recipe."""
    networks = [read(path) for path in paths]
    names = (f"{path.name} {network.checksum}" for path, network in zip(paths, networks, strict=True))
    return networks, ", ".join(names)


def write_network(path: Path, training: Training, parameters: Any, about: dict[str, Any], best: Epoch) -> None:
    recipe = training.recipe
    text = {
        "made_by": f"chuhe train {VERSION}",
        "recipe": asdict(recipe),
        "data": about,
        "epoch": best.number,
        "validation": asdict(best.validation),
    }
    network = quantise(parameters, recipe.hidden, recipe.buckets, recipe.slope, text, recipe.bucket_of)
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
    state = checkpoint_of(output)
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


def is_network(head: bytes) -> bool:
    return head.startswith(MAGIC)


def check_output(arguments: argparse.Namespace) -> None:
    """Check everything that can be checked before the work starts."""
    output: Path | None = arguments.output
    if not arguments.data or output is None:
        raise TrainingError("name the files of games, and the network with --output (or try --demo)")
    try:
        safe_files.check_output(output, ours=is_network)
    except OutputError as error:
        message = str(error).replace("exists already; use --force to replace it", "exists and is not a network")
        raise TrainingError(message) from None
    saved = checkpoint_of(output)
    safe_files.check_distinct(output, saved, arguments.plot)
    if arguments.resume and output.exists() and not saved.exists():
        raise TrainingError(f"{output} cannot be resumed: there is no {saved.name}; --force overwrites it")
    for path in (output, saved):
        if path.exists() and not (arguments.force or arguments.resume):
            raise TrainingError(f"{path} exists: --resume continues it, --force overwrites it")
    if arguments.plot is not None:
        try:
            check_plot(arguments.plot, force=arguments.force)
        except ValueError as error:
            raise TrainingError(str(error)) from None


def run(options: argparse.Namespace, recipe: TrainingRecipe) -> None:
    """What `chuhe train` does; the options are those of `train_command`."""
    check_output(options)
    start, names = read_start(options.start)
    recipe = replace(recipe, start=names)
    with safe_files.exclusive(options.output):
        data = read_positions(options.data, recipe, options.output.parent)
        print(f"{data.games} games, {len(data.training)} training positions, {len(data.validation)} held out")
        training = Training(recipe, data, options.threads, start)
        best = train(training, options.output, describe(data, options.data), options.resume)
    print(f"{options.output}: epoch {best.number}, validation loss {best.validation.target:.6f}")
    if options.plot is not None:
        draw_curve(options.plot, training.epochs)
