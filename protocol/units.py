"""Scores and moves in the protocols' units: the only place for these conventions.

UCCI counts a minor piece as 100; to our network a knight is worth about 150 centipawns and a cannon about 180, on
average. UCCI scores cannot express a mate: as in other engines, it is 10000 minus
the plies to mate, with the sign of the winning side.
"""

from __future__ import annotations

from chuhe.engine.values import MATE_LIMIT, Score

CENTIPAWNS_PER_UCCI = 1.7
UCCI_MATE = 10_000
UCCI_MATE_FLOOR = UCCI_MATE - 2 * MATE_LIMIT  # a score beyond this is a mate


def score_to_ucci(score: Score) -> int:
    """The score as UCCI's one integer.

    >>> score_to_ucci(Score(cp=-170)), score_to_ucci(Score(mate=1)), score_to_ucci(Score(mate=-1))
    (-100, 9999, -9998)
    """
    if score.mate is not None:
        plies = 2 * score.mate - 1 if score.mate > 0 else -2 * score.mate
        plies = min(plies, 2 * MATE_LIMIT - 1)
        return UCCI_MATE - plies if score.mate > 0 else plies - UCCI_MATE
    value = int((score.cp or 0) / CENTIPAWNS_PER_UCCI)
    return max(-UCCI_MATE_FLOOR, min(UCCI_MATE_FLOOR, value))


def score_from_ucci(value: int) -> Score:
    """The inverse of `score_to_ucci`, except for rounding.

    >>> score_from_ucci(9999), score_from_ucci(-9998), score_from_ucci(25)
    (Score(mate=1), Score(mate=-1), Score(cp=42))
    """
    if value > UCCI_MATE_FLOOR:
        return Score(mate=max(1, (UCCI_MATE - value + 1) // 2))
    if value < -UCCI_MATE_FLOOR:
        return Score(mate=-((UCCI_MATE + value + 1) // 2))
    return Score(cp=round(value * CENTIPAWNS_PER_UCCI))


def shift_ranks(move: str, by: int) -> str:
    """A xiangqi move with its ranks counted from another number; any other text is returned unchanged.

    >>> shift_ranks("h2e2", 1), shift_ranks("a9a8", 1), shift_ranks("a10a9", -1), shift_ranks("(none)", 1)
    ('h3e3', 'a10a9', 'a9a8', '(none)')
    """
    start, end = _split_move(move)
    if not start or not end:
        return move
    return f"{start[0]}{int(start[1:]) + by}{end[0]}{int(end[1:]) + by}"


def _split_move(move: str) -> tuple[str, str]:
    """The two squares of a move text with ranks of one or two digits; empty strings if it is not a move."""
    for cut in (2, 3):
        start, end = move[:cut], move[cut:]
        if end and "a" <= end[0] <= "i" and "a" <= start[0] <= "i" and _is_rank(start[1:]) and _is_rank(end[1:]):
            return start, end
    return "", ""


def _is_rank(text: str) -> bool:
    return text in ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
