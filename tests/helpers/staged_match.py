"""A match that a test plays by hand, so that whoever watches it sees each step when the test wants it."""

from __future__ import annotations

from pathlib import Path

from chuhe.bench.matches.config import to_toml
from chuhe.bench.matches.live import LiveFile
from chuhe.bench.matches.match_values import (
    EngineSpec,
    GamePlan,
    MatchGame,
    MatchMove,
    MatchSettings,
    Termination,
)
from chuhe.bench.matches.runner import SETTINGS
from chuhe.bench.matches.store import Store
from chuhe.bench.statistics import Sprt
from chuhe.common.time_control import TimeControl
from chuhe.engine import START_FEN
from chuhe.engine.values import FinalResult

OPENING = ("h2e2",)


class StagedMatch:
    """Two games between `one` and `two`, as a runner with --live writes them."""

    def __init__(self, directory: Path) -> None:
        engines = (EngineSpec("one", ("one",)), EngineSpec("two", ("two",)))
        settings = MatchSettings(
            engines, TimeControl(depth=1), games=2, name="cup", output=str(directory), sprt=Sprt(-5, 5)
        )
        self._store = Store(directory, {"staged": True})
        self._live = LiveFile(directory)
        self._plans = {1: GamePlan(1, 1, "one", "two", 0), 2: GamePlan(2, 1, "two", "one", 0)}
        self._moves: dict[int, list[MatchMove]] = {1: [], 2: []}
        (directory / SETTINGS).write_text(to_toml(settings), encoding="utf-8")

    def begin(self, number: int) -> None:
        self._live.begins(self._plans[number], START_FEN, OPENING)

    def play(self, number: int, *moves: str) -> None:
        for move in moves:
            made = MatchMove(move, 10, None, "+0.12", 3, 42)
            self._moves[number].append(made)
            self._live.moves(self._plans[number], made)

    def end(self, number: int, result: FinalResult) -> None:
        plan = self._plans[number]
        self._live.ends(plan)
        moves = tuple(self._moves[number])
        self._store.append(
            MatchGame(
                number,
                1,
                plan.red,
                plan.black,
                0,
                START_FEN,
                OPENING,
                moves,
                result,
                Termination.RESIGNATION,
                "resigns",
            )
        )

    def close(self) -> None:
        self._live.close()
        self._store.close()
