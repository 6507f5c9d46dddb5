"""Node count and speed on fixed positions."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from chuhe.bench.measuring.position_reader import Labelled
from chuhe.common.progress import Bar
from chuhe.engine import Limits, Position, Settings
from chuhe.engine._core import vector_paths

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
