"""The memory of a searcher: as much as the settings want, or as much as the system gives, and then it is said."""

from __future__ import annotations

from engine._core import Searcher
from engine.crew import in_parallel
from engine.processors import usable_processors

SWEEP_MB = 32  # a table is cleared by a thread for each so many megabytes, as far as there are processors


class Resources:
    """Allocates, and takes into use, so that no search pays for it."""

    def __init__(self, core: Searcher) -> None:
        self.core = core
        self.notices: list[str] = []  # what did not go as asked, in words for the user
        self._ready_for = 0, 0  # megabytes and threads that were asked for

    def make_ready(self, hash_mb: int, threads: int) -> None:
        """Memory for a table of this size and so many threads. MemoryError if there is not even a little."""
        if self._ready_for[0] != hash_mb:
            self._ready_for = 0, self._ready_for[1]
            self._allocate_table(hash_mb)
            self._sweep(threads)
            self._ready_for = hash_mb, self._ready_for[1]
        if self._ready_for[1] != threads:  # after the table, without which no thread is of use
            self.core.set_threads(threads)
            self._ready_for = hash_mb, threads
            if self.core.workers < threads:
                self.notices.append(f"no memory for {threads} threads: {self.core.workers} are used")

    def clear(self) -> None:
        """Forget all that was learned."""
        self.core.forget()
        self._sweep(self.core.workers)

    def _allocate_table(self, hash_mb: int) -> None:
        """A table of the size asked for, or the largest half, quarter, … of it that there is memory for."""
        size = hash_mb
        while True:
            try:
                self.core.resize(size)
                break
            except MemoryError:
                if size == 1:
                    raise
                size //= 2
        if size < hash_mb:
            self.notices.append(f"no memory for a table of {hash_mb} MB: one of {size} MB is used")

    def _sweep(self, threads: int) -> None:
        parts = max(1, min(threads, usable_processors(), self.core.hash_mb // SWEEP_MB))
        in_parallel(lambda part: self.core.sweep(part, parts), parts)
