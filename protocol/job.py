"""One piece of work beside the reader: a search, or a count of moves, that `stop` can end."""

from __future__ import annotations

import threading
from collections.abc import Callable

PATIENCE = 0.002  # seconds between two attempts to stop


class Job:
    """Runs `work(job)` on a thread of its own.

    `interrupt` makes the work end soon. A stop that comes before the work can hear it would be lost, so `stop` repeats
    it until the thread has ended. `hold` is for searches without an end of their own: `wait_until_wanted` keeps back an
    answer that is ready before it was asked for.
    """

    def __init__(self, work: Callable[[Job], None], interrupt: Callable[[], None], hold: bool = False) -> None:
        self.stopped = False
        self.silent = False
        self.held = hold
        self.ready = False  # the work is done, its answer may still be held
        self._interrupt = interrupt
        self._wanted = threading.Event()
        if not hold:
            self._wanted.set()
        self._thread = threading.Thread(target=work, args=(self,), daemon=True)

    def start(self) -> None:
        self._thread.start()

    def release(self) -> None:
        """The answer may be given as soon as it is there (`ponderhit`)."""
        self.held = False
        self._wanted.set()

    def wait_until_wanted(self) -> None:
        self.ready = True
        self._wanted.wait()

    def stop(self, silent: bool = False) -> None:
        """End the work and wait until its answer is out; `silent` means that nobody wants the answer any more."""
        self.stopped = True
        self.silent = self.silent or silent
        self.release()
        while self._thread.is_alive():
            self._interrupt()
            self._thread.join(PATIENCE)

    def join(self) -> None:
        self._thread.join()
