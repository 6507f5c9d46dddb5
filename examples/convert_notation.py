"""Write the games of a file with Chinese moves: `python convert_notation.py games.pgn chinese.pgn`."""

from __future__ import annotations

import sys
from pathlib import Path

import chuhe


def main(source: str | Path, target: str | Path) -> None:
    games = chuhe.read_games(source)
    chuhe.write_games(target, games, "chinese", overwrite=True)
    print(len(games), "games")


if __name__ == "__main__":
    main(*sys.argv[1:3])
