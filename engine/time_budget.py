"""Time management: from the clock to a soft limit (finish the iteration) and a hard one (stop at once)."""

from __future__ import annotations

from engine.values import Limits, Settings

MOVES_AHEAD = 40  # without a move count, plan for this many more moves
LEAST = 1  # milliseconds: a search always gets at least this


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
        return (per_move + main) * 9 // 10, min(usable, per_move + 3 * main)
    moves = min(limits.moves_to_go or MOVES_AHEAD, MOVES_AHEAD)
    total = max(LEAST, usable + (moves - 1) * (limits.increment - settings.overhead))
    soft = total // moves if limits.moves_to_go else total * 10 // (moves * 11) + limits.increment * 3 // 10
    if settings.ponder:
        soft = soft * 5 // 4
    soft = max(LEAST, min(soft, usable * 7 // 10))
    return soft, max(LEAST, min(soft * 9 // 2 + LEAST, usable * 8 // 10))
