"""A late engine is credited what it waited for a processor, and nothing else."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from toys import TOY
from waiting import wait_until

from chuhe.engine import Limits
from chuhe.protocol.client import Client
from chuhe.protocol.errors import EngineTimeout
from chuhe.protocol.processor import ProcessorWait, processor_time, wants_processor

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process waits for")


def finish(monkeypatch: pytest.MonkeyPatch, waited: float) -> tuple[float, float]:
    """The engine answers after 1.5 s, of which it may take 0.1 s. Returns its time and what it was credited."""
    monkeypatch.setattr(ProcessorWait, "seconds", lambda self: waited)

    async def answer() -> tuple[float, float]:
        async with await Client.start([sys.executable, str(TOY), "slow"], protocol="uci") as client:
            await client.begin(None, [], Limits(movetime=50))
            return (await client.finish(0.1, allowance=0.05)).elapsed, client.credit

    return asyncio.run(answer())


def test_an_engine_without_a_processor_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    elapsed, credit = finish(monkeypatch, waited=60.0)
    assert elapsed > 0.1
    assert credit == 60.0


def test_an_engine_that_takes_its_time_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EngineTimeout):
        finish(monkeypatch, waited=0.0)


@LINUX
def test_who_computes_or_could_wants_a_processor() -> None:
    busy, idle = (
        subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
        for code in ("while True: pass", "input()")
    )
    with busy, idle:
        try:
            wait_until(lambda: wants_processor(busy.pid) and (processor_time(busy.pid) or 0) > 0.01)
            wait_until(lambda: not wants_processor(idle.pid))
            assert ProcessorWait(idle.pid).seconds() == 0
        finally:
            busy.kill()
            idle.kill()
    assert processor_time(busy.pid) is None
    assert not wants_processor(busy.pid)
