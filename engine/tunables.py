"""The table of tunables: read it, write it back, turn it into the core's constants.

A row of `tunables.txt` is ``name minimum maximum step : value value …``; ``[name]`` begins a section. Lines that begin
with ``#`` are comments and stay where they are. The build writes `core/tunables.pxi` from the table, so that the
compiled core has the numbers as its defaults; the tuners in `bench/learning` give other numbers to an engine
(`Engine.tunables`) and write the table back.

This module is loaded by `setup.py` before anything is built: it imports nothing else from the project.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

TABLE = Path(__file__).with_name("tunables.txt")


@dataclass(frozen=True)
class Tunable:
    """One row: a number, or a list of numbers that belong together."""

    name: str
    minimum: int
    maximum: int
    step: int
    values: tuple[int, ...]
    offset: int = 0  # index of its first number in the core's array
    section: str = ""

    def __post_init__(self) -> None:
        if not self.name.isidentifier() or self.name != self.name.lower():
            raise ValueError(f"{self.name!r} is not a lower-case name")
        if not self.values:
            raise ValueError(f"{self.name}: no value")
        for value in self.values:
            if not self.minimum <= value <= self.maximum:
                raise ValueError(f"{self.name}: {value} is not between {self.minimum} and {self.maximum}")


def parse_row(line: str) -> Tunable:
    """Read one row; ValueError says what is wrong with it."""
    head, colon, tail = line.partition(":")
    words = head.split()
    if not colon or len(words) != 4:
        raise ValueError(f"not of the form 'name minimum maximum step : values': {line.strip()!r}")
    try:
        minimum, maximum, step = (int(word) for word in words[1:])
        values = tuple(int(word) for word in tail.split())
    except ValueError:
        raise ValueError(f"not a whole number in {line.strip()!r}") from None
    return Tunable(words[0], minimum, maximum, step, values)


def read(path: Path = TABLE) -> list[Tunable]:
    """All rows in order, with their offsets."""
    rows: list[Tunable] = []
    offset, section = 0, ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("[") and line.rstrip().endswith("]"):
            section = line.strip()[1:-1]
            continue
        try:
            row = replace(parse_row(line), offset=offset, section=section)
        except ValueError as error:
            raise ValueError(f"{path.name}:{number}: {error}") from None
        if any(row.name == other.name for other in rows):
            raise ValueError(f"{path.name}:{number}: {row.name} is listed twice")
        rows.append(row)
        offset += len(row.values)
    return rows


def numbers(table: list[Tunable]) -> list[int]:
    """All values in order, as the core takes them."""
    return [value for row in table for value in row.values]


def format_row(row: Tunable) -> str:
    """A row as it stands in the table."""
    head = f"{row.name} {row.minimum} {row.maximum} {row.step} :"
    return f"{head} {' '.join(str(value) for value in row.values)}"


def write(rows: list[Tunable], path: Path = TABLE) -> None:
    """Write new values into the table, keeping the comments. The file is replaced atomically."""
    fresh = {row.name: row for row in rows}
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        name = line.split(maxsplit=1)[0] if line.strip() else "#"
        lines.append(line if line.startswith("#") or name not in fresh else format_row(fresh[name]))
    from chuhe.files.writing import write_file  # imported here because setup.py loads this module alone

    write_file(path, "\n".join(lines) + "\n")


def write_pxi(table: Path, target: Path) -> None:
    """The table as Cython: an enumeration of offsets and one array of values."""
    rows = read(table)
    total = sum(len(row.values) for row in rows)
    lines = ["# Written by the build from engine/tunables.txt; do not edit.", "", "cdef enum:"]
    lines += [f"    {row.name.upper()} = {row.offset}" for row in rows]
    lines += [f"    TUNABLE_COUNT = {total}", "", f"cdef int32_t[{total}] DEFAULT_NUMBERS = ["]
    lines += [f"    {', '.join(str(value) for value in row.values)},  # {row.name}" for row in rows]
    target.write_text("\n".join([*lines, "]", ""]), encoding="utf-8")
