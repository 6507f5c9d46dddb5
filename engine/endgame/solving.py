"""Solving an endgame: runs the steps of the compiled solver on all cores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from chuhe.engine._endgame import Solver
from chuhe.engine.endgame.material import Material

SMALL = 20_000  # below this many entries a second thread does not pay
PARTS = 8  # ranges per thread, because some ranges take longer than others
ENTRY_BYTES = 3  # per position while solving: a code and a move count
CODE_BYTES = 2  # per position that is only read

Note = Callable[[int], None]  # called with the number of plies reached


def memory_needed(material: Material) -> int:
    """Bytes needed to solve an endgame: its own entries and those of the endgames after a capture."""
    own = 2 * material.positions * ENTRY_BYTES
    return own + sum(2 * smaller.positions * CODE_BYTES for _, _, smaller in material.captures())


def solve(material: Material, smaller: dict[Material, Solver], threads: int, note: Note = lambda plies: None) -> Solver:
    """Solve an endgame. `smaller` has the endgames after each capture."""
    solver = Solver(*material.packed)
    for side, kind, rest in material.captures():
        solver.attach(side, kind, smaller[rest])
    threads = threads if solver.size > SMALL else 1
    ranges = split(solver.size, threads * PARTS if threads > 1 else 1)
    pool = ThreadPoolExecutor(threads)
    try:
        _walk(solver, pool, ranges, note)
    finally:
        pool.shutdown(cancel_futures=True)  # on Ctrl-C, do not wait for the rest of a pass
    solver.settle()
    return solver


def _walk(solver: Solver, pool: ThreadPoolExecutor, ranges: list[tuple[int, int]], note: Note) -> None:
    """Classify all entries, then process all distances that occur, in ascending order."""
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
    """Split range(size) into this many ranges.

    >>> split(10, 3)
    [(0, 3), (3, 6), (6, 10)]
    """
    return [(size * part // parts, size * (part + 1) // parts) for part in range(parts)]
