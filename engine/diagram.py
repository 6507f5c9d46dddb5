"""Questions about pieces on squares, without a side to move: also for boards that no game can reach.

`Position` refuses a board on which the kings face each other or the wrong side is in check. The coach asks what would
be if a piece stood elsewhere, or not at all, and `legality` what an illegal move would do.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from chuhe.engine._core import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, RED, ROOK, Move, Piece
from chuhe.engine.errors import FenError
from chuhe.engine.position import Position, placement

Pieces = Mapping[int, Piece]

_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))


def moved(pieces: Pieces, move: Move) -> dict[int, Piece]:
    """The board after a move, whatever the rules say of it."""
    after = dict(pieces)
    after[move.to_square] = after.pop(move.from_square)
    return after


def without(pieces: Pieces, square: int) -> dict[int, Piece]:
    after = dict(pieces)
    del after[square]
    return after


def between(pieces: Container[int], first: int, second: int) -> list[int] | None:
    """The occupied squares between two squares of a line, from the first on; None if they share no line."""
    if first == second or (first % 9 != second % 9 and first // 9 != second // 9):
        return None
    step = (9 if first % 9 == second % 9 else 1) * (1 if second > first else -1)
    return [square for square in range(first + step, second, step) if square in pieces]


def left_line(move: Move, attacker: int, target: int) -> bool:
    """Whether a move left the line between two squares."""
    ends = ((move.from_square,), (move.to_square,))
    return [bool(between(end, attacker, target)) for end in ends] == [True, False]


def king_of(pieces: Pieces, colour: int) -> int:
    return next(square for square, piece in pieces.items() if piece.kind == KING and piece.colour == colour)


def kings_face(pieces: Pieces) -> bool:
    red, black = king_of(pieces, RED), king_of(pieces, 1 - RED)
    return red % 9 == black % 9 and not between(pieces, red, black)


def attackers(pieces: Pieces, colour: int, target: int) -> list[int]:
    """The squares of the pieces of a colour that could capture on the target. Facing kings do not count."""
    return [
        square
        for square, piece in pieces.items()
        if piece.colour == colour and square != target and reaches(pieces, square, target)
    ]


def reaches(pieces: Pieces, square: int, target: int) -> bool:
    """Whether the piece on a square could capture on the target, if an enemy stood there."""
    piece = pieces[square]
    files, ranks = target % 9 - square % 9, target // 9 - square // 9
    if piece.kind in (ROOK, CANNON):
        line = between(pieces, square, target)
        return line is not None and len(line) == (piece.kind == CANNON)
    if piece.kind == KNIGHT:
        leg = knight_leg(square, target)
        return leg is not None and leg not in pieces
    if piece.kind == PAWN:
        forward = 1 if piece.colour == RED else -1
        crossed = across_river(square, piece.colour)
        return (files, ranks) == (0, forward) or (crossed and ranks == 0 and abs(files) == 1)
    if piece.kind == KING:
        return (files, ranks) in _STRAIGHT and in_palace(target, piece.colour)
    if piece.kind == ADVISOR:
        return abs(files) == abs(ranks) == 1 and in_palace(target, piece.colour)
    eye = square + files // 2 + 9 * (ranks // 2)
    own_half = not across_river(target, piece.colour)
    return piece.kind == BISHOP and abs(files) == abs(ranks) == 2 and own_half and eye not in pieces


def knight_leg(square: int, target: int) -> int | None:
    """The point that must be free for a knight's move; None if it is no knight's move."""
    files, ranks = target % 9 - square % 9, target // 9 - square // 9
    if {abs(files), abs(ranks)} != {1, 2}:
        return None
    return square + (files // 2 if abs(files) == 2 else 9 * (ranks // 2))


def depth(square: int, colour: int) -> int:
    """How far a square is from a side's back rank, 0 to 9."""
    return square // 9 if colour == RED else 9 - square // 9


def across_river(square: int, colour: int) -> bool:
    return depth(square, colour) > 4


def in_palace(square: int, colour: int) -> bool:
    return 3 <= square % 9 <= 5 and depth(square, colour) <= 2


def steps_of_king(square: int, colour: int) -> list[int]:
    """The points of the palace that a king on this square could step to, occupied or not."""
    around = ((square % 9 + files, square // 9 + ranks) for files, ranks in _STRAIGHT)
    return [9 * rank + file for file, rank in around if 0 <= rank <= 9 and in_palace(9 * rank + file, colour)]


def position_of(pieces: Pieces, turn: int) -> Position | None:
    """The position with this board and this side to move; None if no game can have it."""
    try:
        return Position(f"{placement(pieces)} {'w' if turn == RED else 'b'}")
    except FenError:
        return None
