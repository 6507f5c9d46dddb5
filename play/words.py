"""Scores in words."""

from __future__ import annotations

from engine.values import Score

_STEPS = ((40, "even"), (120, "slightly better"), (300, "better"), (700, "much better"))


def words_for_score(score: Score, turn: int) -> str:
    """A score of the side to move, as a sentence about Red and Black.

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
