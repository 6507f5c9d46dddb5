"""One piece of work beside the reader: a search, or a count of moves, that `stop` can end."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Job:
    """Runs `work(job)` on a thread of its own.

    `interrupt` makes the work end soon, also when it comes before the work has begun. `ends`: the work ends by itself.
    """

    def __init__(self, work: Callable[[Job], None], interrupt: Callable[[], None], ends: bool = True) -> None:
        self.stopped = False
        self.silent = False
        self.ends = ends
        self._work = work
        self._interrupt = interrupt
        self._thread = threading.Thread(target=work, args=(self,), daemon=True)

    def start(self) -> None:
        """Where no thread is to be had, work that ends by itself is done here and now; RuntimeError for any other."""
        try:
            self._thread.start()
        except (RuntimeError, MemoryError):
            if not self.ends:
                raise RuntimeError("no thread could be started") from None
            self._work(self)

    def stop(self, silent: bool = False) -> None:
        """End the work and wait until its answer is out; `silent` means that nobody wants the answer any more."""
        self.stopped = True
        self.silent = self.silent or silent
        self._interrupt()
        self.join()

    def join(self) -> None:
        if self._thread.ident is not None:
            self._thread.join()
