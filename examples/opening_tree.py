"""How often each move was played in each position of some games, null moves and repetitions left out."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import chuhe


def main(path: str | Path, plies: int = 6) -> None:
    played: Counter[tuple[int, chuhe.Move]] = Counter()
    for game in chuhe.iter_games(path):
        position = chuhe.Position(game.fen)
        for move in game.plain_moves[:plies]:
            played[position.key, move] += 1
            position.push(move)
    start = chuhe.Position()
    for move in sorted(start.legal_moves, key=lambda move: (-played[start.key, move], move)):
        if played[start.key, move]:
            print(start.chinese(move), played[start.key, move])


if __name__ == "__main__":
    main(sys.argv[1])
