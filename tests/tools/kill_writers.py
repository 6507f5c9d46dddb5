"""Kills programs that write what a person keeps, at random moments: nothing written may be lost or damaged.

    python tests/tools/kill_writers.py [KILLS] [SEED]

Each of archive, practice progress and books (our own format, BOOK.DAT, OBK) is killed KILLS times (default 50). The
writer names each thing on stdout after it was written; what was named must be there afterwards.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

from chuhe.coach.practice.progress import PracticeProgress  # noqa: E402
from chuhe.engine import Position  # noqa: E402
from chuhe.records.books.book import Book  # noqa: E402
from chuhe.records.books.editing import edit_book  # noqa: E402
from chuhe.web.archive import Archive  # noqa: E402

LONGEST_LIFE = 0.05  # seconds after the first write


def say(name: str) -> None:
    sys.stdout.write(f"{name}\n")
    sys.stdout.flush()


def write_archive(place: Path) -> None:
    archive = Archive(place)
    somebody = {"code": "verbatim", "args": {"text": "x" * 40}}
    shown = {"moves": 3, "result": "*", "title": "", "opening": None, "fen": "", "below": 0}
    entry = {"red": somebody, "black": somebody, **shown}
    while True:
        say(archive.add(entry, {"tree": "y" * 20_000}))  # type: ignore[arg-type]


def write_progress(place: Path) -> None:
    progress = PracticeProgress(place / "practice.json")
    for number in range(len(progress.records), 10**9):
        progress.note(f"puzzle {number}", True)
        say(f"puzzle {number}")


def write_book(place: Path) -> None:
    """The book's own name is the last part of the place. It gets the moves of a tree, one edit after the other."""
    known = len(keys(place)) if place.exists() else 0
    for number, position in enumerate(positions()):
        if number >= known:
            edit_book(place, "add", position, min(position.legal_moves, key=str), 1)
            say(str(position.key))


def positions() -> list[Position]:
    """Positions of which no two are the same or mirror images."""
    rng, seen = random.Random(1), set[int]()
    found: list[Position] = []
    while len(found) < 3000:
        position = Position()
        for _ in range(8):
            position.push(rng.choice(list(position.legal_moves)))
        if not {position.key, position.mirror().key} & seen:
            seen.add(position.key)
            found.append(position)
    return found


def keys(place: Path) -> set[str]:
    book = Book.load(place)
    return {str(position.key) for position in positions() if any(book.probe(position))}


def archived(place: Path) -> set[str]:
    archive = Archive(place)
    found = {name for name in archive.entries if archive.game(name)["tree"] == "y" * 20_000}
    assert not archive.damaged, archive.damaged
    return found


def noted(place: Path) -> set[str]:
    progress = PracticeProgress(place / "practice.json")
    assert not progress.notice, progress.notice
    return set(progress.records)


WRITERS: dict[str, tuple[str, Callable[[Path], None], Callable[[Path], set[str]]]] = {
    "archive": ("", write_archive, archived),
    "progress": ("", write_progress, noted),
    "book": ("b.book", write_book, keys),
    "dat": ("b.dat", write_book, keys),
    "obk": ("b.obk", write_book, keys),
}


def trial(kind: str, kills: int, rng: random.Random) -> str:
    """Kills one writer again and again. AssertionError if something is lost or damaged."""
    name, _, read = WRITERS[kind]
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory, name)
        told: set[str] = set()
        for _ in range(kills):
            command = [sys.executable, __file__, "write", kind, str(place)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
                assert process.stdout is not None
                told.add(process.stdout.readline().strip())
                time.sleep(rng.uniform(0, LONGEST_LIFE))
                process.kill()
                told |= {line.strip() for line in process.stdout if line.endswith("\n")}
        lost = told - read(place) - {""}
        assert not lost, f"{kind}: lost {sorted(lost)[:3]} of {len(told)}"
        rests = [path.name for path in Path(directory).rglob(".*") if path.is_file()]
        return f"{kind}: {kills} kills, {len(told)} things written and all there; rests: {len(rests)}"


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["write"]:
        WRITERS[arguments[1]][1](Path(arguments[2]))
        return 0
    kills, seed = (int(argument) for argument in (*arguments, *("50", "1")[len(arguments) :]))
    for kind in WRITERS:
        print(trial(kind, kills, random.Random(seed)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
