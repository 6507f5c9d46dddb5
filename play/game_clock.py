"""A game clock for two, as pure arithmetic over a time source that the caller supplies."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class TimeControl:
    """Milliseconds: each side's stock, what a move adds, and what each move may use once the stock is gone."""

    base: int
    increment: int = 0
    byoyomi: int = 0

    def __str__(self) -> str:
        text = f"{self.base / 60_000:g}"
        text += f"+{self.increment / 1000:g}" if self.increment else ""
        return text + (f"/{self.byoyomi / 1000:g}" if self.byoyomi else "")


def parse_control(text: str) -> TimeControl:
    """Reads ``MINUTES[+SECONDS][/SECONDS]``: stock, increment, byoyomi.

    >>> parse_control("10+5"), parse_control("20/30")
    (TimeControl(base=600000, increment=5000, byoyomi=0), TimeControl(base=1200000, increment=0, byoyomi=30000))
    """
    number = r"(\d+(?:\.\d+)?)"
    match = re.fullmatch(rf"{number}(?:\+{number})?(?:/{number})?", text.strip())
    if not match:
        raise ValueError(f"a clock is MINUTES[+SECONDS][/BYOYOMI SECONDS], such as 10+5 or 20/30, not {text!r}")
    minutes, increment, byoyomi = (float(group or 0) for group in match.groups())
    if not minutes and not byoyomi:
        raise ValueError("a clock needs some time on it")
    return TimeControl(round(minutes * 60_000), round(increment * 1000), round(byoyomi * 1000))


class GameClock:
    """Two stocks of time, one of which may be running. `now` returns seconds, like time.monotonic."""

    def __init__(self, control: TimeControl, now: Callable[[], float]) -> None:
        self.control = control
        self._now = now
        self._stock = [control.base, control.base]
        self._running: int | None = None
        self._since = 0.0

    @property
    def running(self) -> int | None:
        return self._running

    def start(self, colour: int) -> None:
        self._running, self._since = colour, self._now()

    def pause(self) -> None:
        """Stops the running side's time without ending its move."""
        if self._running is not None:
            self._stock[self._running] = self.remaining(self._running)
            self._running = None

    def press(self) -> None:
        """The running side has moved: it gets its increment, the other side's time starts."""
        colour = self._running
        if colour is None:
            return
        left = self.remaining(colour)
        self._stock[colour] = max(left, 0) + self.control.increment
        self.start(1 - colour)

    def remaining(self, colour: int) -> int:
        """Milliseconds of stock; below zero once the stock is used up."""
        used = round((self._now() - self._since) * 1000) if self._running == colour else 0
        return self._stock[colour] - used

    def flagged(self) -> int | None:
        """The side whose time is over, byoyomi included, or None."""
        colour = self._running
        if colour is not None and self.remaining(colour) + self.control.byoyomi < 0:
            return colour
        return None

    def stocks(self) -> tuple[int, int]:
        return self.remaining(0), self.remaining(1)

    def restore(self, stocks: tuple[int, int]) -> None:
        """Sets both stocks, with nothing running: a move was taken back."""
        self._stock, self._running = list(stocks), None

    def __str__(self) -> str:
        return f"Red {_face(self.remaining(0))}   Black {_face(self.remaining(1))}"


def _face(milliseconds: int) -> str:
    """
    >>> _face(65_000), _face(4_000_000), _face(-20)
    ('1:05', '1:06:40', '0:00')
    """
    seconds = max(milliseconds, 0) // 1000
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
