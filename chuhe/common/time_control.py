"""Time controls: parsing, formatting, and each side's clock. All times are in milliseconds."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from chuhe.engine.bounds import ENDLESS, bounded, check_bounds
from chuhe.text.errors import UserError
from chuhe.text.message import Message, shown
from chuhe.text.numbers import LONGEST_NUMBER, parse_whole

SECOND, MINUTE = 1000, 60_000
CLOCK = re.compile(
    r"(?:(?P<moves>\d+)/)?(?P<base>[\d.]+)(?:\+(?P<increment>[\d.]+))?(?:~(?P<byoyomi>[\d.]+))?", re.ASCII
)
PER_MOVE = ("movetime", "nodes", "depth")
LONGEST = 10**11  # milliseconds, about three years; anything longer is a typing error


class ControlError(UserError):
    """A time control that cannot be read or makes no sense."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A clock (`base`, `increment`, `moves` per period, `byoyomi`), or a limit per move, or both."""

    base: int | None = None
    increment: int = 0
    moves: int | None = bounded(None, 1, ENDLESS)  # the base is added again after this many moves
    byoyomi: int = 0  # once the base is used up, every move may take this long
    movetime: int | None = bounded(None, 1, LONGEST)
    nodes: int | None = bounded(None, 1, ENDLESS)
    depth: int | None = bounded(None, 1, ENDLESS)

    def __post_init__(self) -> None:
        if self.base is None and self.movetime is None and self.nodes is None and self.depth is None:
            raise ControlError(Message("control.nothing"))
        if self.base is not None and self.movetime is not None:
            raise ControlError(Message("control.both"))
        if self.base is None and (self.increment or self.moves or self.byoyomi):
            raise ControlError(Message("control.needs-clock"))
        if self.base == 0 and not (self.increment or self.byoyomi):
            raise ControlError(Message("control.no-time"))
        for name in ("base", "increment", "byoyomi"):
            if not 0 <= (getattr(self, name) or 0) <= LONGEST:
                raise ControlError(Message("control.seconds", name=name, most=LONGEST // SECOND))
        check_bounds(self, ControlError)

    def scaled(self, factor: float) -> TimeControl:
        """Apply time odds: scale all times, and the node limit if there is one."""
        if factor == 1.0:
            return self

        def times(value: int | None) -> int | None:
            return None if value is None else max(1, round(value * factor))

        return replace(
            self,
            base=times(self.base),
            increment=round(self.increment * factor),
            byoyomi=round(self.byoyomi * factor),
            movetime=times(self.movetime),
            nodes=times(self.nodes),
        )

    def __str__(self) -> str:
        return self.text()

    def text(self, base_unit: int = SECOND) -> str:
        """The text that `parse_control` reads."""
        parts = []
        if self.base is not None:
            text = f"{self.moves}/" if self.moves else ""
            text += _number(self.base, base_unit)
            text += f"+{_number(self.increment)}" if self.increment else ""
            text += f"~{_number(self.byoyomi)}" if self.byoyomi else ""
            parts.append(text)
        parts += [f"{name}={value}" for name in PER_MOVE if (value := getattr(self, name)) is not None]
        return ",".join(parts)


def _number(milliseconds: int, unit: int = SECOND) -> str:
    return f"{milliseconds / unit:.5f}".rstrip("0").rstrip(".")


def parse_control(text: str, base_unit: int = SECOND) -> TimeControl:
    """`[MOVES/]BASE[+INCREMENT][~BYOYOMI]`, `movetime=MS`, `nodes=N`, `depth=N`; several joined by commas.

    The base is in seconds unless `base_unit` says otherwise: people give a game's time in minutes.

    >>> parse_control("40/60+0.5")
    TimeControl(base=60000, increment=500, moves=40, byoyomi=0, movetime=None, nodes=None, depth=None)
    >>> str(parse_control("300~30")), str(parse_control("movetime=100,depth=9"))
    ('300~30', 'movetime=100,depth=9')
    >>> str(parse_control("10+5", MINUTE))
    '600+5'
    """
    fields: dict[str, int | None] = {}
    for part in text.replace(" ", "").split(","):
        name, equals, value = part.partition("=")
        if equals:
            fields[name] = parse_whole(value, 0, 10**LONGEST_NUMBER)
            if name not in PER_MOVE or fields[name] is None:
                raise ControlError(Message("control.not-limit", text=shown(part)))
        else:
            fields.update(_parse_clock(part, base_unit))
    return TimeControl(**fields)  # type: ignore[arg-type]


def _parse_clock(text: str, base_unit: int) -> dict[str, int | None]:
    match = CLOCK.fullmatch(text)
    moves = match["moves"] if match else None
    try:
        if match is None:
            raise ValueError
        times = {name: round(float(match[name] or 0) * SECOND) for name in ("increment", "byoyomi")}
        times["base"] = round(float(match["base"]) * base_unit)
        count = int(moves) if moves else None
    except (ValueError, OverflowError):
        base, example = ("SECONDS", "40/60+0.5") if base_unit == SECOND else ("MINUTES", "10+5, 20~30")
        raise ControlError(Message("control.not-clock", text=shown(text), base=base, example=example)) from None
    return {**times, "moves": count}


class SideClock:
    """One side's clock during a game."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.left = float(control.base or 0)
        self.moves = 0

    @property
    def allowance(self) -> float | None:
        """Time allowed for the next move; None if the control sets no time."""
        if self.control.movetime is not None:
            return float(self.control.movetime)
        if self.control.base is None:
            return None
        return self.left + self.control.byoyomi

    @property
    def moves_to_go(self) -> int | None:
        if self.control.moves is None:
            return None
        return self.control.moves - self.moves % self.control.moves

    def spend(self, milliseconds: float) -> None:
        """Deduct the time a move took, then add its increment or the next period's time."""
        self.moves += 1
        if self.control.base is None:
            return
        self.left = max(0.0, self.left - milliseconds) + self.control.increment
        if self.control.moves and self.moves % self.control.moves == 0:
            self.left += self.control.base
