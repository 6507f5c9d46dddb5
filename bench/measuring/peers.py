"""Our engine compared with others on the same work in one run, as a table of ratios.

A ratio above 1 means that ours is better: more nodes, more problems solved, or less time. Every figure is the median
of several rounds. The engines take turns, so a slow moment of the machine affects all of them.
"""

from __future__ import annotations

import asyncio
import math
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

from chuhe.bench.matches.contender import launch, uci_dialect
from chuhe.bench.matches.match_values import EngineSpec
from chuhe.bench.matches.opening_reader import OpeningError
from chuhe.bench.measuring.growth import SEARCHED, Growth, growth_positions, marks_up_to, mean_growth
from chuhe.bench.measuring.position_reader import read_positions
from chuhe.common.progress import Bar
from chuhe.common.score_plot import new_figure, save_figure
from chuhe.engine import Limits, Position
from chuhe.files.encoding import EncodingError, decode_text
from chuhe.files.reading import read_input
from chuhe.protocol.client import Client
from chuhe.protocol.errors import EngineError
from chuhe.protocol.pipe import Pipe
from chuhe.protocol.programs import find_program, own_command
from chuhe.protocol.replies import Report

OURS = "chuhe"
KNOWN = ("fairy-stockfish", "pikafish", "eleeye")


@dataclass(frozen=True, slots=True)
class Workload:
    """How much is measured."""

    rounds: int = 3
    positions: int = 8
    movetime: int = 200
    perft: int = 4
    threads: int = 2
    problems: int = 100  # at most
    hash_mb: int = 16
    growth: int = 800_000  # nodes of the longest search; 0: do not measure it


@dataclass(frozen=True, slots=True)
class TestProblem:
    fen: str
    best: tuple[str, ...]  # ICCS


@dataclass(slots=True)
class Metric:
    """One line of the table; `values` holds a figure for every round, by engine."""

    name: str
    unit: str
    more_is_better: bool
    values: dict[str, list[float]] = field(default_factory=dict)

    def median(self, engine: str) -> float | None:
        return statistics.median(self.values[engine]) if self.values.get(engine) else None

    def ratio(self, engine: str) -> float | None:
        """Our figure relative to that engine's; above 1 is better for us."""
        ours, theirs = self.median(OURS), self.median(engine)
        if not ours or not theirs:
            return None
        return ours / theirs if self.more_is_better else theirs / ours


Measure = Callable[[EngineSpec, Workload], Awaitable[float | None]]


def our_engine() -> EngineSpec:
    """Our engine without its book, since a book move involves no search."""
    return EngineSpec(OURS, tuple(own_command()), "uci", (("OwnBook", "false"),))


def found_engines() -> list[EngineSpec]:
    """Known engines that are installed here."""
    found = [(name, find_program(name)) for name in KNOWN]
    return [EngineSpec(name, tuple(program)) for name, program in found if program]


