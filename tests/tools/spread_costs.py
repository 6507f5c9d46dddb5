"""What a piece of work costs beyond the work: on this machine's processes, on a local cluster, and with many workers.

    python tests/tools/spread_costs.py [--sleepers 200]

Each line: pieces that do nothing, the same with 20 KB of result; then as many Dask workers as asked, which sleep.
The sleepers are threads of this process, so their pieces cost the scheduler what those of other machines do.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from importlib import import_module
from typing import Any

from chuhe.bench.spread import Workers, spread
from chuhe.bench.spread.cluster import OnCluster

RESULT = bytes(20_000)  # as large as a long annotated game


def nothing(number: int) -> int:
    return number


def large(number: int) -> bytes:
    return RESULT


def slept(seconds: float, number: int) -> int:
    time.sleep(seconds)
    return number


def cost(workers: Workers, work: Any, count: int) -> str:
    """Milliseconds for each piece once all workers are there: of the clock, and of this process's processor time."""
    with spread(work, range(count + 20), workers) as results:
        for _ in range(20):
            next(results)
        began, process = time.perf_counter(), time.process_time()
        for _ in results:
            pass
        took, used = time.perf_counter() - began, time.process_time() - process
    return f"{1000 * took / count:.2f} ms ({1000 * used / count:.2f} ms of processor time here)"


def many(sleepers: int, seconds: float, rounds: int) -> None:
    """A cluster of so many sleepers, twenty to a worker: how much of their time they sleep."""
    dask = import_module("distributed")
    with (
        dask.LocalCluster(
            n_workers=max(1, sleepers // 20), threads_per_worker=20, processes=False, dashboard_address=":0"
        ) as cluster,
        dask.Client(cluster) as client,
    ):
        client.wait_for_workers(max(1, sleepers // 20))
        hands: OnCluster[int] = OnCluster(client, partial(slept, seconds), 2, 60.0, print)
        pieces, done, given = sleepers * rounds, 0, 0
        process, began = time.process_time(), time.perf_counter()
        while done < pieces:
            while given < pieces and given - done < hands.size:
                hands.give(given, given)
                given += 1
            hands.result()
            done += 1
        took, used = time.perf_counter() - began, time.process_time() - process
        hands.close()
    print(
        f"{sleepers} workers, {pieces} pieces of {seconds:g} s: {took:.1f} s, {100 * seconds * rounds / took:.0f} % of "
        f"the time asleep, {1000 * used / pieces:.1f} ms of processor time a piece for scheduler, workers and client"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pieces", type=int, default=500)
    parser.add_argument("--sleepers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    for name, workers in (
        ("this process", Workers()),
        ("2 processes", Workers(2)),
        ("2 workers of a local cluster", Workers(2, "local")),
    ):
        small, big = (cost(workers, work, options.pieces) for work in (nothing, large))
        print(f"{name}: {small} a piece, {big} with a result of 20 KB", flush=True)
    if options.sleepers:
        many(options.sleepers, options.seconds, 5)


if __name__ == "__main__":
    main()
