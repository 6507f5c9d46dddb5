"""Runs a whole match from Python::

from chuhe.bench.matches.config import read_matches
from chuhe.bench.matches.runner import run_match

standings = run_match(read_matches("match.toml")[0], resume=True)
print(standings.headline())
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from chuhe.bench.matches.cluster_games import play_on_cluster
from chuhe.bench.matches.config import to_toml
from chuhe.bench.matches.live import LIVE, LiveFile, is_live_file
from chuhe.bench.matches.local import MatchError, check_affinity, play_locally, probe
from chuhe.bench.matches.match_pgn import write_game
from chuhe.bench.matches.match_progress import MatchWatcher
from chuhe.bench.matches.match_values import GamePlan, MatchGame, MatchSettings, Opening
from chuhe.bench.matches.opening_reader import read_openings
from chuhe.bench.matches.schedule import schedule
from chuhe.bench.matches.standings import Standings
from chuhe.bench.matches.store import RESULTS, Store, StoreError
from chuhe.bench.spread import HERE, Workers
from chuhe.files.writing import append_file, check_output, marked, write_file

PGN = "games.pgn"
SETTINGS = "match.toml"
PLOTS = ("elo", "points", "evaluations")
REPORT_FILES = ("report.html", *(f"{name}.{kind}" for name in PLOTS for kind in ("svg", "png")))

Executor = Callable[[MatchSettings, list[Opening], Iterator[GamePlan]], AsyncGenerator[MatchGame, None]]


def identity(settings: MatchSettings, openings: list[Opening]) -> dict[str, Any]:
    """The settings a resumed run must share. The number of games may grow, and concurrency may change."""
    text = json.dumps([[opening.fen, opening.moves] for opening in openings])
    adjudication = asdict(settings.adjudication)
    if not adjudication["tables"]:
        del adjudication["tables"]  # matches from before it existed can be resumed
    start = {"start": settings.opening_start} if settings.opening_start > 1 else {}
    return {
        **start,
        "engines": [
            [spec.name, list(spec.command), spec.options, str(spec.control or ""), spec.odds]
            for spec in settings.engines
        ],
        "protocols": [spec.protocol for spec in settings.engines],
        "directories": [spec.directory for spec in settings.engines],
        "restarts": [spec.restart for spec in settings.engines],
        "control": str(settings.control),
        "openings": hashlib.sha256(text.encode()).hexdigest()[:16],
        "order": settings.order,
        "seed": settings.seed,
        "format": settings.format,
        "ponder": settings.ponder,
        "law": [settings.law.occurrences, settings.law.move_limit, settings.law.repetition, settings.law.material],
        "adjudication": adjudication,
        "margin": settings.margin,
        "hang": settings.hang,
    }


def run_match(
    settings: MatchSettings,
    *,
    resume: bool = False,
    progress: MatchWatcher | None = None,
    workers: Workers = HERE,
    force: bool = False,
    live: bool = False,
) -> Standings:
    """Play the remaining games; returns the standings of all games, including those of earlier runs.

    `workers`: a cluster to play on, or this machine with as many games at once as the settings say.
    `force`: overwrite files in the output directory that no match wrote.
    `live`: also write the running games to a file, move by move (see `chuhe.bench.matches.live`).
    """
    cluster = workers.cluster
    if live and cluster is not None:
        raise MatchError("--live works only for games on this machine, not with --cluster")
    if cluster is not None and (settings.dialogue or settings.affinity):
        raise MatchError("--dialogue and --affinity work only for games on this machine, not with --cluster")
    check_affinity(settings)
    openings = read_openings(settings.openings, settings.opening_plies)
    progress = progress or MatchWatcher()
    standings = Standings([spec.name for spec in settings.engines], settings.format)

    def tell(text: str) -> None:
        standings.warnings.append(text)
        progress.warn(text)

    executor: Executor = play_locally
    if cluster is not None:
        executor = partial(play_on_cluster, replace(workers, concurrency=settings.concurrency), tell)
    directory = Path(settings.output)
    fresh = not directory.exists()
    if directory.is_dir() and not (directory / RESULTS).exists():
        check_files(directory, force)
    with Store(directory, identity(settings, openings), resume=resume) as store:
        if not store.games:
            check_files(store.directory, force)
        if live:
            check_output(store.directory / LIVE, force=force, ours=is_live_file)
            executor = partial(play_locally, observer=LiveFile(store.directory))
        try:
            return asyncio.run(_run(settings, openings, store, executor, standings, progress, cluster is None))
        except BaseException as error:
            if fresh and not store.games:
                remove_results(directory)  # an engine did not start, for instance
            if isinstance(error, KeyboardInterrupt):
                raise KeyboardInterrupt("interrupted; every finished game is kept, resume=True continues") from None
            raise


def remove_results(directory: Path) -> None:
    """Remove a match without games; whatever is not ours stays."""
    for name in (RESULTS, PGN, SETTINGS, LIVE):
        (directory / name).unlink(missing_ok=True)
    with suppress(OSError):
        directory.rmdir()


async def _run(
    settings: MatchSettings,
    openings: list[Opening],
    store: Store,
    executor: Executor,
    standings: Standings,
    progress: MatchWatcher,
    probed: bool,
) -> Standings:
    plans = list(schedule(settings, len(openings)))
    for plan in plans:
        if plan.number in store.games:
            standings.add(_checked(store.games[plan.number], plan, store))
    remaining = [plan for plan in plans if plan.number not in store.games]
    pgn = store.directory / PGN
    loop = asyncio.get_running_loop()

    def keep(game: MatchGame) -> bool:
        """Runs in a thread of its own: a slow disk must not delay the reading of the engines' answers."""
        if not store.append(game):
            return False
        append_file(pgn, write_game(game, settings.name, settings.notation))
        return True

    write_file(store.directory / SETTINGS, to_toml(settings))
    write_file(pgn, _pgn_text(standings, settings, store))
    progress.begin(settings, standings, len(plans))
    try:
        if remaining and standings.sprt(settings.sprt) == "continue":
            if probed:
                standings.warnings += await probe(settings)
            # the writer is the outer one: when the match ends early, what it is writing is finished first
            with ThreadPoolExecutor(1, "results") as writer:
                async with aclosing(executor(settings, openings, iter(remaining))) as games:
                    async for game in games:
                        if not await loop.run_in_executor(writer, keep, game):
                            continue
                        standings.add(game)
                        progress.game(game, standings)
                        if standings.sprt(settings.sprt) != "continue":
                            break
    finally:
        progress.end()
    return standings


def check_files(directory: Path, force: bool) -> None:
    """OutputError if a new match would overwrite a file that is not ours."""
    for name in (PGN, SETTINGS, *REPORT_FILES):
        check_output(directory / name, force=force, ours=marked())


def _checked(game: MatchGame, plan: GamePlan, store: Store) -> MatchGame:
    """Check that a stored game matches the schedule, in case the file was damaged."""
    if (game.pair, game.red, game.black, game.opening) != (plan.pair, plan.red, plan.black, plan.opening):
        raise StoreError(f"{store.path}: game {game.number} does not match the schedule of this match")
    return game


def _pgn_text(standings: Standings, settings: MatchSettings, store: Store) -> str:
    texts = []
    for game in standings.games:
        try:
            texts.append(write_game(game, settings.name, settings.notation))
        except ValueError as error:
            raise StoreError(f"{store.path}: game {game.number}: {error}") from None
    return "".join(texts)
