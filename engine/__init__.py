"""Chuhe's engine: the board, the law, notation, search and evaluation of xiangqi.

>>> from chuhe.engine import Position
>>> position = Position()
>>> position.push("炮二平五")
>>> len(position.legal_moves), [str(move) for move in position.legal_moves if position.is_capture(move)]
(45, ['b7b0'])
"""

from chuhe.engine._core import (
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
from chuhe.engine.colour import Colour
from chuhe.engine.engine import Engine
from chuhe.engine.errors import (
    AmbiguousMoveError,
    FenError,
    IllegalMoveError,
    InvalidMoveError,
    LimitError,
    NetworkError,
)
from chuhe.engine.position import SQUARES, Position, square, square_file, square_name, square_rank
from chuhe.engine.values import BestMove, Info, Law, Limits, Outcome, Reason, Score, Settings, TableEntry

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
    "SQUARES",
    "START_FEN",
    "AmbiguousMoveError",
    "BestMove",
    "Colour",
    "Engine",
    "FenError",
    "IllegalMoveError",
    "Info",
    "InvalidMoveError",
    "Law",
    "LimitError",
    "Limits",
    "Move",
    "NetworkError",
    "Outcome",
    "Piece",
    "Position",
    "Reason",
    "Score",
    "Settings",
    "TableEntry",
    "square",
    "square_file",
    "square_name",
    "square_rank",
]
