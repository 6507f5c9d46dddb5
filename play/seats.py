"""Reads who plays a side: ``human``, ``computer``, ``level:3``, ``s0``, ``s1:position=9``, ``engine:COMMAND``."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from chuhe.engine.levels import LEVELS
from chuhe.play.opponents import Strength, StyleName
from chuhe.text.errors import UserError
from chuhe.text.message import Message, shown
from chuhe.text.numbers import parse_whole

MIDDLE_LEVEL = 5  # the default opponent


@dataclass(frozen=True)
class Seat:
    """Who plays a side: a person, a program with its strength, or an external engine."""

    human: bool = False
    strength: Strength = field(default_factory=Strength)
    command: str | None = None


class SeatError(UserError):
    """The text does not name a player."""


def parse_seat(text: str, strength: Strength, command: str | None = None) -> Seat:
    """A seat from its text; ``computer`` is the program that the other options describe.

    >>> parse_seat("human", Strength()).human, parse_seat("level:3", Strength()).strength.level
    (True, 3)
    """
    kind, _, rest = text.partition(":")
    if text == "human":
        return Seat(human=True, strength=strength)
    if text == "computer":
        return Seat(strength=strength, command=command)
    if kind in ("s0", "s1") and text != f"{kind}:":
        style: StyleName = "s0" if kind == "s0" else "s1"
        return Seat(strength=replace(strength, style=style, weights=rest, quiet_order=""))
    if kind == "level" and (level := parse_whole(rest, LEVELS[0], LEVELS[-1])) is not None:
        return Seat(strength=replace(strength, style="engine", level=level, weights="", quiet_order=""))
    if kind == "engine" and rest:
        return Seat(strength=strength, command=rest)
    raise SeatError(Message("play.not-a-player", text=shown(text)))
