"""`chuhe perft`: counts the leaves of the move tree, to test and time the move generator."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from chuhe.common.command_line import Parser, report_fault, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import START_FEN, FenError, Move, Position

MOST_THREADS = 512
PATIENCE = 3.0  # seconds before progress is shown


@dataclass(frozen=True, slots=True)
class Perft:
    """The nodes below each root move, and the time taken."""

    divide: dict[Move, int]
    nodes: int
    seconds: float

    @property
    def nodes_per_second(self) -> int:
        return round(self.nodes / self.seconds) if self.seconds else 0


def count(position: Position, depth: int, threads: int = 1, step: Callable[[], None] = lambda: None) -> Perft:
    """Count the leaves at `depth`; the root moves are spread over threads, because the core counts without the GIL.

    `step` is called after each root move.

    >>> count(Position(), 3, threads=2).nodes
    79666
    """
    started = time.perf_counter()
    moves = position.legal_moves if depth else []
    if not moves:
        nodes = position.perft(depth)
        return Perft({}, nodes, time.perf_counter() - started)

    def below(move: Move) -> int:
        child = position.copy()
        child.push(move)
        return child.perft_until(depth - 1, interrupted.is_set)

    interrupted = threading.Event()
    found: dict[Move, int] = {}
    with ThreadPoolExecutor(threads) as pool:
        try:
            jobs = {pool.submit(below, move): move for move in moves}
            for job in as_completed(jobs):
                found[jobs[job]] = job.result()
                step()
        except KeyboardInterrupt:  # also while the jobs are handed out: the pool would wait for those that run
            interrupted.set()
            pool.shutdown(cancel_futures=True)
            raise
    divide = {move: found[move] for move in sorted(moves, key=str)}
    return Perft(divide, sum(divide.values()), time.perf_counter() - started)


def main(arguments: list[str]) -> int:
    parser = Parser(prog="chuhe perft", description="Count the positions of the move tree.")
    parser.add_argument("depth", metavar="DEPTH", type=whole_number(0, 20), help="plies")
    parser.add_argument("--fen", metavar="FEN", default=START_FEN, help="the position (default the start position)")
    parser.add_argument("--divide", action="store_true", help="print the count below each root move")
    parser.add_argument(
        "--threads", metavar="N", type=whole_number(1, MOST_THREADS), default=1, help="threads that count"
    )
    options = parser.parse_args(arguments)
    try:
        position = Position(options.fen)
    except FenError as error:
        return report_fault("perft", error)
    bar = Bar(len(position.legal_moves), "root moves", delay=PATIENCE)
    try:
        result = count(position, options.depth, options.threads, bar.step)
    finally:
        bar.close()
    if options.divide:
        for move, nodes in result.divide.items():
            print(f"{move}: {nodes}")
    print(f"nodes {result.nodes}  time {result.seconds:.3f} s  nps {result.nodes_per_second}")
    return 0
