"""How many mates of self-play games get a name, and which.

python tests/tools/coach_figures.py GAMES [--games N] [--show N]
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from pathlib import Path

from chuhe.bench.learning.game_files import read_games
from chuhe.coach.mates import named_mates


def mates(path: Path, games: int, show: int, seed: int) -> None:
    names: Counter[str] = Counter()
    total = unnamed = 0
    spent, found = 0.0, []
    for number, game in enumerate(read_games([path]), start=1):
        if number > games:
            break
        position = game.start()
        for move in (*game.opening, *(move for move, _ in game.plies)):
            position.push(move)
        if position.has_legal_moves():
            continue
        began = time.process_time()
        facts = named_mates(position)
        spent += time.process_time() - began
        total += 1
        unnamed += not facts
        names.update(fact.code for fact in facts)
        if facts:
            found.append((position, facts))
    print(f"{games} games, {total} mates, {total - unnamed} named; {1000 * spent / max(1, total):.2f} ms each")
    for code, count in names.most_common():
        print(f"  {count:>5} {code}")
    for position, facts in random.Random(seed).sample(found, min(show, len(found))):
        print(f"\n{position}\n" + "\n".join(fact.text() for fact in facts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_file", metavar="GAMES", type=Path)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--seed", type=int, default=25)
    options = parser.parse_args()
    mates(options.games_file, options.games, options.show, options.seed)


if __name__ == "__main__":
    main()
