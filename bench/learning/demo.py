"""`chuhe train --demo`: trains a small network from scratch, starting with an engine that only counts pieces.

That engine plays itself, a small network is trained on the games, and the two play a match: about ten minutes on two
cores. All files stay in one directory, and the commands are printed so that the steps can be repeated by hand.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from chuhe.bench.inprocess import play_game
from chuhe.bench.learning.recipe import TrainingRecipe
from chuhe.bench.learning.selfplay import SelfPlayRecipe, generate
from chuhe.bench.learning.train import describe, read_positions, train
from chuhe.bench.learning.training import Training
from chuhe.bench.matches.match_values import POINTS
from chuhe.bench.spread import Workers
from chuhe.bench.statistics import Tally
from chuhe.common.progress import Bar
from chuhe.engine import Engine, Limits, Position, Settings
from chuhe.engine.values import SelfPlayRules

COUNTING = Settings(hash_mb=4, evaluation="classical", knowledge="none")  # an engine that only counts pieces


@dataclass(frozen=True, slots=True)
class DemoSize:
    """The size of each step."""

    games: int = 4000
    nodes: int = 300
    epochs: int = 8
    hidden: int = 64
    pairs: int = 50
    match_nodes: int = 2000


def run_demo(output: Path | None, threads: int, size: DemoSize | None = None) -> int:
    """Run all steps; returns the exit code."""
    size = size or DemoSize()
    directory = Path(tempfile.mkdtemp(prefix="chuhe-demo-"))
    data, network = directory / "demo.games", output or directory / "demo.net"
    print(f"1. {size.games} games of an engine that only counts pieces, {size.nodes} nodes per move → {data}")
    rules = SelfPlayRules(nodes=size.nodes, most_nodes=2 * size.nodes, give_up_score=2500)
    generate(SelfPlayRecipe(rules, COUNTING), size.games, data, Workers(threads))
    print(f"2. Train a network of {size.hidden} neurons on them: chuhe train {data} --hidden {size.hidden} …")
    recipe = TrainingRecipe(hidden=size.hidden, epochs=size.epochs, batch=4096, blend=0.5, last_blend=0.5)
    positions = read_positions([data], recipe, directory)
    training = Training(recipe, positions, threads)
    train(training, network, describe(positions, [data]), resume=False)
    print(f"3. {2 * size.pairs} games of the network against that engine, {size.match_nodes} nodes per move")
    tally = Tally()
    bar = Bar(2 * size.pairs, "games")
    for points in play_pairs(network, size, threads):
        for one in points:
            tally.add_game(one)
        tally.add_pair(sum(points))
        bar.step(f"{tally.points / tally.games:.1%}", 2)
    bar.close()
    print(f"The network scored {tally.points:g} points in {tally.games} games: {tally.estimate()}")
    print(f"To use the network in any Chuhe engine: setoption evalfile {network}")
    return 0


def random_opening(rng: random.Random) -> Position:
    """A few random moves. They may favour one side, but each engine plays both colours."""
    while True:
        position = Position()
        for _ in range(rng.randint(4, 8)):
            if position.legal_moves:
                position.push(rng.choice(position.legal_moves))
        if position.outcome() is None:
            return position


def play_pairs(network: Path, size: DemoSize, threads: int) -> Iterator[tuple[float, float]]:
    """The network's points in each pair of games, played on one opening with colours reversed."""

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
