"""Chuhe's engine: the board, the law, notation, search and evaluation of xiangqi.

>>> from engine import Position
>>> position = Position()
>>> position.push("炮二平五")
>>> len(position.legal_moves), [str(move) for move in position.legal_moves if position.is_capture(move)]
(45, ['b7b0'])
"""

from engine._core import (
    ADVISOR,
    BISHOP,
    BLACK,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    RED,
    ROOK,
    START_FEN,
    Move,
    Piece,
)
from engine.engine import Engine, Probe
from engine.errors import AmbiguousMoveError, FenError, IllegalMoveError, InvalidMoveError, LimitError
from engine.position import Position, square, square_name
from engine.values import BestMove, Info, Law, Limits, Outcome, Reason, Score, Settings

__all__ = [
    "ADVISOR",
    "BISHOP",
    "BLACK",
    "CANNON",
    "KING",
    "KNIGHT",
    "PAWN",
    "RED",
    "ROOK",
    "START_FEN",
    "AmbiguousMoveError",
    "BestMove",
    "Engine",
    "FenError",
    "IllegalMoveError",
    "Info",
    "InvalidMoveError",
    "Law",
    "LimitError",
    "Limits",
    "Move",
    "Outcome",
    "Piece",
    "Position",
    "Probe",
    "Reason",
    "Score",
    "Settings",
    "square",
    "square_name",
]
