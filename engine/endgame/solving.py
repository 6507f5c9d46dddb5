"""Solving an ending: the steps of the compiled solver, in order, on all cores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from engine._endgame import Solver
from engine.endgame.material import Material

SMALL = 20_000  # entries for which a second thread is not worth its start
PARTS = 8  # ranges for each thread, since one range can be more work than another
ENTRY_BYTES = 3  # of a position while it is solved: a code and a count of moves
CODE_BYTES = 2  # of a position that is only read

Note = Callable[[int], None]  # is told the plies that the work has reached


def memory_needed(material: Material) -> int:
    """Bytes for solving an ending: itself, and the endings after a capture."""
    own = 2 * material.positions * ENTRY_BYTES
    return own + sum(2 * smaller.positions * CODE_BYTES for _, _, smaller in material.captures())


def solve(material: Material, smaller: dict[Material, Solver], threads: int, note: Note = lambda plies: None) -> Solver:
    """The ending, solved. `smaller` has the endings after each capture."""
    solver = Solver(*material.packed)
    for side, kind, rest in material.captures():
        solver.attach(side, kind, smaller[rest])
    threads = threads if solver.size > SMALL else 1
    ranges = split(solver.size, threads * PARTS if threads > 1 else 1)
    pool = ThreadPoolExecutor(threads)
    try:
        _walk(solver, pool, ranges, note)
    finally:
        pool.shutdown(cancel_futures=True)  # someone who breaks it off does not wait for the rest of a pass
    solver.settle()
    return solver


def _walk(solver: Solver, pool: ThreadPoolExecutor, ranges: list[tuple[int, int]], note: Note) -> None:
    """Set up all entries, then go from distance to distance, wherever something was written with it."""
    written: Counter[tuple[int, int]] = Counter()  # by side and code
    for part in pool.map(lambda part: solver.begin(*part), ranges):
        written.update(part)
    code = 1
    while written and code <= max(key[1] for key in written):
        note(code - 1)
        for side in (0, 1):
            if written.pop((side, code), 0):
                for part in list(pool.map(partial(_spread, solver, side, code), ranges)):
                    written.update(part)
        code += 1
    list(pool.map(lambda part: solver.finish(*part), ranges))


def _spread(solver: Solver, side: int, code: int, part: tuple[int, int]) -> dict[tuple[int, int], int]:
    return solver.spread(side, code, *part)


def split(size: int, parts: int) -> list[tuple[int, int]]:
    """The numbers below `size` as so many ranges.

    >>> split(10, 3)
    [(0, 3), (3, 6), (6, 10)]
    """
    return [(size * part // parts, size * (part + 1) // parts) for part in range(parts)]
