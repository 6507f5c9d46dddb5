"""Running a search in a thread, and waiting for what it does."""

from __future__ import annotations

import threading
from typing import Any

from waiting import PATIENCE, wait_until

from chuhe.engine.search_life import BegunSearch, SearchState


def running(search: BegunSearch[Any]) -> threading.Thread:
    thread = threading.Thread(target=search.run, daemon=True)
    thread.start()
    return thread


def joined(thread: threading.Thread) -> None:
    thread.join(PATIENCE)
    assert not thread.is_alive(), "the search did not end"


def wait_for(search: BegunSearch[Any], *states: SearchState) -> None:
    """Wait until a running search has reached one of these states."""
    wait_until(lambda: search.state in states)
