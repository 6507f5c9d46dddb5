"""Every command that writes, on a full disk: it says so without a traceback, and loses nothing.

    python tests/tools/full_disk.py [NAME …]

Linux only: the disk is a small tmpfs in a mount namespace of its own. Each command runs three times: on the full disk,
where it must leave no file; with room, where it must succeed; and on a full disk again, where its files must stay as
they are. Ends with 1 if a command misbehaves.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOY = f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'tests' / 'fixtures' / 'toy_engine.py'))}"
SIZE = "24m"
FILLER, INSIDE = "filler", "CHUHE_FULL_DISK"
PGN = "".join(f'[Red "{name}"]\n\n1. H2-E2 H9-G7 2. H0-G2 I9-H9 1-0\n\n' for name in "AB")
BLUNDER = '[Result "0-1"]\n\n1. H2-E2 H9-G7 2. E2-E6 G7-E6 3. B2-E2 I9-H9 0-1\n'
# name: the arguments, where D is the full disk and S a directory with room; then lines for stdin
COMMANDS: dict[str, tuple[str, str]] = {
    "match": (
        f"match 'a={TOY}' 'b={TOY}' --games 2 --depth 1 --output D/match --resume --no-report --concurrency 1",
        "",
    ),
    "selfplay": ("selfplay --games 8 --nodes 30 --concurrency 1 --output D/games.bin --pgn D/games.pgn", ""),
    "train": ("train S/games.bin --epochs 1 --output D/small.net --seed 1", ""),
    "data join": ("data join S/games.bin --output D/joined.bin", ""),
    "data export": ("data export S/games.bin --output D/table.csv", ""),
    "data rescore": ("data rescore S/games.bin --nodes 30 --output D/rescored.bin", ""),
    "data plot": ("data S/games.bin --plot D/data.svg", ""),
    "tune search": (
        "tune search --iterations 1 --nodes 50 --concurrency 1 --state D/spsa.json --output D/tuned.txt reverse_margin",
        "",
    ),
    "tune eval": ("tune eval S/cases.txt --epochs 1 --output D/terms.txt", ""),
    "book build": ("book build S/games.pgn --output D/book.bin", ""),
    "book obk": ("book build S/games.pgn --output D/book.obk", ""),
    "book convert": ("book convert S/book.bin D/book.pgn", ""),
    "book edit": ("book edit D/edited.bin add b2e2 5", ""),
    "book edit obk": ("book edit D/edited.obk add b2e2 5", ""),
    "book play": ("book play --games 1 --nodes 30 --opening-nodes 30 --output D/played.pgn", ""),
    "openings": ("openings --count 1 --plies 1 2 --balance 900 --depth 1 --output D/openings.txt", ""),
    "analyze": ("analyze S/games.pgn --depth 1 --plot none --output D/annotated.pgn", ""),
    "analyze plot": ("analyze S/games.pgn --depth 1 --output S/annotated.pgn --plot D/plot.svg", ""),
    "analyze practise": ("analyze S/bad.pgn --depth 4 --plot none --output S/bad.annotated.pgn --practise both", ""),
    "puzzles choose": ("puzzles choose S/puzzles.txt --count 1 --output D/puzzles.txt", ""),
    "endgame build": ("endgame build --path D/tables KCK", ""),
    "play": ("play --level 1", "save D/game.pgn\nquit\nquit\n"),
    "squatter": ("squatter --white human", "save D/squatter.txt\nquit\nquit\n"),
    "chess": ("play --variant chess", "save D/chess.txt\nquit\nquit\n"),
    "puzzle": ("puzzle", "answer\nquit\n"),
}


INTERACTIVE = ("play", "squatter", "chess")  # goes on after saying so


def run(name: str, disk: Path, spare: Path) -> subprocess.CompletedProcess[str]:
    arguments, lines = (text.replace("D/", f"{disk}/").replace("S/", f"{spare}/") for text in COMMANDS[name])
    command = [sys.executable, "-m", "chuhe", *shlex.split(arguments)]
    environment = {**os.environ, "XDG_DATA_HOME": str(disk), "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, input=lines, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=spare, env=environment
    )


def contents(disk: Path) -> dict[str, bytes]:
    """What is not empty: a file that a run resumes may be there before its first game."""
    files = (path for path in disk.rglob("*") if path.is_file() and path.name != FILLER and path.stat().st_size)
    return {str(path.relative_to(disk)): path.read_bytes() for path in files}


def fill(disk: Path) -> None:
    with open(disk / FILLER, "ab", buffering=0) as file:
        for size in (1 << 16, 1):
            with suppress(OSError):
                while file.write(b"\0" * size):
                    pass


def faults(name: str, disk: Path, spare: Path) -> Iterator[str]:
    for is_second in (False, True):
        before = contents(disk)
        fill(disk)
        done = run(name, disk, spare)
        print(f"{name}: exit {done.returncode}: {(done.stdout.strip().splitlines() or [''])[-1][:150]}", flush=True)
        if "Traceback" in done.stdout:
            yield done.stdout
        if not is_second:
            if (done.returncode == 0) != (name in INTERACTIVE):
                yield f"exit {done.returncode}"
            if not any(words in done.stdout for words in ("No space left", "disk is full")):  # SQLite has its own
                yield "it does not say why"
        after = contents(disk)
        for path in before.keys() | after.keys():
            if before.get(path) != after.get(path):
                yield f"{path}: {len(before.get(path, b''))} -> {len(after.get(path, b''))} bytes"
        (disk / FILLER).unlink()
        if not is_second:
            done = run(name, disk, spare)
            if done.returncode or "Traceback" in done.stdout:
                yield f"with room: exit {done.returncode}: {done.stdout}"


def prepare(spare: Path) -> None:
    (spare / "games.pgn").write_text(PGN)
    (spare / "bad.pgn").write_text(BLUNDER)
    puzzles = (ROOT / "chuhe" / "coach" / "practice" / "data" / "puzzles.txt").read_text("utf-8").splitlines(True)
    (spare / "puzzles.txt").write_text("".join(puzzles[:9]), "utf-8")
    fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
    (spare / "cases.txt").write_text("".join(f"{fen}|{result}|{score}\n" for result, score in 40 * [(1, 50), (0, -50)]))
    for arguments in (
        "selfplay --games 8 --nodes 30 --output S/games.bin",
        "book build S/games.pgn --output S/book.bin",
    ):
        words = arguments.replace("S/", f"{spare}/").split()
        subprocess.run([sys.executable, "-m", "chuhe", *words], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def main(arguments: list[str]) -> int:
    if os.environ.get(INSIDE) is None:
        command = ["unshare", "--map-root-user", "--mount", sys.executable, __file__, *arguments]
        return subprocess.run(command, env={**os.environ, INSIDE: "1"}).returncode
    wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        spare = Path(directory, "spare")
        spare.mkdir()
        prepare(spare)
        for name in arguments or COMMANDS:
            disk = Path(directory, "disk")
            disk.mkdir()
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(disk)], check=True)
            for fault in faults(name, disk, spare):
                wrong += 1
                print(f"{name}: FAULT: {fault}", flush=True)
            subprocess.run(["umount", str(disk)], check=True)
            disk.rmdir()
    print(f"{wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
