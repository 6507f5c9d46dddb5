"""The life of a search, the same for every engine: accepted, running, held, answered.

`begin` accepts a search, and from then on `stop` and `ponderhit` apply to it, whether it runs already or not. An
infinite or pondering search that has its answer holds it until one of them releases it.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from typing import Any, Generic, TypeVar

from chuhe.engine.errors import LimitError
from chuhe.engine.values import BestMove, Info, Limits, Score, Settings
from chuhe.text.message import Language

T = TypeVar("T")
E = TypeVar("E", bound="BaseEngine")
OnInfo = Callable[[Info], None]
NO_LIMITS = Limits()


class SearchState(Enum):
    ACCEPTED = "accepted"  # by `begin`; the engine is taken
    RUNNING = "running"  # `run` has been called
    HELD = "held"  # it has its answer, and waits for `stop` or `ponderhit`
    ANSWERED = "answered"  # or cancelled; the engine is free


class StopSignal:
    """Stops a search that somebody else begins: one that runs now, or one that has not begun yet."""

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
        """Within this block the signal calls `stop`, at once if it was set before. Begin the search first."""
        with self._lock:
            self._stop = stop
            if self._is_set:
                stop()
        try:
            yield
        finally:
            with self._lock:
                self._stop = None


class BegunSearch(Generic[T]):
    """A search that an engine has accepted: `run` it once, in any thread, or `cancel` it.

    Until then the engine is taken. The state is guarded by the engine's lock.
    """

    def __init__(self, engine: BaseEngine, limits: Limits, work: Callable[[], T]) -> None:
        self.limits = limits
        self.pondering = limits.ponder
        self.state = SearchState.ACCEPTED
        self._engine = engine
        self._work = work

    def run(self) -> T:
        """Search until a limit is reached or `stop` is called. An exception in `on_info` ends it and is raised."""
        with self._engine._lock:
            if self.state is not SearchState.ACCEPTED:
                raise LimitError("a search runs only once")
            self.state = SearchState.RUNNING
        try:
            return self._work()
        finally:
            self._engine._end(self)

    def cancel(self) -> None:
        """Discard the search instead of running it; no effect once it runs."""
        with self._engine._lock:
            if self.state is SearchState.ACCEPTED:
                self._engine._end(self)


class BaseEngine(ABC):
    """An engine that searches one position at a time.

    One thread may `search` while others call `stop` and `ponderhit`. If such a call may come early, start the search in
    two steps: after `begin` it takes effect even if `BegunSearch.run` is called later, in any thread.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._lock = threading.RLock()  # guards the fields below, and the state of the search
        self._begun: BegunSearch[Any] | None = None
        self._released = threading.Event()  # the answer need not be held
        self._notices: list[str] = []

    def __enter__(self: E) -> E:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop a search that runs, and give back the memory, which the next search would take again."""
        self.stop()

    @property
    def settings(self) -> Settings:
        return self._settings

    def configure(self, **changes: Any) -> None:
        """Change settings, all or none: LimitError names what is wrong, and nothing is changed.

        Memory and threads are allocated by the next `prepare` or search.
        """
        for name in changes:
            if name not in Settings.__dataclass_fields__:
                raise LimitError(f"there is no setting {name!r}")
        with self._idle("change settings"):
            fresh = replace(self._settings, **changes)
            self._apply(fresh, changes)
            self._settings = fresh

    # For engines

    def _apply(self, fresh: Settings, changes: dict[str, Any]) -> None:
        """Do what changed settings need done at once; after an error the old ones are kept."""
        return

    @abstractmethod
    def _halt(self) -> None:
        """Make the search end soon, even if it has not started yet."""

    @abstractmethod
    def _start_clock(self) -> None:
        """A pondering search counts its time from now on."""

    @contextmanager
    def _idle(self, what: str) -> Iterator[None]:
        """No search begins within this block; LimitError if one has begun."""
        with self._lock:
            if self._begun is not None:
                raise LimitError(f"cannot {what} during a search")
            yield

    def _accept(self, work: Callable[[], T], limits: Limits = NO_LIMITS) -> BegunSearch[T]:
        """Within `_idle`: take the engine for a search, which `work` will do."""
        search = BegunSearch(self, limits, work)
        self._released.clear()
        if not (limits.infinite or limits.ponder):
            self._released.set()
        self._begun = search
        return search

    def _run_until(self, stop: StopSignal | None, search: BegunSearch[T]) -> T:
        with (stop or StopSignal()).reaching(self.stop):
            return search.run()

    def _hold(self) -> None:
        """Called by the search when it has its answer: wait until it may be given."""
        with self._lock:
            if self._begun is not None:
                self._begun.state = SearchState.HELD
        self._released.wait()

    def _end(self, search: BegunSearch[T]) -> None:
        with self._lock:
            search.state = SearchState.ANSWERED
            if self._begun is search:
                self._begun = None

    # For users

    @property
    def searching(self) -> bool:
        """True from `begin` until the answer; `stop` and `ponderhit` take effect in that time."""
        return self._begun is not None

    @abstractmethod
    def begin(self, limits: Limits, on_info: OnInfo | None = None) -> BegunSearch[BestMove]:
        """Start a search's clock; `run` does the search. From now on `stop` and `ponderhit` apply to it.

        LimitError if a limit is invalid, or if another search has begun.
        """

    def search(self, limits: Limits, on_info: OnInfo | None = None, stop: StopSignal | None = None) -> BestMove:
        """Search the position until a limit is reached, `stop` is called or the signal is set.

        `on_info` is called from this thread. An exception in it ends the search and is raised here.
        """
        return self._run_until(stop, self.begin(limits, on_info))

    def stop(self) -> None:
        """Stop the search, if one has begun; it returns the best move so far."""
        with self._lock:
            if self._begun is not None:
                self._halt()
                self._released.set()

    def ponderhit(self) -> None:
        """The expected move was played: start the clock. No effect unless a search ponders."""
        with self._lock:
            search = self._begun
            if search is not None and search.pondering:
                search.pondering = False
                self._start_clock()
                if not search.limits.infinite:
                    self._released.set()

    @abstractmethod
    def prepare(self) -> None:
        """Allocate all memory that a search needs, so that no search spends time on it."""

    def take_notices(self) -> list[str]:
        """Messages for the user since the last call: less memory or fewer threads than requested."""
        taken = self._notices[:]
        del self._notices[: len(taken)]
        return taken

    @abstractmethod
    def new_game(self) -> None:
        """Forget what belongs to the last game."""

    @abstractmethod
    def clear_hash(self) -> None:
        """Empty the transposition table."""

    @abstractmethod
    def evaluate(self) -> Score:
        """The static evaluation of the position, for the side to move."""

    @abstractmethod
    def evaluation_table(self, language: Language = "en") -> str:
        """The evaluation term by term, for a person to read."""
