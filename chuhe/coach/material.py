"""What pieces are worth to the coach, and whether a capture gains anything."""

from __future__ import annotations

from chuhe.engine._core import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, Move
from chuhe.engine.diagram import Pieces, attackers, moved, reaches
from chuhe.engine.position import Position

# in hundredths of a pawn; the core's exchange evaluation uses the same numbers
WORTH = {KING: 10_000, ADVISOR: 200, BISHOP: 200, KNIGHT: 400, ROOK: 900, CANNON: 450, PAWN: 120}
OFFICERS = (ROOK, KNIGHT, CANNON)
A_PIECE = WORTH[KNIGHT]


def balance(pieces: Pieces, colour: int) -> int:
    """The worth of a side's pieces less the worth of the other's."""
    return sum(WORTH[piece.kind] * (1 if piece.colour == colour else -1) for piece in pieces.values())


def gains(pieces: Pieces, attacker: int, target: int) -> bool:
    """Whether one piece attacks another and taking it gains: it is not protected, or worth more than the attacker."""
    if pieces[attacker].colour == pieces[target].colour or not reaches(pieces, attacker, target):
        return False
    if WORTH[pieces[target].kind] - WORTH[pieces[attacker].kind] >= 100:
        return True
    return not attackers(moved(pieces, Move(attacker, target)), pieces[target].colour, target)


def hangs(pieces: Pieces, target: int) -> bool:
    """Whether any piece gains by taking this one."""
    enemy = 1 - pieces[target].colour
    return any(gains(pieces, square, target) for square in attackers(pieces, enemy, target))


def exchange_value(position: Position, capture: Move) -> int:
    """What a legal capture gains if both sides go on taking on that square, least valuable first, while it pays.

    The core's exchange evaluation knows only the sign of this.
    """
    square = capture.to_square
    taken = position.piece_at(square)
    position.push(capture)
    back = [move for move in position.legal_moves if move.to_square == square]
    lost = 0
    if back:
        pieces = position.pieces()
        least = min(back, key=lambda move: WORTH[pieces[move.from_square].kind])
        lost = max(0, exchange_value(position, least))
    position.pop()
    return (WORTH[taken.kind] if taken else 0) - lost


def best_capture(position: Position) -> int:
    """What the best capture of the side to move gains; 0 if none does."""
    captures = [move for move in position.legal_moves if position.is_capture(move)]
    return max(0, max((exchange_value(position, move) for move in captures), default=0))


def settled_balance(position: Position, colour: int) -> int:
    """The balance after the best capture of the side to move.

    In check nothing is assumed about captures: the balance is what stands on the board.
    """
    best = 0 if position.is_check() else best_capture(position)
    return balance(position.pieces(), colour) + (best if position.turn == colour else -best)
