"""Whether each strength level beats the one below it, and by how much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from chuhe.bench.inprocess import play_game
from chuhe.bench.matches.match_values import Adjudication
from chuhe.bench.matches.opening_reader import read_openings
from chuhe.bench.spread import HERE, Workers, spread
from chuhe.engine import Engine, Law, Limits, Position, Settings
from chuhe.engine.levels import LEVELS
from chuhe.engine.values import FinalResult

UPPER = LEVELS[1:]  # the levels that have one below
LOWEST, HIGHEST = 60.0, 90.0  # expected score against the level below, in per cent
TURNED: Mapping[FinalResult, FinalResult] = {"1-0": "0-1", "1/2-1/2": "1/2-1/2", "0-1": "1-0"}
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


@dataclass(frozen=True, slots=True)
class LadderGame:
    """A level against the one below it, from a position."""

    level: int
    start: Position
    is_black: bool  # the upper level


def play_one(limits: Limits, game: LadderGame) -> FinalResult:
    """The result, with the upper level's points first; runs in any process."""
    with (
        Engine(Settings(hash_mb=16, level=game.level)) as upper,
        Engine(Settings(hash_mb=16, level=game.level - 1)) as lower,
    ):
        players = (lower, upper) if game.is_black else (upper, lower)
        result = play_game(players, game.start, limits, ADJUDICATION, law=Law()).result
    return TURNED[result] if game.is_black else result


def measure(
    levels: Sequence[int],
    starts: Sequence[Position],
    limits: Limits,
    step: Callable[[], None],
    workers: Workers = HERE,
    tell: Callable[[str], None] = print,
) -> Iterator[Rung]:
    """Play each level against the one below, each opening once with either colour."""
    games = [LadderGame(level, start, black) for level in levels for start in starts for black in (False, True)]
    with spread(partial(play_one, limits), games, workers, tell=tell) as results:
        for level in levels:
            counts: Counter[str] = Counter()
            for result in islice(results, 2 * len(starts)):
                counts[result] += 1
                step()
            yield Rung(level, counts["1-0"], counts["1/2-1/2"], counts["0-1"])


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
