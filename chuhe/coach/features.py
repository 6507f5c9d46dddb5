"""What a move does on the board where no material changes: a short list of features that anybody can check there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chuhe.coach.facts import PlacedPiece
from chuhe.coach.material import OFFICERS, gains, hangs
from chuhe.engine._core import KNIGHT, ROOK, Move
from chuhe.engine.diagram import Pieces, attackers, knight_leg, moved
from chuhe.engine.position import Position

ROOM = {ROOK: 5, KNIGHT: 3}  # so many more moves are worth a word


@dataclass(frozen=True, slots=True)
class Feature:
    """What the better move does and the other does not.

    code: "attacks" or "saves" (`pieces`), "frees" or "confines" (one piece: it has `count` moves instead of `other`).
    """

    code: str
    pieces: tuple[PlacedPiece, ...]
    count: int = 0
    other: int = 0


def improvements(position: Position, better: Move, played: Move) -> Iterator[Feature]:
    """What the better of two moves does for its side, the most telling first."""
    before, mover = position.pieces(), position.turn
    good, bad = moved(before, better), moved(before, played)
    saved = [square for square in _officers(before, mover) if _saved(square, good, bad, better, played)]
    if saved:
        yield Feature("saves", _placed(before, saved))
    attacked = new_targets(before, better)
    attacked = [square for square in attacked if not _attacked(bad, square, mover)]
    if attacked:
        yield Feature("attacks", _placed(good, attacked))
    for square, piece in before.items():
        least = ROOM.get(piece.kind)
        if least is None:
            continue
        rooms = [_room(board, square, move) for board, move in ((good, better), (bad, played))]
        if None in rooms:
            continue
        count, other = (room for room in rooms if room is not None)
        if piece.colour == mover and count - other >= least:
            yield Feature("frees", (PlacedPiece(piece.symbol, square),), count, other)
        elif piece.colour != mover and other - count >= least:
            yield Feature("confines", (PlacedPiece(piece.symbol, square),), count, other)


def new_targets(before: Pieces, move: Move) -> list[int]:
    """The enemy officers whose capture gains after the move and did not before it; none if the mover can be taken."""
    after, mover = moved(before, move), before[move.from_square].colour
    if hangs(after, move.to_square):
        return []
    return [
        square
        for square in _officers(after, 1 - mover)
        if _attacked(after, square, mover) and not _attacked(before, square, mover)
    ]


def _officers(board: Pieces, colour: int) -> list[int]:
    return [square for square, piece in board.items() if piece.colour == colour and piece.kind in OFFICERS]


def _attacked(board: Pieces, target: int, by: int) -> bool:
    return target in board and any(gains(board, square, target) for square in attackers(board, by, target))


def _saved(square: int, good: Pieces, bad: Pieces, better: Move, played: Move) -> bool:
    """Whether the officer could be taken with gain after the played move, and cannot after the better one."""
    if square == played.from_square or not hangs(bad, square):
        return False
    return not hangs(good, better.to_square if square == better.from_square else square)


def _room(board: Pieces, square: int, move: Move) -> int | None:
    """How many points the rook or knight that stood on this square can go to after the move; None if it is gone."""
    if square == move.from_square:
        square = move.to_square
    elif square == move.to_square:
        return None
    piece = board[square]
    file, rank = square % 9, square // 9
    count = 0
    if piece.kind == KNIGHT:
        for files, ranks in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)):
            if 0 <= file + files < 9 and 0 <= rank + ranks < 10:
                target = square + files + 9 * ranks
                free = knight_leg(square, target) not in board
                count += free and (target not in board or board[target].colour != piece.colour)
        return count
    for files, ranks in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        x, y = file + files, rank + ranks
        while 0 <= x < 9 and 0 <= y < 10:
            found = board.get(9 * y + x)
            count += found is None or found.colour != piece.colour
            if found is not None:
                break
            x, y = x + files, y + ranks
    return count


def _placed(board: Pieces, squares: list[int]) -> tuple[PlacedPiece, ...]:
    return tuple(PlacedPiece(board[square].symbol, square) for square in squares[:2])
