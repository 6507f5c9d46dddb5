"""`chuhe selfplay`: games of the engine against itself, as data for the evaluation's tuner.

The file is a header, then for every game its quiet positions (see `texel_data`) and a line that closes it::

    # chuhe selfplay nodes=5000 seed=1 …
    FEN|1|35
    # game 17 1-0 checkmate

A game depends on its number and the header alone, so any number of workers on any machine gives the same games, and a
broken-off run goes on where it stood: what follows the last closed game is cut off.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TextIO

from bench.inprocess import PlayedGame, balanced_opening, play_game
from bench.matches.local import MatchError
from bench.matches.match_values import POINTS, MatchGame, MatchMove
from bench.progress import Bar
from engine import START_FEN, Engine, Limits, Settings

CLOSED = re.compile(r"^# game (\d+) .*\n", re.MULTILINE)


class SelfplayError(ValueError):
    """A run that cannot be started or gone on with; the text says why."""


@dataclass(frozen=True, slots=True)
class SelfPlayRecipe:
    """What every game depends on besides its number."""

    nodes: int = 5000
    seed: int = 1
    plies: tuple[int, int] = (6, 9)  # random moves at the start
    balance: int = 300  # centipawns: how uneven an opening may be
    hash_mb: int = 8

    def header(self) -> str:
        return (
            f"# chuhe selfplay nodes={self.nodes} seed={self.seed} plies={self.plies[0]}-{self.plies[1]} "
            f"balance={self.balance} hash={self.hash_mb}\n"
        )


@dataclass(frozen=True, slots=True)
class Finished:
    """A game on its way from the worker to the file."""

    number: int
    lines: tuple[str, ...]
    result: str
    reason: str
    record: MatchGame


def sample_lines(game: PlayedGame) -> tuple[str, ...]:
    """The game's quiet positions, labelled."""
    result = f"{POINTS[game.result]:g}"
    return tuple(f"{ply.fen}|{result}|{ply.red_score}" for ply in game.plies if ply.quiet)


def play_numbered(recipe: SelfPlayRecipe, number: int, engine: Engine) -> Finished:
    """The game of this number: the same whoever plays it."""
    rng = random.Random(f"{recipe.seed}/{number}")
    limits = Limits(nodes=recipe.nodes)
    started = datetime.now(timezone.utc).isoformat(timespec="seconds")
    began = time.perf_counter()
    opening = balanced_opening(rng, engine, recipe.plies, limits, recipe.balance)
    game = play_game((engine, engine), opening, limits)
    moves = tuple(
        MatchMove(
            str(ply.answer.move), ply.answer.time, None, str(ply.answer.score), ply.answer.depth, ply.answer.nodes
        )
        for ply in game.plies
    )
    record = MatchGame(
        number=number,
        pair=number,
        red="chuhe",
        black="chuhe",
        opening=number,
        fen=START_FEN,
        opening_moves=tuple(move.iccs for move in game.opening),
        moves=moves,
        result=game.result,
        reason=game.reason,
        detail=game.detail,
        started=started,
        seconds=round(time.perf_counter() - began, 3),
    )
    return Finished(number, sample_lines(game), game.result, game.reason, record)


def play_alone(recipe: SelfPlayRecipe, number: int) -> Finished:
    """The game of this number with an engine of its own: work for any process."""
    return play_numbered(recipe, number, Engine(Settings(hash_mb=recipe.hash_mb)))


class DataFiles:
    """The data file: what it already has, and appending to it game by game."""

    def __init__(self, path: Path, recipe: SelfPlayRecipe) -> None:
        self.path = path
        self.recipe = recipe

    def resume(self) -> set[int]:
        """The numbers of the games that the file has; a game that was not closed is cut off."""
        if not self.path.exists() or self.path.stat().st_size == 0:
            self.path.write_text(self.recipe.header(), encoding="ascii")
            return set()
        text = self.path.read_text(encoding="ascii")
        header = text.partition("\n")[0] + "\n"
        if header != self.recipe.header():
            raise SelfplayError(f"{self.path} was begun with other settings: {header.strip()[:100]!r}")
        games = list(CLOSED.finditer(text))
        end = games[-1].end() if games else len(header)
        if end < len(text):
            with self.path.open("r+b") as file:
                file.truncate(end)
        return {int(game[1]) for game in games}

    def add(self, game: Finished) -> int:
        """Append a game; the number of its positions."""
        closing = f"# game {game.number} {game.result} {game.reason}"
        with self.path.open("a", encoding="ascii") as file:
            file.write("\n".join([*game.lines, closing, ""]))
        return len(game.lines)


