"""The progress of a match."""

from __future__ import annotations

from typing import TextIO

from chuhe.bench.matches.match_values import MatchGame, MatchSettings, Termination
from chuhe.bench.matches.standings import Standings
from chuhe.common.progress import Bar


class MatchWatcher:
    """Callbacks for following a match; these do nothing."""

    def begin(self, settings: MatchSettings, standings: Standings, total: int) -> None:
        pass

    def game(self, record: MatchGame, standings: Standings) -> None:
        pass

    def warn(self, text: str) -> None:
        """What happened to a worker of the cluster."""

    def end(self) -> None:
        pass


class MatchProgress(MatchWatcher):
    """A match's progress bar: score, Elo, SPRT. Each game lost by a fault of the engine also gets a line."""

    MISBEHAVIOUR = frozenset(
        {
            Termination.ILLEGAL_MOVE,
            Termination.NO_MOVE,
            Termination.CRASH,
            Termination.HANG,
            Termination.BAD_ANSWER,
            Termination.TIME_FORFEIT,
            Termination.START_FAILURE,
        }
    )

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream
        self.bar: Bar | None = None
        self.settings: MatchSettings | None = None

    def begin(self, settings: MatchSettings, standings: Standings, total: int) -> None:
        self.settings = settings
        self.bar = Bar(total, "games", len(standings.games), self.stream)
        if standings.games:
            self.bar.write(
                f"resuming after {len(standings.games)} of {total} games: {standings.headline(settings.sprt)}"
            )

    def game(self, record: MatchGame, standings: Standings) -> None:
        assert self.bar is not None
        assert self.settings is not None
        if record.reason in self.MISBEHAVIOUR:
            self.bar.write(f"game {record.number}, {record.red} - {record.black} {record.result}: {record.detail}")
        self.bar.step(standings.headline(self.settings.sprt))

    def warn(self, text: str) -> None:
        assert self.bar is not None
        self.bar.write(text)

    def end(self) -> None:
        if self.bar is not None:
            self.bar.close()
