"""`chuhe train --demo`: the whole way to a network on a small scale, from an engine that can only count pieces.

Games of that engine against itself, a small network trained on them, and a match of the two: about ten minutes on two
cores. Everything stays in one directory, so that the steps can be repeated by hand with the commands that are printed.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from bench.inprocess import play_game
from bench.learning.selfplay import SelfPlayRecipe, generate
from bench.learning.train import describe, read_positions, train
from bench.learning.training import Training, TrainingRecipe
from bench.matches.match_values import POINTS
from bench.progress import Bar
from bench.statistics import Tally
from engine import Engine, Limits, Position, Settings
from engine.values import SelfPlayRules

COUNTING = Settings(hash_mb=4, evaluation="classical", knowledge="none")  # an engine that only counts pieces


@dataclass(frozen=True, slots=True)
class DemoSize:
    """How much of everything."""

    games: int = 4000
    nodes: int = 300
    epochs: int = 8
    hidden: int = 64
    pairs: int = 50
    match_nodes: int = 2000


def run_demo(output: Path | None, threads: int, size: DemoSize | None = None) -> int:
    """All steps; the exit code."""
    size = size or DemoSize()
    directory = Path(tempfile.mkdtemp(prefix="chuhe-demo-"))
    data, network = directory / "demo.games", output or directory / "demo.net"
    print(f"1. {size.games} games of an engine that only counts pieces, {size.nodes} nodes a move → {data}")
    rules = SelfPlayRules(nodes=size.nodes, most_nodes=2 * size.nodes, give_up_score=2500)
    generate(SelfPlayRecipe(rules, COUNTING), size.games, data, threads)
    print(f"2. A network of {size.hidden} neurons learns from them: chuhe train {data} --hidden {size.hidden} …")
    recipe = TrainingRecipe(hidden=size.hidden, epochs=size.epochs, batch=4096, blend=0.5)
    positions = read_positions([data], recipe)
    training = Training(recipe, positions, threads)
    train(training, network, describe(positions, [data]), resume=False)
    print(f"3. {2 * size.pairs} games of the network against that engine, {size.match_nodes} nodes a move")
    tally = Tally()
    bar = Bar(2 * size.pairs, "games")
    for points in play_pairs(network, size, threads):
        for one in points:
            tally.add_game(one)
        tally.add_pair(sum(points))
        bar.step(f"{tally.points / tally.games:.1%}", 2)
    bar.close()
    print(f"The network scored {tally.points:g} of {tally.games} games: Elo {tally.estimate()}")
    print(f"Any engine's option `evalfile` takes it: setoption evalfile {network}")
    return 0


def random_opening(rng: random.Random) -> Position:
    """A few random moves: uneven perhaps, but both sides of it are played."""
    while True:
        position = Position()
        for _ in range(rng.randint(4, 8)):
            if position.legal_moves:
                position.push(rng.choice(position.legal_moves))
        if position.outcome() is None:
            return position


def play_pairs(network: Path, size: DemoSize, threads: int) -> Iterator[tuple[float, float]]:
    """Points of the network in two games on one opening, colours changed, pair by pair."""

    def play(number: int) -> tuple[float, float]:
        learned = Engine(replace(COUNTING, evaluation="network", knowledge="large", evalfile=str(network)))
        teacher = Engine(COUNTING)
        limits = Limits(nodes=size.match_nodes)
        opening = random_opening(random.Random(f"demo/{number}"))
        first = POINTS[play_game((learned, teacher), opening, limits).result]
        second = 1 - POINTS[play_game((teacher, learned), opening, limits).result]
        return first, second

    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(play, range(size.pairs))
