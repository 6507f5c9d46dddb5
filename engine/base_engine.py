"""What every engine has: settings, one search at a time, and how it is started."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from chuhe.engine.analysis import Analysis, report_lines
from chuhe.engine.errors import LimitError
from chuhe.engine.search_handle import NO_LIMITS, SearchHandle, StopSignal
from chuhe.engine.uncopied import Uncopied
from chuhe.engine.values import BestMove, Info, Limits, Score, Settings
from chuhe.text.message import Language

T = TypeVar("T")
E = TypeVar("E", bound="BaseEngine")
OnInfo = Callable[[Info], None]
INFINITE = Limits(infinite=True)
Work = Callable[[SearchHandle[T]], T]


class BaseEngine(Uncopied, ABC):
    """An engine that searches one position at a time. `start` returns the search; `search` waits for its answer."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._lock = threading.RLock()  # held while the engine is changed, and while a search is accepted
        self._newest: SearchHandle[Any] | None = None
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
        """What `configure` changes."""
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

    @abstractmethod
    def _begin(self, limits: Limits, on_info: OnInfo | None) -> Work[BestMove]:
        """Start the clock of a search of the engine's position; what is returned does the search. LimitError if a limit
        is invalid."""

    @contextmanager
    def _idle(self, what: str) -> Iterator[None]:
        """No search is started within this block; LimitError if one is under way."""
        with self._lock:
            if self.searching:
                raise LimitError(f"cannot {what} during a search")
            yield

    def _accept(self, work: Work[T], limits: Limits = NO_LIMITS) -> SearchHandle[T]:
        """Within `_idle`: take the engine for a search."""
        self._newest = search = SearchHandle(work, limits, self._halt, self._start_clock)
        return search

    # For users

    @property
    def current(self) -> SearchHandle[Any] | None:
        """The search under way."""
        newest = self._newest
        return None if newest is None or newest.done() else newest

    @property
    def searching(self) -> bool:
        """Is a search under way?"""
        return self.current is not None

    @abstractmethod
    def set_position(self, position: Any) -> None:
        """Copy the position that the next search begins at."""

    def start(self, position: Any, limits: Limits, on_info: OnInfo | None = None) -> SearchHandle[BestMove]:
        """Search a position (None: the one set before) in a thread of its own.

        `on_info` is called from that thread; an exception in it ends the search. LimitError if a limit is invalid, or
        if another search is under way.
        """
        with self._idle("begin a search"):
            if position is not None:
                self.set_position(position)
            search = self._accept(self._begin(limits, on_info), limits)
        search.begin()
        return search

    def search(self, limits: Limits, on_info: OnInfo | None = None, stop: StopSignal | None = None) -> BestMove:
        """The answer of a search of the position set before, which `stop` or the signal may end early.

        An exception in `on_info` is raised here.
        """
        search = self.start(None, limits, on_info)
        with (stop or StopSignal()).reaching(search.stop):
            return search.result()

    def play(self, position: Any, limits: Limits) -> BestMove:
        """The answer of a search of a position."""
        return self.start(position, limits).result()

    def analyse(self, position: Any, limits: Limits, multipv: int | None = None) -> list[Info]:
        """The last report of each line, the best line first. `multipv`: so many lines (default: the setting)."""
        before = self._settings.multipv
        self.configure(multipv=before if multipv is None else multipv)
        try:
            return report_lines(self.analysis(position, limits))
        finally:
            self.configure(multipv=before)

    def analysis(self, position: Any, limits: Limits = INFINITE) -> Analysis[BestMove]:
        """Search a position in the background; the reports are iterated over, and the search may be left.

        >>> from chuhe.engine import Engine, Position
        >>> with Engine() as engine, engine.analysis(Position()) as analysis:
        ...     for info in analysis:
        ...         if info.depth >= 3:
        ...             break
        >>> analysis.wait().move in Position().legal_moves
        True
        """

        def begin(on_info: OnInfo, on_end: Callable[[], None]) -> SearchHandle[BestMove]:
            search = self.start(position, limits, on_info)
            search.add_done_callback(lambda _: on_end())
            return search

        return Analysis(begin)

    def stop(self) -> None:
        """Stop the search under way, if there is one."""
        if (search := self.current) is not None:
            search.stop()

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
