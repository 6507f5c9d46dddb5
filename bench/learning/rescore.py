"""Scores games anew: every scored position is searched with other nodes or another network. Moves and results stay.

A game's scores depend only on the game and the recipe in the file's header, as in self-play. So any number of workers
write the same games, and an interrupted run resumes with the missing games.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from chuhe.bench.learning.data_tools import Warn, blocks_of, count_games, recipe_of
from chuhe.bench.learning.game_files import GameWriter
from chuhe.bench.learning.game_format import cut_games, renumbered
from chuhe.bench.learning.selfplay import BLOCK_SECONDS, changed
from chuhe.bench.spread import HERE, Workers, own_engine, spread
from chuhe.common.progress import Bar
from chuhe.engine import Settings
from chuhe.engine.network import DEFAULT, read
from chuhe.engine.values import SelfPlayGame

PIECE = 8  # games that travel together


@dataclass(frozen=True, slots=True)
class RescoreRecipe:
    """What new scores depend on besides the game."""

    nodes: int  # per position; the iteration in which this is reached is finished
    most_nodes: int
    settings: Settings

    def header(self, paths: list[Path]) -> dict[str, Any]:
        network = Path(self.settings.evalfile) if self.settings.evalfile else DEFAULT
        return {
            **recipe_of("rescore", paths),
            "nodes": self.nodes,
            "most_nodes": self.most_nodes,
            "settings": changed(self.settings),
            "network": read(network).checksum,
        }


def rescore_games(recipe: RescoreRecipe, games: list[bytes]) -> list[SelfPlayGame]:
    """Packed games with new scores; runs in any process."""
    engine = own_engine(recipe.settings)
    return [engine.rescore(game, recipe.nodes, recipe.most_nodes) for game in games]


def rescore(
    recipe: RescoreRecipe, paths: list[Path], out: Path, workers: Workers = HERE, warn: Warn | None = None
) -> tuple[int, int]:
    """Write all games, numbered from 1, with new scores; a file begun with the same recipe is continued.

    Returns the numbers of games and positions in the file.
    """
    total = count_games(paths)[0]
    with GameWriter(out, recipe.header(paths)) as writer:
        there = frozenset(writer.numbers)
        bar = Bar(total, "games", len(there))
        began = written = time.monotonic()
        before = writer.positions
        positions = 0
        with spread(partial(rescore_games, recipe), _pieces(paths, there, warn), workers, tell=bar.write) as finished:
            for games in finished:
                for game in games:
                    writer.add_packed(game.packed, game.positions)
                    positions += game.positions
                now = time.monotonic()
                if now - written > BLOCK_SECONDS:
                    writer.flush()
                    written = now
                speed = 3.6e-3 * positions / max(now - began, 1e-3)
                bar.step(f"{before + positions} positions, {speed:.1f} million/h", len(games))
        bar.close()
        return len(writer.numbers), before + positions


def _pieces(paths: list[Path], there: frozenset[int], warn: Warn | None) -> Iterator[list[bytes]]:
    """The games that are not in the file yet, a few at a time."""
    games = (game for block in blocks_of(paths, warn) for game in cut_games(block.payload()))
    missing = (renumbered(game, number) for number, game in enumerate(games, 1) if number not in there)
    while piece := list(islice(missing, PIECE)):
        yield piece
