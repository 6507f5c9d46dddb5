"""Work that Ctrl-C stops early."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import wait
from typing import TypeVar

from chuhe.engine.search_handle import LONGEST_WAIT, StopSignal
from chuhe.engine.threads import in_thread

T = TypeVar("T")


def wait_for(work: Callable[[StopSignal], T], interrupted: Callable[[], None] = lambda: None) -> T:
    """Do the work in a thread, so that Ctrl-C reaches us (the main thread); each Ctrl-C asks for an answer now."""
    stop = StopSignal()

    def stop_early(*_: object) -> None:
        interrupted()
        stop.set()

    before = signal.signal(signal.SIGINT, stop_early)  # a KeyboardInterrupt could also come before or after the wait
    try:
        answer = in_thread(lambda: work(stop))
        while not answer.done():
            wait([answer], LONGEST_WAIT)
        return answer.result()
    finally:
        signal.signal(signal.SIGINT, before)
