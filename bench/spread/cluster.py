"""Workers on a Dask cluster, over more than one machine. Needs the extra `cluster`, here and on every worker.

A local cluster is private to this run (`chuhe.bench.spread.cluster_nodes`).
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar

from chuhe.bench.spread.values import Tell, WorkError
from chuhe.common.extras import have, needs
from chuhe.text.message import Message

Piece = TypeVar("Piece")
Done = TypeVar("Done")

LOCAL = "local"
SOON = 2.0  # seconds after which a wait is announced
ANSWER = 5.0  # seconds in which a scheduler answers, also a busy one
POLL = 1.0  # seconds between looks at the number of workers
SIGNATURE_DEPTH = 6
_signing = threading.Lock()


def _distributed() -> Any:
    """Import Dask, an optional dependency."""
    if not have("distributed"):
        raise WorkError(needs("--cluster", "distributed"))
    return import_module("distributed")


def _local_cluster(workers: int) -> Any:
    nodes = import_module("chuhe.bench.spread.cluster_nodes")
    try:
        return nodes.private_cluster(workers)
    except ImportError:
        raise WorkError(needs("--cluster local", "cryptography")) from None


@contextmanager
def _announced(message: Message, tell: Tell) -> Iterator[None]:
    """Say what this block waits for, if it takes long."""
    timer = threading.Timer(SOON, tell, [message])
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def _client(address: str, workers: int, wait: float, tell: Tell) -> Iterator[Any]:
    dask = _distributed()
    if address == LOCAL:
        with _local_cluster(workers) as cluster, dask.Client(cluster) as client:
            yield client
        return
    if address.startswith("tls://") and dask.Security().get_connection_args("client").get("ssl_context") is None:
        raise WorkError(Message("work.certificates", address=address))
    try:
        with _announced(Message("work.no-scheduler-yet", address=address, seconds=f"{wait:g}"), tell):
            client = dask.Client(address, timeout=wait)
    except Exception as error:  # whatever another program at this address makes of it, a MemoryError for instance
        raise WorkError(Message("work.no-scheduler", address=address, fault=str(error))) from error
    with client:
        yield client


class _Happened(NamedTuple):
    """A piece is done (its future), or a worker is gone with the tasks of these names."""

    future: Any = None
    worker: str = ""
    tasks: tuple[str, ...] = ()


class OnCluster(Generic[Done]):
    """The workers of a cluster, however many there are at the moment; see `chuhe.bench.spread.Hands`."""

    def __init__(self, client: Any, work: Callable[[Any], Done], ahead: int, wait: float, tell: Tell) -> None:
        self._client = client
        self._work = partial(checked, signature(), work)
        self._ahead = ahead
        self._wait = wait
        self._tell = tell
        self._numbers: dict[Any, int] = {}
        self._happened: queue.SimpleQueue[_Happened] = queue.SimpleQueue()
        self._polled = 0.0
        self._last_seen = time.monotonic()  # when there was a worker
        self._is_missed = False
        self._closed = False
        self.size = 0
        client.subscribe_topic("all", self._hear)
        self._poll()

    def _hear(self, event: tuple[float, Any]) -> None:
        said = event[1]
        if isinstance(said, dict) and said.get("action") == "remove-worker":
            self._happened.put(_Happened(None, said["worker"], tuple(said.get("processing-tasks", ()))))

    def give(self, number: int, piece: object) -> None:
        future = self._client.submit(self._work, piece, pure=False)
        self._numbers[future] = number
        future.add_done_callback(lambda future: self._happened.put(_Happened(future)))

    def result(self) -> tuple[int, Done]:
        while True:
            if time.monotonic() - self._polled > POLL:
                self._poll()
            try:
                happened = self._happened.get(timeout=POLL)
            except queue.Empty:
                continue
            if self._closed:
                raise WorkError(Message("work.closed"))
            if happened.future is None:
                count = len({future.key for future in self._numbers} & set(happened.tasks))
                if count:
                    self._tell(Message("work.gone", worker=happened.worker, count=count))
                continue
            number = self._numbers.pop(happened.future)
            return number, self._result(number, happened.future)

    def _result(self, number: int, future: Any) -> Done:
        from concurrent.futures import CancelledError

        from distributed.scheduler import KilledWorker

        try:
            result: Done = future.result()
        except KilledWorker as error:
            raise WorkError(Message("work.deadly", number=number + 1, times=error.allowed_failures + 1)) from None
        except CancelledError:
            raise WorkError(Message("work.no-scheduler-left")) from None
        return result

    def _poll(self) -> None:
        """How many pieces the workers take now; without an answer or a worker for too long, WorkError."""
        silent = False
        try:
            threads = self._client.sync(self._client.scheduler.ncores, callback_timeout=ANSWER)
            self.size = self._ahead * sum(threads.values())
        except asyncio.TimeoutError:
            silent = True
        except OSError:
            raise WorkError(Message("work.no-scheduler-left")) from None
        self._polled = now = time.monotonic()
        seconds = f"{self._wait:g}"
        if self.size and not silent:
            self._last_seen, self._is_missed = now, False
        elif now - self._last_seen > SOON and not self._is_missed:
            self._is_missed = True
            self._tell(Message("work.silent-scheduler-yet" if silent else "work.no-worker-yet", seconds=seconds))
        elif now - self._last_seen > self._wait:
            raise WorkError(Message("work.silent-scheduler" if silent else "work.no-worker", seconds=seconds))

    def close(self) -> None:
        """Give up the pieces that are not done; a thread that waits for a result gets an error."""
        self._closed = True
        self._happened.put(_Happened())
        self._client.unsubscribe_topic("all")
        with suppress(OSError, TimeoutError):
            self._client.cancel(list(self._numbers), force=True)


@contextmanager
def on_cluster(
    work: Callable[[Any], Done], address: str, workers: int, ahead: int, wait: float, tell: Tell
) -> Iterator[OnCluster[Done]]:
    with _client(address, workers, wait, tell) as client:
        hands = OnCluster(client, work, ahead, wait, tell)
        try:
            yield hands
        finally:
            hands.close()


def checked(expected: str, work: Callable[[Piece], Done], piece: Piece) -> Done:
    """On a worker: do a piece, if engine and network are those of the machine that sent it."""
    if (own := signature()) != expected:
        from distributed import get_worker

        raise WorkError(Message("work.other-version", worker=get_worker().address, theirs=own, ours=expected))
    return work(piece)


def signature() -> str:
    """The version and the bench number of this process's engine and network."""
    with _signing:
        return _signature()


@cache
def _signature() -> str:
    from chuhe.bench.measuring.position_reader import read_positions
    from chuhe.bench.measuring.speed import measure
    from chuhe.engine import Limits
    from chuhe.engine.version import VERSION

    return f"{VERSION}/{measure(read_positions(None), Limits(depth=SIGNATURE_DEPTH), 1, 1).nodes}"
