"""What a move does on the board where no material changes: a short list of features that anybody can check there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chuhe.coach.exchange import EQUAL
from chuhe.coach.facts import PlacedPiece
from chuhe.coach.material import OFFICERS, exchange_value, gains, hangs
from chuhe.engine._core import CANNON, KING, KNIGHT, RED, ROOK, Move
from chuhe.engine.diagram import Pieces, attackers, knight_leg, moved
from chuhe.engine.position import Position

ROOM = {ROOK: 5, KNIGHT: 3}  # so many more moves are worth a word …
CRAMPED = {ROOK: 5, KNIGHT: 2}  # … to a piece that has no more than these
OPENING = 26  # pieces on the board
RIVER = 45  # Red's own half ends before this square
STARTS = {ROOK: (0, 8), KNIGHT: (1, 7), CANNON: (19, 25)}  # Red's squares at the start of the game


@dataclass(frozen=True, slots=True)
class Feature:
    """What the better move does and the other does not.

    code: "attacks" or "saves" (`pieces`), "frees" or "confines" (one piece: it has `count` moves instead of `other`),
    "takes" (one piece, at no loss), "develops" (one piece, in the opening).
    """

    code: str
    pieces: tuple[PlacedPiece, ...]
    count: int = 0
    other: int = 0


def improvements(position: Position, better_line: Sequence[Move], played_line: Sequence[Move]) -> Iterator[Feature]:
    """What the first move of the better of two lines does for its side, the most telling first.

    The moves of a piece are counted after the move and after the answer; both must differ by so much.
    """
    before, mover = position.pieces(), position.turn
    better, played = better_line[0], played_line[0]
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
        count, other = (_room(before, square, line[:1]) for line in (better_line, played_line))
        later, later_other = (_room(before, square, line[:2]) for line in (better_line, played_line))
        if count is None or other is None or later is None or later_other is None:
            continue
        if min(count, other) > CRAMPED[piece.kind]:
            continue
        if piece.colour == mover and min(count - other, later - later_other) >= least:
            yield Feature("frees", (PlacedPiece(piece.symbol, square),), count, other)
        elif piece.colour != mover and min(other - count, later_other - later) >= least:
            yield Feature("confines", (PlacedPiece(piece.symbol, square),), count, other)
    taken = before.get(better.to_square)
    if taken is not None and better.to_square != played.to_square and exchange_value(position, better) >= -EQUAL:
        yield Feature("takes", _placed(before, [better.to_square]))
    if len(before) >= OPENING and _develops(before, better) and not _develops(before, played):
        yield Feature("develops", _placed(before, [better.from_square]))


def leaves_back_rank(position: Position, move: Move) -> bool:
    """Whether a king that is not in check leaves the rank at its own edge while most pieces are on the board."""
    board = position.pieces()
    if len(board) < OPENING or board[move.from_square].kind != KING or position.is_check():
        return False
    return move.from_square // 9 in (0, 9) and move.to_square // 9 not in (0, 9)


def _develops(board: Pieces, move: Move) -> bool:
    """Whether an officer leaves its square of the start for another one of its own half."""
    piece = board[move.from_square]
    square = move.from_square if piece.colour == RED else 89 - move.from_square
    target = move.to_square if piece.colour == RED else 89 - move.to_square
    return square in STARTS.get(piece.kind, ()) and target < RIVER and move.to_square not in board


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


def _room(board: Pieces, square: int, moves: Sequence[Move]) -> int | None:
    """How many points the rook or knight on this square can go to after the moves; None if it is gone."""
    for move in moves:
        board = moved(board, move)
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
