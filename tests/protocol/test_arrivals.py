"""An engine's answer is dated by its arrival, not by a late event loop."""

from __future__ import annotations

import asyncio
import select
import sys
import time

import pytest
from hand_clock import HandClock
from toys import TOY

from chuhe.engine import Limits
from chuhe.protocol.arrivals import PERIOD, TOLERANCE, Arrivals
from chuhe.protocol.client import Client
from chuhe.protocol.pipe import STDOUT


def test_a_late_beat_is_a_stall() -> None:
    clock = HandClock(100.0)
    arrivals = Arrivals(clock)
    clock.seconds += PERIOD + TOLERANCE / 2
    assert arrivals.lateness() == 0
    arrivals.beat(clock.seconds)
    clock.seconds += PERIOD + 0.3
    assert arrivals.lateness() == pytest.approx(0.3)
    arrivals.beat(clock.seconds)
    assert arrivals.lateness() == 0
    assert arrivals.longest_stall(since=100.0) == pytest.approx(0.3)
    assert arrivals.longest_stall(since=clock.seconds + 1) == 0


def test_an_answer_that_came_while_the_loop_was_late_is_in_time() -> None:
    """The loop stands still until long after the answer and its deadline: the engine is charged one beat."""

    async def answered() -> tuple[float, float]:
        command = [sys.executable, str(TOY)]
        with Arrivals() as arrivals:
            async with await Client.start(command, protocol="uci", arrivals=arrivals) as client:
                transport = client._pipe._transport.get_pipe_transport(STDOUT)
                assert transport is not None

                def stand_still() -> None:
                    select.select([transport.get_extra_info("pipe")], [], [])
                    time.sleep(0.3)

                began = time.perf_counter()
                arrivals.beat(began)
                await client.begin(None, [], Limits(nodes=1))
                asyncio.get_running_loop().call_soon(stand_still)
                result = await client.finish(0.05)
                assert result.move is not None
                await asyncio.sleep(2 * PERIOD)
                return result.elapsed, arrivals.longest_stall(began)

    elapsed, stall = asyncio.run(answered())
    assert stall >= 0.3 - PERIOD
    assert elapsed <= PERIOD


def test_what_is_read_in_the_round_of_a_beat_may_have_come_before() -> None:
    """The process stands still between two rounds of the loop: what it then reads has been waiting."""

    async def late() -> float:
        loop, clock = asyncio.get_running_loop(), HandClock(100.0)
        arrivals = Arrivals(clock)
        arrivals._on_timer()
        clock.seconds += 0.3
        lateness = 0.0

        def read() -> None:
            nonlocal lateness
            lateness = arrivals.lateness()

        loop.call_soon(loop.call_soon, read)  # in the same round as the beat, and after it
        await asyncio.sleep(0.001)
        return lateness

    assert asyncio.run(late()) == pytest.approx(0.3 - PERIOD)


def test_the_time_that_the_loop_stood_still_is_summed() -> None:
    clock = HandClock(100.0)
    arrivals = Arrivals(clock)
    for stall in (0.3, 0.2):
        clock.seconds += PERIOD + stall
        arrivals.beat()
    assert arrivals.stalled(since=100.0) == pytest.approx(0.5)
    assert arrivals.stalled(since=clock.seconds - 0.1) == pytest.approx(0.1)
    clock.seconds += PERIOD + 0.4  # and it has not gone on yet
    assert arrivals.stalled(since=100.0) == pytest.approx(0.9)
