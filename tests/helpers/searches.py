"""Waiting for what a search does in its thread."""

from __future__ import annotations

from typing import TypeVar

from waiting import wait_until

from chuhe.engine.search_handle import SearchHandle, SearchState

T = TypeVar("T")


def answer_of(search: SearchHandle[T]) -> T:
    wait_until(search.done)
    return search.result()


def wait_for(search: SearchHandle[T], state: SearchState) -> None:
    """Wait until a search has reached this state."""
    wait_until(lambda: search.state is state)
