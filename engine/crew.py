"""The threads that help: with a search, and with large memory. There may be fewer than wished for, never a failure."""

from __future__ import annotations

import threading
import time
from _thread import start_new_thread
from collections.abc import Callable

from engine._core import Searcher

ARRIVAL = 0.1  # seconds that the first worker waits for its helpers; those who come later join while it searches
NO_MORE_THREADS = (RuntimeError, MemoryError)  # what Python raises when the system will not give another


def start_helpers(core: Searcher, count: int) -> int:
    """Start helpers 1 to `count` of a prepared search, and let them go once they are all there.

    Returns how many there are. Whatever happens, also an exception here, `core.finish()` ends them all.
    """
    search = core.admit()
    arrived = threading.Semaphore(0)

    def work(index: int) -> None:
        arrived.release()
        core.help(index, search)

    started = 0
    for index in range(1, count + 1):
        try:
            start_new_thread(work, (index,))
        except NO_MORE_THREADS:
            break
        started += 1
    deadline = time.monotonic() + ARRIVAL
    for _ in range(started):
        if not arrived.acquire(timeout=max(0.0, deadline - time.monotonic())):
            break
    core.open_gates()
    return started


def in_parallel(work: Callable[[int], None], parts: int) -> None:
    """Do `work(0)` to `work(parts - 1)` at once, as far as there are threads, and wait for all of them."""
    helpers: list[threading.Thread] = []
    try:
        for part in range(1, parts):
            helper = threading.Thread(target=work, args=(part,), daemon=True)
            try:
                helper.start()
            except NO_MORE_THREADS:
                work(part)
            else:
                helpers.append(helper)
        work(0)
    finally:
        for helper in helpers:
            helper.join()
