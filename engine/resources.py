"""Memory for the transposition table and the threads: as requested or, with a notice, as much as there is."""

from __future__ import annotations

from collections.abc import Callable

from chuhe.engine._core import Searcher
from chuhe.engine.machine import usable_processors
from chuhe.engine.threads import in_parallel

SWEEP_MB = 32  # one thread clears this many megabytes of a table, as far as there are processors


def allocate_table(hash_mb: int, allocate: Callable[[int], None], notices: list[str]) -> None:
    """Allocate a table of this size or, with a notice if memory is short, of a half, a quarter, … of it."""
    size = hash_mb
    while True:
        try:
            allocate(size)
            break
        except MemoryError:
            if size == 1:
                raise
            size //= 2
    if size < hash_mb:
        notices.append(f"not enough memory for a table of {hash_mb} MB: using {size} MB")


class Resources:
    """Allocates and touches memory in advance, so that no search spends time on it."""

    def __init__(self, core: Searcher, notices: list[str]) -> None:
        self.core = core
        self.notices = notices  # messages for the user: what was not possible as requested
        self._ready_for = 0, 0  # megabytes and threads requested last

    def make_ready(self, hash_mb: int, threads: int) -> None:
        """Allocate the table and threads, or as much as possible. MemoryError if even the minimum fails."""
        if self._ready_for[0] != hash_mb:
            self._ready_for = 0, self._ready_for[1]
            allocate_table(hash_mb, self.core.resize, self.notices)
            self._sweep(threads)
            self._ready_for = hash_mb, self._ready_for[1]
        if self._ready_for[1] != threads:  # after the table: threads are useless without one
            self.core.set_threads(threads)
            self._ready_for = hash_mb, threads
            if self.core.workers < threads:
                self.notices.append(f"not enough memory for {threads} threads: using {self.core.workers}")

    def clear(self) -> None:
        """Clear the transposition table and the histories."""
        self.core.forget()
        self._sweep(self.core.workers)

    def _sweep(self, threads: int) -> None:
        parts = max(1, min(threads, usable_processors(), self.core.hash_mb // SWEEP_MB))
        in_parallel(lambda part: self.core.sweep(part, parts), parts)
