"""How tests wait: until it has happened, or until what should do it has ended. The limit only ends what hangs."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300.0  # seconds


def wait_until(happened: Callable[[], bool], alive: Callable[[], bool] = lambda: True) -> None:
    """Returns as soon as it has happened; AssertionError once it cannot happen any more."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert alive() or happened(), "what should do it has ended"
        assert time.monotonic() < end, "it hangs"
        time.sleep(0.001)
