"""Explain in words why a move is not legal, for users and logs.

The compiled core only says *that* a move is illegal. This module only explains it, and need not be fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine._core import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, RED, Move, Piece
from engine.points import ICCS_POINTS, PointNames
from engine.position import COLOUR_NAMES, KIND_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.position import Position


def piece_name(piece: Piece) -> str:
    return f"{COLOUR_NAMES[piece.colour].lower()} {KIND_NAMES[piece.kind]}"


def explain_illegal(position: Position, move: Move, points: PointNames = ICCS_POINTS) -> str:
    """Why `move` is not legal in `position`, with points named by `points`; empty if it is legal.

    >>> from engine import Position, Move
    >>> explain_illegal(Position(), Move.from_iccs("b0d1"))
    "the knight's leg is blocked by the red elephant on c0"
    >>> explain_illegal(Position(), Move.from_iccs("h2e2"))
    ''
    """
    if position.is_legal(move):
        return ""
    board = position.pieces()
    piece = board.get(move.from_square)
    if piece is None:
        return f"there is no piece on {points.point(move.from_square)}"
    if piece.colour != position.turn:
        mover = COLOUR_NAMES[position.turn]
        return f"the {piece_name(piece)} on {points.point(move.from_square)} cannot move: it is {mover}'s turn"
    if move.from_square == move.to_square:
        return "a move must lead to another point"
    target = board.get(move.to_square)
    if target is not None and target.colour == piece.colour:
        return f"{points.point(move.to_square)} is taken by the {piece_name(target)}, a piece of the same side"
    fault = _movement_fault(board, piece, move, points)
    return fault or _king_fault(board, piece, move, position.is_check(), points)


def _movement_fault(board: Mapping[int, Piece], piece: Piece, move: Move, points: PointNames = ICCS_POINTS) -> str:
    """What is wrong with the way the piece moves, ignoring the own king's safety; empty if nothing is."""
    start, end = move.from_square, move.to_square
    files, ranks = end % 9 - start % 9, end // 9 - start // 9
    steps = (abs(files), abs(ranks))
    if piece.kind == KING:
        return _palace_fault(piece, end, steps in ((0, 1), (1, 0)), "one point along a line")
    if piece.kind == ADVISOR:
        return _palace_fault(piece, end, steps == (1, 1), "one point diagonally")
    if piece.kind == BISHOP:
        return _elephant_fault(board, piece, move, steps == (2, 2), points)
    if piece.kind == KNIGHT:
        return _knight_fault(board, start, files, ranks, points)
    if piece.kind == PAWN:
        return _pawn_fault(piece, start, files, ranks)
    return _line_fault(board, piece, start, end, points)


def _palace_fault(piece: Piece, end: int, right_step: bool, step: str) -> str:
    name = KIND_NAMES[piece.kind]
    if not right_step:
        return f"the {name} moves {step} at a time"
    return "" if in_palace(piece.colour, end) else f"the {name} may not leave the palace"


def in_palace(colour: int, square: int) -> bool:
    rank = square // 9 if colour == RED else 9 - square // 9
    return 3 <= square % 9 <= 5 and rank <= 2


def across_river(colour: int, square: int) -> bool:
    """Is the square on the opponent's half?"""
    return square // 9 >= 5 if colour == RED else square // 9 <= 4


def _elephant_fault(board: Mapping[int, Piece], piece: Piece, move: Move, right_step: bool, points: PointNames) -> str:
    if not right_step:
        return "the elephant moves exactly two points diagonally"
    if across_river(piece.colour, move.to_square):
        return "the elephant may not cross the river"
    eye = (move.from_square + move.to_square) // 2
    if eye in board:
        return f"the elephant's eye is blocked by the {piece_name(board[eye])} on {points.point(eye)}"
    return ""


def _knight_fault(board: Mapping[int, Piece], start: int, files: int, ranks: int, points: PointNames) -> str:
    if (abs(files), abs(ranks)) == (1, 2):
        leg = start + 9 * (ranks // 2)
    elif (abs(files), abs(ranks)) == (2, 1):
        leg = start + files // 2
    else:
        return "the knight moves one point along a line and then one diagonally outward"
    if leg in board:
        return f"the knight's leg is blocked by the {piece_name(board[leg])} on {points.point(leg)}"
    return ""


def _pawn_fault(piece: Piece, start: int, files: int, ranks: int) -> str:
    forward = ranks if piece.colour == RED else -ranks
    if forward < 0:
        return "the pawn never moves back"
    if (abs(files), forward) not in ((0, 1), (1, 0)):
        return "the pawn moves one point at a time, forward or, across the river, sideways"
    if files and not across_river(piece.colour, start):
        return "the pawn moves sideways only after it has crossed the river"
    return ""


def between(start: int, end: int) -> range | None:
    """The squares strictly between two squares of one line; None if they are not on one line."""
    if start // 9 == end // 9:
        step = 1
    elif start % 9 == end % 9:
        step = 9
    else:
        return None
    low, high = min(start, end), max(start, end)
    return range(low + step, high, step)


def _line_fault(board: Mapping[int, Piece], piece: Piece, start: int, end: int, points: PointNames) -> str:
    name = KIND_NAMES[piece.kind]
    way = between(start, end)
    if way is None:
        return f"the {name} moves along a line"
    screens = [square for square in way if square in board]
    if piece.kind == CANNON and end in board:
        if len(screens) == 1:
            return ""
        return f"the cannon captures over exactly one piece, not {len(screens)}"
    if screens:
        blocker = screens[0] if start < end else screens[-1]
        return f"the {name} is blocked by the {piece_name(board[blocker])} on {points.point(blocker)}"
    return ""


def _attackers(board: Mapping[int, Piece], colour: int, square: int) -> list[int]:
    """The squares of the pieces of `colour` that could capture on `square` (ignoring facing kings)."""
    result = []
    for start, piece in board.items():
        if piece.colour == colour and start != square and not _movement_fault(board, piece, Move(start, square)):
            result.append(start)
    return result


def _king_fault(board: Mapping[int, Piece], piece: Piece, move: Move, in_check: bool, points: PointNames) -> str:
    """What the move would do to its own king."""
    after = dict(board)
    del after[move.from_square]
    after[move.to_square] = piece
    kings = {found.colour: square for square, found in after.items() if found.kind == KING}
    own, other = kings[piece.colour], kings.get(1 - piece.colour)
    if other is not None and own % 9 == other % 9:
        way = between(own, other)
        if way is not None and not any(square in after for square in way):
            return f"the two kings would face each other on {points.file(own)}"
    attackers = _attackers(after, 1 - piece.colour, own)
    if not attackers:
        return "the rules forbid it"
    attacker = attackers[0]
    verb = "would still be" if in_check else "would be"
    return f"the king {verb} in check from the {piece_name(after[attacker])} on {points.point(attacker)}"
