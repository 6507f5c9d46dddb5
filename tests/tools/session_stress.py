"""Plays random scripts of go, stop, ponderhit, isready and quit to the session, in batch and in normal mode.

    python tests/tools/session_stress.py [SCRIPTS] [FIRST]

Script number n is the same every time; by default 20,000 from 0 on. Ends with 1, and names the script, if a question is
not answered or is answered twice.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "helpers"))

from session_scripts import Player, random_script  # noqa: E402

STEP = 1000


def main(arguments: list[str]) -> int:
    count, first = (int(argument) for argument in (*arguments, *("20000", "0")[len(arguments) :]))
    player, seen, began = Player(), Counter[str](), time.monotonic()
    for number in range(first, first + count):
        script = random_script(random.Random(number))
        try:
            player.play(script)
        except AssertionError as fault:
            print(f"script {number}: {fault}")
            return 1
        seen.update(line.split()[0] for line, _ in script.lines)
        seen["in batch mode"] += script.batch
        if (number + 1 - first) % STEP == 0 or number + 1 == first + count:
            said = ", ".join(f"{amount:,} {word}" for word, amount in sorted(seen.items()))
            print(f"{number + 1 - first:,} scripts in {time.monotonic() - began:.0f} s: {said}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
