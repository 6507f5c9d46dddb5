"""Worker processes of this machine. One that dies is replaced, and its piece is done again."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NamedTuple, TypeVar

from chuhe.bench.spread.values import Tell, WorkError
from chuhe.text.message import Message

Done = TypeVar("Done")

DEATHS = 3  # workers that a piece may end before the run fails
SPAWN = multiprocessing.get_context("spawn")


class _Given(NamedTuple):
    """A piece in a worker."""

    number: int
    piece: object
    deaths: int = 0


class Processes(Generic[Done]):
    """As many processes as have work, at most `size`; see `chuhe.bench.spread.Hands`."""

    def __init__(self, work: Callable[[Any], Done], size: int, tell: Tell) -> None:
        self.size = size
        self._work = work
        self._tell = tell
        self._processes: dict[Connection, multiprocessing.process.BaseProcess] = {}
        self._idle: list[Connection] = []
        self._busy: dict[Connection, _Given] = {}

    def give(self, number: int, piece: object) -> None:
        self._give(_Given(number, piece))

    def _give(self, given: _Given) -> None:
        pipe = self._idle.pop() if self._idle else self._start()
        self._busy[pipe] = given
        with suppress(BrokenPipeError):  # it has died; `result` finds out
            pipe.send(given.piece)

    def _start(self) -> Connection:
        ours, its = SPAWN.Pipe()
        process = SPAWN.Process(target=_serve, args=(its, self._work), daemon=True)
        process.start()
        its.close()
        self._processes[ours] = process
        return ours

    def result(self) -> tuple[int, Done]:
        while True:
            pipe = wait(list(self._busy))[0]
            assert isinstance(pipe, Connection)
            given = self._busy.pop(pipe)
            try:
                result, fault = pipe.recv()
            except (EOFError, OSError):
                self._replace(pipe, given)
                continue
            self._idle.append(pipe)
            if fault is not None:
                raise fault
            return given.number, result

    def _replace(self, pipe: Connection, given: _Given) -> None:
        process = self._processes.pop(pipe)
        process.join()
        pipe.close()
        died = Message("work.died", process=process.pid or 0, code=process.exitcode or 0, number=given.number + 1)
        if given.deaths + 1 == DEATHS:
            raise WorkError(Message("work.deadly", number=given.number + 1, times=DEATHS))
        self._tell(died)
        self._give(given._replace(deaths=given.deaths + 1))

    def __enter__(self) -> Processes[Done]:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes.values():
            process.terminate()
        for pipe, process in self._processes.items():
            process.join()
            pipe.close()


def _serve(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """The life of a worker: it ends with its parent, which alone handles Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            piece = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send((work(piece), None))
        except Exception as error:
            pipe.send((None, _whole(error)))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _whole(error: Exception) -> Exception:
    """The error, or its text if it does not survive the way to the parent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return WorkError(f"{type(error).__name__}: {error}")
    return error
