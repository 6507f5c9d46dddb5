"""From a `go` command to the engine's `Limits`: the protocols' clocks, units and special cases. Pure."""

from __future__ import annotations

from chuhe.engine import Move
from chuhe.engine._core import DEEPEST
from chuhe.engine.values import Limits
from chuhe.protocol.commands import CommandError, Go

SECOND = 1000  # milliseconds


def limits_from_go(
    go: Go,
    *,
    red_to_move: bool = True,
    milliseconds: bool = True,
    search_moves: tuple[Move, ...] = (),
    ban_moves: tuple[Move, ...] = (),
) -> Limits:
    """The limits of a search. `milliseconds`: the unit of UCCI's clocks (UCI always uses milliseconds).

    >>> limits_from_go(Go(time=30, movestogo=1), milliseconds=False).movetime
    30000
    >>> limits_from_go(Go(wtime=5000, btime=3000, binc=50), red_to_move=False).time
    3000
    """
    if go.mate == 0:
        raise CommandError("go mate needs 1 or more")
    time, increment, opponent, opponent_increment = _clocks(go, red_to_move, 1 if milliseconds else SECOND)
    movetime, moves_to_go = go.movetime, go.movestogo or None
    if time is not None and moves_to_go == 1:  # how a UCCI GUI gives a time for this move
        movetime = time if movetime is None else min(movetime, time)
        time = moves_to_go = None
    limited = (go.depth, go.nodes, go.mate, movetime, time) != (None,) * 5
    return Limits(
        depth=None if go.depth is None else min(max(1, go.depth), DEEPEST),
        nodes=None if go.nodes is None else max(1, go.nodes),
        movetime=None if movetime is None else max(1, movetime),
        mate=None if go.mate is None else min(go.mate, DEEPEST),
        time=None if time is None else max(1, time),
        increment=increment,
        moves_to_go=moves_to_go,
        opponent_time=opponent,
        opponent_increment=opponent_increment,
        infinite=go.infinite or not limited,
        ponder=go.ponder,
        search_moves=search_moves,
        ban_moves=ban_moves,
    )


def _clocks(go: Go, red_to_move: bool, unit: int) -> tuple[int | None, int, int | None, int]:
    """Time and increment of the side to move and of the opponent, in milliseconds."""
    if go.time is not None:
        opponent = None if go.opptime is None else go.opptime * unit
        return go.time * unit, (go.increment or 0) * unit, opponent, (go.oppincrement or 0) * unit
    red, black = (go.wtime, go.winc or 0), (go.btime, go.binc or 0)
    mine, theirs = (red, black) if red_to_move else (black, red)
    return mine[0], mine[1], theirs[0], theirs[1]
