"""Signals before and during a search, refused calls, and failures of memory and threads."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from _thread import start_new_thread
from collections.abc import Callable
from contextlib import suppress

import pytest
from paths import ROOT
from searches import answer_of, wait_for
from waiting import PATIENCE

from chuhe.engine import BestMove, Engine, Info, LimitError, Limits, Position, Settings, threads
from chuhe.engine.search_handle import SearchState
from chuhe.variants.chess.engine import ChessEngine

MATED = "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b"
HANGING_ROOK = "4k4/9/9/9/r8/9/R8/4C4/9/4K4 w"  # a3xa5 wins it
MANY = 200  # threads, more than this machine has processors
needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="only Linux has /proc")
plain_memory = pytest.mark.skipif(bool(os.environ.get("CHUHE_SLOW_BUILD")), reason="sanitizers take memory as well")


def xiangqi() -> Engine:
    return Engine(Settings(hash_mb=4))


def chess() -> ChessEngine:
    return ChessEngine(Settings(hash_mb=4))


MAKERS = [xiangqi, chess]


def stopped_at_once(engine: Engine | ChessEngine) -> BestMove:
    search = engine.start(None, Limits(infinite=True))
    search.stop()
    return answer_of(search)


@pytest.mark.parametrize("make", MAKERS)
def test_a_stop_at_once_is_kept(make: Callable[[], Engine | ChessEngine]) -> None:
    engine = make()
    assert stopped_at_once(engine).move is not None
    search = engine.start(None, Limits(ponder=True, time=60_000))
    search.stop()
    assert answer_of(search).move is not None


@pytest.mark.parametrize("make", MAKERS)
def test_a_ponderhit_at_once_is_kept(make: Callable[[], Engine | ChessEngine]) -> None:
    engine = make()
    for limits in (Limits(ponder=True, depth=2), Limits(ponder=True, movetime=20)):
        search = engine.start(None, limits)
        assert search.ponderhit()
        assert answer_of(search).move is not None


@pytest.mark.parametrize("make", MAKERS)
def test_signals_without_a_search_mean_nothing_to_the_next(make: Callable[[], Engine | ChessEngine]) -> None:
    engine = make()
    engine.stop()
    assert engine.search(Limits(depth=4)).depth == 4


@pytest.mark.parametrize("make", MAKERS)
def test_a_ponderhit_does_not_end_an_infinite_search(make: Callable[[], Engine | ChessEngine]) -> None:
    engine = make()
    search = engine.start(None, Limits(infinite=True, ponder=True, depth=1))
    search.ponderhit()
    wait_for(search, SearchState.HELD)
    search.cancel()


@pytest.mark.parametrize("limits", [Limits(infinite=True), Limits(ponder=True, depth=3)])
def test_without_a_move_the_answer_is_held_all_the_same(limits: Limits) -> None:
    engine = xiangqi()
    engine.set_position(Position(MATED))
    search = engine.start(None, limits)
    wait_for(search, SearchState.HELD)
    search.stop()
    assert answer_of(search).move is None


def test_a_pondering_search_with_few_nodes_waits_for_the_hit() -> None:
    engine = xiangqi()
    search = engine.start(None, Limits(ponder=True, nodes=10))
    wait_for(search, SearchState.HELD)
    search.ponderhit()
    answer_of(search)


@pytest.mark.parametrize("make", MAKERS)
def test_an_engine_is_taken_from_the_start_on(make: Callable[[], Engine | ChessEngine]) -> None:
    engine = make()
    search = engine.start(None, Limits(infinite=True))
    attempts: list[Callable[[], object]] = [
        lambda: engine.start(None, Limits(depth=1)),
        lambda: engine.search(Limits(depth=1)),
        lambda: engine.configure(hash_mb=8),
        engine.new_game,
        engine.prepare,
    ]
    if isinstance(engine, Engine):
        attempts.append(lambda: engine.set_position(Position()))
    else:
        attempts.append(lambda: engine.set_position(None))
    for attempt in attempts:
        with pytest.raises(LimitError, match="during a search"):
            attempt()
    search.cancel()
    assert not engine.searching
    assert engine.search(Limits(depth=1)).move is not None


def test_time_and_nodes_are_of_the_whole_search_after_a_ponderhit() -> None:
    engine = xiangqi()
    infos: list[Info] = []
    late = threading.Event()

    def hear(info: Info) -> None:
        infos.append(info)
        if info.time >= 20:
            late.set()

    search = engine.start(None, Limits(ponder=True, movetime=1), hear)
    assert late.wait(PATIENCE)
    search.ponderhit()
    answer = answer_of(search)
    times = [info.time for info in infos]
    assert times == sorted(times)
    assert answer.time >= 20
    assert answer.nodes >= infos[-1].nodes


# Limits


@pytest.mark.parametrize("limits", [Limits(nodes=1), Limits(movetime=1), Limits(time=1)])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_smallest_limit_leaves_a_sensible_move(limits: Limits, threads: int) -> None:
    engine = Engine(Settings(hash_mb=1, threads=threads))
    engine.set_position(Position(HANGING_ROOK))
    assert str(engine.search(limits).move) == "a3a5"


def test_a_stopped_search_has_looked_at_every_move() -> None:
    engine = xiangqi()
    engine.set_position(Position(HANGING_ROOK))
    answer = stopped_at_once(engine)
    assert str(answer.move) == "a3a5"
    assert answer.depth >= 1


def test_chess_with_one_node_takes_what_hangs() -> None:
    engine = chess()
    engine.set_position("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    assert str(engine.search(Limits(nodes=1)).move) == "e4d5"
    assert str(stopped_at_once(engine).move) == "e4d5"


@pytest.mark.parametrize(
    "name",
    ["depth", "nodes", "movetime", "mate", "moves_to_go", "time", "increment", "byoyomi", "opponent_time"],
)
@pytest.mark.parametrize("value", [1 << 63, 1 << 64, 10**30, 1.5])
def test_a_limit_beyond_all_numbers_is_named(name: str, value: int) -> None:
    engine = xiangqi()
    with pytest.raises(LimitError, match=name):
        engine.search(Limits(**{"depth": 1, name: value}))  # type: ignore[arg-type]
    assert engine.search(Limits(depth=1)).move is not None


@pytest.mark.parametrize("name", ["nodes", "movetime", "time", "increment", "mate"])
def test_the_largest_limit_is_none(name: str) -> None:
    limits = Limits(**{"depth": 2, "time": 1_000_000, name: (1 << 63) - 1})  # type: ignore[arg-type]
    assert xiangqi().search(limits).depth == 2


# Memory


def resident_mb() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


@needs_proc
@plain_memory
@pytest.mark.parametrize("make", [lambda: Engine(Settings(hash_mb=64)), lambda: ChessEngine(Settings(hash_mb=64))])
def test_prepare_takes_the_memory_into_use_and_the_first_search_no_more(
    make: Callable[[], Engine | ChessEngine],
) -> None:
    before = resident_mb()
    engine = make()
    assert resident_mb() - before < 32
    engine.prepare()
    ready = resident_mb()
    assert ready - before > 60
    engine.search(Limits(depth=3))
    assert resident_mb() - ready < 8


@needs_proc
@plain_memory
def test_a_change_of_memory_or_threads_is_paid_by_the_next_prepare() -> None:
    engine = xiangqi()
    engine.prepare()
    before = resident_mb()
    engine.configure(hash_mb=64, threads=4)
    assert resident_mb() - before < 8
    engine.prepare()
    assert resident_mb() - before > 60
    assert (engine._searcher.hash_mb, engine._searcher.workers) == (64, 4)
    found = engine.search(Limits(depth=4)).move
    engine.prepare()  # a second call has nothing to do and keeps the tables
    assert engine.probe(Position()) is not None
    assert found is not None


class Poor:
    """A core that runs out of memory early."""

    def __init__(self, core: object, limit_mb: int) -> None:
        self._core, self._limit_mb = core, limit_mb

    def __getattr__(self, name: str) -> object:
        return getattr(self._core, name)

    def resize(self, megabytes: int) -> None:
        if megabytes > self._limit_mb:
            raise MemoryError
        self._core.resize(megabytes)  # type: ignore[attr-defined]


def test_a_table_for_which_there_is_no_memory_is_smaller() -> None:
    engine = Engine(Settings(hash_mb=100))
    engine._resources.core = Poor(engine._searcher, 30)  # type: ignore[assignment]
    engine.prepare()
    assert engine.take_notices() == ["not enough memory for a table of 100 MB: using 25 MB"]
    assert engine.search(Limits(depth=2)).move is not None
    assert engine.take_notices() == []


def test_no_table_at_all_is_an_error_and_no_crash() -> None:
    engine = Engine(Settings(hash_mb=8))
    engine._resources.core = Poor(engine._searcher, 0)  # type: ignore[assignment]
    for _ in range(2):
        with pytest.raises(MemoryError):
            engine.search(Limits(depth=2))
        assert not engine.searching
    engine._resources.core = engine._searcher
    assert engine.search(Limits(depth=2)).move is not None


# Threads


def test_fewer_threads_than_asked_for_are_used_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[int, ...]] = []

    def start(work: Callable[..., object], arguments: tuple[int, ...]) -> int:
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(arguments)
        return start_new_thread(work, arguments)

    monkeypatch.setattr(threads, "start_new_thread", start)
    engine = Engine(Settings(hash_mb=4, threads=6))
    depths: list[int] = []
    answer = engine.search(Limits(depth=6), lambda info: depths.append(info.depth))
    assert answer.move is not None
    assert max(depths) == 6  # of the first worker; the vote may have chosen another
    assert engine.take_notices() == ["only 3 of 6 threads could be started"]
    engine.configure(threads=1)
    assert engine.search(Limits(depth=4)).depth == 4


def test_ctrl_c_while_the_helpers_start_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[int, ...]] = []

    def start(work: Callable[..., object], arguments: tuple[int, ...]) -> int:
        started.append(arguments)
        start_new_thread(work, arguments)
        if len(started) == 3:
            raise KeyboardInterrupt
        return 0

    engine = Engine(Settings(hash_mb=4, threads=8))
    with monkeypatch.context() as patch:
        patch.setattr(threads, "start_new_thread", start)
        with pytest.raises(KeyboardInterrupt):
            engine.search(Limits(infinite=True))
    assert not engine.searching
    engine.configure(threads=1)
    assert engine.search(Limits(depth=4)).depth == 4
    assert engine.search(Limits(depth=4)).move is not None


def test_a_helper_that_comes_too_late_does_nothing() -> None:
    engine = Engine(Settings(hash_mb=4, threads=2))
    engine.search(Limits(depth=2))
    nodes = engine._searcher.nodes()
    engine._searcher.help(1, 1)  # the number of the search that is over
    assert engine._searcher.nodes() == nodes


def test_many_threads_answer_and_leave() -> None:
    engine = Engine(Settings(hash_mb=4, threads=MANY))
    for limits in (Limits(depth=5), Limits(nodes=100), Limits(movetime=1)):
        assert engine.search(limits).move is not None
    assert engine.take_notices() == []
    engine.configure(threads=2)
    assert engine.search(Limits(depth=3)).move is not None


@needs_proc
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a niceness for each thread")
@pytest.mark.parametrize(("processors", "gives_way"), [(1, True), (64, False)])
def test_helpers_give_way_where_processors_are_few(
    processors: int, gives_way: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The helpers do not starve the first worker."""
    monkeypatch.setattr("chuhe.engine.engine.usable_processors", lambda: processors)
    engine = Engine(Settings(hash_mb=4, threads=3))
    others = set(os.listdir("/proc/self/task"))
    own = os.getpriority(os.PRIO_PROCESS, 0)
    expected = [19, 19] if gives_way else [own, own]
    seen: list[list[int]] = []

    def look(info: Info) -> None:
        helpers = set(os.listdir("/proc/self/task")) - others - {str(threading.get_native_id())}
        with suppress(ProcessLookupError):  # a helper that has just ended
            seen.append([os.getpriority(os.PRIO_PROCESS, int(helper)) for helper in helpers])
        if expected in seen or info.depth >= 60:  # a busy machine starts helpers late
            engine.stop()

    engine.search(Limits(infinite=True), look)
    assert expected in seen  # the last report may be the answer, after the helpers have gone


@plain_memory
def test_more_threads_than_memory_is_no_crash() -> None:
    """Sixteen threads with memory for only a few: those that started are stopped, and the engine continues.

    How much memory the first search gets is random, but it must be answered, and the second search must succeed.
    """
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (150_000 * 1024,) * 2);"
        "from chuhe.commands.engine import main; sys.exit(main([]))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def until(*words: str) -> str:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(words):
                return line
        raise AssertionError(f"no {words}: the engine has died with {process.wait()}")

    def send(*lines: str) -> None:
        assert process.stdin is not None
        process.stdin.write("".join(f"{line}\n" for line in lines))
        process.stdin.flush()

    with process:
        send("ucci", "setoption usebook false", "setoption hashsize 1", "setoption threads 16", "go infinite")
        until("info depth", "nobestmove")
        send("stop")
        until("bestmove", "nobestmove")
        send("setoption threads 1", "go depth 6")
        until("bestmove")
        send("quit")
        until("bye")
    assert process.returncode == 0
