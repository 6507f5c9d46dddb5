"""A background task that `stop` can end: a search or a perft."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Job:
    """Runs `work(job)` in its own thread.

    `interrupt` makes the work end soon, even if called before the work has begun. `ends`: it ends by itself.
    """

    def __init__(self, work: Callable[[Job], None], interrupt: Callable[[], None], ends: bool = True) -> None:
        self.stopped = False
        self.silent = False
        self.ends = ends
        self._work = work
        self._interrupt = interrupt
        self._thread = threading.Thread(target=work, args=(self,), daemon=True)

    def start(self) -> None:
        """Without a thread, work that ends by itself is done at once; other work raises RuntimeError."""
        try:
            self._thread.start()
        except (RuntimeError, MemoryError):
            if not self.ends:
                raise RuntimeError("no thread could be started") from None
            self._work(self)

    def stop(self, silent: bool = False) -> None:
        """Stop the work and wait until its answer has been written; `silent` suppresses the answer."""
        self.stopped = True
        self.silent = self.silent or silent
        self._interrupt()
        self.join()

    def join(self) -> None:
        if self._thread.ident is not None:
            self._thread.join()
