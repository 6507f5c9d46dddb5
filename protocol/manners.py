"""When to resign, when to accept a draw and when to offer one: judged from the scores of our own searches."""

from __future__ import annotations

from engine.values import Score

RESIGN_AFTER = 3  # searches in a row
OFFER_AFTER = 8  # level searches in a row
OFFER_FROM_PLY = 100
LEVEL = 15  # centipawns either way
EVENTFUL_PLY = 20  # a game so old has begun, whatever has happened in it
FULL_BOARD = 32  # pieces


def has_begun(ply: int, pieces: int) -> bool:
    """Whether anything has happened in a game that a draw could be agreed about.

    >>> has_begun(0, 32), has_begun(6, 31), has_begun(40, 32)
    (False, True, True)
    """
    return ply >= EVENTFUL_PLY or pieces < FULL_BOARD


class Manners:
    """The scores of one game, from our side."""

    def __init__(self) -> None:
        self._scores: list[int] = []

    def forget(self) -> None:
        """Another game begins."""
        self._scores.clear()

    def note(self, score: Score) -> None:
        self._scores.append(score.as_centipawns())

    def resigns(self, threshold: int) -> bool:
        """Whether the last searches were all worse than minus `threshold` centipawns (0: never)."""
        last = self._scores[-RESIGN_AFTER:]
        return threshold > 0 and len(last) == RESIGN_AFTER and all(score <= -threshold for score in last)

    def accepts_draw(self, draw_score: int) -> bool:
        """Whether a draw is worth at least as much to us as playing on."""
        return bool(self._scores) and self._scores[-1] <= draw_score

    def offers_draw(self, ply: int) -> bool:
        """Whether the game is long and has stayed level."""
        last = self._scores[-OFFER_AFTER:]
        return ply >= OFFER_FROM_PLY and len(last) == OFFER_AFTER and all(abs(score) <= LEVEL for score in last)
