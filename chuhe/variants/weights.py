"""Weights of an evaluation as text: ``strength=6,position=4``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from chuhe.text.errors import UserError
from chuhe.text.message import Message, shown
from chuhe.text.numbers import parse_number, parse_whole

T = TypeVar("T", int, float)
LARGEST = 1_000_000
LARGEST_WHOLE = 1000


class WeightError(UserError):
    """An unknown or invalid weight; the message names it."""


def parse_weights(text: str, names: Iterable[str] | None, number: Callable[[str], T]) -> dict[str, T]:
    """Parse weights, each given at most once; `names` are the allowed ones, None allows any.

    >>> parse_weights("strength=8, threat=0", ("strength", "threat"), whole_weight)
    {'strength': 8, 'threat': 0}
    """
    known = None if names is None else tuple(names)
    found: dict[str, T] = {}
    for part in text.split(","):
        name, mark, value = (word.strip() for word in part.partition("="))
        if not mark or not name:
            raise WeightError(Message("weight.form", text=shown(text, 60)))
        if known is not None and name not in known:
            raise WeightError(Message("weight.unknown", name=shown(name), names=", ".join(known)))
        if name in found:
            raise WeightError(Message("weight.twice", name=name))
        try:
            found[name] = number(value)
        except UserError as error:
            raise WeightError(Message("weight.value", name=name, what=error.message, text=shown(value))) from None
    return found


def whole_weight(text: str) -> int:
    """A whole number; the error says what a weight must be."""
    value = parse_whole(text, -LARGEST_WHOLE, LARGEST_WHOLE)
    if value is None:
        raise UserError(Message("weight.whole", least=-LARGEST_WHOLE, most=LARGEST_WHOLE))
    return value


def finite_weight(text: str) -> float:
    """A finite number; the error says what a weight must be."""
    value = parse_number(text, -LARGEST, LARGEST)
    if value is None:
        raise UserError(Message("weight.number", least=-LARGEST, most=LARGEST))
    return value
