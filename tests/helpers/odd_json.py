"""JSON that is structurally wrong: every value of a good file replaced by an odd one, or left out."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from typing import Any

HUGE = "a number that JSON may have and no float can hold"
ODD: tuple[Any, ...] = (
    None, True, -1, 10**400, math.inf, math.nan, HUGE, "x", "\ud800", [], {}, [[]], {"kind": []},
)  # fmt: skip
NOTHING = object()


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with a key or an index of it."""
    keys: list[Any] = list(value) if isinstance(value, dict) else []
    keys += range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def wrong_versions(good: Any) -> Iterator[str]:
    for number in range(len(list(places(good)))):
        for odd in (*ODD, NOTHING):
            data = copy.deepcopy(good)
            container, key = list(places(data))[number]
            if odd is NOTHING:
                del container[key]
            else:
                container[key] = odd
            yield json.dumps(data).replace(f'"{HUGE}"', "1e400")
