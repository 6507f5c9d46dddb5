"""A game clock for two sides. It only computes; the caller supplies the time source."""

from __future__ import annotations

from collections.abc import Callable

from chuhe.common.time_control import MINUTE, ControlError, SideClock, TimeControl, parse_control
from chuhe.text.message import Message, shown

SavedClock = tuple[tuple[float, int], tuple[float, int]]  # for each side: milliseconds left, moves made


def parse_clock(text: str) -> TimeControl:
    """Reads ``[MOVES/]MINUTES[+SECONDS][~SECONDS]``: base, increment, byoyomi.

    >>> parse_clock("10+5").text(MINUTE), parse_clock("20~30").byoyomi
    ('10+5', 30000)
    """
    control = parse_control(text, MINUTE)
    if control.base is None or control.nodes is not None or control.depth is not None:
        raise ControlError(Message("control.not-minutes", text=shown(text)))
    return control


class GameClock:
    """Both sides' time; one of them may be running. `now` returns seconds, like time.perf_counter."""

    def __init__(self, control: TimeControl, now: Callable[[], float]) -> None:
        self.control = control
        self._now = now
        self._sides = SideClock(control), SideClock(control)
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
            self._sides[self._running].left -= self._used(self._running)
            self._running = None

    def press(self) -> None:
        """The running side has moved: it gets its increment, and the other side's time starts."""
        colour = self._running
        if colour is None:
            return
        self._sides[colour].spend(self._used(colour))
        self.start(1 - colour)

    def _used(self, colour: int) -> int:
        return round((self._now() - self._since) * 1000) if self._running == colour else 0

    def remaining(self, colour: int) -> int:
        """Milliseconds left on a side's clock; negative once it is used up."""
        return round(self._sides[colour].left) - self._used(colour)

    def moves_to_go(self, colour: int) -> int | None:
        return self._sides[colour].moves_to_go

    def flagged(self) -> int | None:
        """The side whose time has run out, byoyomi included, or None."""
        colour = self._running
        if colour is not None and self.remaining(colour) + self.control.byoyomi < 0:
            return colour
        return None

    def stocks(self) -> tuple[int, int]:
        return self.remaining(0), self.remaining(1)

    def save(self) -> SavedClock:
        """What `restore` needs when the next move is taken back."""
        red, black = self._sides
        return (self.remaining(0), red.moves), (self.remaining(1), black.moves)

    def restore(self, saved: SavedClock) -> None:
        """Restores what was saved, with neither side running."""
        for side, (left, moves) in zip(self._sides, saved, strict=True):
            side.left, side.moves = left, moves
        self._running = None

    @property
    def message(self) -> Message:
        """Both sides' time."""
        return Message("clock.faces", red=_face(self.remaining(0)), black=_face(self.remaining(1)))

    def __str__(self) -> str:
        return str(self.message)


def _face(milliseconds: int) -> str:
    """
    >>> _face(65_000), _face(4_000_000), _face(-20)
    ('1:05', '1:06:40', '0:00')
    """
    seconds = max(milliseconds, 0) // 1000
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
