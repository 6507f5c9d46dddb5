"""Run work on a Dask cluster, over more than one machine: match games, self-play, tuning.

`spread` (asynchronous) and `spreading` (synchronous) call a function for every item on all available workers and yield
results as they complete. If a worker dies, its current item is run again elsewhere. A local cluster is private to this
run (`chuhe.bench.cluster_nodes`). Needs the extra `cluster`, here and on every worker.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

from chuhe.bench.matches.local import GameSlot, MatchError
from chuhe.bench.matches.match_values import GamePlan, MatchGame, MatchSettings, Opening
from chuhe.common.extras import have, needs
from chuhe.protocol.arrivals import Arrivals

Item = TypeVar("Item")
Done = TypeVar("Done")

LOCAL = "local"
PATIENCE = 60  # seconds to wait for the scheduler and the first worker
LOST_LIMIT = 5  # how often an item's worker may die before the run fails


def _distributed() -> Any:
    """Import Dask, an optional dependency."""
    if not have("distributed"):
        raise MatchError(needs("--cluster", "distributed"))
    return import_module("distributed")


def _local_cluster(workers: int) -> Any:
    dask_nodes = import_module("chuhe.bench.cluster_nodes")
    try:
        return dask_nodes.private_cluster(workers)
    except ImportError:
        raise MatchError(needs("--cluster local", "cryptography")) from None


@asynccontextmanager
async def connect(address: str, workers: int) -> AsyncGenerator[Any, None]:
    """A Dask client; "local" starts a temporary scheduler and `workers` worker processes on this machine."""
    dask = _distributed()
    if address == LOCAL:
        async with _local_cluster(workers) as cluster, dask.Client(cluster, asynchronous=True) as client:
            yield client
        return
    if address.startswith("tls://") and dask.Security().get_connection_args("client").get("ssl_context") is None:
        raise MatchError(f"{address}: Dask has no certificates; configure distributed.comm.tls")
    try:
        client = await dask.Client(address, asynchronous=True, timeout=PATIENCE)
    except (OSError, ValueError, asyncio.TimeoutError) as error:
        raise MatchError(f"there is no Dask scheduler at {address}: {error}") from error
    async with client:
        yield client


async def spread(
    client: Any, function: Callable[[Item], Done], items: Iterator[Item]
) -> AsyncGenerator[tuple[Item, Done], None]:
    """Yield each item's result once, as it completes. Submits no more items than the workers have threads."""
    try:
        await client.wait_for_workers(1, timeout=PATIENCE)
    except (asyncio.TimeoutError, OSError):
        raise MatchError(f"the cluster still has no worker after {PATIENCE} s") from None
    running: dict[Any, Item] = {}
    lost: dict[str, int] = {}
    completed = _distributed().as_completed(raise_errors=False)

    def hand_out(item: Item) -> None:
        future = client.submit(function, item, pure=False)
        running[future] = item
        completed.add(future)

    async def fill() -> None:
        free = sum((await client.nthreads()).values()) - len(running)
        for _ in range(max(free, 0 if running else 1)):
            item = next(items, None)
            if item is None:
                return
            hand_out(item)

    await fill()
    try:
        while running:
            future = await completed.__anext__()
            item = running.pop(future)
            if future.status == "finished":
                yield item, await future.result()
            else:
                error = await future.exception()
                key = repr(item)
                lost[key] = lost.get(key, 0) + 1
                if not _worker_died(error) or lost[key] >= LOST_LIMIT:
                    raise MatchError(f"a worker failed: {error}")
                hand_out(item)
            await fill()
    finally:
        await client.cancel(list(running), force=True)


def _worker_died(error: object) -> bool:
    """Whether the task failed because its worker died, not through an error of its own."""
    from concurrent.futures import CancelledError

    from distributed.scheduler import KilledWorker

    return error is None or isinstance(error, (KilledWorker, CancelledError, asyncio.CancelledError))


@contextmanager
def spreading(
    address: str, workers: int, function: Callable[[Item], Done], items: Iterator[Item]
) -> Iterator[Iterator[Done]]:
    """`connect` and `spread` for synchronous code: yields results as they complete, in any order.

    Leaving the block cancels running tasks. Another thread takes the next item when a worker becomes free, but only
    after the caller has processed the previous result, so an item may depend on all results so far.
    """
    found: queue.Queue[Callable[[], Done] | None] = (
        queue.Queue()
    )  # each entry returns a result or raises; None marks the end
    dealt_with = asyncio.Semaphore(0)
    loop = asyncio.new_event_loop()

    async def pump() -> None:
        async with connect(address, workers) as client, aclosing(spread(client, function, items)) as results:
            async for _, outcome in results:
                found.put(lambda outcome=outcome: outcome)  # type: ignore[misc]
                await dealt_with.acquire()

    def run() -> None:
        try:
            loop.run_until_complete(task)
        except asyncio.CancelledError:
            pass
        except BaseException as error:
            found.put(partial(_raise, error))
        finally:
            found.put(None)

    def outcomes() -> Iterator[Done]:
        for entry in iter(found.get, None):
            yield entry()
            loop.call_soon_threadsafe(dealt_with.release)

    task = loop.create_task(pump())
    thread = threading.Thread(target=run, name="cluster")
    thread.start()
    try:
        yield outcomes()
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
        loop.close()


def _raise(error: BaseException) -> Any:
    raise error


class GamePlayer:
    """A worker's task in a match: play one game, with its own engine processes."""

    def __init__(self, settings: MatchSettings, openings: list[Opening]) -> None:
        self.settings = settings
        self.openings = openings

    def __call__(self, plan: GamePlan) -> MatchGame:
        return asyncio.run(self._play(plan))

    async def _play(self, plan: GamePlan) -> MatchGame:
        with Arrivals() as arrivals:
            table = GameSlot(self.settings, self.openings, arrivals)
            try:
                return await table.play(plan)
            finally:
                await table.close()


def executor_on(address: str) -> Callable[..., AsyncGenerator[MatchGame, None]]:
    """An executor for `chuhe.bench.matches.runner` that plays on the given cluster."""

    async def play(
        settings: MatchSettings, openings: list[Opening], plans: Iterator[GamePlan]
    ) -> AsyncGenerator[MatchGame, None]:
        async with (
            connect(address, settings.concurrency) as client,
            aclosing(spread(client, GamePlayer(settings, openings), plans)) as results,
        ):
            async for _, record in results:
                yield record

    return play
