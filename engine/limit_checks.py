"""Validation of search limits, shared by all engines."""

from __future__ import annotations

from engine.errors import LimitError
from engine.values import Limits

LEAST_LIMITS = {
    "depth": 1, "nodes": 1, "movetime": 1, "mate": 1, "moves_to_go": 1,
    "increment": 0, "byoyomi": 0, "opponent_increment": 0,
}  # fmt: skip
LIMIT_END = 1 << 63


def check_limits(limits: Limits) -> None:
    """LimitError if a limit is invalid."""
    for name, least in LEAST_LIMITS.items():
        value = getattr(limits, name)
        if value is None:
            continue
        if not isinstance(value, int) or value < least:
            raise LimitError(f"{name} must be a whole number of at least {least}, not {value!r}")
        if value >= LIMIT_END:
            raise LimitError(f"{name} must be below 2^63, not {value}")
    for name in ("time", "opponent_time"):  # a clock may be negative: overdrawn
        value = getattr(limits, name)
        if value is not None and (not isinstance(value, int) or abs(value) >= LIMIT_END):
            raise LimitError(f"{name} must be a whole number of milliseconds within ±2^63, not {value!r}")
