"""`chuhe tune choices`: do changed values of the tunables table choose better moves than the current table?

Both search the same positions with the same nodes. Where they choose different moves, a longer search judges each
move; the gain is the difference, in points a move. The move that is best in the end counts half; the other half
is shared by those that were best in the second half of the search. It needs about a
tenth of the time of a match with the same error. The judge has the current table, so a gain is a little
underestimated: confirm it by games.
`chuhe tune search --choices` tunes by this measure.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any

from chuhe.bench.learning.compare import changed_table
from chuhe.bench.learning.spsa import SpsaRun, Terms, TuningError
from chuhe.bench.learning.spsa_math import Shift
from chuhe.bench.spread import HERE, Workers, add_worker_options, spread, workers_of
from chuhe.common.command_line import Parser, report_fault, setting_number, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import Engine, Info, Limits, Move, Position, Settings, tunables
from chuhe.engine.score_scale import expected_points
from chuhe.engine.tunables import Tunable, numbers

EVEN = 120  # centipawns: positions within this are not decided yet
LEAST_PLY = 12
LIKELY = 1.96  # standard errors: 95 %


@dataclass(frozen=True)
class Trial:
    """Two tables to compare, and how; the judge has the current one."""

    plus: list[int]
    minus: list[int]
    judge: list[int]
    nodes: int
    judge_nodes: int
    hash_mb: int


@dataclass
class Gain:
    """The gains of all positions; those with the same move count as zero."""

    gains: list[float] = field(default_factory=list)  # points, where the moves differ
    positions: int = 0

    def add(self, gain: float | None) -> None:
        self.positions += 1
        if gain is not None:
            self.gains.append(gain)

    def __str__(self) -> str:
        mean = sum(self.gains) / self.positions
        error = sqrt(max(0.0, sum(gain**2 for gain in self.gains) / self.positions - mean**2) / self.positions)
        interval = f"[{100 * (mean - LIKELY * error):+.3f}, {100 * (mean + LIKELY * error):+.3f}]"
        differ = f"{len(self.gains)} of {self.positions} moves differ"
        return f"{100 * mean:+.3f} {interval} points in a hundred moves, {differ}"


def weights_of(engine: Engine, fen: str, table: list[int], nodes: int) -> Counter[str]:
    """The moves that a search chooses, with their weights."""
    bests: list[tuple[int, str]] = []

    def note(info: Info) -> None:
        if info.pv:
            bests.append((info.nodes, info.pv[0].iccs))

    engine.tunables = table
    engine.new_game()
    engine.set_position(fen)
    last = engine.search(Limits(nodes=nodes), note).move
    weights: Counter[str] = Counter()
    if last is not None:
        weights[last.iccs] = nodes // 2
    end = nodes
    for since, move in reversed(bests):
        start = min(end, max(since, nodes // 2))
        weights[move] += end - start
        end = start
    return weights


def worth(engine: Engine, fen: str, move: Move, nodes: int) -> float:
    """The points that the mover can expect after the move."""
    position = Position(fen)
    position.push(move)
    engine.new_game()
    engine.set_position(position)
    answer = engine.search(Limits(nodes=nodes))
    return 1 - expected_points(answer.score) if answer.move else 1.0  # without an answer the opponent has lost


Worths = dict[str, dict[str, float]]  # by position and move: the mover's points


def gains_of(trial: Trial, known: Worths) -> list[float | None]:
    """In each position, the points that plus's moves gain over minus's; None if they are the same.

    Moves that are judged for the first time are added to what is known.
    """
    gains: list[float | None] = []
    with Engine(Settings(hash_mb=trial.hash_mb, use_tables=False)) as engine:
        for fen, worths in known.items():
            leads = weights_of(engine, fen, trial.plus, trial.nodes)
            leads.subtract(weights_of(engine, fen, trial.minus, trial.nodes))
            engine.tunables = trial.judge
            gain = None
            for move, lead in leads.items():
                if lead:
                    if move not in worths:
                        worths[move] = worth(engine, fen, Move.from_iccs(move), trial.judge_nodes)
                    gain = (gain or 0.0) + lead / trial.nodes * worths[move]
            gains.append(gain)
    return gains


def gain_of(trial: Trial, fen: str) -> float | None:
    (gain,) = gains_of(trial, {fen: {}})
    return gain


def compete(terms: Terms, judge: list[int], task: Any) -> Any:
    """An iteration of the tuner: the points that plus gains in these positions, and what is now known of them."""
    tried, known, plus, minus = task
    trial = Trial(plus, minus, judge, terms.nodes or 0, terms.judge, terms.hash_mb)
    return tried, (sum(gain or 0.0 for gain in gains_of(trial, known)), known)


class ChoiceRun(SpsaRun):
    """A run of the tuner that compares choices in positions. A judged move is remembered in the state."""

    def __init__(self, table: list[Tunable], terms: Terms, state_path: Path, out: Path, fens: list[str]) -> None:
        super().__init__(table, terms, state_path, out)
        self.fens = fens

    def work(self) -> Callable[[Any], Any]:
        return partial(compete, self.state.terms, self.base)

    def ground(self, rng: random.Random) -> Worths:
        chosen = rng.sample(self.fens, min(self.state.terms.batch, len(self.fens)))
        return {fen: self.state.judged.get(fen, {}) for fen in chosen}

    def take(self, tried: Shift, result: tuple[float, Worths]) -> None:
        gain, known = result
        for fen, worths in known.items():
            if worths:
                self.state.judged.setdefault(fen, {}).update(worths)
        super().take(tried, gain)


def undecided(paths: list[Path], count: int, seed: int) -> list[str]:
    """Positions of these games to choose moves in, at most one of each game."""
    from chuhe.bench.learning.data_tools import blocks_of
    from chuhe.bench.learning.records import expand, fen_of

    found = []
    chosen = random.Random(seed)
    for block in blocks_of(paths):
        positions, games = expand(block)
        for game in games:
            own = positions[game["first"] : game["first"] + game["count"]]
            own = own[(own["flags"] == 0) & (abs(own["score"].astype(int)) < EVEN) & (own["ply"] >= LEAST_PLY)]
            if len(own):
                found.append(fen_of(own[chosen.randrange(len(own))]))
    if not found:
        raise TuningError("these games have no undecided position")
    chosen.shuffle(found)
    return found[:count]


def compare(trial: Trial, fens: list[str], workers: Workers = HERE) -> Gain:
    gain, bar = Gain(), Bar(len(fens), "positions")
    with spread(partial(gain_of, trial), fens, workers, tell=bar.write) as gains:
        for each in gains:
            gain.add(each)
            bar.step(str(gain))
    bar.close()
    return gain


def parser() -> argparse.ArgumentParser:
    parser = Parser(prog="chuhe tune choices", description="Judge the moves that changed values choose.")
    parser.add_argument("changes", nargs="+", metavar="NAME=VALUE", help="rows of the table, with their new values")
    parser.add_argument(
        "--games", type=Path, nargs="+", required=True, metavar="FILE", help="games, as chuhe selfplay writes them"
    )
    parser.add_argument("--positions", type=whole_number(1), default=2000, help="how many, one of each game")
    parser.add_argument("--nodes", type=whole_number(1), default=100_000, help="nodes for each choice")
    parser.add_argument("--judge", type=whole_number(1), default=400_000, help="nodes to judge a move")
    add_worker_options(parser)
    parser.add_argument("--seed", type=int, default=1, help="seed for the choice of positions")
    parser.add_argument("--hash", type=setting_number("hash_mb"), default=16, help="megabytes for each engine")
    return parser


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        table = tunables.read()
        changed = numbers(changed_table(table, options.changes))
        base = numbers(table)
        trial = Trial(changed, base, base, options.nodes, options.judge, options.hash)
        gain = compare(trial, undecided(options.games, options.positions, options.seed), workers_of(options))
    except (ValueError, OSError) as error:
        return report_fault("tune choices", error)
    print(f"{' '.join(options.changes)}, {options.nodes} nodes: {gain}")
    return 0
