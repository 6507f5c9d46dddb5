"""Work that Ctrl-C can hurry."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_for(work: Callable[[], T], hurry: Callable[[], None]) -> T:
    """Do the work in a thread, so that Ctrl-C reaches us; each Ctrl-C calls `hurry`, which asks for an answer now."""
    result: list[T] = []
    failure: list[BaseException] = []
    finished = threading.Event()  # after an interrupted join, a running thread may look dead

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:
            failure.append(error)
        finally:
            finished.set()

    threading.Thread(target=run, daemon=True).start()
    while not finished.is_set():
        try:
            finished.wait()
        except KeyboardInterrupt:
            hurry()
    if failure:
        raise failure[0]
    return result[0]
