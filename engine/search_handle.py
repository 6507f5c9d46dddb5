"""A search that was started: the one place that knows whether it is accepted, running, held or answered."""

from __future__ import annotations

import threading
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Generic, TypeVar, cast

from chuhe.engine.threads import NO_MORE_THREADS
from chuhe.engine.values import Limits

T = TypeVar("T")
NO_LIMITS = Limits()
LONGEST_WAIT = 1.0  # seconds between two looks: Windows hears Ctrl-C only then


class SearchState(Enum):
    ACCEPTED = "accepted"  # the engine is taken
    RUNNING = "running"
    HELD = "held"  # it has its answer, and waits for `stop` or `ponderhit`
    ANSWERED = "answered"  # the engine is free


class SearchHandle(Generic[T]):
    """A search, as a future. `stop` and `ponderhit` reach this search and no other, at any time and from any thread.

    `work(handle)` does the search; `halt` makes it end soon and `start_clock` starts its clock, also if it does not run
    yet.
    """

    def __init__(
        self,
        work: Callable[[SearchHandle[T]], T],
        limits: Limits = NO_LIMITS,
        halt: Callable[[], None] = lambda: None,
        start_clock: Callable[[], None] = lambda: None,
    ) -> None:
        self.limits = limits
        self.state = SearchState.ACCEPTED
        self.pondering = limits.ponder
        self.stopped = False
        self._work, self._halt, self._start_clock = work, halt, start_clock
        self._change = threading.Condition()  # guards the state
        self._answer: T | None = None
        self._error: BaseException | None = None
        self._listeners: list[Callable[[SearchHandle[T]], None]] = []

    def begin(self) -> None:
        """Search in a thread. If none can be started, a search that ends by itself is done at once; RuntimeError for
        any other."""
        try:
            start_new_thread(self.run, ())  # not Thread.start(), which waits until the new thread runs
        except NO_MORE_THREADS:
            if not self.ends:
                self._finish(None, error := RuntimeError("no thread could be started"))
                raise error from None
            self.run()

    def run(self) -> None:
        """Search in this thread."""
        self.state = SearchState.RUNNING
        try:
            answer = self._work(self)
        except BaseException as error:
            self._finish(None, error)
        else:
            self._finish(answer, None)

    def hold(self) -> None:
        """Called by the work when it has its answer: wait until it may be given."""
        with self._change:
            while not self.stopped and (self.pondering or self.limits.infinite):
                self.state = SearchState.HELD
                self._change.wait()

    def _finish(self, answer: T | None, error: BaseException | None) -> None:
        with self._change:
            self._answer, self._error = answer, error
            self.state = SearchState.ANSWERED
            self._change.notify_all()
        for listener in self._listeners:
            listener(self)

    @property
    def ends(self) -> bool:
        """Does it end without another signal?"""
        return self.stopped or (self.limits.has_end and not self.pondering)

    @property
    def ending(self) -> bool:
        """Is its answer due at once?"""
        return self.stopped or self.done()

    def stop(self) -> None:
        """Ask for the best move so far. No effect on a search that is answered."""
        with self._change:
            if not self.done():
                self.stopped = True
                self._halt()
                self._change.notify_all()

    def ponderhit(self) -> bool:
        """The expected move was played: start the clock. False, and no effect, unless the search ponders."""
        with self._change:
            if not self.pondering or self.done():
                return False
            self.pondering = False
            self._start_clock()
            self._change.notify_all()
            return True

    def done(self) -> bool:
        """Is it answered, and the engine free?"""
        return self.state is SearchState.ANSWERED

    def add_done_callback(self, listener: Callable[[SearchHandle[T]], None]) -> None:
        """Call this when the search is answered, in its thread; at once if it is."""
        with self._change:
            if not self.done():
                self._listeners.append(listener)
                return
        listener(self)

    def wait(self) -> None:
        """Wait for the answer. An exception meanwhile (Ctrl-C) stops the search before it is passed on."""
        try:
            self._wait()
        except BaseException:
            self.stop()
            self._wait()
            raise

    def _wait(self) -> None:
        with self._change:
            while not self.done():
                self._change.wait(LONGEST_WAIT)

    def result(self) -> T:
        """Wait for the answer. An exception of the search, or of its `on_info`, is raised here."""
        self.wait()
        if self._error is not None:
            raise self._error
        return cast("T", self._answer)

    def cancel(self) -> None:
        """Stop the search and wait until the engine is free; the answer is dropped."""
        self.stop()
        self.wait()


class StopSignal:
    """Stops a search that somebody else starts: one that runs now, or one that has not been started yet."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._is_set = False
        self._stop: Callable[[], None] | None = None

    def set(self) -> None:
        with self._lock:
            self._is_set = True
            if self._stop is not None:
                self._stop()

    @contextmanager
    def reaching(self, stop: Callable[[], None]) -> Iterator[None]:
        """Within this block the signal calls `stop`, at once if it was set before. Start the search first."""
        with self._lock:
            self._stop = stop
            if self._is_set:
                stop()
        try:
            yield
        finally:
            with self._lock:
                self._stop = None
