"""Time management: from the clock to a soft limit (finish the iteration) and a hard one (stop at once)."""

from __future__ import annotations

from chuhe.engine.values import Limits, Settings

MOVES_AHEAD = 40  # without a move count, plan for this many more moves
LEAST = 1  # milliseconds: a search always gets at least this

# Shares, in percent
BYOYOMI_SOFT = 90  # of a byoyomi move's time: another iteration is not begun after this
BYOYOMI_MAIN = 300  # of the main time's share of a move: the most that a byoyomi move takes of it
PLANNED_MOVES = 110  # without a move count: plan for a few more moves than MOVES_AHEAD
INCREMENT_SOFT = 30  # of the increment, on top
PONDER_BONUS = 125  # a GUI that ponders gives back some of the time
HARD_PER_SOFT = 450  # how far one move may exceed its share …
MOST_SOFT, MOST_HARD = 70, 80  # … but of the time left never more than this


def allot(limits: Limits, settings: Settings) -> tuple[int, int]:
    """The soft and the hard limit in milliseconds; 0 means none.

    >>> allot(Limits(movetime=200), Settings(overhead=10))
    (0, 190)
    >>> allot(Limits(time=60_000, increment=500), Settings(overhead=30))
    (1929, 8681)
    """
    if limits.movetime is not None:
        return 0, max(LEAST, limits.movetime - settings.overhead)
    if limits.time is None:
        return 0, 0
    usable = max(LEAST, limits.time + limits.byoyomi - settings.overhead)
    if limits.moves_to_go == 1:
        return 0, usable  # how GUIs say: this much for this move
    if limits.byoyomi:
        per_move = max(LEAST, limits.byoyomi - settings.overhead)
        main = max(0, limits.time) // MOVES_AHEAD
        return _percent(per_move + main, BYOYOMI_SOFT), min(usable, per_move + _percent(main, BYOYOMI_MAIN))
    moves = min(limits.moves_to_go or MOVES_AHEAD, MOVES_AHEAD)
    total = max(LEAST, usable + (moves - 1) * (limits.increment - settings.overhead))
    if limits.moves_to_go:
        soft = total // moves
    else:
        soft = 100 * total // (PLANNED_MOVES * moves) + _percent(limits.increment, INCREMENT_SOFT)
    if settings.ponder:
        soft = _percent(soft, PONDER_BONUS)
    soft = max(LEAST, min(soft, _percent(usable, MOST_SOFT)))
    return soft, max(LEAST, min(_percent(soft, HARD_PER_SOFT) + LEAST, _percent(usable, MOST_HARD)))


def _percent(milliseconds: int, share: int) -> int:
    return milliseconds * share // 100
