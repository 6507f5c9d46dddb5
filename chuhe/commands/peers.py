"""`chuhe peers`: our engine beside others on the same work, as ratios."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path

from chuhe.bench.matches.config import ConfigError
from chuhe.bench.matches.engine_text import engine_from_text
from chuhe.bench.measuring.peers import (
    KNOWN,
    Workload,
    as_json,
    as_text,
    compare,
    found_engines,
    our_engine,
    plot,
    steps,
)
from chuhe.common.command_line import Parser, report_fault, setting_number, whole_number
from chuhe.common.progress import Bar
from chuhe.common.score_plot import check_plot
from chuhe.protocol.errors import EngineError


def parser() -> argparse.ArgumentParser:
    plain = Workload()
    top = Parser(prog="chuhe peers", description="Compare our engine with others on the same work.")
    top.add_argument(
        "engines", nargs="*", metavar="ENGINE", help="as in chuhe match (default those that are installed)"
    )
    top.add_argument("--rounds", type=whole_number(1), default=plain.rounds, help="how often each measurement is made")
    top.add_argument(
        "--movetime",
        type=whole_number(1),
        default=plain.movetime,
        metavar="MS",
        help="milliseconds per position and problem",
    )
    top.add_argument("--positions", type=whole_number(1), default=plain.positions, help="how many bench positions")
    top.add_argument("--perft", type=whole_number(1), default=plain.perft, metavar="PLIES", help="depth of the perft")
    top.add_argument(
        "--threads", type=setting_number("threads"), default=plain.threads, help="threads for the speed-up"
    )
    top.add_argument(
        "--problems", type=whole_number(1), default=plain.problems, help="mates and tactics to solve, at most"
    )
    top.add_argument(
        "--hash",
        type=setting_number("hash_mb"),
        default=plain.hash_mb,
        metavar="MB",
        help="megabytes of the hash table",
    )
    top.add_argument(
        "--growth", type=whole_number(0), default=plain.growth, metavar="NODES",
        help="nodes up to which the depth is measured; 0: not at all",
    )  # fmt: skip
    top.add_argument("--json", action="store_true", help="print the figures as JSON")
    top.add_argument("--plot", metavar="FILE", help="plot the ratios as PNG or SVG")
    top.add_argument("--force", action="store_true", help="overwrite a file that chuhe did not write")
    return top


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    work = Workload(
        options.rounds,
        options.positions,
        options.movetime,
        options.perft,
        options.threads,
        options.problems,
        options.hash,
        options.growth,
    )
    try:
        if options.plot:
            check_plot(Path(options.plot), force=options.force)
        peers = [engine_from_text(text) for text in options.engines] or found_engines()
        if not peers:
            raise ConfigError(f"none of {', '.join(KNOWN)} is installed: name an engine")
        engines = [our_engine(), *peers]
        names = [spec.name for spec in engines]
        if len(set(names)) != len(names):
            raise ConfigError(f"engines need different names, not {', '.join(names)}")
        bar = Bar(steps(len(engines), work), "measurements")
        try:
            table = asyncio.run(compare(engines, work, bar))
        finally:
            bar.close()
        if options.plot:
            plot(table, names, Path(options.plot))
    except (ValueError, EngineError) as error:
        return report_fault("peers", error)
    print(json.dumps(as_json(table, names)) if options.json else as_text(table, names))
    return 0
