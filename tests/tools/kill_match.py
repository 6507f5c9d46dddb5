"""Kills a match with SIGKILL repeatedly and resumes it: no game may be lost or counted twice.

kill_match.py [KILLS] [SEED]    twenty kills take about half a minute; the suite runs a short one
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "helpers"))

import cchess
from paths import ROOT, TOY_COMMAND, TOY_ENGINE

TOY = TOY_ENGINE


def command(directory: Path, games: int, think: float) -> list[str]:
    openings = directory / "openings.txt"
    openings.write_text("h2e2 h9g7\nb2e2 b9c7\nc3c4 g6g5\n")
    engines = [f"{name}={TOY_COMMAND} --seed {seed} --think {think}" for name, seed in (("a", 1), ("b", 2))]
    options = f"--nodes 1 --max-moves 10 --concurrency 2 --games {games} --no-report --quiet --resume"
    paths = ["--openings", str(openings), "--output", str(directory / "out")]
    return [sys.executable, "-m", "chuhe", "match", *engines, *options.split(), *paths]


def run(directory: Path, kills: int, seed: int, games: int, think: float = 0.01) -> int:
    """Kill the match `kills` times at random moments, then let it finish; returns how many hit a running match."""
    generator = random.Random(seed)
    line = command(directory, games, think)
    hits = 0
    results = directory / "out" / "results.jsonl"
    for _ in range(kills):
        process = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seen = results.stat().st_size if results.exists() else 0
        while process.poll() is None:  # until it has started to add results
            if results.exists() and results.stat().st_size > max(seen, 400):
                break
            time.sleep(0.01)
        time.sleep(generator.uniform(0.0, 0.4))
        hits += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(line, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return hits


def faults(directory: Path, games: int) -> list[str]:
    """Errors in the files that the match left on disk."""
    found = []
    lines = (directory / "out" / "results.jsonl").read_text().splitlines()
    results = [json.loads(line) for line in lines[1:]]
    played = {game["number"]: [*game["opening_moves"], *(move[0] for move in game["moves"])] for game in results}
    numbers = sorted(game["number"] for game in results)
    if numbers != list(range(1, games + 1)):
        found.append(f"results: {numbers}")
    texts = (directory / "out" / "games.pgn").read_text().split("[Game ")[1:]
    rounds = []
    for text in texts:
        path = directory / "one.pgn"
        path.write_text("[Game " + text)
        game = cchess.Game.read_from(str(path))
        rounds.append(int(game.info["round"]))
        if game.dump_iccs_moves()[0] != played.get(rounds[-1]):
            found.append(f"game {rounds[-1]} has other moves for cchess")
    if sorted(rounds) != list(range(1, games + 1)):
        found.append(f"PGN: {sorted(rounds)}")
    return found


def main(arguments: list[str]) -> int:
    kills = int(arguments[0]) if arguments else 20
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    games = 8 * kills
    with tempfile.TemporaryDirectory() as name:
        hits = run(Path(name), kills, seed, games)
        found = faults(Path(name), games)
    print(f"{kills} kills, {hits} of them in a running match; {games} games asked for; faults: {found or 'none'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
