"""Whether each strength level beats the one below it, and by how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chuhe.bench.inprocess import play_game
from chuhe.bench.matches.match_values import Adjudication
from chuhe.bench.matches.opening_reader import read_openings
from chuhe.engine import Engine, Law, Limits, Position, Settings
from chuhe.engine.levels import LEVELS

UPPER = LEVELS[1:]  # the levels that have one below
LOWEST, HIGHEST = 60.0, 90.0  # expected score against the level below, in per cent
ADJUDICATION = Adjudication(max_moves=150)  # a longer game is a draw


@dataclass(frozen=True)
class Rung:
    """What a level scored against the level below it."""

    level: int
    wins: int
    draws: int
    losses: int

    @property
    def percent(self) -> float:
        return 100 * (self.wins + self.draws / 2) / max(1, self.wins + self.draws + self.losses)

    @property
    def as_it_should_be(self) -> bool:
        return LOWEST <= self.percent <= HIGHEST

    def __str__(self) -> str:
        verdict = "" if self.as_it_should_be else f"  outside {LOWEST:.0f}-{HIGHEST:.0f} %"
        versus = f"level {self.level} against {self.level - 1}"
        return f"{versus:<22} +{self.wins} ={self.draws} -{self.losses}  {self.percent:5.1f} %{verdict}"


def measure(level: int, starts: Sequence[Position], limits: Limits, step: Callable[[], None]) -> Rung:
    """Plays the level against the one below, each opening once with either colour."""
    upper, lower = (Engine(Settings(hash_mb=16, level=which)) for which in (level, level - 1))
    counts = {"1-0": 0, "1/2-1/2": 0, "0-1": 0}
    for start in starts:
        for players, turned in (((upper, lower), False), ((lower, upper), True)):
            result = play_game(players, start, limits, ADJUDICATION, law=Law()).result
            counts[result if not turned else {"1-0": "0-1", "0-1": "1-0"}.get(result, result)] += 1
            step()
    return Rung(level, counts["1-0"], counts["1/2-1/2"], counts["0-1"])


def starting_positions(count: int) -> list[Position]:
    """The given number of bundled openings, spread evenly over the list."""
    openings = read_openings(None)
    chosen = [openings[index * len(openings) // count] for index in range(count)]
    positions = []
    for opening in chosen:
        position = Position(opening.fen) if opening.fen else Position()
        for move in opening.moves:
            position.push(move)
        positions.append(position)
    return positions
