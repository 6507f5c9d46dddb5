"""`chuhe tune search`: tunes the search's parameters by SPSA, in games of the engine against itself or by its choices.

The state and the table are written after every iteration, so an interrupted run can be resumed.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from chuhe.bench.inprocess import play_game
from chuhe.bench.learning.spsa_math import Parameter, Schedule, Shift, moved, shift
from chuhe.bench.learning.table_output import add_table_options, begin_table
from chuhe.bench.matches.match_values import POINTS, Opening
from chuhe.bench.matches.opening_reader import read_openings
from chuhe.bench.spread import HERE, Workers, add_worker_options, spread, workers_of
from chuhe.common.command_line import Parser, report_fault, setting_number, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import Engine, Limits, Position, Settings, tunables
from chuhe.engine.tunables import Tunable
from chuhe.files.reading import read_input
from chuhe.files.writing import check_distinct, check_output, exclusive, marked, write_file

LARGEST_RATE = 1000.0  # steps²


class TuningError(ValueError):
    """A run that cannot be started or resumed; the message says why."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The conditions of a run. They are stored in the state, and a resumed run must have the same."""

    rows: tuple[str, ...]
    iterations: int
    rate: float
    seed: int
    nodes: int | None
    movetime: int | None
    hash_mb: int
    batch: int = 0  # positions of an iteration; 0: a pair of games
    judge: int = 0  # nodes to judge a move chosen in a position

    def limits(self) -> Limits:
        return Limits(nodes=self.nodes, movetime=self.movetime)


@dataclass
class TunerState:
    """The progress of a run."""

    terms: Terms
    values: dict[str, float]
    done: set[int] = field(default_factory=set)  # finished iterations, which may be in any order
    points: float = 0.0  # plus side minus minus side, over all iterations
    judged: dict[str, dict[str, float]] = field(default_factory=dict)  # by position and move: the mover's points

    def save(self, path: Path) -> None:
        """Write the state atomically."""
        data = {**asdict(self), "done": sorted(self.done)}
        write_file(path, json.dumps(data, indent=1) + "\n")


def finite(value: Any) -> float:
    """ValueError for what is no number that can be tuned on with."""
    if not math.isfinite(number := float(value)):
        raise ValueError(value)
    return number


def load(path: Path, terms: Terms) -> TunerState | None:
    """The state of an interrupted run; None if there is none, TuningError if it belongs to a different run."""
    if not path.exists():
        return None
    try:
        data: dict[str, Any] = json.loads(read_input(path))
        found = Terms(**{**data["terms"], "rows": tuple(data["terms"]["rows"])})
        values = {str(k): finite(v) for k, v in data["values"].items()}
        judged = {at: {move: finite(v) for move, v in moves.items()} for at, moves in data.get("judged", {}).items()}
        state = TunerState(found, values, {int(number) for number in data["done"]}, finite(data["points"]), judged)
    except (ValueError, OverflowError, KeyError, TypeError, AttributeError, RecursionError):
        raise TuningError(f"{path} is not a state file of this tuner; remove it to start again") from None
    for name in Terms.__slots__:
        if getattr(found, name) != getattr(terms, name):
            raise TuningError(
                f"{path} was started with {name} {getattr(found, name)}, not {getattr(terms, name)}: "
                "use the same value, or name another state file"
            )
    return state


def choose_rows(table: list[Tunable], names: list[str]) -> list[Tunable]:
    """The named rows; without names, all rows of the search."""
    by_name = {row.name: row for row in table}
    if not names:
        return [row for row in table if row.section == "search"]
    for name in names:
        if name not in by_name:
            raise TuningError(f"there is no row {name!r} in the table")
    return [by_name[name] for name in names]


def parameters_of(rows: list[Tunable]) -> list[Parameter]:
    """One parameter for each value in the rows; values of a list are named row[0], row[1], …"""
    return [
        Parameter(
            row.name if len(row.values) == 1 else f"{row.name}[{at}]",
            row.offset + at,
            row.minimum,
            row.maximum,
            row.step,
        )
        for row in rows
        for at in range(len(row.values))
    ]


