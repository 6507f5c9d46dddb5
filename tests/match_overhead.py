"""Measures the match runner's overhead: its own CPU time as a share of the wall time.

match_overhead.py [ENGINE]    two games at once at 10 ms per move, our engine against itself or against ENGINE
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.matches.match import distinct, engine_from_text
from bench.matches.match_values import Adjudication, MatchSettings
from bench.matches.runner import run_match
from bench.time_control import parse_control

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    ours = f"chuhe={sys.executable} -m chuhe;protocol=uci;directory={ROOT}"
    engines = distinct([engine_from_text(ours), engine_from_text(arguments[0] if arguments else ours)])
    with tempfile.TemporaryDirectory() as directory:
        settings = MatchSettings(
            engines,
            parse_control("movetime=10"),
            games=8,
            concurrency=2,
            adjudication=Adjudication(max_moves=60),
            output=directory,
            report=False,
        )
        wall, processor = time.perf_counter(), time.process_time()
        games = run_match(settings).games
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
    moves = sum(len(game.moves) for game in games)
    share, each = processor / wall, processor / moves * 1000
    print(f"{len(games)} games, {moves} moves: {processor:.2f} s of {wall:.2f} s ({share:.1%}), {each:.2f} ms a move")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
