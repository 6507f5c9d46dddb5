"""`chuhe bench`: node count and speed on fixed positions.

One thread, a fresh table and a fixed depth give the same number of nodes on every run: this number identifies the
search (`Bench: N` in commit messages). Time and nodes per second depend on the machine.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from typing import Any

from chuhe.bench.measuring.growth import MOST_NODES, growth_positions, marks_up_to, measure_growth
from chuhe.bench.measuring.position_reader import Labelled, PositionsError, read_positions
from chuhe.common.arguments import Given
from chuhe.common.command_line import Parser, report_fault, setting_number, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import Limits, Position, Settings
from chuhe.engine._core import vector_paths
from chuhe.engine.values import OTHER_GAMES, XIANGQI

DEPTH = 14
HASH_MB = 16


@dataclass(frozen=True, slots=True)
class Measured:
    """The result of searching one position."""

    label: str
    fen: str
    move: str
    score: str
    depth: int
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class SpeedRun:
    """All positions at one number of threads."""

    threads: int
    positions: tuple[Measured, ...]

    @property
    def nodes(self) -> int:
        return sum(item.nodes for item in self.positions)

    @property
    def seconds(self) -> float:
        return sum(item.seconds for item in self.positions)

    @property
    def speed(self) -> float:
        return self.nodes / self.seconds if self.seconds else 0.0


def measure(positions: list[Labelled], limits: Limits, threads: int, hash_mb: int, bar: Bar | None = None) -> SpeedRun:
    """Search every position with a fresh engine."""
    from chuhe.engine import Engine

    engine = Engine(Settings(threads=threads, hash_mb=hash_mb, use_tables=False))
    found = []
    for item in positions:
        engine.new_game()
        engine.set_position(Position(item.fen))
        began = time.perf_counter()
        best = engine.search(limits)
        seconds = time.perf_counter() - began
        move = str(best.move) if best.move is not None else "none"
        found.append(Measured(item.label, item.fen, move, str(best.score), best.depth, best.nodes, seconds))
        if bar is not None:
            bar.step()
    return SpeedRun(threads, tuple(found))


def parser() -> argparse.ArgumentParser:
    top = Parser(prog="chuhe bench", description="Node count and speed on fixed positions.")
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
    top.add_argument(
        "--growth",
        action="store_true",
        help=f"depth reached with up to --nodes (default {MOST_NODES}), and what a ply costs",
    )
    top.add_argument("--quiet", action="store_true", help="print only the totals")
    top.add_argument("--json", action="store_true", help="print the figures as JSON")
    return top


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    if options.variant != XIANGQI:
        from chuhe.bench.measuring.variant_speed import CHESS_DEPTH, DEEPEST, measure_game

        refused = "movetime nodes threads hash fens growth quiet json" + " depth" * (options.variant != "chess")
        Given(parser(), arguments).refuse(refused, f"with --variant {options.variant}")
        if options.depth is not None and options.depth > DEEPEST:
            parser().error(f"argument --depth: must be from 1 to {DEEPEST}, not {options.depth}")
        measure_game(options.variant, CHESS_DEPTH if options.depth is None else options.depth)
        return 0
    if options.growth:
        Given(parser(), arguments).refuse("depth movetime threads quiet", "with --growth")
        return show_growth(options)
    if options.json:
        Given(parser(), arguments).refuse("quiet", "with --json, which has everything")
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


def show_growth(options: argparse.Namespace) -> int:
    try:
        positions = read_positions(options.fens) if options.fens else growth_positions()
    except PositionsError as error:
        return report_fault("bench", error)
    bar = Bar(len(positions), "positions")
    try:
        growth = measure_growth(positions, marks_up_to(options.nodes or MOST_NODES), options.hash, bar)
    finally:
        bar.close()
    print(json.dumps({**asdict(growth), "factor": growth.factor}) if options.json else growth)
    return 0


def measured(positions: list[Labelled], limits: Limits, threads: int, options: argparse.Namespace) -> SpeedRun:
    bar = Bar(len(positions), f"positions, {threads} thread{'s' if threads > 1 else ''}")
    try:
        return measure(positions, limits, threads, options.hash, bar)
    finally:
        bar.close()


def as_text(runs: list[SpeedRun], quiet: bool = False) -> str:
    lines = [f"instructions: {vector_paths()[0]}"]
    for run in runs:
        if not quiet:
            lines.append(f"{'':<11} {'move':<5} {'score':>8} {'depth':>5} {'nodes':>12} {'ms':>8}")
            for item in run.positions:
                milliseconds = item.seconds * 1000
                lines.append(
                    f"{item.label:<11} {item.move:<5} {item.score:>8} {item.depth:>5} {item.nodes:>12} "
                    f"{milliseconds:>8.0f}"
                )
        if len(runs) > 1:
            lines.append(f"threads: {run.threads}")
        lines += [f"nodes: {run.nodes}", f"time: {run.seconds * 1000:.0f} ms", f"nps: {run.speed:.0f}"]
    if len(runs) > 1:
        one, many = runs
        lines.append(f"speed-up in nodes per second: {many.speed / one.speed:.2f}")
        lines.append(f"speed-up in time to depth: {one.seconds / many.seconds:.2f}")
    return "\n".join(lines)


def as_json(runs: list[SpeedRun]) -> dict[str, Any]:
    one, last = runs[0], runs[-1]
    data: dict[str, Any] = {
        "nodes": one.nodes,
        "seconds": round(one.seconds, 4),
        "nps": round(one.speed),
        "instructions": vector_paths()[0],
        "runs": [
            {
                "threads": run.threads,
                "nodes": run.nodes,
                "seconds": round(run.seconds, 4),
                "nps": round(run.speed),
                "positions": [asdict(item) for item in run.positions],
            }
            for run in runs
        ],
    }
    if last is not one:
        data["speedup_nps"] = round(last.speed / one.speed, 3)
        data["speedup_time"] = round(one.seconds / last.seconds, 3)
    return data