def starting_values(rows: list[Tunable]) -> dict[str, float]:
    numbers = [float(value) for row in rows for value in row.values]
    return dict(zip((parameter.name for parameter in parameters_of(rows)), numbers, strict=True))


def new_table(table: list[Tunable], rows: list[Tunable], values: dict[str, float]) -> list[Tunable]:
    """The table with the tuned values, rounded."""
    numbers = iter(round(values[parameter.name]) for parameter in parameters_of(rows))
    fresh = {row.name: replace(row, values=tuple(next(numbers) for _ in row.values)) for row in rows}
    return [fresh.get(row.name, row) for row in table]


class Arena:
    """Two engines in this process, each with numbers of its own."""

    def __init__(self, terms: Terms) -> None:
        settings = Settings(hash_mb=terms.hash_mb, use_tables=False)  # the same games on every machine
        self.engines = Engine(settings), Engine(settings)
        self.limits = terms.limits()

    def pair(self, opening: Opening, plus: list[int], minus: list[int]) -> float:
        """Play two games with colours reversed; returns plus's points minus minus's, from -2 to 2."""
        start = Position(opening.fen) if opening.fen else Position()
        for move in opening.moves:
            start.push(move)
        total = 0.0
        first, second = self.engines
        first.tunables, second.tunables = plus, minus
        for engines, sign in (((first, second), 1), ((second, first), -1)):
            game = play_game(engines, start, self.limits)
            total += sign * (2 * POINTS[game.result] - 1)
        return total


Label = TypeVar("Label")
Task = tuple[Label, Opening, list[int], list[int]]
PairScore = tuple[Label, float]


def play_pair(terms: Terms, task: Task[Label]) -> PairScore[Label]:
    """Play a task with its own engines; runs in any process."""
    tried, opening, plus, minus = task
    return tried, Arena(terms).pair(opening, plus, minus)


class SpsaRun:
    """One run of the tuner: makes the tasks, applies the results, and writes the state and the table."""

    def __init__(self, table: list[Tunable], terms: Terms, state_path: Path, out: Path) -> None:
        self.table = table
        self.rows = choose_rows(table, list(terms.rows))
        self.parameters = parameters_of(self.rows)
        self.schedule = Schedule(terms.iterations, terms.rate)
        self.base = [value for row in table for value in row.values]
        self.openings = read_openings(None)
        self.state_path, self.out = state_path, out
        start = starting_values(self.rows)
        self.state = load(state_path, terms) or TunerState(terms, start)
        if self.state.values.keys() != start.keys():
            raise TuningError(f"{state_path} has other numbers than the table: name another state file")

    def numbers(self, changed: tuple[int, ...]) -> list[int]:
        fresh = list(self.base)
        for parameter, value in zip(self.parameters, changed, strict=True):
            fresh[parameter.index] = value
        return fresh

    def work(self) -> Callable[[Any], Any]:
        """What a worker does with a task."""
        return partial(play_pair, self.state.terms)

    def ground(self, rng: random.Random) -> Any:
        """What the two sides of an iteration compete on."""
        return rng.choice(self.openings)

    def tasks(self) -> Iterator[Any]:
        for iteration in range(self.state.terms.iterations):
            if iteration in self.state.done:
                continue
            rng = random.Random(f"{self.state.terms.seed}/{iteration}")
            tried = shift(self.parameters, self.state.values, self.schedule, iteration, rng)
            yield tried, self.ground(rng), self.numbers(tried.plus), self.numbers(tried.minus)

    def take(self, tried: Shift, result: Any) -> None:
        state = self.state
        state.values = moved(self.parameters, state.values, self.schedule, tried, result)
        state.done.add(tried.iteration)
        state.points += result
        state.save(self.state_path)
        tunables.write(new_table(self.table, self.rows, state.values), self.out)

    def go(self, workers: Workers = HERE) -> None:
        bar = Bar(self.state.terms.iterations, "iterations", len(self.state.done))
        with spread(self.work(), self.tasks(), workers, in_order=False, tell=bar.write) as ended:
            for tried, result in ended:
                self.take(tried, result)
                bar.step(self.furthest())
        bar.close()

    def furthest(self) -> str:
        """The values that have moved furthest from their start, in steps."""
        start = starting_values(self.rows)
        gone = {p.name: (self.state.values[p.name] - start[p.name]) / p.step for p in self.parameters}
        most = sorted(gone, key=lambda name: -abs(gone[name]))[:3]
        return ", ".join(f"{name} {start[name]:g}→{self.state.values[name]:.1f}" for name in most)


