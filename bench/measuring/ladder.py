"""``chuhe ladder``: does each strength level beat the one below it, and by how much?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chuhe.bench.inprocess import play_game
from chuhe.bench.matches.match_values import Adjudication
from chuhe.bench.matches.opening_reader import read_openings
from chuhe.common.command_line import Parser, seconds, whole_number
from chuhe.common.progress import Bar
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


def main(arguments: list[str]) -> int:
    parser = Parser(
        prog="chuhe ladder", description="Matches between neighbouring strength levels, on balanced openings."
    )
    parser.add_argument("--games", type=whole_number(2), default=40, help="games per pair of levels, an even number")
    parser.add_argument(
        "--levels",
        type=int,
        nargs="+",
        metavar="N",
        help=f"only these, each against the level below (default {UPPER[0]} to {UPPER[-1]})",
    )
    parser.add_argument("--time", type=seconds(), default=0.1, metavar="SECONDS", help="most seconds per move")
    options = parser.parse_args(arguments)
    levels = options.levels or list(UPPER)
    if options.games % 2:
        parser.error("--games must be an even number, 2 or more")
    if not set(levels) <= set(UPPER):
        parser.error(f"--levels must be from {UPPER[0]} to {UPPER[-1]}")
    limits = Limits(movetime=max(1, round(options.time * 1000)))
    starts = starting_positions(options.games // 2)
    bar = Bar(options.games * len(levels), "games")
    rungs = []
    for level in levels:
        rungs.append(measure(level, starts, limits, bar.step))
        bar.write(str(rungs[-1]))
    bar.close()
    bad = [rung for rung in rungs if not rung.as_it_should_be]
    print("\n".join(str(rung) for rung in rungs), file=sys.stdout)
    return 1 if bad else 0
