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
            async with await Client.start(command, protocol="uci", lateness=arrivals.lateness) as client:
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
