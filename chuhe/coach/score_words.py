"""Scores in words, lines of moves as text."""

from __future__ import annotations

from chuhe.engine import Move, Position
from chuhe.engine.notation import Notation, move_text
from chuhe.engine.position import side_name
from chuhe.engine.values import Score
from chuhe.text.message import Message

_STEPS = ((12, "even"), (35, "slightly-better"), (80, "better"), (170, "much-better"))


def score_for_red(score: Score, turn: int) -> Message:
    """A score for the side to move, with its point of view.

    >>> str(score_for_red(Score(cp=55), 1)), str(score_for_red(Score(mate=-3), 0))
    ('-0.55 for Red', 'Black mates in 3')
    """
    if score.mate is None:
        return Message("score.for-red", score=f"{(score if turn == 0 else -score).as_centipawns() / 100:+.2f}")
    winner = side_name(turn if score.mate > 0 else 1 - turn)
    if not score.mate:
        return Message("score.has-mated", side=winner)
    return Message("score.mates", side=winner, moves=abs(score.mate))


def words_for_score(score: Score, turn: int) -> Message:
    """A score for the side to move, as a sentence about Red and Black.

    >>> str(words_for_score(Score(cp=25), 1))
    'Black is slightly better, -0.25 for Red'
    >>> str(words_for_score(Score(mate=-3), 0)), str(words_for_score(Score(cp=3), 0))
    ('Black mates in 3', 'even, +0.03 for Red')
    """
    number = score_for_red(score, turn)
    if score.mate is not None:
        return number
    value = (score if turn == 0 else -score).as_centipawns()
    size = next((word for limit, word in _STEPS if abs(value) < limit), "winning")
    if size == "even":
        return Message("score.even", score=number)
    return Message(f"score.{size}", side=side_name(0 if value > 0 else 1), score=number)


def line_text(position: Position, moves: tuple[Move, ...] | list[Move], notation: Notation, limit: int = 12) -> str:
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
        words.append(move_text(board, move, notation))
        board.push(move)
    return " ".join(words)
