"""`chuhe tune compare`: plays changed values of the tunables table against the current table, in this process."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from chuhe.bench.learning.spsa import Task, Terms, TuningError, choose_rows, play_pair
from chuhe.bench.matches.opening_reader import read_openings
from chuhe.bench.spread import HERE, Workers, add_worker_options, spread, workers_of
from chuhe.bench.statistics import Tally
from chuhe.common.command_line import Parser, report_fault, setting_number, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import tunables
from chuhe.engine.tunables import Tunable, numbers


def changed_table(table: list[Tunable], changes: list[str]) -> list[Tunable]:
    """The table with ``name=value`` (or ``name=value,value,…``) changes applied; TuningError names a bad one."""
    fresh: dict[str, Tunable] = {}
    for change in changes:
        name, mark, text = change.partition("=")
        if not mark:
            raise TuningError(f"a change is written name=value, not {change!r}")
        (row,) = choose_rows(table, [name])
        try:
            values = tuple(int(word) for word in text.split(","))
            fresh[name] = replace(row, values=values)
        except ValueError as error:
            raise TuningError(f"{change}: {error}") from None
        if len(values) != len(row.values):
            raise TuningError(f"{name} has {len(row.values)} numbers, not {len(values)}")
    return [fresh.get(row.name, row) for row in table]


def play(terms: Terms, changed: list[int], base: list[int], workers: Workers = HERE) -> Tally:
    """Play the pairs; the tally is from the changed side. Openings repeat only once all have been used."""
    openings = read_openings(None)
    random.Random(terms.seed).shuffle(openings)
    tally, bar = Tally(), Bar(terms.iterations, "pairs")
    tasks: Iterator[Task[int]] = ((n, openings[n % len(openings)], changed, base) for n in range(terms.iterations))
    with spread(partial(play_pair, terms), tasks, workers, tell=bar.write) as played:
        for _, points in played:
            tally.add_pair(1 + points / 2)
            bar.step(str(tally.estimate()))
    bar.close()
    return tally


def parser() -> argparse.ArgumentParser:
    parser = Parser(prog="chuhe tune compare", description=__doc__)
    parser.add_argument("changes", nargs="+", metavar="NAME=VALUE", help="rows of the table, with their new values")
    parser.add_argument("--pairs", type=whole_number(1), default=100, help="openings, each played twice")
    parser.add_argument("--nodes", type=whole_number(1), default=20_000, help="nodes per move")
    add_worker_options(parser)
    parser.add_argument("--seed", type=int, default=1, help="seed for the order of the openings")
    parser.add_argument("--hash", type=setting_number("hash_mb"), default=16, help="megabytes for each engine")
    return parser


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    terms = Terms((), options.pairs, 0.0, options.seed, options.nodes, None, options.hash)
    try:
        table = tunables.read()
        tally = play(terms, numbers(changed_table(table, options.changes)), numbers(table), workers_of(options))
    except ValueError as error:
        return report_fault("tune compare", error)
    counts = "/".join(str(count) for count in tally.pairs)
    print(
        f"{' '.join(options.changes)}, {2 * sum(tally.pairs)} games, {options.nodes} nodes per move: {tally.estimate()}"
    )
    print(f"pairs with 0, ½, 1, 1½, 2 points: {counts}")
    return 0
