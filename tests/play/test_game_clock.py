import pytest
from hand_clock import HandClock

from chuhe.common.time_control import MINUTE, TimeControl
from chuhe.play.game_clock import GameClock, parse_clock


def test_a_move_costs_time_and_earns_the_increment() -> None:
    now = HandClock()
    clock = GameClock(TimeControl(60_000, 5_000), now)
    clock.start(0)
    now.seconds = 10
    assert clock.stocks() == (50_000, 60_000)
    clock.press()
    assert clock.stocks() == (55_000, 60_000)
    assert clock.running == 1


def test_time_runs_out_only_after_byoyomi() -> None:
    now = HandClock()
    clock = GameClock(TimeControl(1_000, byoyomi=30_000), now)
    clock.start(1)
    now.seconds = 20
    assert clock.flagged() is None
    now.seconds = 31.5
    assert clock.flagged() == 1


def test_used_up_stock_does_not_eat_the_next_byoyomi() -> None:
    now = HandClock()
    clock = GameClock(TimeControl(1_000, byoyomi=30_000), now)
    clock.start(0)
    now.seconds = 20
    clock.press()
    assert clock.remaining(0) == 0


def test_pause_and_restore() -> None:
    now = HandClock()
    clock = GameClock(TimeControl(60_000), now)
    clock.start(0)
    now.seconds = 5
    clock.pause()
    now.seconds = 50
    assert clock.stocks() == (55_000, 60_000)
    clock.restore(((60_000, 1), (42_000, 1)))
    assert clock.stocks() == (60_000, 42_000)
    assert str(clock) == "Red 1:00   Black 0:42"


@pytest.mark.parametrize("text", ["10+5", "20~30", "0.5", "3+2~10", "40/90"])
def test_a_control_reads_back(text: str) -> None:
    assert parse_clock(text).text(MINUTE) == text


@pytest.mark.parametrize("text", ["", "ten", "-5", "5+", "0", "1:30", "nodes=5", "10,depth=3"])
def test_a_bad_control_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="clock"):
        parse_clock(text)


def test_a_period_of_moves_earns_the_base_again_and_is_taken_back() -> None:
    now = HandClock()
    clock = GameClock(TimeControl(60_000, moves=2), now)
    clock.start(0)
    clock.press()
    clock.press()
    assert (clock.moves_to_go(0), clock.moves_to_go(1)) == (1, 1)
    saved = clock.save()
    now.seconds = 10
    clock.press()
    assert clock.stocks() == (110_000, 60_000)
    clock.restore(saved)
    assert (clock.stocks(), clock.moves_to_go(0)) == ((60_000, 60_000), 1)
