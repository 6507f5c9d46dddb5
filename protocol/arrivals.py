"""When did an engine's answer arrive, if this program itself was late in reading it?

A busy machine or a slow disk can keep the event loop from running. What arrived meanwhile is read late, and the reading
time is not the engine's. A timer that should fire every few milliseconds shows how late the loop is.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

PERIOD = 0.01  # seconds between two beats
TOLERANCE = 0.02  # a smaller delay is usual, and counts as the engine's
STALLS_KEPT = 10_000


class Arrivals:
    """A context manager, to be entered in a running event loop."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._beat = self._read = now()
        self._stalls: deque[tuple[float, float]] = deque(maxlen=STALLS_KEPT)  # when it ended, how long it was
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> Arrivals:
        self.beat(self._now())
        self._schedule()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._timer is not None
        self._timer.cancel()

    def _schedule(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(PERIOD, self._on_timer)

    def _on_timer(self) -> None:
        """What has arrived until now is read in this round of the loop or in the next one."""
        loop = asyncio.get_running_loop()
        loop.call_soon(loop.call_soon, self.beat, self._now())
        self._schedule()

    def beat(self, read: float | None = None) -> None:
        """The event loop runs: what arrived until `read`, or until now, has been read."""
        if late := self._late_since(self._beat):
            self._stalls.append((self._now(), late))
        self._beat = self._now()
        self._read = self._beat if read is None else read

    def lateness(self) -> float:
        """By how many seconds what is read now may have been waiting; 0 if the loop is on time."""
        return self._late_since(self._read)

    def _late_since(self, moment: float) -> float:
        late = self._now() - moment - PERIOD
        return late if late > TOLERANCE else 0.0

    def stalled(self, since: float) -> float:
        """For how many seconds since `since` the loop stood still."""
        now = self._now()
        stalls = [*self._stalls, (now, self._late_since(self._beat))]
        return sum(min(late, ended - since) for ended, late in stalls if ended > since)

    def longest_stall(self, since: float) -> float:
        """The longest delay, in seconds, that ended after `since`."""
        return max((late for ended, late in self._stalls if ended >= since), default=0.0)
