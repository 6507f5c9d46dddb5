"""Schedules one engine for all rooms: jobs wait in a queue, and a higher priority preempts a lower one.

Everything but a job's work runs in the event loop; the work runs in one thread, so no two searches ever overlap.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from enum import IntEnum
from typing import Any

from chuhe.engine import Engine, Settings
from chuhe.engine.search_handle import StopSignal
from chuhe.web.outgoing import Waiting


class Priority(IntEnum):
    """Lower values go first."""

    PLAY = 0
    PONDER = 1
    ANALYSIS = 2
    REVIEW = 3

    @property
    def word(self) -> Waiting:
        """As the page names it."""
        words: dict[Priority, Waiting] = {
            Priority.PLAY: "play",
            Priority.PONDER: "ponder",
            Priority.ANALYSIS: "analysis",
            Priority.REVIEW: "review",
        }
        return words[self]


class EngineJob:
    """A unit of engine work, which ends soon when its `StopSignal` is set.

    `result` is what the work returned; it is cancelled with the job. `on_wait` is called with the priority of the job
    that runs instead, or None when this one runs (again).
    """

    def __init__(
        self,
        priority: Priority,
        work: Callable[[StopSignal], Any],
        on_wait: Callable[[Priority | None], None] = lambda by: None,
    ) -> None:
        self.priority = priority
        self.work = work
        self.on_wait = on_wait
        self.result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.displaced = False
        self.stop = StopSignal()  # a fresh one whenever it starts
        self.number = 0  # in the order of arrival


class EngineQueue:
    """Gives the engine to one job at a time."""

    def __init__(self, settings: Settings) -> None:
        self.engine = Engine(settings)
        self.wanted = settings
        self.current: EngineJob | None = None
        self._waiting: list[EngineJob] = []
        self._count = 0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")
        self._running: asyncio.Future[Any] | None = None
        self._closed = False

    def submit(self, job: EngineJob) -> EngineJob:
        self._count += 1
        job.number = self._count
        self._waiting.append(job)
        self._serve()
        if self.current is not None and self.current is not job and not self.current.result.done():
            job.on_wait(self.current.priority)
        return job

    def cancel(self, job: EngineJob | None) -> None:
        """Drop a job, whatever its state; its result is cancelled."""
        if job is None or job.result.done():
            return
        job.result.cancel()
        if job in self._waiting:
            self._waiting.remove(job)
        if job is self.current:
            self._halt()

    def finish(self, job: EngineJob) -> None:
        """Let a running job answer now with what it has."""
        if job is self.current:
            self._halt()

    def configure(self, **changes: Any) -> None:
        """Changes the engine's threads or hash from the next job on; an endless job is restarted for it."""
        self.wanted = replace(self.wanted, **changes)
        if self.current is not None and self.current.priority >= Priority.ANALYSIS:
            self.current.displaced = True
            self._halt()

    def _work(self, job: EngineJob) -> Any:
        """Runs in the worker thread, which has the engine to itself."""
        wanted, used = self.wanted, self.engine.settings
        if (wanted.threads, wanted.hash_mb) != (used.threads, used.hash_mb):
            self.engine.configure(threads=wanted.threads, hash_mb=wanted.hash_mb)
        return job.work(job.stop)

    def raise_to(self, job: EngineJob, priority: Priority) -> None:
        job.priority = priority
        self._serve()

    async def close(self) -> None:
        """Stops the running job and waits for its thread."""
        self._closed = True
        for job in [*self._waiting, *([self.current] if self.current else [])]:
            self.cancel(job)
        if self._running is not None:
            await asyncio.wait([self._running])
        self._thread.shutdown()

    def _serve(self) -> None:
        if not self._waiting or self._closed:
            return
        best = min(self._waiting, key=lambda job: (job.priority, job.number))
        if self.current is None:
            self._waiting.remove(best)
            self._start(best)
        elif best.priority < self.current.priority and not self.current.result.done():
            self.current.displaced = True
            self._halt()

    def _start(self, job: EngineJob) -> None:
        self.current, job.displaced, job.stop = job, False, StopSignal()
        job.on_wait(None)
        for other in self._waiting:
            other.on_wait(job.priority)
        self._running = asyncio.get_running_loop().run_in_executor(self._thread, self._work, job)
        self._running.add_done_callback(lambda done: self._ended(job, done))

    def _ended(self, job: EngineJob, done: asyncio.Future[Any]) -> None:
        self.current = self._running = None
        error = done.exception()
        if job.displaced and not job.result.done() and error is None:
            self._waiting.append(job)
        elif not job.result.done():
            if error is not None:
                job.result.set_exception(error)
            else:
                job.result.set_result(done.result())
        self._serve()

    def _halt(self) -> None:
        if self.current is not None:
            self.current.stop.set()


class Throttle:
    """Passes on at most `rate` values a second, but always the last one."""

    def __init__(self, send: Callable[[Any], None], rate: float = 8.0) -> None:
        self._send = send
        self._gap = 1 / rate
        self._next = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._value: Any = None

    def put(self, value: Any) -> None:
        loop = asyncio.get_running_loop()
        self._value = value
        if self._timer is None:
            self._timer = loop.call_at(max(loop.time(), self._next), self._flush)

    def drop(self) -> None:
        """Drop what has not been sent."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def flush(self) -> None:
        """Send what is waiting at once."""
        if self._timer is not None:
            self._timer.cancel()
            self._flush()

    def _flush(self) -> None:
        self._timer = None
        self._next = asyncio.get_running_loop().time() + self._gap
        self._send(self._value)
