"""The results on disk: append-only JSON lines, the only record of which games have been played.

The first line describes the match, every further line is one finished game, written with a single `write` and synced.
A line cut short by a kill (no newline, or invalid JSON) is dropped when the file is reopened. A repeated game number
counts once. Everything else on disk (PGN, report) is generated from this file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from chuhe.bench.matches.match_values import MatchGame
from chuhe.common.command_line import counted
from chuhe.files.reading import read_input
from chuhe.files.writing import BINARY, append_whole, lock_file

RESULTS = "results.jsonl"
VERSION = 1
BEGINNING = b'{"version":'  # of every results file


class StoreError(ValueError):
    """Results that cannot be used: already present, from another match, in use, or unreadable."""


class Store:
    """An open results file. `games` holds the finished games by number."""

    def __init__(self, directory: str | Path, identity: dict[str, Any], *, resume: bool = False) -> None:
        self.directory = Path(directory)
        self.path = self.directory / RESULTS
        self.games: dict[int, MatchGame] = {}
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o644)
        except OSError as error:
            raise StoreError(f"{error.filename or self.path}: {error.strerror or error}") from error
        try:
            if not lock_file(self._file):
                raise StoreError(f"{self.path} is in use by another match runner")
            self._open(identity, resume)
        except BaseException:
            os.close(self._file)
            raise

    def _open(self, identity: dict[str, Any], resume: bool) -> None:
        try:
            text = read_input(self.path)
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror or error}") from error
        whole = text[: text.rfind(b"\n") + 1]
        header, games, good = _read(whole, self.path)
        if header is None and not (text.startswith(BEGINNING) or BEGINNING.startswith(text)):
            raise StoreError(f"{self.path} is not a results file: its first line does not describe a match")
        if not games:  # a run without a finished game may be overwritten
            header, good = None, 0
        if header is not None:
            if not resume:
                held = counted(len(games), "game")
                raise StoreError(f"{self.directory} already holds {held}; --resume continues that match")
            if difference := _difference(header, identity):
                raise StoreError(f"{self.directory} holds another match: {difference}")
        if good < len(text):
            os.ftruncate(self._file, good)
        if header is None:
            self._write({"version": VERSION, "match": identity})
        self.games = {game.number: game for game in games}

    def append(self, game: MatchGame) -> bool:
        """Store a finished game; False if that number is already stored."""
        if game.number in self.games:
            return False
        self._write(game.to_json())
        self.games[game.number] = game
        return True

    def _write(self, data: dict[str, Any]) -> None:
        line = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            append_whole(self._file, line)
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror or error}") from error

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_results(path: str | Path) -> tuple[dict[str, Any], list[MatchGame]]:
    """Read a results file (or the directory that holds one) without locking or repairing it."""
    path = Path(path)
    path = path / RESULTS if path.is_dir() else path
    try:
        text = read_input(path)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
    header, games, _ = _read(text[: text.rfind(b"\n") + 1], path)
    if header is None:
        raise StoreError(f"{path} is not a results file: its first line does not describe a match")
    return header, games


def _read(text: bytes, path: Path) -> tuple[dict[str, Any] | None, list[MatchGame], int]:
    """The header, the games (each number once) and the number of valid bytes."""
    header: dict[str, Any] | None = None
    games: dict[int, MatchGame] = {}
    good = 0
    for number, (line, end) in enumerate(_lines(text), 1):
        try:
            data = json.loads(line)
            if header is None:
                header = dict(data["match"])
            else:
                game = MatchGame.from_json(data)
                games.setdefault(game.number, game)
        except (ValueError, OverflowError, KeyError, TypeError, RecursionError) as error:
            if end == len(text) and header is not None:
                break  # an incomplete last line
            what = f"{error} is missing" if isinstance(error, KeyError) else error
            raise StoreError(f"{path}, line {number} is damaged: {what}") from error
        good = end
    return header, list(games.values()), good


def _lines(text: bytes) -> Iterator[tuple[bytes, int]]:
    end = 0
    for line in text.splitlines(keepends=True):
        end += len(line)
        yield line, end


def _difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    """The first difference between two descriptions, in words; empty if they agree."""
    old, new = json.loads(json.dumps(old)), json.loads(json.dumps(new))
    for key in sorted(old.keys() | new.keys()):
        if key not in old:
            return f"it was played by an older version, which did not record its {key}"
        if old.get(key) != new.get(key):
            return f"its {key} is {old.get(key)!r}, not {new.get(key)!r}"
    return ""
