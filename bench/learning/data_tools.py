"""Joins, shuffles and splits sets of games, and imports them from text."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from chuhe.bench.learning.game_files import GameFile, GameWriter
from chuhe.bench.learning.game_format import Block, DataError, cut_games, pack_game, renumbered, scored_plies
from chuhe.bench.learning.text_games import read_text
from chuhe.common.progress import Bar
from chuhe.engine import _core
from chuhe.engine.version import VERSION
from chuhe.files.reading import open_input
from chuhe.files.writing import check_distinct, check_output, replacing

Warn = Callable[[str], None]


def recipe_of(what: str, paths: Iterable[Path]) -> dict[str, Any]:
    """The header of a derived file: how it was made, and from which files."""
    sources = []
    for path in paths:
        with GameFile(path) as file:
            sources.append({"file": path.name, "recipe": file.recipe})
    return {"made_by": f"chuhe data {what} {VERSION}", "from": sources}


@contextmanager
def new_file(path: Path, recipe: dict[str, Any]) -> Iterator[GameWriter]:
    """A writer whose file gets its final name once it is complete. An existing file is never overwritten."""
    if path.exists():
        raise DataError(f"{path} already exists")
    check_output(path)
    with replacing(path) as scratch, GameWriter(scratch, recipe) as writer:
        yield writer


def blocks_of(paths: Iterable[Path], warn: Warn | None = None) -> Iterator[Block]:
    """All blocks, with their checksums verified. A damaged one raises DataError, or is skipped with a warning."""
    for path in paths:
        with GameFile(path) as file:
            for block in file.blocks():
                try:
                    block.payload()
                except DataError as error:
                    if warn is None:
                        raise
                    warn(f"skipped: {error}")
                    continue
                yield block


def count_games(paths: Iterable[Path]) -> tuple[int, int]:
    """The numbers of games and positions, from the block headers."""
    games = positions = 0
    for path in paths:
        with GameFile(path) as file:
            for block in file.blocks():
                games += block.games
                positions += block.positions
    return games, positions


class Distinct:
    """Passes each game once, whatever its number; `repeated` counts the duplicates."""

    def __init__(self) -> None:
        self.repeated = 0
        self._seen: set[int] = set()

    def __call__(self, games: Iterable[bytes]) -> Iterator[bytes]:
        for game in games:
            key = hash(renumbered(game, 0))
            if key in self._seen:
                self.repeated += 1
            else:
                self._seen.add(key)
                yield game


def join(paths: list[Path], out: Path, seed: int | None = None, warn: Warn | None = None) -> tuple[int, int]:
    """Write all games to one file, renumbered and without duplicates. A seed shuffles them, in memory.

    Returns the number of games, and of duplicates left out.
    """
    distinct = Distinct()
    what = "join" if seed is None else f"shuffle, seed {seed}"
    bar = Bar(count_games(paths)[0], "games")
    games = distinct(game for block in blocks_of(paths, warn) for game in cut_games(block.payload()))
    if seed is not None:
        kept = list(games)
        random.Random(seed).shuffle(kept)
        games = iter(kept)
    number = 0
    with new_file(out, recipe_of(what, paths)) as writer:
        for number, game in enumerate(games, 1):
            writer.add_packed(renumbered(game, number), scored_plies(game))
            bar.step()
    bar.close()
    return number, distinct.repeated


def split(paths: list[Path], out: Path, rest: Path, share: float, warn: Warn | None = None) -> tuple[int, int]:
    """Divide the games between two files by a hash of their moves, so a game always goes to the same one.

    Returns both numbers of games."""
    check_distinct(out, rest)
    bar = Bar(count_games(paths)[0], "games")
    count = [0, 0]
    with (
        new_file(out, recipe_of(f"split, share {share:g}", paths)) as first,
        new_file(rest, recipe_of(f"split, the rest of share {share:g}", paths)) as second,
    ):
        for block in blocks_of(paths, warn):
            for game in cut_games(block.payload()):
                side = int(zlib.crc32(renumbered(game, 0)) / 2**32 >= share)
                count[side] += 1
                (first, second)[side].add_packed(renumbered(game, count[side]), scored_plies(game))
                bar.step()
    bar.close()
    return count[0], count[1]


def _text_file(path: Path) -> BinaryIO:
    try:
        return open_input(path)
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}") from None


def bring_in(paths: list[Path], out: Path, warn: Warn) -> tuple[int, int]:
    """Import games from text, checking every move. Returns the numbers of games and positions.

    DataError names a bad line."""
    recipe = {"made_by": f"chuhe data import {VERSION}", "from": [path.name for path in paths]}
    sizes = 0
    for path in paths:
        with _text_file(path) as file:
            sizes += file.seek(0, 2)
    bar = Bar(sizes // 1024, "KB")
    number = 0
    with new_file(out, recipe) as writer:
        for path in paths:
            with _text_file(path) as file:
                read = 0
                for line, game in read_text(file, path, warn):
                    number += 1
                    packed = renumbered(pack_game(game), number)
                    try:
                        _core.expand_games(packed, 1, game.positions)
                    except ValueError as error:
                        raise DataError(f"{path}:{line}: {error}") from None
                    writer.add_packed(packed, game.positions)
                    if file.tell() // 1024 > read:
                        bar.step(f"{number} games", file.tell() // 1024 - read)
                        read = file.tell() // 1024
        if not number:
            raise DataError(f"there is no game in {', '.join(map(str, paths))}")
        writer.flush()
        positions = writer.positions
    bar.close()
    return number, positions
