"""`chuhe bench growth`: the depth reached with more and more nodes, and what each further ply costs.

Each ply multiplies the nodes by about the same growth factor. The less a ply costs, the more a longer think is worth.
Depth between two iterations is interpolated: an iteration that took from 100,000 to 200,000 nodes is half done, on the
logarithmic scale, at 141,421.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from chuhe.bench.measuring.position_reader import Labelled, PositionsError, data_file, read_positions
from chuhe.bench.measuring.speed import HASH_MB
from chuhe.common.command_line import Parser, report_fault, setting_number, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import Engine, Info, Limits, Position, Settings

MOST_NODES = 3_200_000
SEARCHED = 1.5  # times the last mark, so that the iteration in which it falls is mostly finished

Iteration = tuple[int, int]  # depth, nodes when it was finished


@dataclass(frozen=True, slots=True)
class Growth:
    """Mean depths over some positions, by number of nodes."""

    marks: tuple[int, ...]
    depths: tuple[float, ...]

    @property
    def factor(self) -> float:
        """By how much the nodes grow for each ply, between the first and the last mark."""
        plies = self.depths[-1] - self.depths[0]
        return math.inf if plies <= 0 else math.exp(math.log(self.marks[-1] / self.marks[0]) / plies)

    def __str__(self) -> str:
        rows = [f"{nodes:>9,} nodes: depth {depth:.1f}" for nodes, depth in zip(self.marks, self.depths, strict=True)]
        return "\n".join([*rows, f"growth per ply: {self.factor:.2f}"])


def marks_up_to(nodes: int) -> tuple[int, ...]:
    """Four marks, each four times the one before.

    >>> marks_up_to(3_200_000)
    (50000, 200000, 800000, 3200000)
    """
    return tuple(max(1, nodes // 4**back) for back in (3, 2, 1, 0))


def growth_positions() -> list[Labelled]:
    return read_positions(data_file("growth.txt"))


def depth_at(iterations: Iterable[Iteration], nodes: int) -> float:
    """The depth at this many nodes, interpolated; the last one if the search ended earlier.

    >>> round(depth_at([(1, 100), (2, 1_000), (3, 4_000)], 2_000), 2)
    2.5
    """
    before, spent = 0, 1
    for depth, finished in iterations:
        if finished >= nodes and finished > spent:
            return before + (depth - before) * math.log(nodes / spent) / math.log(finished / spent)
        before, spent = depth, max(1, finished)
    return float(before)


def mean_growth(searches: Sequence[Sequence[Iteration]], marks: tuple[int, ...]) -> Growth:
    """Over the searches of several positions."""
    depths = [sum(depth_at(search, nodes) for search in searches) / len(searches) for nodes in marks]
    return Growth(marks, tuple(depths))


def measure_growth(positions: Sequence[Labelled], marks: tuple[int, ...], hash_mb: int, bar: Bar) -> Growth:
    """Our own growth, with one thread and an empty table for every position."""
    engine = Engine(Settings(hash_mb=hash_mb, use_tables=False))
    searches = []
    for item in positions:
        finished: dict[int, int] = {}

        def note(info: Info, finished: dict[int, int] = finished) -> None:
            if info.bound == "exact":
                finished[info.depth] = info.nodes

        engine.new_game()
        engine.set_position(Position(item.fen))
        engine.search(Limits(nodes=int(marks[-1] * SEARCHED)), note)
        searches.append(sorted(finished.items()))
        bar.step()
    return mean_growth(searches, marks)


def main(arguments: list[str]) -> int:
    parser = Parser(prog="chuhe bench growth", description="Depth reached by nodes, and what a further ply costs.")
    parser.add_argument("--nodes", type=whole_number(1, 2**62), default=MOST_NODES, help="nodes per position, at most")
    parser.add_argument(
        "--hash", type=setting_number("hash_mb"), default=HASH_MB, metavar="MB", help="megabytes of the hash table"
    )
    parser.add_argument("--fens", metavar="FILE", help="your own positions, one FEN per line")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(arguments)
    try:
        positions = read_positions(options.fens) if options.fens else growth_positions()
    except PositionsError as error:
        return report_fault("bench growth", error)
    with Bar(len(positions), "positions") as bar:
        growth = measure_growth(positions, marks_up_to(options.nodes), options.hash, bar)
    print(json.dumps({**asdict(growth), "factor": growth.factor}) if options.json else growth)
    return 0
