"""Count the results of a PGN file of any size by its headers: `python count_results.py games.pgn`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import chuhe


def main(path: str | Path) -> None:
    results = Counter(game.result for game in chuhe.iter_games(path, headers_only=True))
    for result, count in results.most_common():
        print(result, count)


if __name__ == "__main__":
    main(sys.argv[1])
