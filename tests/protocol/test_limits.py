"""From `go` to the engine's limits."""

from __future__ import annotations

import pytest

from chuhe.engine.values import Limits
from chuhe.protocol.commands import CommandError, Go
from chuhe.protocol.limits import limits_from_go


@pytest.mark.parametrize(
    ("go", "limits"),
    [
        (Go(), Limits(infinite=True)),
        (Go(infinite=True, depth=3), Limits(infinite=True, depth=3)),
        (Go(depth=7), Limits(depth=7)),
        (Go(depth=0), Limits(depth=1)),
        (Go(nodes=0), Limits(nodes=1)),
        (Go(mate=4), Limits(mate=4)),
        (Go(movetime=0), Limits(movetime=1)),
        (Go(time=0, increment=0), Limits(time=1)),
        (Go(time=500, movestogo=1), Limits(movetime=500)),
        (Go(time=500, movestogo=3), Limits(time=500, moves_to_go=3)),
        (Go(time=500, movestogo=0), Limits(time=500)),
        (
            Go(time=5, increment=1, opptime=4, oppincrement=2),
            Limits(time=5, increment=1, opponent_time=4, opponent_increment=2),
        ),
        (Go(ponder=True, time=500), Limits(ponder=True, time=500)),
        (Go(ponder=True), Limits(ponder=True, infinite=True)),
        (
            Go(wtime=9, btime=8, winc=1, binc=2),
            Limits(time=9, increment=1, opponent_time=8, opponent_increment=2),
        ),
    ],
)
def test_limits(go: Go, limits: Limits) -> None:
    assert limits_from_go(go) == limits


def test_blacks_clock() -> None:
    limits = limits_from_go(Go(wtime=9, btime=8, winc=1, binc=2, movestogo=5), red_to_move=False)
    assert limits == Limits(time=8, increment=2, opponent_time=9, opponent_increment=1, moves_to_go=5)


def test_the_opponents_clock_alone_is_no_limit() -> None:
    assert limits_from_go(Go(btime=8)).infinite


def test_seconds() -> None:
    go = Go(time=30, increment=2, opptime=20, oppincrement=1)
    limits = limits_from_go(go, milliseconds=False)
    assert limits == Limits(time=30000, increment=2000, opponent_time=20000, opponent_increment=1000)
    assert limits_from_go(Go(movetime=30), milliseconds=False) == Limits(movetime=30)


def test_mate_in_nothing() -> None:
    with pytest.raises(CommandError, match="mate"):
        limits_from_go(Go(mate=0))
