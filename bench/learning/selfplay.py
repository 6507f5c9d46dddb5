"""Self-play games as data for training and tuning (`chuhe.bench.learning.game_format`).

A game depends only on its number and the recipe in the file's header. So any number of workers on any machine play
the same games, and an interrupted run resumes with the missing ones.
"""

from __future__ import annotations

import queue
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from chuhe.bench.learning.game_files import GameFile, GameWriter
from chuhe.bench.learning.game_format import GAME, RESULTS, Game, unpack_games
from chuhe.bench.matches.match_values import MatchGame, MatchMove, Termination
from chuhe.common.progress import Bar
from chuhe.engine import START_FEN, Engine, Settings, _core
from chuhe.engine.search_handle import StopSignal
from chuhe.engine.values import SelfPlayGame, SelfPlayRules
from chuhe.engine.version import VERSION
from chuhe.files.writing import append_file, replacing

BLOCK_SECONDS = 10.0  # the most work each worker loses to a kill
BATCH = 8  # games per task of a cluster worker
EVENT = "self-play"  # the PGN tag by which we know our own files
MOST_GAMES = 0xFFFF_FFFF  # a game's number has 32 bits


class SelfplayError(ValueError):
    """A run that cannot be started or resumed; the message says why."""


@dataclass(frozen=True, slots=True)
class SelfPlayRecipe:
    """What every game depends on besides its number: the rules of play and the engine's settings."""

    rules: SelfPlayRules = field(default_factory=SelfPlayRules)
    settings: Settings = field(default_factory=lambda: Settings(hash_mb=8))

    def header(self) -> dict[str, Any]:
        """For the file's header: the rules, and the settings that differ from the engine's defaults."""
        standard = asdict(Settings())
        settings = {name: value for name, value in asdict(self.settings).items() if value != standard[name]}
        return {"made_by": f"chuhe selfplay {VERSION}", **asdict(self.rules), "settings": settings}


# Playing


def play_batch(recipe: SelfPlayRecipe, numbers: tuple[int, ...]) -> list[SelfPlayGame]:
    """Play the games with these numbers; runs in any process."""
    engine = Engine(recipe.settings)
    return [engine.play_itself(number, recipe.rules) for number in numbers]


class Players:
    """Plays the given games in threads of this process, each with its own engine, in any order."""

    def __init__(self, recipe: SelfPlayRecipe, numbers: Iterator[int], count: int) -> None:
        self.recipe = recipe
        self._numbers = numbers
        self._turn = threading.Lock()
        self._finished: queue.Queue[SelfPlayGame | BaseException | None] = queue.Queue()
        self._stops = [StopSignal() for _ in range(count)]
        self._threads = [
            threading.Thread(target=self._play, args=(stop,), name=f"player-{index}", daemon=True)
            for index, stop in enumerate(self._stops, 1)
        ]

    def _play(self, stop: StopSignal) -> None:
        try:
            engine = Engine(self.recipe.settings)
            while True:
                with self._turn:
                    number = next(self._numbers, None)
                if number is None:
                    break
                game = engine.play_itself(number, self.recipe.rules, stop)
                if not game.packed:
                    break
                self._finished.put(game)
        except BaseException as error:  # passed on to the thread that waits for games
            self._finished.put(error)
        finally:
            self._finished.put(None)

    def games(self) -> Iterator[SelfPlayGame]:
        """Yield games as they finish."""
        for thread in self._threads:
            thread.start()
        playing = len(self._threads)
        while playing:
            game = self._finished.get()
            if isinstance(game, BaseException):
                raise game
            if game is None:
                playing -= 1
            else:
                yield game

    def stop(self) -> None:
        """Abandon the games in progress."""
        for stop in self._stops:
            stop.set()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()


