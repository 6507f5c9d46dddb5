"""The scheduler and the workers of a Dask cluster on this machine, which nobody else on it can talk to.

They speak TLS with a certificate made for this run and asked of both sides, and open no HTTP port. This module needs
Dask, and is therefore loaded by `bench.cluster` only when a cluster is asked for.
"""

from __future__ import annotations

import logging
import os
import signal
from importlib import import_module
from multiprocessing import resource_tracker
from typing import Any

HOST = "127.0.0.1"
dask: Any = import_module("distributed")  # its types are none that a checker could use


class PrivateScheduler(dask.Scheduler):  # type: ignore[misc]
    """A scheduler without its HTTP server, which would tell any user of the machine what runs."""

    def start_http_server(self, *_: Any, **__: Any) -> None:
        return


class PrivateWorker(dask.Worker):  # type: ignore[misc]
    def start_http_server(self, *_: Any, **__: Any) -> None:
        return


class PrivateNanny(dask.Nanny):  # type: ignore[misc]
    """What starts a worker, and again when it has died, so that Ctrl-C in a match is ours alone.

    A process that is started while a signal is blocked never hears it; we do, once the worker is there.
    """

    async def instantiate(self) -> Any:
        if os.name != "posix":
            return await super().instantiate()
        resource_tracker.ensure_running()  # multiprocessing's first start would unblock the signal
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return await super().instantiate()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def private_cluster(workers: int) -> Any:
    """A cluster on this machine, to be used in `async with`; ImportError when `cryptography` is missing."""
    security = dask.Security.temporary()
    common = {"host": HOST, "protocol": "tls://", "security": security, "dashboard": False}
    scheduler = {"cls": PrivateScheduler, "options": {**common, "port": 0}}
    worker = {
        "cls": PrivateNanny,
        "options": {**common, "nthreads": 1, "worker_class": PrivateWorker, "silence_logs": logging.CRITICAL},
    }
    return dask.SpecCluster(
        scheduler=scheduler,
        workers=dict.fromkeys(range(workers), worker),
        worker=worker,
        asynchronous=True,
        security=security,
        silence_logs=logging.CRITICAL,  # what matters comes as an exception; the rest is about the farewell
    )
