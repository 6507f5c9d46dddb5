"""A clock that only a test moves."""

from __future__ import annotations


class HandClock:
    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def __call__(self) -> float:
        return self.seconds
