"""The lines that the client sends."""

from __future__ import annotations

import pytest

from chuhe.engine import Move
from chuhe.engine.values import Limits
from chuhe.protocol.replies import Dialect
from chuhe.protocol.requests import go_line, position_line, white_to_move


@pytest.mark.parametrize(
    ("limits", "dialect", "line"),
    [
        (Limits(), "ucci", "go infinite"),
        (Limits(), "uci", "go infinite"),
        (Limits(depth=5), "ucci", "go depth 5"),
        (Limits(depth=5, nodes=100), "uci", "go depth 5 nodes 100"),
        (Limits(time=60000, increment=100), "ucci", "go time 60000 increment 100"),
        (Limits(time=60000, moves_to_go=9), "ucci", "go time 60000 movestogo 9"),
        (
            Limits(time=9, opponent_time=7, opponent_increment=3),
            "ucci",
            "go time 9 increment 0 opptime 7 oppincrement 3",
        ),
        (Limits(time=9, moves_to_go=4), "uci", "go wtime 9 btime 9 winc 0 binc 0 movestogo 4"),
        (Limits(time=0, byoyomi=1000), "ucci", "go time 1000 increment 1000"),
        (Limits(time=9, ponder=True), "ucci", "go ponder time 9 increment 0"),
        (Limits(ponder=True), "uci", "go ponder infinite"),
        (Limits(mate=3), "uci", "go mate 3"),
        (Limits(depth=1, search_moves=(Move.from_iccs("a9a8"),)), "uci1", "go depth 1 searchmoves a10a9"),
    ],
)
def test_go(limits: Limits, dialect: Dialect, line: str) -> None:
    assert go_line(limits, dialect) == line


def test_seconds_leave_a_second_and_promise_no_gain_that_is_not_there() -> None:
    assert go_line(Limits(time=1900, increment=100), "ucci", milliseconds=False) == "go time 1 increment 0"


def test_a_draw_offer() -> None:
    assert go_line(Limits(depth=3), "ucci", draw_offered=True) == "go draw depth 3"


def test_who_moves() -> None:
    assert white_to_move(None, [])
    assert not white_to_move(None, ["h2e2"])
    assert white_to_move("4k4/9/9/9/9/9/9/9/9/4K4 b", ["e9e8"])


def test_position() -> None:
    assert position_line("X w", [], "ucci") == "position fen X w"
    assert position_line(None, ["a9a8", "h2e2"], "uci1") == "position startpos moves a10a9 h3e3"
