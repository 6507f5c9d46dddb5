"""Messages that no page would send: requests with wrong values, broken JSON, binary data, halves of characters."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from chuhe.play.web.messages import REQUESTS

NAMES = sorted(REQUESTS)
FIELDS = sorted({field for fields in REQUESTS.values() for field in fields} | {"do", "revision", "number", "__proto__"})
TEXTS = [
    "",
    "h2e2",
    "new",
    "..",
    "/etc/passwd",
    "\x00\x01\x7f",
    "\ud800",
    "\udfff\ud800 half",
    "\u202e\u2066",
    "\U0001f600" * 50,
    "9/" * 99,
    "3k5/9/9/9/9/9/9/9/4P4/5K3 w",
    "x" * 5000,
    "\u5175\u4e94\u8fdb\u4e00",
    "{}}}",
    "1e999",
]


def is_fault(message: dict[str, Any]) -> bool:
    """Is this the server's confession of a bug?"""
    return message["type"] == "error" and bool(message["message"]["code"] == "web.internal")


def value(rng: random.Random, depth: int = 0) -> Any:
    """Any JSON value."""
    kinds: list[Callable[[], Any]] = [
        lambda: None,
        lambda: rng.choice([True, False]),
        lambda: rng.choice([0, 1, -1, 2**31, 2**53, -(2**63), 10**30, rng.randint(0, 300)]),
        lambda: rng.choice([0.0, -0.5, 1e308, float("inf"), float("nan")]),
        lambda: rng.choice(TEXTS),
    ]
    if depth < 3:
        kinds.append(lambda: [value(rng, depth + 1) for _ in range(rng.randint(0, 4))])
        kinds.append(lambda: {rng.choice(FIELDS): value(rng, depth + 1) for _ in range(rng.randint(0, 4))})
        kinds.append(lambda: {"kind": rng.choice(["human", "engine", "external", "s0", 7]), "level": value(rng, 3)})
    return rng.choice(kinds)()


def hostile(rng: random.Random) -> str | bytes:
    """A request with wrong fields, or something that is no request at all."""
    kind = rng.random()
    if kind < 0.05:
        return rng.randbytes(rng.randint(0, 300))
    if kind < 0.1:
        return rng.choice(["[", '{"do":', "[[", '{"a":']) * rng.choice([1, 50, 50_000])
    name = rng.choice(NAMES)
    fields = {field: value(rng) for field in REQUESTS[name] if rng.random() < 0.9}
    if rng.random() < 0.2:
        fields[rng.choice(FIELDS)] = value(rng)
    revision = {"revision": rng.choice([0, 1, 2, 5, value(rng)])} if rng.random() < 0.9 else {}
    text = json.dumps({"do": name, **revision, **fields})
    if kind < 0.25:  # damaged on the way
        cut = rng.randint(0, len(text))
        text = text[:cut] + rng.choice(["", "\x00", '"', "\\u", "}", "9" * 5000]) + text[cut + rng.randint(0, 5) :]
    if kind < 0.13:  # more text than any field may hold
        text = json.dumps({"do": name, "revision": 1, rng.choice(FIELDS): "y" * rng.choice([10**5, 3 * 10**6])})
    return text
