"""Building missing tables in order; each is written before the next one starts."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from chuhe.engine._endgame import Solver
from chuhe.engine.endgame.material import Material
from chuhe.engine.endgame.solving import PARTS, memory_needed, solve, split
from chuhe.engine.endgame.table_file import TableError, TableFile, damaged, open_table, table_path, write_table
from chuhe.text.errors import UserError
from chuhe.text.message import Message, message_of


@dataclass(frozen=True)
class Built:
    """The resources that a table took."""

    material: Material
    seconds: float
    cpu_seconds: float  # summed over all threads
    memory: int  # peak memory of the process in bytes or, where the system does not report it, of the tables alone
    file_size: int
    facts: dict[str, Any]


class NoMemoryError(UserError):
    """An endgame that needs more memory than allowed."""


def forget_peak() -> None:
    """Reset the process's peak memory (Linux)."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def peak_memory() -> int:
    """Peak memory in bytes since `forget_peak`; 0 if the system does not report it."""
    with contextlib.suppress(OSError), open("/proc/self/status") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    return 0


def is_built(directory: Path, material: Material) -> bool:
    """Is there a valid table? A damaged one counts as missing and is rebuilt."""
    try:
        open_table(table_path(directory, material))
    except (TableError, OSError):
        return False
    return True


def missing(directory: Path, endgames: Iterable[Material], again: bool = False) -> list[Material]:
    """The endgames and their dependencies that are still missing, dependencies first."""
    wanted: dict[Material, None] = {}
    named = list(endgames)
    for endgame in named:
        wanted.update(dict.fromkeys(endgame.with_smaller()))
    return [one for one in wanted if (again and one in named) or not is_built(directory, one)]


def size_text(size: int) -> str:
    """Bytes in words.

    >>> size_text(5 << 20), size_text(1500), size_text(3)
    ('5.0 MB', '1.5 KB', '3 bytes')
    """
    if size >= 1 << 20:
        return f"{size / (1 << 20):,.1f} MB"
    return f"{size / (1 << 10):,.1f} KB" if size >= 1 << 10 else f"{size} byte{'' if size == 1 else 's'}"


def check_memory(endgames: Iterable[Material], memory: int) -> None:
    for endgame in endgames:
        if memory_needed(endgame) > memory:
            needed, allowed = size_text(memory_needed(endgame)), size_text(memory)
            raise NoMemoryError(Message("endgame.memory", name=endgame.name, needed=needed, allowed=allowed))


def load(table: TableFile) -> Solver:
    """Load all codes of a table into memory."""
    solver = Solver(*table.material.packed, False)
    for side in (0, 1):
        if not solver.decode(side, *table.sections[side]):
            raise damaged(table.path, Message("table.bad-block"))
    return solver


def load_with_smaller(directory: Path, material: Material) -> Solver:
    """A table together with the tables of its captures, so that it can be verified."""
    solver = load(open_table(table_path(directory, material)))
    for side, kind, rest in material.captures():
        solver.attach(side, kind, load(open_table(table_path(directory, rest))))
    return solver


def build(directory: Path, endgames: list[Material], threads: int, on_table: Callable[[Built], None],
          on_ply: Callable[[Material, int], None] = lambda material, plies: None) -> None:  # fmt: skip
    """Solve and write endgames, given in an order in which dependencies come first."""
    recent: dict[Material, Solver] = {}  # dependencies of the endgames that follow
    for number, material in enumerate(endgames):
        start, cpu_start = time.perf_counter(), time.process_time()
        forget_peak()
        for _, _, rest in material.captures():
            if rest not in recent:
                recent[rest] = load(open_table(table_path(directory, rest)))
        recent[material] = solve(material, recent, threads, partial(on_ply, material))
        facts = facts_of(recent[material])
        path = write_table(directory, material, recent[material], facts)
        seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
        memory = peak_memory() or memory_needed(material)
        following = endgames[number + 1].captures() if number + 1 < len(endgames) else ()
        still = {rest for _, _, rest in following}
        recent = {kept: solver for kept, solver in recent.items() if kept in still}
        on_table(Built(material, seconds, cpu_seconds, memory, path.stat().st_size, facts))


def build_one(directory: Path, threads: int, material: Material) -> Built:
    """Build a table whose dependencies are in the directory; runs in any process."""
    built: list[Built] = []
    build(directory, [material], threads, built.append)
    return built[0]


def layers(endgames: Iterable[Material]) -> list[list[Material]]:
    """Endgames in groups: those of a group need only tables of earlier groups. Dependencies come first."""
    found: list[list[Material]] = []
    depth: dict[Material, int] = {}
    for material in endgames:
        depth[material] = 1 + max((depth.get(rest, -1) for _, _, rest in material.captures()), default=-1)
        if depth[material] == len(found):
            found.append([])
        found[depth[material]].append(material)
    return found


def facts_of(solver: Solver) -> dict[str, Any]:
    """Wins, draws and losses for either side to move, and the longest win in plies."""
    facts = {}
    for side, name in enumerate(("attacker", "defender")):
        counts = solver.histogram(side)
        facts[name] = {
            "win": sum(count for code, count in counts.items() if code and code % 2 == 0),
            "draw": counts.get(0, 0),
            "loss": sum(count for code, count in counts.items() if code % 2),
            "longest": max(code for code in counts) - 1 if any(counts) else 0,
        }
    return facts


def table_fault(directory: Path, name: str, threads: int, quick: bool = False) -> Message | None:
    """What is wrong with a table: its checksums and, unless `quick`, any entry that its successors contradict."""
    try:
        material = Material.parse(name)
        open_table(table_path(directory, material)).check_blocks()
        if quick:
            return None
        solver = load_with_smaller(directory, material)
    except OSError as error:
        return Message("file.at", path=str(error.filename), fault=message_of(error))
    except ValueError as error:
        return message_of(error)
    with ThreadPoolExecutor(threads) as pool:
        parts = split(solver.size, threads * PARTS)
        faults = [found for found in pool.map(lambda part: solver.find_fault(*part), parts) if found is not None]
    return Message("endgame.bad-entry", entry=str(faults[0])) if faults else None
