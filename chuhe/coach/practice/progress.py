"""What a player has solved and missed, kept on disk; what was missed comes back after growing intervals."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from chuhe.coach.practice.puzzles import HEAD, Puzzle, PuzzleError, read_puzzles
from chuhe.files.directories import user_directory
from chuhe.files.reading import read_input
from chuhe.files.writing import MARK, append_file, changing, output_error, write_file

MINUTE, DAY = 60.0, 86_400.0
RETURNS = (10 * MINUTE, DAY, 3 * DAY, 7 * DAY)  # after a miss, and after each time that it was solved since
VERSION = 1


@dataclass(slots=True)
class PuzzleRecord:
    """A player's record of one puzzle. `due` is when it comes back, in seconds since 1970; 0: it does not."""

    solved: int = 0
    missed: int = 0
    step: int = 0
    due: float = 0.0


def _record(solved: int, missed: int, step: int, due: float) -> PuzzleRecord:
    """A record as it was read; TypeError or ValueError if it does not consist of numbers."""
    return PuzzleRecord(int(solved), int(missed), int(step), float(due))


def practice_directory() -> Path:
    return Path(user_directory("data"))


class PracticeProgress:
    """All records of a player, written to disk after every answer. A damaged file is kept aside, not overwritten."""

    def __init__(self, path: Path | None = None, now: Callable[[], float] = time.time) -> None:
        self.path = path or practice_directory() / "practice.json"
        self.now = now
        self.notice = ""
        self.records: dict[str, PuzzleRecord] = {}
        self.streak = 0  # solved at the first attempt, one after the other
        self._day, self._solved_that_day = 0, 0
        self._read()

    def _read(self) -> None:
        self.records = {}
        if self.path.exists():
            try:
                data = json.loads(read_input(self.path))
                if data["version"] != VERSION:
                    raise ValueError(f"version {data['version']}")
                self.streak = int(data.get("streak", 0))
                self._day, self._solved_that_day = map(int, data.get("today", (0, 0)))
                self.records = {str(name): _record(**row) for name, row in data["puzzles"].items()}
            except (ValueError, OverflowError, KeyError, TypeError, AttributeError, RecursionError):
                aside = self.path.with_suffix(".damaged.json")
                self.path.replace(aside)
                self.notice = f"{self.path} could not be read; it is kept as {aside.name}"

    def note(self, name: str, solved: bool) -> None:
        """Records an answer, beside those of another tab or terminal; OutputError if it cannot be written."""
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with changing(self.path):
            try:
                self._read()
            except OSError as error:
                raise output_error(self.path, error) from error
            self._note(name, solved)
            rows = {each: asdict(row) for each, row in self.records.items()}
            today = self._day, self._solved_that_day
            data = {"mark": MARK, "version": VERSION, "streak": self.streak, "today": today, "puzzles": rows}
            write_file(self.path, json.dumps(data, indent=1))

    def _note(self, name: str, solved: bool) -> None:
        record = self.records.setdefault(name, PuzzleRecord())
        self.streak = self.streak + 1 if solved else 0
        self._solved_that_day, self._day = self.today + solved, self._date()
        if solved:
            record.solved += 1
            record.step += 1 if record.due else 0
        else:
            record.missed += 1
            record.step = 0
        back = record.missed and record.step < len(RETURNS)
        record.due = self.now() + RETURNS[record.step] if back else 0.0

    def is_due(self, name: str) -> bool:
        """Later than any interval from now: the clock was wrong, then or now."""
        record, now = self.records.get(name), self.now()
        return record is not None and record.due > 0 and not now < record.due <= now + RETURNS[-1]

    @property
    def today(self) -> int:
        """How many were solved today at the first attempt."""
        return self._solved_that_day if self._day == self._date() else 0

    def _date(self) -> int:
        return datetime.fromtimestamp(self.now()).toordinal()

    def due(self, puzzles: Sequence[Puzzle]) -> int:
        """How many of them come back now."""
        return sum(self.is_due(puzzle.name) for puzzle in puzzles)

    def choose(self, puzzles: Sequence[Puzzle]) -> Puzzle | None:
        """The next one: what is due, the longest overdue first; then what is new, in the given order; else None."""
        due = [puzzle for puzzle in puzzles if self.is_due(puzzle.name)]
        if due:
            return min(due, key=lambda puzzle: self.records[puzzle.name].due)
        return next((puzzle for puzzle in puzzles if puzzle.name not in self.records), None)

    def summary(self, puzzles: Sequence[Puzzle]) -> tuple[int, int, int]:
        """How many were solved at least once, how many come back, how many are new."""
        known = [self.records[puzzle.name] for puzzle in puzzles if puzzle.name in self.records]
        returning = sum(record.due > 0 for record in known)
        return sum(record.solved > 0 for record in known), returning, len(puzzles) - len(known)


class OwnMistakes:
    """Positions of the player's own reviewed games where a move was a mistake, as puzzles of the goal "better"."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or practice_directory() / "mistakes.txt"

    def all(self) -> list[Puzzle]:
        """PuzzleError if the file was damaged."""
        return read_puzzles(self.path, may_be_empty=True) if self.path.exists() else []

    def add(self, puzzles: Sequence[Puzzle]) -> int:
        """Appends those that are new; returns how many. A file that cannot be read is left alone."""
        if not puzzles:
            return 0
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with changing(self.path):
            try:
                known = {puzzle.name for puzzle in self.all()}
            except PuzzleError:
                return 0
            fresh = list({puzzle.name: puzzle for puzzle in puzzles if puzzle.name not in known}.values())
            if fresh:
                head = "" if self.path.exists() else HEAD
                append_file(self.path, head + "".join(f"{puzzle.text()}\n" for puzzle in fresh))
            return len(fresh)
