"""Any engine from code that is not asyncio: `open_engine` starts one, and its calls wait for the answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout  # TimeoutError itself from Python 3.11 on
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from chuhe.engine import Info, Limits, Position
from chuhe.engine.analysis import Analysis, report_lines
from chuhe.protocol.client import INFINITE, START_TIMEOUT, STOP_TIMEOUT, Client
from chuhe.protocol.errors import EngineDied, EngineError, EngineTimeout, UnsupportedError, silent
from chuhe.protocol.replies import AnnouncedOption, WantedDialect
from chuhe.protocol.requests import OptionValue
from chuhe.protocol.search_result import SearchResult

T = TypeVar("T")


class ExternalEngine:
    """A running engine, ours or another; create it with `open_engine`. Its methods are those of `Engine`.

    client: the asyncio client, which belongs to the engine's own thread.
    """

    def __init__(self, client: Client, loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
        self.client = client
        self._loop, self._thread = loop, thread
        self._multipv: OptionValue = 1

    @property
    def name(self) -> str:
        """The name that it was started under, or says that it has."""
        return self.client.id_name or self.client.name

    @property
    def options(self) -> dict[str, AnnouncedOption]:
        """The options that it announced, by name."""
        return self.client.options

    def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Set options; OptionError if one was not announced, or its value is outside its range."""
        for name, value in options.items():
            self._wait(self.client.set_option(name, value))
            if name.lower() == "multipv":
                self._multipv = value

    def new_game(self) -> None:
        """Tell the engine that a new game starts, and wait until it is ready."""
        self._wait(self.client.new_game())

    def play(self, position: Position | str, limits: Limits, timeout: float | None = None) -> SearchResult:
        """The answer of a search of a position (a text is a FEN); errors as in `Client.search`."""
        return self._wait(self.client.search(position, limits, timeout=timeout))

    def analyse(self, position: Position | str, limits: Limits, multipv: int | None = None) -> list[Info]:
        """The last report of each line, the best line first. `multipv`: so many lines (default: as the engine is set).

        UnsupportedError if the engine has no option MultiPV.
        """
        if multipv is None:
            return report_lines(self.analysis(position, limits))
        if not self.client.supports("MultiPV"):
            raise UnsupportedError(f"{self.client.name} has no option MultiPV")
        self._wait(self.client.set_option("MultiPV", multipv))
        try:
            return report_lines(self.analysis(position, limits))
        finally:
            if self.client.alive:
                self._wait(self.client.set_option("MultiPV", self._multipv))

    def analysis(self, position: Position | str, limits: Limits = INFINITE) -> Analysis[SearchResult]:
        """Search a position in the background; the reports are iterated over, and the search may be left."""

        def begin(on_info: Callable[[Info], None], on_end: Callable[[], None]) -> _Running:
            answer = self._submit(self.client.search(position, limits, on_info=on_info))
            answer.add_done_callback(lambda _: on_end())
            return _Running(self, answer)

        return Analysis(begin)

    def close(self) -> None:
        """End the engine."""
        if self._loop.is_closed():
            return
        with suppress(EngineError):
            self._wait(self.client.quit())
        _end(self._loop, self._thread)

    def __enter__(self) -> ExternalEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        if self._loop.is_closed():
            work.close()
            raise EngineDied(f"{self.client.name} is closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        answer = self._submit(work)
        try:
            return answer.result()
        except BaseException:
            answer.cancel()  # Ctrl-C: the search is stopped, and the engine can be used again
            raise


class _Running:
    """A search of the client: `stop` ends it early with its answer."""

    def __init__(self, engine: ExternalEngine, answer: Future[SearchResult]) -> None:
        self._engine, self._answer = engine, answer
        self._patience: float | None = None

    def stop(self) -> None:
        if not self._answer.done():
            self._engine._wait(self._send_stop())
            self._patience = STOP_TIMEOUT

    async def _send_stop(self) -> None:
        while not self._answer.done():
            if self._engine.client.searching:
                await self._engine.client.send("stop")
                return
            await asyncio.sleep(0.005)  # `go` is about to be sent

    def done(self) -> bool:
        return self._answer.done()

    def result(self) -> SearchResult:
        try:
            return self._answer.result(self._patience)
        except FutureTimeout:
            self._answer.cancel()
            raise EngineTimeout(silent(self._engine.name, "bestmove", STOP_TIMEOUT)) from None


def open_engine(
    command: str | Sequence[str],
    protocol: WantedDialect = "auto",
    *,
    variant: str = "xiangqi",
    cwd: str | Path | None = None,
    options: Mapping[str, OptionValue] | None = None,
    name: str = "",
    timeout: float = START_TIMEOUT,
    log: Callable[[str], None] | None = None,
) -> ExternalEngine:
    """Start an engine that speaks UCCI or UCI, and wait until it is ready; arguments and errors as in `Client.start`.

    with open_engine("fairy-stockfish") as engine:
        engine.play(Position(), Limits(movetime=100)).move
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="chuhe engine", daemon=True)
    thread.start()
    starting = Client.start(
        command, protocol, variant=variant, cwd=cwd, options=options, name=name, timeout=timeout, log=log
    )
    try:
        return ExternalEngine(asyncio.run_coroutine_threadsafe(starting, loop).result(), loop, thread)
    except BaseException:
        _end(loop, thread)
        raise


def _end(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
