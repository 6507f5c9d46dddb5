"""A private Dask cluster on this machine: no other user can connect to its scheduler or workers.

Both sides authenticate over TLS with a certificate made for this run, and no HTTP port is opened. This module needs
Dask, so `chuhe.bench.spread.cluster` imports it only when a cluster is requested.
"""

from __future__ import annotations

import logging
import os
import signal
from importlib import import_module
from multiprocessing import resource_tracker
from typing import Any

HOST = "127.0.0.1"
dask: Any = import_module("distributed")  # Dask's types are no use to a type checker


class PrivateScheduler(dask.Scheduler):  # type: ignore[misc]
    """A scheduler without its HTTP server, which would show any user of the machine what is running."""

    def start_http_server(self, *_: Any, **__: Any) -> None:
        return


class PrivateWorker(dask.Worker):  # type: ignore[misc]
    def start_http_server(self, *_: Any, **__: Any) -> None:
        return


class PrivateNanny(dask.Nanny):  # type: ignore[misc]
    """Starts a worker, and restarts it if it dies. Its workers ignore Ctrl-C, which only this process handles.

    A process started while a signal is blocked never receives it. We unblock it once the worker is running.
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
    """A local cluster; ImportError when `cryptography` is missing."""
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
        security=security,
        silence_logs=logging.CRITICAL,  # real errors arrive as exceptions; the rest is shutdown noise
    )
