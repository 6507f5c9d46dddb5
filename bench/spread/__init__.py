"""Independent pieces of work in several processes or on several machines: every command does them through `spread`.

>>> with spread(abs, range(-3, 0)) as results:
...     list(results)
[3, 2, 1]
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from chuhe.bench.spread.values import Tell, WorkError
from chuhe.common.command_line import seconds, whole_number
from chuhe.engine import Engine, Settings
from chuhe.text.message import Language
from chuhe.text.system_language import Speaker

__all__ = ["HERE", "WorkError", "Workers", "add_worker_options", "own_engine", "spread", "workers_of"]

Piece = TypeVar("Piece")
Done = TypeVar("Done")
DoneAll = TypeVar("DoneAll", covariant=True)

AHEAD = 8  # results for each worker that may wait for an earlier one


@dataclass(frozen=True, slots=True)
class Workers:
    """Where the pieces are done: in processes of this machine, or on a Dask cluster."""

    concurrency: int = 1
    cluster: str | None = None  # the scheduler's address; "local" starts one here, with `concurrency` workers
    wait: float = 60.0  # seconds without a scheduler or a worker before the run fails
    language: Language = "en"  # of what is said about workers

    @property
    def alone(self) -> bool:
        """Whether all work is done in this process."""
        return self.concurrency == 1 and self.cluster is None


HERE = Workers()


class Hands(Protocol[DoneAll]):
    """Workers at work."""

    size: int  # how many pieces they take at once

    def give(self, number: int, piece: object) -> None: ...

    def result(self) -> tuple[int, DoneAll]:
        """Wait for a piece to be done. An error of the piece is raised here; that of a worker, only if it lasts."""
        ...


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextmanager
def spread(
    work: Callable[[Piece], Done],
    pieces: Iterable[Piece],
    workers: Workers = HERE,
    *,
    in_order: bool = True,
    tell: Callable[[str], None] = _to_stderr,
) -> Iterator[Iterator[Done]]:
    """Do the work on all pieces; yields an iterator of their results, each once, in the order of the pieces.

    If a worker dies, its piece is done again elsewhere, and `tell` says so. Work, pieces and results are
    pickled. A piece whose result depends on nothing else gives the same result wherever it is done; a run is resumed by
    leaving out the pieces whose results are kept. The end of the block ends running work.

    Not `in_order`, results come as they complete, and a piece is drawn only after all results so far were dealt with.
    """

    if workers.alone:
        yield map(work, pieces)
        return
    with _hands(work, workers, in_order, lambda message: tell(message.text(workers.language))) as hands:
        yield _results(hands, iter(pieces), in_order)


def _hands(
    work: Callable[[Piece], Done], workers: Workers, in_order: bool, tell: Tell
) -> AbstractContextManager[Hands[Done]]:
    if workers.cluster is None:
        from chuhe.bench.spread.processes import Processes

        return Processes(work, workers.concurrency, tell)
    from chuhe.bench.spread.cluster import on_cluster

    ahead = 2 if in_order else 1  # the second one travels while the first is done
    return on_cluster(work, workers.cluster, workers.concurrency, ahead, workers.wait, tell)


def _results(hands: Hands[Done], pieces: Iterator[Piece], in_order: bool) -> Iterator[Done]:
    early: dict[int, Done] = {}  # results that wait for an earlier one
    given = due = running = 0
    more = True
    while True:
        while more and running < max(1, hands.size) and given - due < AHEAD * max(1, hands.size):
            try:
                piece = next(pieces)
            except StopIteration:
                more = False
                break
            hands.give(given, piece)
            given, running = given + 1, running + 1
        if not running:
            return
        number, result = hands.result()
        running -= 1
        early[number if in_order else due] = result
        while due in early:
            yield early.pop(due)
            due += 1


class _OwnEngine(threading.local):
    settings: Settings | None = None
    engine: Engine | None = None


_own = _OwnEngine()


def own_engine(settings: Settings) -> Engine:
    """This worker's engine with these settings, which knows nothing of earlier searches."""
    if _own.engine is None or _own.settings != settings:
        _own.engine, _own.settings = Engine(settings), settings
    _own.engine.new_game()
    return _own.engine


def add_worker_options(parser: argparse._ActionsContainer, say: Speaker | None = None) -> None:
    """`--concurrency`, `--cluster` and `--wait`, the same for every command."""
    say = say or Speaker("en")
    number = whole_number(1, language=say.language)
    parser.add_argument("--concurrency", type=number, default=1, metavar="N", help=say("work-help.concurrency"))
    add_cluster_options(parser, say)


def add_cluster_options(parser: argparse._ActionsContainer, say: Speaker | None = None) -> None:
    say = say or Speaker("en")
    parser.add_argument("--cluster", metavar="ADDRESS", help=say("work-help.cluster"))
    parser.add_argument(
        "--wait",
        type=seconds(say.language),
        default=HERE.wait,
        metavar="SECONDS",
        help=say("work-help.wait"),
    )


def workers_of(options: argparse.Namespace, language: Language = "en") -> Workers:
    """What a command line says by `add_worker_options`."""
    return Workers(options.concurrency or 1, options.cluster, options.wait, language)
