"""Threads: the helpers of a search, memory cleared in parallel, a piece of work in the background."""

from __future__ import annotations

import threading
import time
from _thread import start_new_thread
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from chuhe.engine._core import Searcher

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")

ARRIVAL = 0.1  # seconds that the first worker waits for its helpers; later ones join during the search
NO_MORE_THREADS = (RuntimeError, MemoryError)  # what Python raises when no further thread can be started


def start_helpers(core: Searcher, count: int) -> int:
    """Start helpers 1 to `count` of a prepared search; they begin once all have started.

    Returns how many started. Even after an exception here, `core.finish()` ends them all.
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
    deadline = time.perf_counter() + ARRIVAL
    for _ in range(started):
        if not arrived.acquire(timeout=max(0.0, deadline - time.perf_counter())):
            break
    core.open_gates()
    return started


def in_parallel(work: Callable[[int], None], parts: int) -> None:
    """Run `work(0)` to `work(parts - 1)` in as many threads as can be started, and wait for all of them."""
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


def in_thread(work: Callable[[], T]) -> Future[T]:
    """Do the work in a daemon thread; RuntimeError if none can be started."""
    from concurrent.futures import Future  # imported here because it is slow and the protocol does without

    answer: Future[T] = Future()

    def run() -> None:
        try:
            answer.set_result(work())
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return answer
