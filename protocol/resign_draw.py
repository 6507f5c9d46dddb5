"""When to resign, accept a draw or offer one, based on the scores of our own searches."""

from __future__ import annotations

from chuhe.engine.values import Score

RESIGN_AFTER = 3  # searches in a row
OFFER_AFTER = 8  # level searches in a row
OFFER_FROM_PLY = 100
LEVEL = 4  # centipawns either way
EVENTFUL_PLY = 20  # from this ply on, a draw may be agreed even without a capture
FULL_BOARD = 32  # pieces


def has_begun(ply: int, pieces: int) -> bool:
    """Has the game gone far enough for a draw offer to be accepted?

    >>> has_begun(0, 32), has_begun(6, 31), has_begun(40, 32)
    (False, True, True)
    """
    return ply >= EVENTFUL_PLY or pieces < FULL_BOARD


def accepts_draw(score: Score | None, ply: int, pieces: int, draw_score: int = 0) -> bool:
    """Is a draw worth at least as much as playing on? In a long game a slight advantage is none.

    >>> accepts_draw(Score(cp=-80), 24, 30), accepts_draw(Score(cp=3), 24, 30), accepts_draw(Score(cp=3), 120, 30)
    (True, False, True)
    """
    if score is None or not has_begun(ply, pieces):
        return False
    return score.as_centipawns() <= draw_score + (LEVEL if ply >= OFFER_FROM_PLY else 0)


class ResignDraw:
    """The scores of one game, from our side."""

    def __init__(self) -> None:
        self._scores: list[Score] = []

    def forget(self) -> None:
        """Start a new game."""
        self._scores.clear()

    def note(self, score: Score) -> None:
        self._scores.append(score)

    def resigns(self, threshold: int) -> bool:
        """Were the last searches all at or below minus `threshold` centipawns? (0: never)"""
        last = self._last(RESIGN_AFTER)
        return threshold > 0 and len(last) == RESIGN_AFTER and all(score <= -threshold for score in last)

    @property
    def last_score(self) -> Score | None:
        return self._scores[-1] if self._scores else None

    def _last(self, count: int) -> list[int]:
        return [score.as_centipawns() for score in self._scores[-count:]]

    def offers_draw(self, ply: int) -> bool:
        """Is the game long and has it stayed level?"""
        last = self._last(OFFER_AFTER)
        return ply >= OFFER_FROM_PLY and len(last) == OFFER_AFTER and all(abs(score) <= LEVEL for score in last)