class Tally:
    """What a run has played so far, as the note beside its progress."""

    SAMPLE = 64  # one position in this many is looked at for repeats; chosen by its pieces, so all its copies are

    def __init__(self) -> None:
        self.positions = self.nodes = self.sampled = 0
        self.results = dict.fromkeys(RESULTS, 0)
        self._seen: set[int] = set()
        self._began = time.monotonic()
        layout = _core.record_layout()[0]
        offsets = dict(zip(layout["names"], layout["offsets"], strict=True))
        self._record = layout["itemsize"]
        self._pieces, self._side = offsets["score"], offsets["side"]  # the pieces come first

    def add(self, game: SelfPlayGame) -> None:
        self.positions += game.positions
        self.nodes += game.nodes
        self.results[RESULTS[GAME.unpack_from(game.packed)[1]]] += 1
        records, _ = _core.expand_games(game.packed, 1, game.positions)
        for at in range(0, len(records), self._record):
            key = zlib.crc32(records[at : at + self._pieces], records[at + self._side])
            if key % self.SAMPLE == 0:
                self.sampled += 1
                self._seen.add(key)

    def __str__(self) -> str:
        seconds = max(time.monotonic() - self._began, 1e-3)
        unique = 100 * len(self._seen) / self.sampled if self.sampled else 100.0
        won, drawn, lost = (100 * self.results[name] / sum(self.results.values()) for name in reversed(RESULTS))
        return (
            f"{self.positions} positions ({unique:.0f} % unique), {3.6e-3 * self.positions / seconds:.1f} million/h, "
            f"Red {won:.0f} % drawn {drawn:.0f} % Black {lost:.0f} %, {self.nodes / seconds / 1000:.0f} knps"
        )


@contextmanager
def played(
    recipe: SelfPlayRecipe, numbers: Iterator[int], concurrency: int, cluster: str | None = None
) -> Iterator[Iterator[SelfPlayGame]]:
    """Yield games as they finish, in any order. `cluster` as in `chuhe.bench.matches.runner.run_match`."""
    if cluster is not None:
        from chuhe.bench.cluster import spreading

        batches = iter(lambda: tuple(islice(numbers, BATCH)), ())
        with spreading(cluster, concurrency, partial(play_batch, recipe), batches) as finished:
            yield (game for batch in finished for game in batch)
        return
    players = Players(recipe, numbers, concurrency)
    try:
        yield players.games()
    finally:
        players.stop()


# Keeping


def match_game(game: Game) -> MatchGame:
    """The game in the PGN writer's form."""
    moves = tuple(
        MatchMove(str(move), 0, None, None if score is None else f"{score / 100:+.2f}") for move, score in game.plies
    )
    return MatchGame(
        number=game.number,
        pair=game.number,
        red="chuhe",
        black="chuhe",
        opening=game.number,
        fen=game.fen or START_FEN,
        opening_moves=tuple(str(move) for move in game.opening),
        moves=moves,
        result=game.result,
        reason=game.reason,
        detail="adjudicated by the scores of both sides" if game.reason is Termination.AGREED else "",
    )


def pgn_text(payload: bytes) -> str:
    """The packed games as PGN."""
    from chuhe.bench.matches.match_pgn import write_game

    return "".join(write_game(match_game(game), EVENT) for game in unpack_games(payload))


def copy_to_pgn(path: Path, pgn: Path) -> None:
    """Write all games of a file as PGN."""
    with replacing(pgn) as scratch, scratch.open("w", encoding="utf-8") as file, GameFile(path) as games:
        file.writelines(pgn_text(block.payload()) for block in games.blocks())


def generate(
    recipe: SelfPlayRecipe,
    games: int,
    path: Path,
    concurrency: int = 1,
    pgn: Path | None = None,
    cluster: str | None = None,
) -> int:
    """Play the missing games up to the given number; returns the number of new positions.

    The PGN file never has a game that the file of games has not: it is written anew at the start, then block by block.
    """

    def on_block(payload: bytes) -> None:
        if pgn is not None:
            append_file(pgn, pgn_text(payload))

    with GameWriter(path, recipe.header(), on_block) as writer:
        if pgn is not None:
            copy_to_pgn(path, pgn)
        there = frozenset(writer.numbers)
        done = sum(number <= games for number in there)
        bar = Bar(games, "games", done)
        written = time.monotonic()
        tally = Tally()
        missing = (number for number in range(1, games + 1) if number not in there)
        with played(recipe, missing, min(concurrency, max(1, games - done)), cluster) as finished:
            for game in finished:
                writer.add_packed(game.packed, game.positions)
                tally.add(game)
                now = time.monotonic()
                if now - written > BLOCK_SECONDS:
                    writer.flush()
                    written = now
                bar.step(str(tally))
        bar.close()
    return tally.positions
