"""Scores in words, lines of moves as text."""

from __future__ import annotations

from engine import Move, Position
from engine.notation import Notation, move_text
from engine.values import Score

_STEPS = ((40, "even"), (120, "slightly better"), (300, "better"), (700, "much better"))


def words_for_score(score: Score, turn: int) -> str:
    """A score for the side to move, as a sentence about Red and Black.

    >>> words_for_score(Score(cp=55), 1)
    'Black is slightly better, -0.55 for Red'
    >>> words_for_score(Score(mate=-3), 0), words_for_score(Score(cp=3), 0)
    ('Black mates in 3', 'even, +0.03 for Red')
    """
    for_red = score if turn == 0 else -score
    if score.mate is not None:
        winner = turn if score.mate > 0 else 1 - turn
        moves = abs(score.mate)
        return f"{('Red', 'Black')[winner]} mates in {moves}" if moves else f"{('Red', 'Black')[winner]} has mated"
    value = for_red.as_centipawns()
    size = next((word for limit, word in _STEPS if abs(value) < limit), "winning")
    number = f"{value / 100:+.2f} for Red"
    if size == "even":
        return f"even, {number}"
    return f"{'Red' if value > 0 else 'Black'} is {size}, {number}"


def line_text(position: Position, moves: tuple[Move, ...] | list[Move], style: Notation, limit: int = 12) -> str:
    """A line of moves as text, cut after `limit` moves or at the first illegal one.

    >>> moves = [Move.from_iccs(text) for text in ("h2e2", "h9g7", "a9a0")]
    >>> line_text(Position(), moves, "wxf"), line_text(Position(), moves, "iccs", 1)
    ('C2=5 H8+7', 'h2e2')
    """
    board = position.copy()
    words = []
    for move in moves[:limit]:
        if not board.is_legal(move):
            break
        words.append(move_text(board, move, style))
        board.push(move)
    return " ".join(words)
