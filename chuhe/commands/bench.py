"""`chuhe bench`: node count and speed on fixed positions."""

from __future__ import annotations

import argparse
import json
from importlib import import_module

from chuhe.bench.measuring.position_reader import Labelled, PositionsError, read_positions
from chuhe.bench.measuring.speed import DEPTH, HASH_MB, SpeedRun, as_json, as_text, measure
from chuhe.common.command_line import Parser, RawFormatter, report_fault, setting_number, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import Limits
from chuhe.engine.values import OTHER_GAMES, XIANGQI

# what else is measured, each by a module with a `main(arguments) -> exit code`
MEASURES = {
    "curve": ("chuhe.bench.matches.curve", "two engines at several numbers of nodes a move"),
    "growth": ("chuhe.bench.measuring.growth", "depth reached by nodes, and what a further ply costs"),
    "latency": ("chuhe.bench.measuring.latency", "an engine's time to start, to answer `go` and to stop"),
    "endgames": ("chuhe.bench.measuring.endgame_speed", "time to probe endgame tables"),
}


def parser() -> argparse.ArgumentParser:
    measures = "\n".join(f"  {name:<8}  {text}" for name, (_, text) in MEASURES.items())
    top = Parser(
        prog="chuhe bench",
        description="Node count and speed on fixed positions.",
        epilog=f"Other measures, see chuhe bench MEASURE --help:\n{measures}",
        formatter_class=RawFormatter,
    )
    top.add_argument(
        "--depth",
        type=whole_number(1),
        help=f"plies per position (default {DEPTH}, or none with --movetime or --nodes)",
    )
    top.add_argument(
        "--movetime", type=whole_number(1), metavar="MS", help="milliseconds per position: nodes then vary"
    )
    top.add_argument("--nodes", type=whole_number(1, 2**62), help="nodes per position")
    top.add_argument(
        "--threads", type=setting_number("threads"), default=1, help="also measure this many threads, and the speed-up"
    )
    top.add_argument(
        "--hash", type=setting_number("hash_mb"), default=HASH_MB, metavar="MB", help="megabytes of the hash table"
    )
    top.add_argument("--fens", metavar="FILE", help="your own positions, one FEN per line")
    top.add_argument("--variant", choices=(XIANGQI, *OTHER_GAMES), default=XIANGQI, help="the game")
    top.add_argument("--quiet", action="store_true", help="print only the totals")
    top.add_argument("--json", action="store_true", help="print the figures as JSON")
    return top


def main(arguments: list[str]) -> int:
    if arguments and arguments[0] in MEASURES:
        result: int = import_module(MEASURES[arguments[0]][0]).main(arguments[1:])
        return result
    options = parser().parse_args(arguments)
    if options.variant != XIANGQI:
        from chuhe.bench.measuring.variant_speed import CHESS_DEPTH, DEEPEST, measure_game

        plain = vars(parser().parse_args([])) | {"variant": options.variant}
        if options.variant == "chess":
            plain["depth"] = options.depth
        if vars(options) != plain:
            parser().error("--variant takes no other option, but --depth for chess")
        if options.depth is not None and options.depth > DEEPEST:
            parser().error(f"argument --depth: must be from 1 to {DEEPEST}, not {options.depth}")
        measure_game(options.variant, CHESS_DEPTH if options.depth is None else options.depth)
        return 0
    depth = options.depth
    if depth is None and options.movetime is None and options.nodes is None:
        depth = DEPTH
    try:
        positions = read_positions(options.fens)
        limits = Limits(depth=depth, movetime=options.movetime, nodes=options.nodes)
        runs = [measured(positions, limits, 1, options)]
        if options.threads > 1:
            runs.append(measured(positions, limits, options.threads, options))
    except (PositionsError, ValueError) as error:
        return report_fault("bench", error)
    print(json.dumps(as_json(runs)) if options.json else as_text(runs, options.quiet))
    return 0


def measured(positions: list[Labelled], limits: Limits, threads: int, options: argparse.Namespace) -> SpeedRun:
    with Bar(len(positions), f"positions, {threads} thread{'s' if threads > 1 else ''}") as bar:
        return measure(positions, limits, threads, options.hash, bar)
