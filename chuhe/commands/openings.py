"""`chuhe openings`: generate balanced openings."""

from __future__ import annotations

import argparse
import re
import sys
import time
from contextlib import closing
from pathlib import Path

from chuhe.bench.matches.opening_generator import OWN_HEADER, OpeningRecipe, generate
from chuhe.bench.spread import WorkError, add_worker_options, workers_of
from chuhe.common.command_line import Parser, counted, report_fault, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import Move
from chuhe.files.writing import OutputError, check_output, marked, write_file

SAVE_SECONDS = 10.0  # of work that a kill may lose


def parser() -> argparse.ArgumentParser:
    plain = OpeningRecipe()
    top = Parser(prog="chuhe openings", description="Generate balanced openings, one line of moves each.")
    top.add_argument("--count", type=whole_number(1), default=100, help="how many")
    top.add_argument(
        "--plies",
        type=whole_number(1, 200),
        nargs=2,
        default=plain.plies,
        metavar=("MIN", "MAX"),
        help="plies of a line",
    )
    for name, usual, text in (
        ("--balance", plain.balance, "largest score at the end"),
        ("--spread", plain.spread, "how much worse than the best move a move may score"),
    ):
        score = whole_number(0, 30_000)
        top.add_argument(name, type=score, default=usual, metavar="CP", help=f"{text}, in centipawns")
    top.add_argument(
        "--depth", type=whole_number(1, 100), default=plain.depth, help="plies to search for choosing a move"
    )
    top.add_argument("--nodes", type=whole_number(1, 2**62), default=plain.nodes, help="nodes for judging a line")
    top.add_argument("--seed", type=int, default=plain.seed, help="seed for the choice of moves")
    top.add_argument(
        "--output", metavar="FILE", help="the openings (default standard output); a stopped run is resumed"
    )
    top.add_argument("--force", action="store_true", help="begin anew, whatever the file holds")
    add_worker_options(top)
    return top


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    low, high = options.plies
    if high < low:
        print(f"chuhe openings: --plies: MIN must be at most MAX, not {low} {high}", file=sys.stderr)
        return 2
    try:
        if options.output:
            check_output(options.output, force=options.force, ours=marked(OWN_HEADER))
    except OutputError as error:
        return report_fault("openings", error)
    recipe = OpeningRecipe((low, high), options.spread, options.balance, options.depth, options.nodes, options.seed)
    lines, tried = ([], 0) if options.force or not options.output else unfinished(Path(options.output), recipe)
    if len(lines) >= options.count:
        print(f"chuhe openings: {options.output} has {counted(len(lines), 'opening')} already", file=sys.stderr)
        return 0
    code = 0
    saved = time.monotonic()
    bar = Bar(options.count, "openings", len(lines))
    earlier = [tuple(map(Move.from_iccs, line.split())) for line in lines]
    try:
        with closing(generate(recipe, workers_of(options), bar.write, earlier, tried)) as generated:
            for found in generated:
                tried += 1
                if found is not None:
                    lines.append(" ".join(map(str, found.moves)))
                    bar.step(f"{tried} tried")
                if len(lines) == options.count:
                    break
                if tried >= 100 + 100 * options.count:
                    found_text = f"only {counted(len(lines), 'opening')} found in {tried} tries"
                    print(f"chuhe openings: {found_text}; allow more --plies or a larger --balance", file=sys.stderr)
                    break
                if options.output and lines and time.monotonic() - saved > SAVE_SECONDS:
                    write_file(options.output, text_of(recipe, lines, tried))
                    saved = time.monotonic()
    except KeyboardInterrupt:
        kept = "openings found so far are kept" if lines else "no opening was found"
        print(f"\nchuhe openings: interrupted; {kept}", file=sys.stderr)
        code = 130
    except (OutputError, WorkError) as error:
        code = report_fault("openings", error)
    finally:
        bar.close()
    if not lines:
        return code or 1
    if options.output:
        try:
            write_file(options.output, text_of(recipe, lines, tried))
        except OutputError as error:
            return report_fault("openings", error)
    else:
        sys.stdout.write(text_of(recipe, lines, tried))
    return code


def text_of(recipe: OpeningRecipe, lines: list[str], tried: int) -> str:
    """The openings, after a line that says how they were made."""
    return "\n".join([f"# {len(lines)} {_header(recipe)}; {tried} tried", *sorted(lines)]) + "\n"


def _header(recipe: OpeningRecipe) -> str:
    return (
        f"{OWN_HEADER}: {recipe.plies[0]}-{recipe.plies[1]} plies, moves within {recipe.spread} centipawns at depth "
        f"{recipe.depth}, lines within {recipe.balance} at {recipe.nodes} nodes, seed {recipe.seed}"
    )


def unfinished(path: Path, recipe: OpeningRecipe) -> tuple[list[str], int]:
    """The openings of an earlier run of the same recipe, and how many lines it tried; none if there is none."""
    head, *lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else [""]
    found = re.fullmatch(rf"# \d+ {re.escape(_header(recipe))}; (\d+) tried", head)
    return (lines, int(found[1])) if found else ([], 0)
