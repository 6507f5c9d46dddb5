"""`chuhe data`: describes files of games, and joins, shuffles, splits, rescores, exports and imports them."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from chuhe.bench.learning.game_files import GameFile
from chuhe.bench.learning.game_format import DataError
from chuhe.bench.spread import add_worker_options, workers_of
from chuhe.common.command_line import Parser, RawFormatter, counted, fault_text, number, setting_number, whole_number
from chuhe.common.progress import Bar
from chuhe.common.score_plot import check_plot
from chuhe.engine import Engine, Settings
from chuhe.files.writing import check_output
from chuhe.text.message import shown

DEEPEST_RECIPE = 20  # files made from files
RESCORE_NODES = 1000  # a position
LONGEST_VALUE = 80  # characters
SOURCES = {"import": "games as text", "export": "games, as chuhe selfplay writes them, or of a PGN, XQF … file"}
UNBROKEN = "\xa0"  # a space at which textwrap begins no line
DESCRIPTION = "Describe files of games: games, positions, results, scores, pieces, duplicates."


def warn(text: str) -> None:
    print(f"chuhe data: {text}", file=sys.stderr)


def recipe_lines(name: str, recipe: Any, depth: int = 1) -> list[str]:
    """How a file was made, as readable lines; a recipe may hold those of the files that it was made from."""
    if not isinstance(recipe, dict):
        return [f"{name}: {shown(str(recipe), LONGEST_VALUE)}"]
    if depth > DEEPEST_RECIPE:
        return [f"{name}: …"]
    indent = "  " * depth
    parts = {key: value for key, value in recipe.items() if isinstance(value, (dict, list))}
    values = [f"{key} {value}" for key, value in recipe.items() if key not in {*parts, "made_by"}]
    values = [re.sub("[ _]", UNBROKEN, shown(value, LONGEST_VALUE)) for value in values]
    lines = [f"{name}: {shown(str(recipe.get('made_by', '')), LONGEST_VALUE)}".rstrip()]
    wrapped = textwrap.wrap(", ".join(values), initial_indent=indent, subsequent_indent=indent, width=100)
    lines += [line.replace(UNBROKEN, " ") for line in wrapped]
    for key, value in parts.items():
        for part in value if isinstance(value, list) else [value]:
            source = part if isinstance(part, dict) and part.keys() == {"file", "recipe"} else None
            below = f"{key} {shown(str(source['file']))}" if source else key
            lines += recipe_lines(indent + shown(below), source["recipe"] if source else part, depth + 1)
    return lines


def show(options: argparse.Namespace) -> None:
    """Print the report, and draw the plot if requested."""
    from chuhe.bench.learning.data_report import Census, plot, report
    from chuhe.bench.learning.data_tools import blocks_of, count_games

    if options.plot is not None:
        check_plot(options.plot, force=options.force)
    for path in options.files:
        with GameFile(path) as file:
            print("\n".join(recipe_lines(str(path), file.recipe)))
            if file.torn():
                warn(f"{path}: the last block is incomplete and is ignored")
    games, positions = count_games(options.files)
    census = Census(expected=positions)
    bar = Bar(games, "games")
    for path in options.files:
        for block in blocks_of([path], warn if options.skip_damaged else None):
            census.add(block, str(path))
            bar.step(count=block.games)
    bar.close()
    print(f"\n{report(census)}")
    if options.plot is not None:
        plot(census, options.plot, ", ".join(path.name for path in options.files))
        print(f"\nwritten: {options.plot}")


def join(options: argparse.Namespace) -> None:
    from chuhe.bench.learning import data_tools

    seed = getattr(options, "seed", None)
    games, repeated = data_tools.join(options.files, options.out, seed, warn if options.skip_damaged else None)
    note = f"; {counted(repeated, 'duplicate')} left out" if repeated else ""
    print(f"written: {options.out}, {counted(games, 'game')}{note}")


def split(options: argparse.Namespace) -> None:
    from chuhe.bench.learning import data_tools

    damaged = warn if options.skip_damaged else None
    first, second = data_tools.split(options.files, options.out, options.rest, options.share, damaged)
    print(f"written: {options.out}, {counted(first, 'game')}; {options.rest}, {counted(second, 'game')}")


def bring_in(options: argparse.Namespace) -> None:
    from chuhe.bench.learning import data_tools

    games, positions = data_tools.bring_in(options.files, options.out, warn)
    print(f"written: {options.out}, {counted(games, 'game')}, {counted(positions, 'position')}")


def export(options: argparse.Namespace) -> None:
    from chuhe.bench.learning import table_export

    rows = table_export.export(options.files, options.out, warn if options.skip_damaged else None)
    print(f"written: {options.out}, {counted(rows, 'position')}")


def rescore(options: argparse.Namespace) -> None:
    from chuhe.bench.learning.rescore import RescoreRecipe
    from chuhe.bench.learning.rescore import rescore as search_anew

    settings = Settings(hash_mb=options.hash, evalfile=options.evalfile)
    Engine(settings)  # a bad network is told before a file is begun
    check_output(options.out, ours=lambda head: True)  # its recipe decides whether the file is continued
    most = 2 * options.nodes if options.most_nodes is None else options.most_nodes
    if most < options.nodes:
        raise DataError(f"--most-nodes must be at least --nodes, {options.nodes}, not {most}")
    recipe = RescoreRecipe(options.nodes, most, settings)
    try:
        games, positions = search_anew(
            recipe, options.files, options.out, workers_of(options), warn if options.skip_damaged else None
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"the games so far are in {options.out}; the same command resumes") from None
    print(f"written: {options.out}, {counted(games, 'game')}, {counted(positions, 'position')}")


# name: (what it does, one line of help)
ACTIONS: dict[str, tuple[Callable[[argparse.Namespace], None], str]] = {
    "join": (join, "write all games to one file, without duplicates"),
    "shuffle": (join, "like join, but in random order"),
    "split": (split, "divide the games between two files"),
    "export": (export, "write every position as a row of a table: .parquet or .csv"),
    "rescore": (rescore, "search every position anew; the same command resumes"),
    "import": (bring_in, "import games from text: RESULT REASON|opening moves|move:score …"),
}


def report_parser() -> argparse.ArgumentParser:
    actions = "\n".join(f"  chuhe data {name:<8} {text}" for name, (_, text) in ACTIONS.items())
    parser = Parser(
        prog="chuhe data",
        description=DESCRIPTION,
        epilog=f"other commands (see their --help):\n{actions}",
        formatter_class=RawFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="games, as chuhe selfplay writes them")
    parser.add_argument("--plot", type=Path, metavar="PICTURE", help="also draw a plot (.png, .svg)")
    parser.add_argument("--force", action="store_true", help="overwrite a plot that chuhe did not write")
    _skip_option(parser)
    return parser


def action_parser(name: str) -> argparse.ArgumentParser:
    parser = Parser(prog=f"chuhe data {name}", description=f"{ACTIONS[name][1].capitalize()}.")
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help=SOURCES.get(name, "games, as chuhe selfplay writes them"),
    )
    parser.add_argument(
        "--output",
        dest="out",
        type=Path,
        required=True,
        help="the new file; "
        + ("an unfinished run is resumed" if name == "rescore" else "an existing file is never overwritten"),
    )
    if name == "split":
        parser.add_argument("--rest", type=Path, required=True, help="the file for the other games")
        parser.add_argument("--share", type=number(0.001, 0.999), default=0.9, help="share of the games for --output")
    if name == "shuffle":
        parser.add_argument("--seed", type=int, default=1, help="seed for the random order")
    if name == "rescore":
        nodes = "nodes per position; the iteration in which this is reached is finished"
        parser.add_argument("--nodes", type=whole_number(1), default=RESCORE_NODES, help=nodes)
        most = "nodes per position at most (default twice --nodes)"
        parser.add_argument("--most-nodes", type=whole_number(1), help=most)
        parser.add_argument("--hash", type=setting_number("hash_mb"), default=8, help="megabytes for each engine")
        parser.add_argument("--evalfile", default="", metavar="NET", help="the network (default the bundled one)")
        add_worker_options(parser)
    if name != "import":
        _skip_option(parser)
    return parser


def _skip_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--skip-damaged", action="store_true", help="skip damaged blocks, with a warning for each")


def main(arguments: list[str]) -> int:
    run: Callable[[], None]
    if arguments and arguments[0] in ACTIONS:
        run = partial(ACTIONS[arguments[0]][0], action_parser(arguments[0]).parse_args(arguments[1:]))
    else:
        run = partial(show, report_parser().parse_args(arguments))
    try:
        run()
    except (OSError, ValueError) as error:
        warn(fault_text(error))
        return 2
    except KeyboardInterrupt as stop:
        print(f"\ninterrupted; {stop}" if str(stop) else "\ninterrupted; nothing was written", file=sys.stderr)
        return 130
    return 0
