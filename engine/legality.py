"""Says why a move is not legal, for users and logs.

The compiled core only says *that* a move is illegal. This module only explains it, and need not be fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chuhe.engine._core import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, RED, Move, Piece
from chuhe.engine.diagram import across_river, attackers, between, in_palace, king_of, kings_face, knight_leg, moved
from chuhe.engine.position import side_name
from chuhe.text.message import File, Message, Point

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chuhe.engine.position import Position


def piece_name(piece: Piece) -> Message:
    """With its colour: ``red knight``."""
    return Message(f"piece.{piece.symbol}")


def kind_name(piece: Piece) -> Message:
    """Without its colour: ``knight``."""
    return Message(f"kind.{piece.symbol}")


def explain_illegal(position: Position, move: Move) -> Message | None:
    """Why `move` is not legal in `position`; None if it is legal.

    >>> from chuhe.engine import Position, Move
    >>> str(explain_illegal(Position(), Move.from_iccs("b0d1")))
    "the knight's leg is blocked by the red elephant on c0"
    >>> explain_illegal(Position(), Move.from_iccs("h2e2"))
    """
    if position.is_legal(move):
        return None
    board = position.pieces()
    piece = board.get(move.from_square)
    if piece is None:
        return Message("move.no-piece", point=Point(move.from_square))
    if piece.colour != position.turn:
        where, mover = Point(move.from_square), side_name(position.turn)
        return Message("move.not-your-turn", piece=piece_name(piece), point=where, side=mover)
    if move.from_square == move.to_square:
        return Message("move.same-point")
    target = board.get(move.to_square)
    if target is not None and target.colour == piece.colour:
        return Message("move.own-piece", piece=piece_name(target), point=Point(move.to_square))
    fault = _movement_fault(board, piece, move)
    return fault or _king_fault(board, piece, move, position.is_check())


def _movement_fault(board: Mapping[int, Piece], piece: Piece, move: Move) -> Message | None:
    """What is wrong with the way the piece moves, ignoring the own king's safety; None if nothing is."""
    start, end = move.from_square, move.to_square
    files, ranks = end % 9 - start % 9, end // 9 - start // 9
    steps = (abs(files), abs(ranks))
    if piece.kind == KING:
        stepped = steps in ((0, 1), (1, 0))
        return _palace_fault(piece, end, None if stepped else Message("move.king-step", kind=kind_name(piece)))
    if piece.kind == ADVISOR:
        stepped = steps == (1, 1)
        return _palace_fault(piece, end, None if stepped else Message("move.advisor-step", kind=kind_name(piece)))
    if piece.kind == BISHOP:
        return _elephant_fault(board, piece, move, steps == (2, 2))
    if piece.kind == KNIGHT:
        return _knight_fault(board, start, end)
    if piece.kind == PAWN:
        return _pawn_fault(piece, start, files, ranks)
    return _line_fault(board, piece, start, end)


def _palace_fault(piece: Piece, end: int, fault: Message | None) -> Message | None:
    if fault is not None or in_palace(end, piece.colour):
        return fault
    return Message("move.leaves-palace", kind=kind_name(piece))


def _elephant_fault(board: Mapping[int, Piece], piece: Piece, move: Move, right_step: bool) -> Message | None:
    if not right_step:
        return Message("move.elephant-step", kind=kind_name(piece))
    if across_river(move.to_square, piece.colour):
        return Message("move.elephant-river", kind=kind_name(piece))
    eye = (move.from_square + move.to_square) // 2
    if eye in board:
        return Message("move.elephant-eye", kind=kind_name(piece), blocker=piece_name(board[eye]), point=Point(eye))
    return None


def _knight_fault(board: Mapping[int, Piece], start: int, end: int) -> Message | None:
    leg = knight_leg(start, end)
    if leg is None:
        return Message("move.knight-step")
    if leg in board:
        return Message("move.knight-leg", blocker=piece_name(board[leg]), point=Point(leg))
    return None


def _pawn_fault(piece: Piece, start: int, files: int, ranks: int) -> Message | None:
    forward = ranks if piece.colour == RED else -ranks
    if forward < 0:
        return Message("move.pawn-back", kind=kind_name(piece))
    if (abs(files), forward) not in ((0, 1), (1, 0)):
        return Message("move.pawn-step", kind=kind_name(piece))
    if files and not across_river(start, piece.colour):
        return Message("move.pawn-sideways", kind=kind_name(piece))
    return None


def _line_fault(board: Mapping[int, Piece], piece: Piece, start: int, end: int) -> Message | None:
    screens = between(board, start, end)
    if screens is None:
        return Message("move.line", kind=kind_name(piece))
    if piece.kind == CANNON and end in board:
        if len(screens) == 1:
            return None
        return Message("move.cannon-screens", count=len(screens))
    if screens:
        blocker = Point(screens[0])
        return Message("move.blocked", kind=kind_name(piece), blocker=piece_name(board[screens[0]]), point=blocker)
    return None


def _king_fault(board: Mapping[int, Piece], piece: Piece, move: Move, in_check: bool) -> Message | None:
    """What the move would do to its own king."""
    after = moved(board, move)
    own = king_of(after, piece.colour)
    if kings_face(after):
        return Message("move.kings-would-face", file=File(own))
    attacking = attackers(after, 1 - piece.colour, own)
    if not attacking:
        return Message("move.forbidden")
    where, attacker, king = Point(attacking[0]), piece_name(after[attacking[0]]), kind_name(after[own])
    if in_check:
        return Message("move.still-in-check", kind=king, attacker=attacker, point=where)
    return Message("move.into-check", kind=king, attacker=attacker, point=where)
