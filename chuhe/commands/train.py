"""`chuhe train`: the command. Its help needs no NumPy, which an installation may not have."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import fields
from pathlib import Path

from chuhe.bench.learning.recipe import Filter, TrainingRecipe, checkpoint_of
from chuhe.common.command_line import Parser, report_fault, whole_number


def parser() -> argparse.ArgumentParser:
    standard = TrainingRecipe()
    parser = Parser(
        prog="chuhe train", description="Train a network on games of `chuhe selfplay`. The best epoch is kept."
    )
    parser.add_argument("data", nargs="*", type=Path, metavar="FILE", help="games, as chuhe selfplay writes them")
    parser.add_argument("--output", type=Path, help="the network; a checkpoint is kept beside it")
    parser.add_argument(
        "--demo", action="store_true", help="self-play, training and a match on a small scale, in ten minutes"
    )
    parser.add_argument("--resume", action="store_true", help="resume from the checkpoint beside the output")
    parser.add_argument("--force", action="store_true", help="overwrite an existing network")
    parser.add_argument("--threads", type=whole_number(1), help="threads that train (default one per processor)")
    parser.add_argument("--plot", type=Path, help="plot the losses to this file (svg or png; needs matplotlib)")
    group = parser.add_argument_group("recipe")
    for name, text in (
        ("hidden", "neurons per side"),
        ("buckets", "output buckets, by remaining rooks, knights and cannons"),
        ("epochs", "passes over the data"),
        ("batch", "positions per step"),
        ("seed", "seed for the initial weights and the order"),
    ):
        group.add_argument(f"--{name}", type=int, default=getattr(standard, name), help=text)
    group.add_argument(
        "--input-buckets",
        metavar="DIGITS",
        default=standard.input_buckets,
        help="seven digits: the input bucket against 0 to 6 rooks, knights and cannons; 0000000: a single one",
    )
    group.add_argument(
        "--start",
        type=Path,
        action="append",
        default=[],
        help="begin with this network's weights instead of random ones; given several times, with their mean",
    )
    for name, text in (
        ("together", "share of the epochs in which all input buckets are trained as one"),
        ("rate", "initial learning rate"),
        ("blend", "share of the game's result in the target, in the beginning"),
        ("last-blend", "and in the end; it changes evenly"),
        ("slope", "expected result per centipawn, as a logit"),
        ("decay", "weight decay of the features"),
        ("bound", "largest weight of a feature"),
        ("validation", "share of the games held out"),
    ):
        usual = getattr(standard, name.replace("-", "_"))
        group.add_argument(f"--{name}", type=float, default=usual, help=text)
    chosen = parser.add_argument_group("which positions to train on")
    for name, text in (
        ("most-score", "largest score, in centipawns"),
        ("most-clock", "most plies without a capture"),
        ("least-ply", "first ply of a game"),
    ):
        usual = getattr(standard.filter, name.replace("-", "_"))
        chosen.add_argument(f"--{name}", type=int, default=usual, help=text)
    for name, text in (
        ("checks", "in which the mover is in check"),
        ("captures", "in which the move played is a capture"),
        ("recurring", "that occurred before in the game"),
    ):
        chosen.add_argument(f"--{name}", action="store_true", help=f"also positions {text}")
    return parser


def recipe_of(arguments: argparse.Namespace) -> TrainingRecipe:
    names = [field.name for field in fields(TrainingRecipe) if field.name not in ("filter", "mirror", "start")]
    chosen = [field.name for field in fields(Filter)]
    recipe = TrainingRecipe(
        **{name: getattr(arguments, name) for name in names},
        filter=Filter(**{name: getattr(arguments, name) for name in chosen}),
    )
    recipe.check()
    return recipe


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        from chuhe.bench.learning._trainer import MAX_THREADS

        options.threads = options.threads or min(MAX_THREADS, os.cpu_count() or 1)
        if options.threads > MAX_THREADS:  # said before the data is read
            raise ValueError(f"--threads must be {MAX_THREADS} or less, not {options.threads}")
        if options.demo:
            from chuhe.bench.learning.demo import run_demo

            return run_demo(options.output, options.threads)
        from chuhe.bench.learning.train import run

        run(options, recipe_of(options))
    except (ValueError, OSError, MemoryError) as error:
        if isinstance(error, OSError) and options.output and not error.filename:
            error.filename = str(options.output.absolute().parent)  # the scratch file there has no name
        return report_fault("train", error)
    except KeyboardInterrupt:
        kept = options.output and checkpoint_of(options.output).exists()
        ending = "--resume continues after the last complete epoch" if kept else "no epoch was complete"
        print(f"\nchuhe train: interrupted; {ending}", file=sys.stderr)
        return 130
    return 0
