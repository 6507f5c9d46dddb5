"""`chuhe openings`: generate balanced openings."""

from __future__ import annotations

import argparse
import sys

from chuhe.bench.matches.opening_generator import OWN_HEADER, OpeningRecipe, generate
from chuhe.common.command_line import Parser, counted, report_fault, whole_number
from chuhe.common.progress import Bar
from chuhe.files.writing import OutputError, check_output, marked, write_file


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
    top.add_argument("--output", metavar="FILE", help="the openings (default standard output)")
    top.add_argument("--force", action="store_true", help="overwrite a file that chuhe openings did not write")
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
    lines = []
    tried = code = 0
    bar = Bar(options.count, "openings")
    try:
        for found in generate(recipe):
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
    except KeyboardInterrupt:
        kept = "openings found so far are kept" if lines else "no opening was found"
        print(f"\nchuhe openings: interrupted; {kept}", file=sys.stderr)
        code = 130
    finally:
        bar.close()
    header = f"# {len(lines)} {OWN_HEADER}: {low}-{high} plies, within {options.balance} centipawns at "
    text = "\n".join([f"{header}{options.nodes} nodes, seed {options.seed}", *sorted(lines)]) + "\n"
    if not lines:
        return code or 1
    if options.output:
        try:
            write_file(options.output, text)
        except OutputError as error:
            return report_fault("openings", error)
    else:
        sys.stdout.write(text)
    return code
