"""The measuring itself: that it takes what it should take, never how long it took."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from bench.measuring.latency import Latency, load, main, start_latency, stop_latency

RUDE = str(Path(__file__).with_name("rude_engine.py"))


def test_median_and_worst() -> None:
    latency = Latency("x", (3.0, 1.0, 20.0))
    assert (latency.median, latency.worst) == (3.0, 20.0)
    assert str(latency) == "x: median 3.0 ms, worst 20.0 ms of 3"


def test_starts_and_stops_are_counted() -> None:
    command = [sys.executable, RUDE, "hang"]
    started = asyncio.run(start_latency(command, "ucci", 2))
    assert len(started.times) == 2
    stopped = asyncio.run(stop_latency(command, "uci", 3, think=0.001))
    assert len(stopped.times) == 3
    assert min(started.times + stopped.times) > 0


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--starts", "1", "--stops", "1"]) == 0
    output = capsys.readouterr().out
    assert "start to ucciok" in output
    assert "start to uciok" in output
    assert "stop to bestmove" in output
    assert main(["/no/such/engine"]) == 1
    assert "/no/such/engine" in capsys.readouterr().err


def test_no_load_is_no_process() -> None:
    with load(0):
        pass
