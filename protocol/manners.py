"""When to resign, accept a draw or offer one, based on the scores of our own searches."""

from __future__ import annotations

from engine.values import Score

RESIGN_AFTER = 3  # searches in a row
OFFER_AFTER = 8  # level searches in a row
OFFER_FROM_PLY = 100
LEVEL = 15  # centipawns either way
EVENTFUL_PLY = 20  # from this ply on, a draw may be agreed even without a capture
FULL_BOARD = 32  # pieces


def has_begun(ply: int, pieces: int) -> bool:
    """Has the game gone far enough for a draw offer to be accepted?

    >>> has_begun(0, 32), has_begun(6, 31), has_begun(40, 32)
    (False, True, True)
    """
    return ply >= EVENTFUL_PLY or pieces < FULL_BOARD


class Manners:
    """The scores of one game, from our side."""

    def __init__(self) -> None:
        self._scores: list[int] = []

    def forget(self) -> None:
        """Start a new game."""
        self._scores.clear()

    def note(self, score: Score) -> None:
        self._scores.append(score.as_centipawns())

    def resigns(self, threshold: int) -> bool:
        """Were the last searches all at or below minus `threshold` centipawns? (0: never)"""
        last = self._scores[-RESIGN_AFTER:]
        return threshold > 0 and len(last) == RESIGN_AFTER and all(score <= -threshold for score in last)

    def accepts_draw(self, draw_score: int) -> bool:
        """Is a draw worth at least as much as playing on?"""
        return bool(self._scores) and self._scores[-1] <= draw_score

    def offers_draw(self, ply: int) -> bool:
        """Is the game long and has it stayed level?"""
        last = self._scores[-OFFER_AFTER:]
        return ply >= OFFER_FROM_PLY and len(last) == OFFER_AFTER and all(abs(score) <= LEVEL for score in last)
