"""Self-play games as data for training and tuning (`chuhe.bench.learning.game_format`).

A game depends only on its number and the recipe in the file's header. So any number of workers on any machine play
the same games, and an interrupted run resumes with the missing ones.
"""

from __future__ import annotations

import time
import zlib
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from chuhe.bench.learning.game_files import GameFile, GameWriter
from chuhe.bench.learning.game_format import GAME, RESULTS, Game, unpack_games
from chuhe.bench.matches.match_values import MatchGame, MatchMove, Termination
from chuhe.bench.spread import HERE, Workers, own_engine, spread
from chuhe.common.progress import Bar
from chuhe.engine import START_FEN, Settings, _core
from chuhe.engine.values import SelfPlayGame, SelfPlayRules
from chuhe.engine.version import VERSION
from chuhe.files.writing import append_file, replacing

BLOCK_SECONDS = 10.0  # the most work each worker loses to a kill
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
        return {"made_by": f"chuhe selfplay {VERSION}", **asdict(self.rules), "settings": changed(self.settings)}


def changed(settings: Settings) -> dict[str, Any]:
    """The settings that differ from the engine's defaults."""
    standard = asdict(Settings())
    return {name: value for name, value in asdict(settings).items() if value != standard[name]}


# Playing


def play_one(recipe: SelfPlayRecipe, number: int) -> SelfPlayGame:
    """Play the game with this number; runs in any process."""
    return own_engine(recipe.settings).play_itself(number, recipe.rules)


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
    workers: Workers = HERE,
    pgn: Path | None = None,
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
        with spread(partial(play_one, recipe), missing, workers, tell=bar.write) as finished:
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
