"""The door for independent pieces of work: order, deaths of workers, faults, leaving early, with and without Dask."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from waiting import wait_until

from chuhe.bench.spread import AHEAD, WorkError, Workers, own_engine, spread
from chuhe.engine import START_FEN, Limits, Settings

PLACES = [Workers(1), Workers(2), Workers(2, "local")]
place = pytest.mark.parametrize("workers", PLACES, ids=["here", "processes", "cluster"])
far = pytest.mark.parametrize("workers", PLACES[1:], ids=["processes", "cluster"])


def uneven(number: int) -> int:
    """The even ones take longer, and so end after later ones."""
    time.sleep(0 if number % 2 else 0.03)
    return number * number


def once_deadly(marker: Path, number: int) -> int:
    """The first worker that gets number 2 is killed."""
    if number == 2 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return -number


def deadly(number: int) -> int:
    os._exit(7)


class Stubborn(Exception):
    """An error that does not survive a pickle."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first + second)


def faulty(number: int) -> int:
    if number == 3:
        raise KeyError("three")
    return number


def stubborn(number: int) -> int:
    raise Stubborn("a", "b")


@place
def test_results_come_in_the_order_of_the_pieces(workers: Workers) -> None:
    with spread(uneven, range(12), workers) as results:
        assert list(results) == [number * number for number in range(12)]


@place
def test_results_come_as_they_complete(workers: Workers) -> None:
    with spread(uneven, range(12), workers, in_order=False) as results:
        assert sorted(results) == [number * number for number in range(12)]


@far
def test_a_worker_that_is_killed_loses_nothing_and_is_reported(workers: Workers, tmp_path: Path) -> None:
    told: list[str] = []
    with spread(partial(once_deadly, tmp_path / "marker"), range(8), workers, tell=told.append) as results:
        assert list(results) == [-number for number in range(8)]
    (text,) = told
    assert "done again" in text


@far
def test_a_piece_that_ends_every_worker_ends_the_run(workers: Workers) -> None:
    with pytest.raises(WorkError, match=r"piece 1 has ended [34] workers"):  # noqa: SIM117
        with spread(deadly, [1], workers, tell=lambda text: None) as results:
            list(results)


@place
def test_the_fault_of_a_piece_is_raised_as_it_is(workers: Workers) -> None:
    with spread(faulty, range(9), workers) as results, pytest.raises(KeyError, match="three"):
        list(results)


def test_a_fault_that_cannot_travel_is_told_in_words() -> None:
    with spread(stubborn, range(9), Workers(2)) as results, pytest.raises(WorkError, match="Stubborn: ab"):
        list(results)


@place
def test_leaving_early_ends_the_work(workers: Workers) -> None:
    with spread(uneven, range(10**9), workers) as results:
        assert next(results) == 0


@place
def test_a_piece_is_drawn_only_when_the_results_so_far_are_dealt_with(workers: Workers) -> None:
    drawn: list[int] = []

    def pieces() -> Iterator[int]:
        for number in range(1, 4):
            drawn.append(number)
            yield number

    with spread(abs, pieces(), Workers(1, workers.cluster), in_order=False) as results:
        for result in results:
            time.sleep(0.05)  # gives it the chance to draw too early
            assert drawn == list(range(1, result + 1))
    assert drawn == [1, 2, 3]


def slow_first(marker: Path, number: int) -> int:
    """The first piece takes until the last that may pass it is being done."""
    if number == 2 * AHEAD - 1:
        marker.touch()
    if number == 0:
        wait_until(marker.exists)
    return number


def test_a_slow_piece_lets_a_bounded_number_of_others_pass(tmp_path: Path) -> None:
    drawn: list[int] = []

    def pieces() -> Iterator[int]:
        for number in range(100):
            drawn.append(number)
            yield number

    with spread(partial(slow_first, tmp_path / "marker"), pieces(), Workers(2)) as results:
        assert next(results) == 0
        assert len(drawn) == 2 * AHEAD
        assert list(results) == list(range(1, 100))


def test_an_engine_of_a_worker_knows_nothing_of_earlier_pieces() -> None:
    settings = Settings(hash_mb=1)
    found = []
    for _ in range(2):
        engine = own_engine(settings)
        engine.set_position(START_FEN)
        found.append(engine.search(Limits(depth=6)).nodes)
    assert found[0] == found[1]
    assert own_engine(settings) is engine
