"""`chuhe selfplay`: self-play games as data for training and tuning."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from chuhe.bench.learning.selfplay import EVENT, MOST_GAMES, SelfplayError, SelfPlayRecipe, generate
from chuhe.bench.spread import add_worker_options, workers_of
from chuhe.common.command_line import Parser, number, report_fault, setting_number, whole_number
from chuhe.engine import Engine, Settings
from chuhe.engine.values import EVALUATIONS, SelfPlayRules
from chuhe.files.writing import check_distinct, check_output, marked


def parser() -> argparse.ArgumentParser:
    rules = SelfPlayRules()
    parser = Parser(
        prog="chuhe selfplay",
        description="Play the engine against itself, to make data for training and tuning. "
        "The same command resumes an unfinished run.",
    )
    parser.add_argument("--games", type=whole_number(1, MOST_GAMES), default=1000, help="total, with those in the file")
    parser.add_argument(
        "--output", dest="out", type=Path, required=True, help="file of games; an unfinished run is resumed"
    )
    parser.add_argument("--pgn", type=Path, help="also write all games of the file as PGN")
    parser.add_argument("--force", action="store_true", help="replace a PGN file that is not from self-play")
    add_worker_options(parser)
    parser.add_argument("--seed", type=int, default=rules.seed, help="seed for the games")
    parser.add_argument("--hash", type=setting_number("hash_mb"), default=8, help="megabytes for each engine")
    parser.add_argument("--evaluation", choices=EVALUATIONS, default=Settings().evaluation, help="the evaluation")
    parser.add_argument("--evalfile", default="", metavar="NET", help="the network (default the bundled one)")
    search = parser.add_argument_group("how a game is played")
    search.add_argument(
        "--nodes",
        type=int,
        default=rules.nodes,
        help="nodes per move; the iteration in which this is reached is finished",
    )
    search.add_argument("--most-nodes", type=int, help="nodes per move at most (default twice --nodes)")
    search.add_argument(
        "--random",
        nargs=2,
        type=int,
        default=(rules.opening_least, rules.opening_most),
        metavar=("LEAST", "MOST"),
        help="random plies at the start",
    )
    search.add_argument("--balance", type=int, default=rules.balance, help="largest score of an opening, in centipawns")
    search.add_argument(
        "--give-up", type=int, default=rules.give_up_score, help="score that ends a game, in centipawns"
    )
    search.add_argument("--longest", type=int, default=rules.longest, help="plies after which a game is drawn")
    for name, usual, text in (
        ("--play-on", rules.play_on, "played out without resignation"),
        ("--stray", rules.stray, "with a random move in the middle"),
        ("--odds", rules.odds, "that begin without some pieces of either side"),
    ):
        search.add_argument(
            name, type=number(0, 100), default=usual / 10, metavar="PERCENT", help=f"percentage of games {text}"
        )
    return parser


def recipe_of(options: argparse.Namespace) -> SelfPlayRecipe:
    """SelfplayError for a number out of range."""
    least, most = options.random
    if not 0 <= least <= most:
        raise SelfplayError(f"--random needs two numbers from 0 up, the smaller first, not {least} {most}")
    rules = SelfPlayRules(
        seed=options.seed,
        nodes=options.nodes,
        most_nodes=2 * options.nodes if options.most_nodes is None else options.most_nodes,
        opening_least=least,
        opening_most=most,
        balance=options.balance,
        give_up_score=options.give_up,
        longest=options.longest,
        play_on=round(10 * options.play_on),
        stray=round(10 * options.stray),
        odds=round(10 * options.odds),
    )
    settings = Settings(hash_mb=options.hash, evaluation=options.evaluation, evalfile=options.evalfile)
    return SelfPlayRecipe(rules, settings)


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        recipe = recipe_of(options)
        check_output(options.out, ours=lambda head: True)  # its recipe decides whether the file is continued
        if options.pgn:
            check_distinct(options.out, options.pgn)
            check_output(options.pgn, force=options.force, ours=marked(f'[Event "{EVENT}"]'))
        Engine(recipe.settings)  # a bad network is told before a file is begun
        generate(recipe, options.games, options.out, workers_of(options), options.pgn)
    except (OSError, ValueError) as error:
        return report_fault("selfplay", error)
    except KeyboardInterrupt:
        print(f"\ninterrupted; the games so far are in {options.out}; the same command resumes", file=sys.stderr)
        return 130
    return 0
