"""The long comparison with pyffish and the long fuzzer. Not collected by pytest; run by hand when the rules change.

python tests/tools/oracle_long.py                      20,000 positions, 2,000 cycles, 2,000 pairs of different cycles
python tests/tools/oracle_long.py --minutes 10         ten minutes of fuzzing instead
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "helpers"))

import fuzz
import oracle
from oracle_classes import UNKNOWN, classify


def compare_positions(seed: int, count: int) -> int:
    differences = checks = moves = 0
    fewest = 32
    last = time.monotonic()
    for number, position in enumerate(islice(oracle.random_positions(random.Random(seed)), count), start=1):
        difference = oracle.moves_differ(position)
        if difference:
            differences += 1
            print(difference)
        checks += position.is_check()
        moves += len(position.legal_moves)
        fewest = min(fewest, len(position.pieces()))
        if time.monotonic() - last > 10:
            last = time.monotonic()
            print(f"{number}/{count} positions, {differences} differences", file=sys.stderr, flush=True)
    print(f"positions {count}  moves {moves}  checks {checks}  fewest pieces {fewest}  differences {differences}")
    return differences


def compare_cycles(cycles: Iterator[oracle.Cycle], count: int) -> int:
    verdicts: Counter[tuple[str, str]] = Counter()
    classes: Counter[str] = Counter()
    last = time.monotonic()
    for number, cycle in enumerate(islice(cycles, count), start=1):
        ours, moves = oracle.our_verdict(cycle)
        theirs = oracle.their_verdict(cycle, moves)
        verdicts[ours, theirs] += 1
        if ours != theirs:
            found = classify(cycle, ours, theirs)
            classes[found] += 1
            print(f"{cycle.fen} moves {' '.join(cycle.moves)}: {ours} here, {theirs} there ({found})")
        if time.monotonic() - last > 10:
            last = time.monotonic()
            print(f"{number}/{count} cycles", file=sys.stderr, flush=True)
    differences = sum(number for (ours, theirs), number in verdicts.items() if ours != theirs)
    for (ours, theirs), number in sorted(verdicts.items()):
        print(f"ours {ours:<8} pyffish {theirs:<8} {number}")
    for found, number in sorted(classes.items()):
        print(f"{number:6} {found}")
    print(f"cycles {count}  differences {differences}, not explained {classes[UNKNOWN]}: docs/lab/compared.md")
    return classes[UNKNOWN]


def fuzz_for(seed: int, minutes: float) -> None:
    fuzzer = fuzz.Fuzzer(seed)
    end = time.monotonic() + 60 * minutes
    last = time.monotonic()
    while time.monotonic() < end:
        try:
            fuzzer.step()
        except BaseException:
            print(f"seed {seed}: failed on {fuzzer.last!r}")
            raise
        if time.monotonic() - last > 10:
            last = time.monotonic()
            print(f"{end - last:.0f} s left, {fuzzer.fens} FENs", file=sys.stderr, flush=True)
    print(f"fuzzed {fuzzer.fens} FENs and {fuzzer.moves} moves, {fuzzer.accepted} accepted, no crash")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--cycles", type=int, default=2_000)
    parser.add_argument("--pairs", type=int, default=2_000, help="of different rounds, one after the other")
    parser.add_argument("--minutes", type=float, default=0, help="fuzz so long, compare nothing")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.minutes:
        fuzz_for(options.seed, options.minutes)
        return 0
    differences = compare_positions(options.seed, options.positions) if options.positions else 0
    if options.cycles:
        differences += compare_cycles(oracle.random_cycles(random.Random(options.seed)), options.cycles)
    if options.pairs:
        differences += compare_cycles(oracle.random_pairs(random.Random(options.seed)), options.pairs)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
