"""`chuhe ladder`: does each level beat the one below it?"""

from __future__ import annotations

from chuhe.bench.measuring.ladder import UPPER, measure, starting_positions
from chuhe.bench.spread import WorkError, add_worker_options, workers_of
from chuhe.common.command_line import Parser, report_fault, seconds, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import Limits


def main(arguments: list[str]) -> int:
    parser = Parser(
        prog="chuhe ladder", description="Matches between neighbouring strength levels, on balanced openings."
    )
    parser.add_argument("--games", type=whole_number(2), default=40, help="games per pair of levels, an even number")
    parser.add_argument(
        "--levels",
        type=int,
        nargs="+",
        metavar="N",
        help=f"only these, each against the level below (default {UPPER[0]} to {UPPER[-1]})",
    )
    parser.add_argument("--time", type=seconds(), default=0.1, metavar="SECONDS", help="most seconds per move")
    add_worker_options(parser)
    options = parser.parse_args(arguments)
    levels = options.levels or list(UPPER)
    if options.games % 2:
        parser.error("--games must be an even number, 2 or more")
    if not set(levels) <= set(UPPER):
        parser.error(f"--levels must be from {UPPER[0]} to {UPPER[-1]}")
    limits = Limits(movetime=max(1, round(options.time * 1000)))
    starts = starting_positions(options.games // 2)
    rungs = []
    try:
        with Bar(options.games * len(levels), "games") as bar:
            for rung in measure(levels, starts, limits, bar.step, workers_of(options), bar.write):
                rungs.append(rung)
                bar.write(str(rung))
    except WorkError as error:
        return report_fault("ladder", error)
    print("\n".join(map(str, rungs)))
    return 0 if all(rung.as_it_should_be for rung in rungs) else 1
