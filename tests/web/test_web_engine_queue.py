import asyncio
import threading
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from waiting import PATIENCE

from chuhe.engine import Settings
from chuhe.engine.search_handle import StopSignal
from chuhe.web.engine_queue import EngineJob, EngineQueue, Priority, Throttle


class Work:
    """Work that runs until it is interrupted or released."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log = name, log
        self.began = threading.Event()
        self.end = threading.Event()

    def __call__(self, stop: StopSignal) -> str:
        self.log.append(f"{self.name} begins")
        self.began.set()
        with stop.reaching(self.end.set):
            assert self.end.wait(PATIENCE)
        self.end.clear()
        self.began.clear()
        self.log.append(f"{self.name} ends")
        return self.name

    def job(self, priority: Priority, on_wait: Callable[[Priority | None], None] = lambda by: None) -> EngineJob:
        return EngineJob(priority, self, on_wait)


async def begun(work: Work) -> None:
    await asyncio.get_running_loop().run_in_executor(None, work.began.wait, 20)


def run(test: Callable[[EngineQueue, list[str]], Any]) -> list[str]:
    log: list[str] = []

    async def main() -> None:
        queue = EngineQueue(Settings(hash_mb=1))
        try:
            await test(queue, log)
        finally:
            await queue.close()

    asyncio.run(main())
    return log


def test_what_matters_more_displaces_what_matters_less_and_is_told() -> None:
    heard: list[Priority | None] = []

    async def test(queue: EngineQueue, log: list[str]) -> None:
        analysis, play = Work("analysis", log), Work("play", log)
        first = queue.submit(analysis.job(Priority.ANALYSIS, heard.append))
        await begun(analysis)
        second = queue.submit(play.job(Priority.PLAY))
        await begun(play)
        play.end.set()
        assert await second.result == "play"
        await begun(analysis)
        analysis.end.set()
        assert await first.result == "analysis"

    log = run(test)
    assert log == [f"{name} {what}" for name in ("analysis", "play", "analysis") for what in ("begins", "ends")]
    assert heard == [None, Priority.PLAY, None]


def test_review_waits_for_analysis_and_play_goes_in_order() -> None:
    async def test(queue: EngineQueue, log: list[str]) -> None:
        works = [Work(name, log) for name in ("one", "review", "two", "three")]
        priorities = [Priority.PLAY, Priority.REVIEW, Priority.PLAY, Priority.ANALYSIS]
        jobs = [queue.submit(work.job(priority)) for work, priority in zip(works, priorities, strict=True)]
        for work in works:
            work.end.set()
        assert [await job.result for job in jobs] == ["one", "review", "two", "three"]

    assert [line.split()[0] for line in run(test)[::2]] == ["one", "two", "three", "review"]


def test_a_cancelled_job_is_stopped_or_never_begins() -> None:
    async def test(queue: EngineQueue, log: list[str]) -> None:
        running, waiting = Work("running", log), Work("waiting", log)
        jobs = [queue.submit(work.job(Priority.PLAY)) for work in (running, waiting)]
        await begun(running)
        for job in jobs:
            queue.cancel(job)
        for job in jobs:
            with pytest.raises(asyncio.CancelledError):
                await job.result

    assert run(test) == ["running begins", "running ends"]


def test_a_fault_reaches_whoever_waits() -> None:
    async def test(queue: EngineQueue, log: list[str]) -> None:
        def work(stop: StopSignal) -> None:
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            await queue.submit(EngineJob(Priority.PLAY, work)).result

    run(test)


def test_the_engines_resources_change_between_jobs() -> None:
    async def test(queue: EngineQueue, log: list[str]) -> None:
        queue.configure(threads=2, hash_mb=2)
        seen = await queue.submit(EngineJob(Priority.PLAY, lambda stop: queue.engine.settings)).result
        assert (seen.threads, seen.hash_mb) == (2, 2)

    run(test)


def test_lines_come_at_a_rate_and_the_last_always() -> None:
    async def main() -> list[tuple[float, int]]:
        loop = asyncio.get_running_loop()
        sent: list[tuple[float, int]] = []
        last = asyncio.Event()

        def send(value: int) -> None:
            sent.append((loop.time(), value))
            if value == 99:
                last.set()

        throttle = Throttle(send, rate=50)
        for value in range(100):
            throttle.put(value)
            await asyncio.sleep(0.001)
        await asyncio.wait_for(last.wait(), PATIENCE)
        return sent

    sent = asyncio.run(main())
    assert sent[-1][1] == 99
    gaps = [later[0] - earlier[0] for earlier, later in pairwise(sent)]
    assert all(gap >= 0.019 for gap in gaps)


def test_a_job_that_is_on_its_way_out_displaces_nobody() -> None:
    heard: list[Priority | None] = []

    async def test(queue: EngineQueue, log: list[str]) -> None:
        old, new = Work("old", log), Work("new", log)
        job = queue.submit(old.job(Priority.ANALYSIS))
        await begun(old)
        queue.cancel(job)
        fresh = queue.submit(new.job(Priority.ANALYSIS, heard.append))
        await begun(new)
        new.end.set()
        assert await fresh.result == "new"

    run(test)
    assert heard == [None]


def test_a_job_is_stopped_even_while_the_one_before_it_is_still_being_stopped() -> None:
    async def test(queue: EngineQueue, log: list[str]) -> None:
        works = [Work(str(number), log) for number in range(3)]
        for work in works:
            job = queue.submit(work.job(Priority.PONDER))
            await begun(work)
            queue.cancel(job)
            while queue.current is job:
                await asyncio.sleep(0)

    assert len(run(test)) == 6
