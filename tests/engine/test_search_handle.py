"""One handle for a search of every engine: accepted, running, held, answered; whoever signals, and whenever."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from searches import answer_of, wait_for
from waiting import PATIENCE

from chuhe.engine import BestMove, Engine, Limits, Position, Score, Settings
from chuhe.engine.base_engine import BaseEngine, OnInfo, Work
from chuhe.engine.errors import LimitError
from chuhe.engine.search_handle import SearchHandle, SearchState, StopSignal
from chuhe.engine.values import SelfPlayRules
from chuhe.text.message import Language
from chuhe.variants.chess.engine import ChessEngine
from chuhe.variants.styles import S1, StyleEngine

MAKERS: list[Callable[[], BaseEngine]] = [
    lambda: Engine(Settings(hash_mb=1)),
    lambda: StyleEngine(S1),
    lambda: ChessEngine(Settings(hash_mb=1)),
]
NOTHING = BestMove(None, None, Score(cp=0), 0, 0, 0)


class Slow(BaseEngine):
    """Searches until it is halted, or until its clock has been started."""

    def __init__(self) -> None:
        super().__init__()
        self.halted = threading.Event()
        self.signals: list[str] = []

    def _begin(self, limits: Limits, on_info: OnInfo | None) -> Work[BestMove]:
        self.halted.clear()
        return self._answer

    def _answer(self, search: SearchHandle[BestMove]) -> BestMove:
        assert self.halted.wait(PATIENCE)
        search.hold()
        return NOTHING

    def _halt(self) -> None:
        self.signals.append("halt")
        self.halted.set()

    def _start_clock(self) -> None:
        self.signals.append("clock")
        self.halted.set()

    def set_position(self, position: Any) -> None: ...
    def prepare(self) -> None: ...
    def new_game(self) -> None: ...
    def clear_hash(self) -> None: ...
    def evaluate(self) -> Score:
        return NOTHING.score

    def evaluation_table(self, language: Language = "en") -> str:
        return ""


def no_thread(*_: object) -> None:
    raise RuntimeError("can't start new thread")


def test_the_four_states() -> None:
    engine = Slow()
    wait_for(SearchHandle(engine._answer), SearchState.ACCEPTED)
    search = engine.start(None, Limits(ponder=True, infinite=True))
    wait_for(search, SearchState.RUNNING)
    assert not search.ends
    assert [search.ponderhit(), search.ponderhit()] == [True, False]  # infinite: it has its answer soon, and holds it
    wait_for(search, SearchState.HELD)
    search.stop()
    assert answer_of(search) is NOTHING
    wait_for(search, SearchState.ANSWERED)
    assert not engine.searching
    assert engine.signals == ["clock", "halt"]


def test_a_handle_reaches_its_own_search_only() -> None:
    engine = Slow()
    search = engine.start(None, Limits(depth=1))
    with pytest.raises(LimitError, match="cannot begin a search during a search"):
        engine.start(None, Limits(depth=1))
    search.cancel()
    other = engine.start(None, Limits(ponder=True))
    search.stop()
    assert not search.ponderhit()
    search.cancel()
    assert engine.current is other
    assert engine.signals == ["halt"]
    other.cancel()
    assert engine.current is None


def test_signals_without_a_search_reach_nobody() -> None:
    engine = Slow()
    engine.stop()
    assert engine.signals == []


def test_whoever_asks_when_it_is_done_is_told_at_once_and_once() -> None:
    search = SearchHandle(lambda _: 7)
    told: list[int] = []
    search.add_done_callback(lambda done: told.append(done.result()))
    search.begin()
    assert answer_of(search) == 7
    search.add_done_callback(lambda done: told.append(-done.result()))
    assert told == [7, -7]


def test_an_error_is_raised_by_result() -> None:
    def fail(_: SearchHandle[int]) -> int:
        raise KeyError("out of ideas")

    search = SearchHandle(fail)
    search.begin()
    with pytest.raises(KeyError, match="out of ideas"):
        answer_of(search)
    search.cancel()  # drops it


def test_ctrl_c_while_waiting_stops_the_search_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: float) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    engine = Slow()
    search = engine.start(None, Limits(infinite=True))
    monkeypatch.setattr(search._change, "wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        search.result()
    assert not engine.searching


def test_without_a_thread_a_search_that_ends_is_done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(Settings(hash_mb=1))
    monkeypatch.setattr("chuhe.engine.search_handle.start_new_thread", no_thread)
    assert engine.start(None, Limits(depth=1)).done()
    with pytest.raises(RuntimeError, match="no thread"):
        engine.start(None, Limits(infinite=True))
    assert not engine.searching


@pytest.mark.parametrize("make", MAKERS)
def test_every_signal_at_any_moment_ends_the_search(make: Callable[[], BaseEngine]) -> None:
    """Many searches, each signalled by another thread at a random moment: before, while or after it runs."""
    source, engine = random.Random(7), make()
    engine.prepare()
    for round_number in range(40):
        ponder = round_number % 2 == 1
        search = engine.start(None, Limits(ponder=True, movetime=1) if ponder else Limits(infinite=True))
        signal = search.ponderhit if ponder else search.stop
        if round_number % 3 == 0:
            signal()
        else:
            threading.Timer(source.random() / 200, signal).start()
        answer_of(search)
        assert not engine.searching


@pytest.mark.parametrize("make", MAKERS)
def test_a_stop_signal_is_not_lost_before_the_search_has_begun(make: Callable[[], BaseEngine]) -> None:
    source, engine = random.Random(8), make()
    for round_number in range(20):
        stop = StopSignal()
        thread = threading.Thread(target=partial(engine.search, Limits(infinite=True), stop=stop), daemon=True)
        if round_number % 2:
            stop.set()
            thread.start()
        else:
            thread.start()
            thread.join(source.random() / 200)
            stop.set()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_a_position_is_set_and_searched_in_one_step() -> None:
    engine, position = Engine(Settings(hash_mb=1)), Position("3k5/9/9/9/9/9/9/9/4R4/4K4 w")
    assert engine.start(position, Limits(depth=2)).result().move in position.legal_moves
    assert engine.position.fen() == position.fen()


def test_a_stop_signal_ends_a_game_of_the_engine_against_itself() -> None:
    engine, stop = Engine(Settings(hash_mb=1)), StopSignal()
    stop.set()
    assert engine.play_itself(1, SelfPlayRules(nodes=100_000, most_nodes=200_000), stop).packed == b""
    assert not engine.searching
