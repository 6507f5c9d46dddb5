"""A search as an iterator of its reports, which may be left at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from types import TracebackType
from typing import Generic, Protocol, TypeVar

from chuhe.engine.values import Info

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class RunningSearch(Protocol[R_co]):
    """What a search must offer: `SearchHandle` does."""

    def stop(self) -> None: ...
    def done(self) -> bool: ...
    def result(self) -> R_co: ...


class Analysis(Generic[R]):
    """The reports of a search, as they come: a context manager and an iterator. To leave the block stops the search."""

    def __init__(self, start: Callable[[Callable[[Info], None], Callable[[], None]], RunningSearch[R]]) -> None:
        """`start(on_info, on_end)` starts the search; both may be called from any thread."""
        self._reports: SimpleQueue[Info | None] = SimpleQueue()
        self._lines: dict[int, Info] = {}
        self._search = start(self._hear, lambda: self._reports.put(None))

    def _hear(self, info: Info) -> None:
        if info.pv and info.bound == "exact":
            self._lines[info.multipv] = info
        self._reports.put(info)

    @property
    def multipv(self) -> list[Info]:
        """The newest complete report of each line, the best line first."""
        return [info for _, info in sorted(self._lines.items())]

    def __iter__(self) -> Iterator[Info]:
        while (info := self._reports.get()) is not None:
            yield info
        self._reports.put(None)  # a second loop ends at once
        self._search.result()  # raises what ended the search

    def stop(self) -> None:
        """End the search soon; the iteration goes on to its last report."""
        self._search.stop()

    def wait(self) -> R:
        """The search's answer."""
        return self._search.result()

    def __enter__(self) -> Analysis[R]:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        self._search.stop()
        if kind is None:
            self._search.result()


def report_lines(analysis: Analysis[R]) -> list[Info]:
    """The last report of each line, once the search has ended."""
    with analysis:
        analysis.wait()
    return analysis.multipv
