"""One life of a search for every engine: accepted, running, held, answered; whoever signals, and whenever."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from functools import partial

import pytest
from begun_searches import joined, running, wait_for
from waiting import PATIENCE

from chuhe.engine import BestMove, Engine, Limits, Score, Settings
from chuhe.engine.errors import LimitError
from chuhe.engine.search_life import BaseEngine, BegunSearch, OnInfo, SearchState, StopSignal
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

    def begin(self, limits: Limits, on_info: OnInfo | None = None) -> BegunSearch[BestMove]:
        with self._idle("begin a search"):
            self.halted.clear()
            return self._accept(self._answer, limits)

    def _answer(self) -> BestMove:
        assert self.halted.wait(PATIENCE)
        self._hold()
        return NOTHING

    def _halt(self) -> None:
        self.signals.append("halt")
        self.halted.set()

    def _start_clock(self) -> None:
        self.signals.append("clock")
        self.halted.set()

    def prepare(self) -> None: ...
    def new_game(self) -> None: ...
    def clear_hash(self) -> None: ...
    def evaluate(self) -> Score:
        return NOTHING.score

    def evaluation_table(self, language: Language = "en") -> str:
        return ""


def test_the_four_states() -> None:
    engine = Slow()
    search = engine.begin(Limits(ponder=True, infinite=True))
    wait_for(search, SearchState.ACCEPTED)
    engine.ponderhit()  # infinite: it has its answer soon, and holds it
    thread = running(search)
    wait_for(search, SearchState.HELD)
    engine.stop()
    joined(thread)
    wait_for(search, SearchState.ANSWERED)
    assert not engine.searching
    assert engine.signals == ["clock", "halt"]


def test_a_search_runs_once_or_is_cancelled() -> None:
    engine = Slow()
    search = engine.begin(Limits(depth=1))
    with pytest.raises(LimitError, match="cannot begin a search during a search"):
        engine.begin(Limits(depth=1))
    search.cancel()
    with pytest.raises(LimitError, match="runs only once"):
        search.run()
    other = engine.begin(Limits(depth=1))
    search.cancel()  # of a search that is over: the engine belongs to the other one
    thread = running(other)
    wait_for(other, SearchState.RUNNING)
    other.cancel()  # too late
    assert engine.searching
    engine.stop()
    joined(thread)


def test_signals_without_a_search_reach_nobody() -> None:
    engine = Slow()
    engine.stop()
    engine.ponderhit()
    assert engine.signals == []


@pytest.mark.parametrize("make", MAKERS)
def test_every_signal_at_any_moment_ends_the_search(make: Callable[[], BaseEngine]) -> None:
    """Many searches, each signalled by another thread at a random moment: before, while or after it runs."""
    source, engine = random.Random(7), make()
    engine.prepare()
    for round_number in range(40):
        ponder = round_number % 2 == 1
        search = engine.begin(Limits(ponder=True, movetime=1) if ponder else Limits(infinite=True))
        signal = threading.Timer(source.random() / 200, engine.ponderhit if ponder else engine.stop)
        signal.start()
        joined(running(search))
        joined(signal)
        assert search.state is SearchState.ANSWERED
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
        joined(thread)


def test_a_stop_signal_ends_a_game_of_the_engine_against_itself() -> None:
    engine, stop = Engine(Settings(hash_mb=1)), StopSignal()
    stop.set()
    assert engine.play_itself(1, SelfPlayRules(nodes=100_000, most_nodes=200_000), stop).packed == b""
    assert not engine.searching
