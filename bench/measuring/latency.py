"""Measures an engine's latency: from start to greeting, from `go` to the answer of the shortest search, from `stop`.

    chuhe bench latency [--starts 20] [--stops 100] [--load N] [COMMAND …]

Times are in milliseconds, measured by this process at the other end of the pipe.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from chuhe.common.command_line import Parser, report_fault, whole_number
from chuhe.engine import Limits
from chuhe.protocol.client import Client
from chuhe.protocol.errors import EngineError
from chuhe.protocol.pipe import Pipe
from chuhe.protocol.programs import own_command, split_command

Greeting = Literal["ucci", "uci"]
PATIENCE = 20.0  # seconds


@dataclass(frozen=True, slots=True)
class Latency:
    """Measured times in milliseconds, in order."""

    name: str
    times: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.times)

    @property
    def worst(self) -> float:
        return max(self.times)

    def __str__(self) -> str:
        return f"{self.name}: median {self.median:.1f} ms, worst {self.worst:.1f} ms of {len(self.times)}"


async def start_latency(command: Sequence[str], greeting: Greeting, count: int = 20) -> Latency:
    """From start to `ucciok` or `uciok`, a new process each time. An extra first start warms the disk cache."""
    times = []
    for _ in range(count + 1):
        began = time.perf_counter()
        pipe = await Pipe.open(command, None, command[0], None)
        try:
            await pipe.send(greeting)
            await pipe.wait_for(f"{greeting}ok", PATIENCE)
            times.append((time.perf_counter() - began) * 1000)
        finally:
            await pipe.quit()
    return Latency(f"start to {greeting}ok", tuple(times[1:]))


async def stop_latency(
    command: Sequence[str],
    protocol: Literal["ucci", "uci", "uci1"] = "ucci",
    count: int = 100,
    think: float = 0.05,
) -> Latency:
    """From `stop` to `bestmove` in searches without a limit, after `think` seconds each; one process for all."""
    times = []
    client = await Client.start(list(command), protocol)
    try:
        for number in range(count):
            await client.begin(None, ["h2e2", "h9g7"][: number % 3], Limits(infinite=True))
            await asyncio.sleep(think * (0.5 + number % 10 / 10))
            began = time.perf_counter()
            await client.stop()
            times.append((time.perf_counter() - began) * 1000)
    finally:
        await client.quit()
    return Latency("stop to bestmove", tuple(times))


async def go_latency(command: Sequence[str], count: int = 100) -> Latency:
    """From `go depth 1` to `bestmove`; one process for all."""
    times = []
    client = await Client.start(list(command), "ucci")
    try:
        for number in range(count):
            began = time.perf_counter()
            await client.go(None, ["h2e2", "h9g7"][: number % 3], Limits(depth=1))
            times.append((time.perf_counter() - began) * 1000)
    finally:
        await client.quit()
    return Latency("go depth 1 to bestmove", tuple(times))


def _burn() -> None:
    while True:
        pass


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep this many processors busy inside the block."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_burn, daemon=True) for _ in range(processes)]
    for worker in workers:
        worker.start()
    if workers:
        time.sleep(0.5)
    try:
        yield
    finally:
        for worker in workers:
            worker.kill()
            worker.join()


async def measure(command: Sequence[str], starts: int, stops: int) -> list[Latency]:
    return [
        await start_latency(command, "ucci", starts),
        await start_latency(command, "uci", starts),
        await go_latency(command, stops),
        await stop_latency(command, count=stops),
    ]


def main(arguments: list[str]) -> int:
    parser = Parser(prog="chuhe bench latency", description="Measure an engine's latency.")
    parser.add_argument("--starts", type=whole_number(1), default=20, help="processes to start")
    parser.add_argument("--stops", type=whole_number(1), default=100, help="searches to begin, and to stop")
    parser.add_argument(
        "--load", type=whole_number(0, 1024), default=0, metavar="N", help="keep N processors busy while measuring"
    )
    parser.add_argument("command", metavar="COMMAND", nargs="*", help="the engine (default ours)")
    options = parser.parse_args(arguments)
    command = options.command or own_command()
    if options.command and len(command) == 1:
        command = split_command(command[0])
    print(f"{' '.join(command)}: {os.cpu_count()} processors, {options.load} kept busy", flush=True)
    try:
        with load(options.load):
            for result in asyncio.run(measure(command, options.starts, options.stops)):
                print(result, flush=True)
    except EngineError as error:
        return report_fault("bench latency", error)
    return 0
