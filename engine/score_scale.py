"""What a score means: the one place where the core's centipawns become those that people and programs see.

100 centipawns are the score at which a side wins half of its games from about move 30. `chuhe data` fits both numbers
to the self-play games of a network; a new bundled network needs them anew. The core keeps its own centipawns: so do
self-play, its files, the tuners and `engine/levels.py`.
"""

from __future__ import annotations

from math import exp

from chuhe.engine.values import Score

HALF_WON = 338  # the core's centipawns at which half of the games are won
SLOPE = 0.00259  # of the logistic curve of the games won, per centipawn of the core
BY_RULE = 20_000  # the core's scores beyond this are no evaluations: won or lost by the law of repetition …
RULE_SHOWN = 10_000  # … and shown as this, less the plies until then
_RULE = 28_000


def shown(value: int) -> int:
    """The core's centipawns as people and programs see them; mates are not among them.

    >>> shown(0), shown(-HALF_WON), shown(28_000 - 3)
    (0, -100, 9997)
    """
    if abs(value) > BY_RULE:
        plies = _RULE - abs(value)
        return RULE_SHOWN - plies if value > 0 else plies - RULE_SHOWN
    return round(100 * value / HALF_WON)


def of_core(centipawns: int) -> int:
    """The inverse of `shown`, but for rounding.

    >>> of_core(-100) == -HALF_WON
    True
    """
    return round(centipawns * HALF_WON / 100)


def win_draw_loss(score: Score) -> tuple[int, int, int]:
    """Win, draw and loss in thousandths.

    >>> win_draw_loss(Score(cp=100))[0], win_draw_loss(Score(mate=3))
    (500, (1000, 0, 0))
    """
    if score.mate is not None:
        return (1000, 0, 0) if score.mate > 0 else (0, 0, 1000)
    win, loss = (round(1000 * _won(cp)) for cp in (score.cp or 0, -(score.cp or 0)))
    return win, 1000 - win - loss, loss


def expected_points(score: Score) -> float:
    """Wins and half of the draws: 0 to 1.

    >>> expected_points(Score(cp=0)), expected_points(Score(mate=-2))
    (0.5, 0.0)
    """
    if score.mate is not None:
        return float(score.mate > 0)
    cp = score.cp or 0
    return (1 + _won(cp) - _won(-cp)) / 2


def _won(centipawns: int) -> float:
    return 1 / (1 + exp(SLOPE * HALF_WON * (1 - centipawns / 100)))
