"""Endgame tables: the practical endgames, solved.

>>> from chuhe.engine import Position
>>> probe(Position()) is None
True

Tables are built by `chuhe endgame build`; see docs/endgames.md. Everything is loaded on first use, so an engine without
tables pays nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from chuhe.engine._core import CoreTablebases, Move
from chuhe.engine.endgame.material import Material, MaterialError
from chuhe.engine.endgame.table_file import TableError, damaged, open_table
from chuhe.engine.position import Position, side_name
from chuhe.engine.table_paths import SUFFIX, directories
from chuhe.engine.uncopied import Uncopied, refuse_copies
from chuhe.engine.values import Score
from chuhe.text.message import Message, message_of

__all__ = [
    "EndgameVerdict",
    "Material",
    "MaterialError",
    "TableError",
    "Tablebases",
    "open_tablebases",
    "probe",
    "probe_moves",
]

DAMAGED = -2  # the core's answer on a checksum mismatch in a block


@dataclass(frozen=True, slots=True)
class EndgameVerdict:
    """The exact value of a position for the side to move. `plies` is the distance to mate; None for a draw.

    >>> str(EndgameVerdict(35)), str(EndgameVerdict(36)), str(EndgameVerdict(None))
    ('win 35', 'loss 36', 'draw')
    >>> EndgameVerdict(35).words, EndgameVerdict(0).words, EndgameVerdict(None).words
    ('won in 18', 'mated', 'drawn')
    """

    plies: int | None

    @property
    def result(self) -> str:
        """The result: win, loss or draw."""
        return "draw" if self.plies is None else "win" if self.plies % 2 else "loss"

    @property
    def score(self) -> Score:
        """The verdict as a score for the side to move, to compare with those of a search; a draw is 0."""
        if self.plies is None:
            return Score(cp=0)
        return Score(mate=(self.plies + 1) // 2 if self.plies % 2 else -(self.plies // 2))

    @property
    def words(self) -> str:
        """The verdict in words, with the distance in moves."""
        if self.plies is None:
            return "drawn"
        if self.plies == 0:
            return "mated"
        return f"{'won' if self.plies % 2 else 'lost'} in {(self.plies + 1) // 2}"

    def message(self, turn: int) -> Message:
        """Names the winner. `turn` is the side to move.

        >>> str(EndgameVerdict(35).message(0)), str(EndgameVerdict(36).message(0)), str(EndgameVerdict(None).message(1))
        ('won in 18 for Red', 'won in 18 for Black', 'drawn')
        """
        if self.plies is None:
            return Message("table.drawn")
        winner = side_name(turn if self.plies % 2 else 1 - turn)
        if not self.plies:
            return Message("table.won", side=winner)
        return Message("table.won-in", side=winner, moves=(self.plies + 1) // 2)

    def __str__(self) -> str:
        return self.result if self.plies is None else f"{self.result} {self.plies}"


refuse_copies(CoreTablebases)


class Tablebases(Uncopied):
    """All tables of some directories, open. `faults` lists the files that were rejected, and why."""

    def __init__(self, directories: Iterable[str | Path]) -> None:
        self.core = CoreTablebases()
        self.names: dict[str, Path] = {}
        self.faults: list[Message] = []
        for directory in directories:
            for path in sorted(Path(directory).glob(f"*{SUFFIX}")):
                self._add(path)

    def _add(self, path: Path) -> None:
        if path.stem in self.names:
            return  # the first directory that has it wins
        try:
            table = open_table(path)
            self.core.add(*table.material.packed, table.sections)
        except TableError as error:
            self.faults.append(error.message)
            return
        except (ValueError, OSError) as error:
            self.faults.append(Message("file.at", path=str(path), fault=message_of(error)))
            return
        self.names[path.stem] = path

    def __len__(self) -> int:
        return len(self.names)

    def probe(self, position: Position) -> EndgameVerdict | None:
        """The verdict on a position, None if no table has it; TableError if its table is damaged."""
        return self._verdict(self.core.probe(position), position)

    def probe_moves(self, position: Position) -> list[tuple[Move, EndgameVerdict | None]]:
        """Every legal move with its verdict for the side to move now, best first."""
        found = [(move, self._verdict(code, position)) for move, code in self.core.moves(position)]
        turned = [(move, _before(verdict) if verdict else None) for move, verdict in found]
        return sorted(turned, key=lambda entry: _rank(entry[1]))

    def line(self, position: Position, plies: int = 1000) -> list[Move]:
        """Best play from here to mate; empty for a draw."""
        verdict = self.probe(position)
        if verdict is None or verdict.plies is None:
            return []
        return self.core.line(position, min(plies, verdict.plies))

    def damage(self) -> list[str]:
        """What was found wrong while probing: a line for each table with a damaged block."""
        paths = list(self.names.values())
        return [
            f"{paths[number]} is damaged or was changed while in use; it is opened again with the next game"
            for number in self.core.damaged()
        ]

    def _verdict(self, code: int, position: Position) -> EndgameVerdict | None:
        if code == DAMAGED:
            name = material_of(position)
            raise damaged(str(self.names.get(str(name), name)), Message("table.bad-sum"))
        return None if code < 0 else EndgameVerdict(code - 1 if code else None)


def _before(verdict: EndgameVerdict) -> EndgameVerdict:
    """The verdict on a move, given the verdict on the position after it."""
    return EndgameVerdict(None if verdict.plies is None else verdict.plies + 1)


def _rank(verdict: EndgameVerdict | None) -> tuple[int, int]:
    if verdict is None:
        return 2, 0
    if verdict.plies is None:
        return 1, 0
    return (0, verdict.plies) if verdict.result == "win" else (3, -verdict.plies)


def material_of(position: Position) -> Material | None:
    """The endgame that a position belongs to, or None."""
    counts = [[0] * 7, [0] * 7]
    for piece in position.pieces().values():
        counts[piece.colour][piece.kind] += 1
    return Material.from_counts(tuple(counts[0]), tuple(counts[1]))


_opened: dict[str, Tablebases] = {}


def open_tablebases(paths: str = "") -> Tablebases:
    """The tables of directories separated by `;`; if empty, of the default directory. Cached until one is damaged."""
    key = ";".join(directories(paths))
    if key not in _opened or _opened[key].damage():
        _opened[key] = Tablebases([Path(directory) for directory in directories(paths)])
    return _opened[key]


def forget_tablebases() -> None:
    """Drop the cache, after tables have been built or removed."""
    _opened.clear()


def probe(position: Position, paths: str = "") -> EndgameVerdict | None:
    """The verdict on a position for the side to move; None if no table has it."""
    return open_tablebases(paths).probe(position)


def probe_moves(position: Position, paths: str = "") -> list[tuple[Move, EndgameVerdict | None]]:
    """Every legal move with its verdict, best first."""
    return open_tablebases(paths).probe_moves(position)
