"""A round of fuzzing. Not collected by pytest.

python tests/tools/fuzz_round.py --minutes 5 --seed 7
python tests/tools/fuzz_round.py --minutes 5 --seed 7 --page

Files and lines are damaged at random, or a page's messages; whatever is not a documented error ends the round with the
seed and the number of the step, which repeat it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "helpers"))

from file_fuzz import FileFuzzer

PAGE_MESSAGES = 200  # with one seed
SLICE_SECONDS = 0.5  # every kind gets the same time


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0, help="(default %(default)g)")
    parser.add_argument("--seed", type=int, default=1, help="(default %(default)s)")
    parser.add_argument("--page", action="store_true", help="messages of the page instead of files and lines")
    options = parser.parse_args()
    if options.page:
        return page(options.minutes, options.seed)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        fuzzer = FileFuzzer(Path(name), options.seed)
        end, shown = time.monotonic() + 60 * options.minutes, 0.0
        while time.monotonic() < end:
            for kind in fuzzer.steps:
                try:
                    slice_end = time.monotonic() + SLICE_SECONDS
                    while time.monotonic() < slice_end:
                        fuzzer.step(kind)
                except BaseException:
                    print(f"seed {options.seed}, {kind}, step {fuzzer.counts[kind][0]}", file=sys.stderr)
                    raise
            if time.monotonic() - shown > 10:
                shown = time.monotonic()
                print(_text(fuzzer), file=sys.stderr, flush=True)
        print(_text(fuzzer))
    return 0


def page(minutes: float, seed: int) -> int:
    from page_fuzz import hostile_messages, random_requests

    end, number = time.monotonic() + 60 * minutes, seed
    while time.monotonic() < end:
        for work in (random_requests, hostile_messages):
            with tempfile.TemporaryDirectory() as name:
                try:
                    asyncio.run(work(Path(name), number, PAGE_MESSAGES))
                except BaseException:
                    print(f"{work.__name__}, seed {number}", file=sys.stderr)
                    raise
        number += 1
    print(f"page: {PAGE_MESSAGES * (number - seed)} requests and as many hostile messages")
    return 0


def _text(fuzzer: FileFuzzer) -> str:
    return ", ".join(f"{kind} {tried} ({worked} worked)" for kind, (tried, worked) in fuzzer.counts.items())


if __name__ == "__main__":
    sys.exit(main())
