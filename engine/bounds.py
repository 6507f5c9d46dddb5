"""Bounds of a dataclass's numbers: each is declared beside its default, and one function checks them all."""

from __future__ import annotations

from dataclasses import field, fields
from functools import cache
from typing import Any, TypeVar

from chuhe.engine.errors import LimitError
from chuhe.text.message import Message

T = TypeVar("T")
ENDLESS = (1 << 63) - 1  # of a number that is only counted


def bounded(default: T, least: float, most: float) -> T:
    """A field with its bounds: whole numbers, unless one of them is a float. None is in bounds if it is the default."""
    value: T = field(default=default, metadata={"bounds": (least, most)})
    return value


@cache
def bounds_of(kind: Any) -> dict[str, tuple[Any, Any]]:
    """The bounds of a dataclass, by field."""
    return {each.name: each.metadata["bounds"] for each in fields(kind) if "bounds" in each.metadata}


def check_bounds(values: Any, error: type[ValueError] = LimitError) -> None:
    """The error names the first number that is out of bounds, or not a number."""
    kind: Any = type(values)
    for name, (least, most) in bounds_of(kind).items():
        value = getattr(values, name)
        if value is None and kind.__dataclass_fields__[name].default is None:
            continue
        whole = isinstance(least, int) and isinstance(most, int)
        if type(value) not in ((int,) if whole else (int, float)) or not least <= value <= most:  # also rejects nan
            if whole:
                raise error(Message("setting.whole", name=name, least=least, most=most, value=repr(value)))
            least, most = f"{least:g}", f"{most:g}"
            raise error(Message("setting.number", name=name, least=least, most=most, value=repr(value)))
