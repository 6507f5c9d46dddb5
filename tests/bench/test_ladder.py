import pytest

from chuhe.bench.measuring.ladder import Rung, measure, starting_positions
from chuhe.bench.spread import Workers
from chuhe.commands.ladder import main
from chuhe.engine import Limits, Position


def test_a_rung_counts_draws_half() -> None:
    rung = Rung(3, wins=20, draws=10, losses=10)
    assert rung.percent == 62.5
    assert rung.as_it_should_be
    assert str(rung) == "level 3 against 2      +20 =10 -10   62.5 %"
    assert "outside 60-90 %" in str(Rung(3, 40, 0, 0))
    assert not Rung(3, 5, 0, 5).as_it_should_be


def test_a_won_position_is_won_with_either_colour() -> None:
    start = Position("3k5/9/R8/1R7/9/9/9/9/9/5K3 w")
    steps: list[None] = []
    (rung,) = measure([2], [start], Limits(depth=4), lambda: steps.append(None))
    assert (rung.level, rung.wins, rung.draws, rung.losses, len(steps)) == (2, 1, 0, 1, 2)


def test_several_workers_play_all_games() -> None:
    rungs = list(measure([9, 10], starting_positions(2), Limits(depth=1), lambda: None, Workers(2)))
    assert [(rung.level, rung.wins + rung.draws + rung.losses) for rung in rungs] == [(9, 4), (10, 4)]


def test_openings_are_spread_over_the_list() -> None:
    starts = starting_positions(5)
    assert len({start.fen() for start in starts}) == 5
    assert all(start.ply >= 4 for start in starts)


def test_the_command_plays_and_reports(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.bench.measuring.ladder.LOWEST", 0.0)  # whatever the two games bring
    monkeypatch.setattr("chuhe.bench.measuring.ladder.HIGHEST", 100.0)
    assert main(["--games", "2", "--levels", "2", "--time", "0.01"]) == 0
    assert "level 2 against 1" in capsys.readouterr().out


def test_a_level_out_of_bounds_is_an_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "chuhe.commands.ladder.measure", lambda levels, *rest: [Rung(level, 0, 0, 4) for level in levels]
    )
    assert main(["--games", "2", "--levels", "2"]) == 1


@pytest.mark.parametrize("arguments", [["--games", "3"], ["--games", "0"], ["--levels", "1"], ["--levels", "11"]])
def test_bad_options_are_named(arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
