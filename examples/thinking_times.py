"""Print each move's clock and score from a PGN file's comments: `python thinking_times.py games.pgn`."""

from __future__ import annotations

import sys
from pathlib import Path

import chuhe


def main(path: str | Path) -> None:
    for game in chuhe.iter_games(path):
        position = chuhe.Position(game.fen)
        for recorded in game.moves:
            print(position.wxf(recorded.move), recorded.clock, recorded.score, recorded.nags, recorded.text, sep="\t")
            position.push(recorded.move)


if __name__ == "__main__":
    main(sys.argv[1])
