"""What `chuhe.bench.measuring.latency` measures: which spans, how often. Never how long something really took."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from paths import RUDE_ENGINE

from chuhe.bench.measuring import latency
from chuhe.bench.measuring.latency import Latency, load, main, start_latency, stop_latency

RUDE = str(RUDE_ENGINE)
SECONDS = {"open": 1, "start": 1, "send": 2, "wait_for": 4, "begin": 8, "stop": 16, "quit": 32}


class FakePipe:
    """Stands for the pipe and the client. Each call takes SECONDS on the fake clock `now`."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        async def call(*arguments: Any, **_: Any) -> FakePipe:
            self.now += SECONDS[name]
            self.calls.append((name, *arguments))
            return self

        return call

    def count(self, name: str) -> int:
        return sum(call[0] == name for call in self.calls)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakePipe:
    engine = FakePipe()
    monkeypatch.setattr(latency, "Pipe", engine)
    monkeypatch.setattr(latency, "Client", engine)
    monkeypatch.setattr(latency, "time", SimpleNamespace(perf_counter=lambda: engine.now))
    return engine


def test_median_and_worst() -> None:
    latency = Latency("x", (3.0, 1.0, 20.0))
    assert (latency.median, latency.worst) == (3.0, 20.0)
    assert str(latency) == "x: median 3.0 ms, worst 20.0 ms of 3"


def test_a_start_is_timed_from_the_process_to_the_greeting(fake: FakePipe) -> None:
    found = asyncio.run(start_latency(["engine"], "ucci", 3))
    assert found == Latency("start to ucciok", (7000.0,) * 3)  # open 1 s, send 2 s, wait 4 s; not quit
    assert (fake.count("open"), fake.count("quit")) == (4, 4)  # the first start is not counted
    assert ("send", "ucci") in fake.calls
    assert [call[1] for call in fake.calls if call[0] == "wait_for"] == ["ucciok"] * 4


def test_a_stop_is_timed_from_stop_to_bestmove(fake: FakePipe) -> None:
    found = asyncio.run(stop_latency(["engine"], "uci", 3, think=0))
    assert found == Latency("stop to bestmove", (16000.0,) * 3)  # stop 16 s; not start, begin or quit
    assert [fake.count(name) for name in ("start", "begin", "stop", "quit")] == [1, 3, 3, 1]
    assert all(call[3].infinite for call in fake.calls if call[0] == "begin")


def test_a_real_process_is_measured() -> None:
    command = [sys.executable, RUDE, "hang"]
    started = asyncio.run(start_latency(command, "ucci", 2))
    stopped = asyncio.run(stop_latency(command, "uci", 3, think=0.001))
    assert (len(started.times), len(stopped.times)) == (2, 3)
    assert min(started.times + stopped.times) > 0


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--starts", "1", "--stops", "1"]) == 0
    output = capsys.readouterr().out
    assert "start to ucciok" in output
    assert "start to uciok" in output
    assert "stop to bestmove" in output
    assert main(["/no/such/engine"]) == 2
    assert "/no/such/engine" in capsys.readouterr().err


@pytest.mark.parametrize("processes", [0, 1])
def test_the_load_is_so_many_processes_and_ends_with_the_block(processes: int) -> None:
    before = set(multiprocessing.active_children())
    with load(processes):
        assert len(set(multiprocessing.active_children()) - before) == processes
    assert set(multiprocessing.active_children()) <= before
