"""Time controls and clocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chuhe.common.time_control import ControlError, SideClock, TimeControl, parse_control


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("10+0.1", TimeControl(base=10_000, increment=100)),
        ("40/60", TimeControl(base=60_000, moves=40)),
        ("300~30", TimeControl(base=300_000, byoyomi=30_000)),
        ("0~5", TimeControl(base=0, byoyomi=5_000)),
        ("movetime=100", TimeControl(movetime=100)),
        ("nodes=5000,depth=9", TimeControl(nodes=5000, depth=9)),
        ("5 , depth=3", TimeControl(base=5000, depth=3)),
    ],
)
def test_texts(text: str, control: TimeControl) -> None:
    assert parse_control(text) == control
    assert parse_control(str(control)) == control


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "10+",
        "1.2.3",
        "-5",
        "movetime=0",
        "movetime=1s",
        "depth=",
        "0",
        "5,movetime=10",
        "40/0",
        "0/60",
        "time=5",
    ],
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(ControlError):
        parse_control(text)


@given(
    st.builds(
        TimeControl,
        base=st.integers(1, 10**7),
        increment=st.integers(0, 10**5),
        moves=st.none() | st.integers(1, 100),
        byoyomi=st.integers(0, 10**5),
        nodes=st.none() | st.integers(1, 10**9),
    )
)
def test_every_control_survives_its_text(control: TimeControl) -> None:
    assert parse_control(str(control)) == control


def test_odds_scale_times_and_nodes() -> None:
    assert parse_control("10+0.1").scaled(0.5) == parse_control("5+0.05")
    assert parse_control("nodes=1000").scaled(2) == parse_control("nodes=2000")
    assert parse_control("depth=7").scaled(2) == parse_control("depth=7")


def test_increment_is_earned_by_the_move() -> None:
    clock = SideClock(parse_control("10+1"))
    clock.spend(4000)
    assert clock.left == 7000
    assert clock.allowance == 7000


def test_moves_in_time_are_added_at_the_control() -> None:
    clock = SideClock(parse_control("2/10"))
    assert clock.moves_to_go == 2
    clock.spend(3000)
    assert (clock.left, clock.moves_to_go) == (7000, 1)
    clock.spend(3000)
    assert (clock.left, clock.moves_to_go) == (14_000, 2)


def test_byoyomi_is_there_for_every_move_and_never_saved() -> None:
    clock = SideClock(parse_control("10~5"))
    assert clock.allowance == 15_000
    clock.spend(12_000)
    assert (clock.left, clock.allowance) == (0, 5000)
    clock.spend(1000)
    assert clock.allowance == 5000


def test_without_a_clock_there_is_no_allowance() -> None:
    assert SideClock(parse_control("nodes=5")).allowance is None
    assert SideClock(parse_control("movetime=50")).allowance == 50