def parser() -> argparse.ArgumentParser:
    positive = whole_number(1)
    parser = Parser(prog="chuhe tune search", description="Tune the search's parameters by SPSA.")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="rows of the table (default all search rows)")
    parser.add_argument(
        "--choices", type=Path, nargs="+", metavar="FILE", help="judge moves in positions of these games; play no games"
    )
    parser.add_argument("--positions", type=positive, default=2000, help="with --choices: how many, one of each game")
    parser.add_argument("--batch", type=positive, default=10, help="with --choices: positions of an iteration")
    parser.add_argument("--judge", type=positive, default=400_000, help="with --choices: nodes to judge a move")
    parser.add_argument("--iterations", type=positive, default=1000, help="pairs of games, or batches of positions")
    parser.add_argument("--nodes", type=positive, help="nodes per move (default 10000; with --choices 100000)")
    parser.add_argument("--movetime", type=positive, metavar="MS", help="milliseconds per move, instead of nodes")
    parser.add_argument("--rate", type=float, default=0.01, help="learning rate of the last iteration, in steps²")
    add_worker_options(parser)
    parser.add_argument("--seed", type=int, default=1, help="seed for the changes and the openings")
    parser.add_argument("--hash", type=setting_number("hash_mb"), default=8, help="megabytes for each engine")
    parser.add_argument("--state", type=Path, default=Path("spsa.json"), help="file for the state of the run")
    add_table_options(parser)
    return parser


def terms_of(options: argparse.Namespace) -> Terms:
    """TuningError for options that do not fit."""
    if not 0 < options.rate <= LARGEST_RATE:
        raise TuningError(f"--rate must be more than 0 and at most {LARGEST_RATE:g}, not {options.rate:g}")
    if options.choices and options.movetime:
        raise TuningError("choices are compared at equal nodes: leave out --movetime")
    default = 100_000 if options.choices else 10_000
    nodes = options.nodes if options.nodes or options.movetime else default
    batch, judge = (options.batch, options.judge) if options.choices else (0, 0)
    return Terms(
        tuple(options.rows),
        options.iterations,
        options.rate,
        options.seed,
        nodes,
        options.movetime,
        options.hash,
        batch,
        judge,
    )


def run_of(options: argparse.Namespace) -> SpsaRun:
    run = tunables.read(options.table), terms_of(options), options.state, options.out
    if not options.choices:
        return SpsaRun(*run)
    from chuhe.bench.learning.choices import ChoiceRun, undecided

    return ChoiceRun(*run, undecided(options.choices, options.positions, options.seed))


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        check_output(options.out, force=options.force, ours=marked())
        check_distinct(options.state, options.out)
        with exclusive(options.state):
            run = run_of(options)
            begin_table(options.table, options.out)
            run.go(workers_of(options))
    except (OSError, ValueError) as error:
        return report_fault("tune search", error)
    except KeyboardInterrupt:
        kept = (
            f"the same command resumes from {options.state}" if options.state.exists() else "no iteration was complete"
        )
        print(f"\ninterrupted; {kept}", file=sys.stderr)
        return 130
    print(f"written: {options.out}")
    return 0
