"""Work that Ctrl-C stops early."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import wait
from typing import TypeVar

from chuhe.engine.search_handle import StopSignal
from chuhe.engine.threads import in_thread

T = TypeVar("T")


def wait_for(work: Callable[[StopSignal], T], interrupted: Callable[[], None] = lambda: None) -> T:
    """Do the work in a thread, so that Ctrl-C reaches us; each Ctrl-C asks for an answer now."""
    stop = StopSignal()
    answer = in_thread(lambda: work(stop))
    while not answer.done():
        try:
            wait([answer])
        except KeyboardInterrupt:
            interrupted()
            stop.set()
    return answer.result()
