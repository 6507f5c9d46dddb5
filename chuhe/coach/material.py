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


def settled_balance(position: Position, colour: int) -> int:
    """The balance after the best capture of the side to move, by the core's exchange evaluation.

    In check nothing is assumed about captures: the balance is what stands on the board.
    """
    best = 0
    if not position.is_check():
        best = max((position.see(move) for move in position.legal_moves if position.is_capture(move)), default=0)
    return balance(position.pieces(), colour) + (max(0, best) if position.turn == colour else -max(0, best))