@contextmanager
def played(
    recipe: SelfPlayRecipe, numbers: list[int], concurrency: int, cluster: str | None = None
) -> Iterator[Iterator[Finished]]:
    """The games as they are finished, in any order. `cluster` as in `bench.matches.runner.run_match`."""
    work = partial(play_alone, recipe)
    if cluster is not None:
        from bench.cluster import spreading

        with spreading(cluster, concurrency, work, iter(numbers)) as finished:
            yield finished
    elif concurrency == 1:
        yield map(work, numbers)
    else:
        context = multiprocessing.get_context("spawn")
        ignore_interrupts = signal.SIGINT, signal.SIG_IGN  # the parent ends the workers
        with context.Pool(concurrency, signal.signal, ignore_interrupts) as pool:
            yield pool.imap_unordered(work, numbers)


def generate(
    recipe: SelfPlayRecipe,
    games: int,
    output: DataFiles,
    concurrency: int = 1,
    pgn: TextIO | None = None,
    cluster: str | None = None,
) -> int:
    """Play what is missing of so many games; the number of positions that came new."""
    from bench.matches.match_pgn import write_game

    have = output.resume()
    missing = [number for number in range(1, games + 1) if number not in have]
    bar = Bar(games, "games", games - len(missing))
    positions = 0
    with played(recipe, missing, concurrency, cluster) as finished:
        for game in finished:
            positions += output.add(game)
            if pgn is not None:
                pgn.write(write_game(game.record, "self-play"))
                pgn.flush()
            bar.step(f"{positions} positions")
    bar.close()
    return positions


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="chuhe selfplay", description="Self-play games as data for the tuner.")
    parser.add_argument("--games", type=int, default=1000, help="in all, with what the file has (default %(default)s)")
    parser.add_argument("--nodes", type=int, default=5000, help="a move (default %(default)s)")
    parser.add_argument("--out", type=Path, required=True, help="data file; an unfinished one is gone on with")
    parser.add_argument("--pgn", type=Path, help="append the games here, too")
    parser.add_argument("--concurrency", type=int, default=1, help="games at once (default %(default)s)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster; 'local' starts one here")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other games (default %(default)s)")
    parser.add_argument(
        "--random", nargs=2, type=int, default=(6, 9), metavar=("LEAST", "MOST"), help="random plies at the start (6 9)"
    )
    parser.add_argument(
        "--balance", type=int, default=300, help="centipawns an opening may be off (default %(default)s)"
    )
    parser.add_argument("--hash", type=int, default=8, help="megabytes for each engine (default %(default)s)")
    return parser


def recipe_of(options: argparse.Namespace) -> SelfPlayRecipe:
    """SelfplayError for a number that makes no sense."""
    for name, least in (("games", 1), ("nodes", 1), ("concurrency", 1), ("balance", 0), ("hash", 1)):
        if getattr(options, name) < least:
            raise SelfplayError(f"--{name} must be {least} or more, not {getattr(options, name)}")
    least, most = options.random
    if not 0 <= least <= most:
        raise SelfplayError(f"--random needs two growing numbers from 0 on, not {least} {most}")
    return SelfPlayRecipe(options.nodes, options.seed, (least, most), options.balance, options.hash)


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        recipe = recipe_of(options)
        output = DataFiles(options.out, recipe)
        if options.pgn:
            with options.pgn.open("a", encoding="utf-8") as pgn:
                generate(recipe, options.games, output, options.concurrency, pgn, options.cluster)
        else:
            generate(recipe, options.games, output, options.concurrency, cluster=options.cluster)
    except (OSError, ValueError, MatchError) as error:
        print(f"chuhe selfplay: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nstopped; the games so far are in {options.out}: the same command goes on", file=sys.stderr)
        return 130
    return 0
