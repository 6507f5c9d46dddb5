"""The first forcing exchange of a line: what either side takes before the position is quiet."""

from __future__ import annotations

from dataclasses import dataclass

from chuhe.coach.facts import PlacedPiece
from chuhe.coach.material import WORTH, balance, best_capture, settled_balance
from chuhe.coach.tactics import Variation
from chuhe.engine._core import Piece

LONGEST = 6  # plies after the first move: three moves
LATER = 9  # plies: what is taken back by then was not lost
THREAT = 200  # hundredths of a pawn: what a threat wins at least
EQUAL = 50  # hundredths of a pawn: a knight and a cannon are worth the same


@dataclass(frozen=True, slots=True)
class Taken:
    """A piece that is taken in a line, by the move with this index; it is named by where the first move leaves it."""

    index: int
    piece: PlacedPiece

    @property
    def worth(self) -> int:
        return WORTH[self.piece.kind]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the mover of a line gains (`won`) and what the other side does (`lost`), equal trades left out.

    least and most bound what it is worth to the mover, in hundredths of a pawn: at the end of the exchange, after the
    best capture there, and some moves later.
    """

    won: tuple[Taken, ...]
    lost: tuple[Taken, ...]
    least: int
    most: int
    plies: int
    captures: int


def first_exchange(line: Variation) -> Exchange:
    """The exchange that begins with the first move of the line or the answer to it.

    Captures, checks and answers to checks belong to it, and once for each side a quiet move that threatens to win
    something, with the answer to it.
    """
    mover, start = line.positions[0].turn, balance(line.boards[0], line.positions[0].turn)
    end, quiet, most = 0, {0, 1}, min(len(line.moves), LONGEST + 1)
    while end < most:
        if _forcing(line, end):
            end += 1
        elif end % 2 in quiet and end + 2 < len(line.moves) and _threatens(line, end):
            quiet.discard(end % 2)
            end += 2
        elif end == 0:
            end = 1
        else:
            break
    values = [balance(line.boards[end], mover) - start]
    if end == len(line.moves):
        values.append(settled_balance(line.positions[end], mover) - start)
    later = min(len(line.moves), max(end, LATER))
    values.append(settled_balance(line.positions[later], mover) - start)
    sides = [_takings(line, first, end) for first in (0, 1)]
    won, lost = _traded(*sides)
    return Exchange(won, lost, min(values), max(values), end, sum(map(len, sides)))


def _forcing(line: Variation, index: int) -> bool:
    check = line.positions[index].is_check() or line.positions[index + 1].is_check()
    return check or line.taken(index) is not None


def _threatens(line: Variation, index: int) -> bool:
    """Whether this quiet move makes a capture gain what none did before it."""
    before = best_capture(line.positions[index])
    after = line.positions[index + 1].copy()
    after.push_null()
    return best_capture(after) - before >= THREAT


def _takings(line: Variation, first: int, end: int) -> list[Taken]:
    found = []
    for index in range(first, end, 2):
        piece: Piece | None = line.taken(index)
        if piece is not None:
            found.append(Taken(index, PlacedPiece(piece.symbol, _stood(line, index))))
    return found


def _stood(line: Variation, index: int) -> int:
    """Where the piece that this move takes stood after the first move of the line."""
    square = line.moves[index].to_square
    for move in line.moves[index - 1 : 0 : -1]:
        if move.to_square == square:
            square = move.from_square
    return square


def _traded(won: list[Taken], lost: list[Taken]) -> tuple[tuple[Taken, ...], tuple[Taken, ...]]:
    """Both without the pieces that were exchanged for one of the same worth, the most valuable first."""
    rest = sorted(lost, key=lambda taken: -taken.worth)
    gained = []
    for taken in sorted(won, key=lambda taken: -taken.worth):
        match = next((other for other in rest if abs(other.worth - taken.worth) <= EQUAL), None)
        if match is None:
            gained.append(taken)
        else:
            rest.remove(match)
    return tuple(gained), tuple(rest)