def read_problems(path: str | Path | None = None) -> list[TestProblem]:
    """Problems from EPD lines `FEN bm MOVE …;`; None: the bundled set."""
    bundled = resources.files("chuhe.bench.measuring") / "data" / "problems.epd"
    source = Path(str(bundled)) if path is None else Path(path)
    try:
        lines = decode_text(read_input(source)).splitlines()
    except EncodingError as error:
        raise OpeningError(f"problems {source}: {error}") from error
    except OSError as error:
        raise OpeningError(f"problems {source}: {error.strerror}") from error
    problems = []
    for number, line in enumerate(lines, 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        fen, word, rest = line.partition(" bm ")
        best = tuple(rest.split(";")[0].split())
        try:
            legal = {move.iccs for move in Position(fen).legal_moves}
        except ValueError as error:
            raise OpeningError(f"{source}, line {number}: {error}") from None
        if not word or not best or not set(best) <= legal:
            raise OpeningError(f"{source}, line {number}: bm names no legal move")
        problems.append(TestProblem(fen, best))
    return problems


# --- what is measured -----------------------------------------------------------------------------------------------


async def started(spec: EngineSpec, work: Workload, threads: int = 1) -> Client:
    client = await launch(spec)
    for name, value in (("Hash", work.hash_mb), ("Threads", threads)):
        if client.supports(name):
            await client.set_option(name, value)
    await client.new_game()
    return client


async def start_time(spec: EngineSpec, work: Workload) -> float | None:
    """Milliseconds from starting the process to `ucciok` or `uciok`."""
    word = "ucci" if spec.protocol == "ucci" else "uci"
    began = time.perf_counter()
    pipe = await Pipe.open(list(spec.command), spec.directory, spec.name, None)
    try:
        await pipe.send(word)
        await pipe.wait_for(f"{word}ok", 10)
        return (time.perf_counter() - began) * 1000
    finally:
        await pipe.kill()


async def stop_time(spec: EngineSpec, work: Workload) -> float | None:
    """Milliseconds from `stop` to `bestmove`."""
    async with await started(spec, work) as client:
        took = []
        for item in read_positions()[: work.positions]:
            await client.begin(item.fen, (), Limits(infinite=True))
            await asyncio.sleep(0.05)
            began = time.perf_counter()
            await client.stop()
            took.append((time.perf_counter() - began) * 1000)
        return statistics.median(took)


async def perft_speed(spec: EngineSpec, work: Workload) -> float | None:
    """Perft positions per second; none for an engine without `go perft`."""
    if spec.name == OURS:
        began = time.perf_counter()
        nodes = Position().perft(work.perft)
        return float(nodes / (time.perf_counter() - began))
    async with await started(spec, work) as client:
        if client.dialect == "ucci":
            return None
        await client.send("position startpos")
        began = time.perf_counter()
        await client.send(f"go perft {work.perft}")
        try:
            while True:
                moment, line = await client.receive(60)
                if line.lower().startswith("nodes searched"):
                    return float(int(line.split(":")[1]) / (moment - began))
                if line.startswith("bestmove"):
                    return None
        except EngineError:
            return None


async def search_speed(spec: EngineSpec, work: Workload, threads: int = 1) -> float | None:
    """Nodes per second over the first bench positions, by our clock."""
    nodes, seconds = 0, 0.0
    async with await started(spec, work, threads) as client:
        if threads > 1 and not client.supports("Threads"):
            return None
        for item in read_positions()[: work.positions]:
            played = await client.go(item.fen, (), Limits(movetime=work.movetime))
            nodes += played.nodes
            seconds += played.elapsed
    return nodes / seconds if nodes else None


async def scaling(spec: EngineSpec, work: Workload) -> float | None:
    """Nodes per second with several threads relative to one."""
    one = await search_speed(spec, work)
    many = await search_speed(spec, work, work.threads)
    return many / one if one and many else None


async def solved(spec: EngineSpec, work: Workload) -> float | None:
    """Problems solved, with the same time for each."""
    count = 0
    async with await started(spec, work) as client:
        for problem in read_problems()[: work.problems]:
            await client.new_game()
            played = await client.go(problem.fen, (), Limits(movetime=work.movetime))
            count += played.move in problem.best
    return float(count)


async def growth(spec: EngineSpec, work: Workload) -> Growth | None:
    """Depth by nodes over the first positions of `chuhe bench growth`; none for an engine that does not report it."""
    searches = []
    async with await started(spec, work) as client:
        for item in growth_positions()[: work.positions]:
            finished: dict[int, int] = {}

            def note(report: Report, finished: dict[int, int] = finished) -> None:
                if report.depth and report.nodes and report.bound == "exact" and report.multipv == 1:
                    finished[report.depth] = report.nodes

            await client.new_game()
            await client.go(item.fen, (), Limits(nodes=int(work.growth * SEARCHED)), on_info=note)
            searches.append(sorted(finished.items()))
    return mean_growth(searches, marks_up_to(work.growth)) if all(searches) else None


async def growth_metrics(engines: list[EngineSpec], work: Workload, bar: Bar | None) -> list[Metric]:
    """Depth at each number of nodes, and what a ply costs: the same on every run, so measured once."""
    depths = [Metric(f"depth, {nodes:,} nodes", "plies", True) for nodes in marks_up_to(work.growth)]
    factor = Metric("nodes for a further ply", "x", False)
    for spec in engines:
        found = await growth(spec, work)
        if found is not None:
            for metric, depth in zip(depths, found.depths, strict=True):
                metric.values[spec.name] = [depth]
            if math.isfinite(found.factor):
                factor.values[spec.name] = [found.factor]
        if bar is not None:
            bar.step(f"growth, {spec.name}")
    return [*depths, factor]


def metrics(work: Workload) -> list[tuple[Metric, Measure]]:
    return [
        (Metric(f"perft {work.perft}", "nodes/s", True), perft_speed),
        (Metric("search", "nodes/s", True), search_speed),
        (Metric("start to uciok", "ms", False), start_time),
        (Metric("stop to bestmove", "ms", False), stop_time),
        (Metric(f"speed-up, {work.threads} threads", "x", True), scaling),
        (Metric(f"solved in {work.movetime} ms", "problems", True), solved),
    ]


# --- running and showing ----------------------------------------------------------------------------------------------


async def settled(spec: EngineSpec) -> EngineSpec:
    """The engine with its protocol detected: UCI if it speaks it, because UCCI has no exact time per move."""
    if spec.protocol != "auto":
        return spec
    return replace(spec, protocol=await uci_dialect(spec) or "ucci")


async def compare(engines: list[EngineSpec], work: Workload, bar: Bar | None = None) -> list[Metric]:
    """All metrics for all engines, which take turns; the one that starts changes from round to round."""
    engines = [await settled(spec) for spec in engines]
    table = metrics(work)
    for number in range(work.rounds):
        order = engines if number % 2 == 0 else engines[::-1]
        for metric, measure in table:
            if measure is solved and number:
                continue  # the most expensive metric, with hardly any noise
            for spec in order:
                value = await measure(spec, work)
                if value is not None:
                    metric.values.setdefault(spec.name, []).append(value)
                if bar is not None:
                    bar.step(f"{metric.name}, {spec.name}")
    return [metric for metric, _ in table] + (await growth_metrics(engines, work, bar) if work.growth else [])


def steps(engines: int, work: Workload) -> int:
    return engines * (work.rounds * (len(metrics(work)) - 1) + 1 + bool(work.growth))


def as_text(table: list[Metric], engines: list[str]) -> str:
    peers = engines[1:]
    lines = [f"{'':<23} {'unit':<9} {engines[0]:>14} " + " ".join(f"{name:>18} {'ratio':>7}" for name in peers)]
    for metric in table:
        cells = [f"{metric.name:<23} {metric.unit:<9} {_figure(metric.median(engines[0])):>14}"]
        for name in peers:
            ratio = metric.ratio(name)
            cells.append(f"{_figure(metric.median(name)):>18} {'-' if ratio is None else f'{ratio:.2f}':>7}")
        lines.append(" ".join(cells))
    return "\n".join([*lines, "ratio above 1: ours is better"])


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def as_json(table: list[Metric], engines: list[str]) -> list[dict[str, Any]]:
    return [
        {
            "metric": metric.name,
            "unit": metric.unit,
            "values": metric.values,
            "median": {name: metric.median(name) for name in engines},
            "ratio": {name: metric.ratio(name) for name in engines[1:]},
        }
        for metric in table
    ]


def plot(table: list[Metric], engines: list[str], path: Path) -> None:
    """Plot the ratios as bars on a logarithmic axis, as PNG or SVG by the file's suffix."""
    figure = new_figure(height=1 + 0.7 * len(table))
    axes = figure.add_subplot()
    height = 0.8 / max(1, len(engines) - 1)
    for index, name in enumerate(engines[1:]):
        rows = [(place, ratio) for place, metric in enumerate(table) if (ratio := metric.ratio(name)) is not None]
        places = [place + index * height for place, _ in rows]
        axes.barh(places, [ratio - 1 for _, ratio in rows], height, left=1, label=f"against {name}")
        for place, (_, ratio) in zip(places, rows, strict=True):
            axes.annotate(f" {ratio:.2f}", (max(ratio, 1), place), va="center")
    axes.set_yticks(range(len(table)), [metric.name for metric in table])
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel(f"ratio, above 1: {engines[0]} is better")
    axes.invert_yaxis()
    axes.margins(x=0.15)
    axes.legend()
    save_figure(figure, path)
