"""How the engines of a match used their time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from toys import toy, toy_match

from chuhe.bench.matches.engine_figures import EngineFigures, engine_figures
from chuhe.bench.matches.match_values import EngineSpec, MatchGame, MatchMove, MatchSettings
from chuhe.bench.matches.report import html
from chuhe.bench.matches.standings import Standings
from chuhe.bench.matches.summary import summary, summary_json
from chuhe.common.time_control import parse_control
from chuhe.engine import START_FEN, Reason


def played(red_time: int, black_time: int, moves: int = 60, fen: str = START_FEN) -> MatchGame:
    """A game of `moves` moves by each side, with the given milliseconds per move."""
    times = (red_time, black_time) * moves
    records = tuple(MatchMove("a0a1", time, 900, "+0.10", 8 + ply % 2, 500 * time) for ply, time in enumerate(times))
    return MatchGame(1, 1, "a", "b", 0, fen, ("h2e2", "h9g7"), records, "1-0", Reason.CHECKMATE, "", "", 1.0)


def figures(settings: MatchSettings, *games: MatchGame) -> dict[str, EngineFigures]:
    return {item.spec.name: item for item in engine_figures(settings, games)}


def test_sums_and_means(tmp_path: Path) -> None:
    found = figures(toy_match(tmp_path, toy("a"), toy("b"), control="5+0.05"), played(100, 50))
    assert found["a"].moves == 60
    assert found["a"].time_per_move == 100
    assert found["a"].share == pytest.approx(6000 / 8000)
    assert found["b"].share == pytest.approx(3000 / 8000)
    assert (found["a"].depth, found["b"].depth) == (8, 9)
    assert found["a"].nodes_per_second == 500_000
    assert str(found["a"]) == (
        "a: 0.100 s per move, 75% of its time, at worst 1950 ms before its limit, depth 8.0, 500,000 nodes/s"
    )


def test_latency_is_what_the_engine_did_not_report(tmp_path: Path) -> None:
    game = played(100, 50, moves=2)
    late = [replace(move, lag=lag) for move, lag in zip(game.moves, (3, None, 8, None), strict=True)]
    found = figures(toy_match(tmp_path, toy("a"), toy("b"), control="5+0.05"), replace(game, moves=tuple(late)))
    assert (found["a"].lag, found["a"].worst_lag, found["b"].lag) == (5.5, 8, None)
    assert "latency 5.5 ms, 8 at most" in str(found["a"])
    assert "latency" not in str(found["b"])


def test_black_to_move_first(tmp_path: Path) -> None:
    game = played(100, 50, fen=START_FEN.replace(" w ", " b "))
    found = figures(toy_match(tmp_path, toy("a"), toy("b"), control="5+0.05"), game)
    assert found["b"].time_per_move == 100


@pytest.mark.parametrize(
    ("control", "least"),
    [("5+0.05", 15), ("60+0.6", 150), ("movetime=1000", 30), ("300~30", 1000), ("40/60", 80), ("0.1+0.01", 1)],
)
def test_an_engine_that_uses_a_small_part_of_its_time_is_told(tmp_path: Path, control: str, least: int) -> None:
    """Fairy-Stockfish used 15 ms per move at 5+0.05 when it was given seconds."""
    settings = toy_match(tmp_path, toy("a"), toy("b"), control=control)
    found = figures(settings, played(least, 12 * least))
    assert "a used" in found["a"].warning
    assert found["b"].warning == ""
    assert figures(settings, played(least, least, moves=2))["a"].warning == ""  # two moves are too few to judge


def test_the_slowest_move_against_its_limit(tmp_path: Path) -> None:
    settings = toy_match(tmp_path, toy("a"), toy("b"), control="movetime=100")
    found = figures(settings, played(97, 112))
    assert (found["a"].spare, found["b"].spare) == (3, -12)
    assert "at worst 12 ms over its limit" in str(found["b"])
    data = summary_json(Standings(["a", "b"]), settings)
    assert data["engines"][0]["milliseconds_to_spare"] is None


def test_odds_and_a_control_of_its_own(tmp_path: Path) -> None:
    settings = toy_match(tmp_path, toy("a", odds=0.1), toy("b", control=parse_control("50+0.5")), control="5+0.05")
    found = figures(settings, played(10, 1000))
    assert found["a"].share == pytest.approx(0.75)
    assert found["b"].share == pytest.approx(0.75)


@pytest.mark.parametrize("control", ["nodes=100", "depth=3", "10,depth=2"])
def test_without_a_clock_nothing_is_odd(tmp_path: Path, control: str) -> None:
    found = figures(toy_match(tmp_path, toy("a"), toy("b"), control=control), played(1, 1))
    assert found["a"].share is None
    assert found["a"].warning == ""
    assert figures(toy_match(tmp_path, toy("a"), toy("b")))["a"].time_per_move is None


@pytest.mark.parametrize(
    "spec", [toy("a", options=(("maxdepth", "3"),)), replace(toy("a"), command=("chuhe", "--style", "s0"))]
)
def test_an_engine_told_to_look_no_deeper_is_not_odd(tmp_path: Path, spec: EngineSpec) -> None:
    assert figures(toy_match(tmp_path, spec, toy("b"), control="5+0.05"), played(5, 5))["a"].warning == ""


def test_summary_and_report_tell_it(tmp_path: Path) -> None:
    options = (("Hash", "16"), ("Style", "<wild>"))
    settings = toy_match(tmp_path, toy("a", options=options), toy("b"), control="5+0.05")
    standings = Standings(["a", "b"])
    standings.warnings.append("a is a toy")
    standings.add(played(15, 100))
    text = summary(standings, settings)
    assert "  a: 0.015 s per move, 11% of its time" in text
    assert "  warning: a used 11.2% of its time" in text
    assert "  warning: a is a toy" in text
    data = summary_json(standings, settings)
    assert data["engines"][0]["share_of_time"] == pytest.approx(900 / 8000)
    assert len(data["warnings"]) == 2
    (pairing,) = data["pairings"]
    assert all(value is None or isinstance(value, float) for value in (pairing["elo"], pairing["low"], pairing["high"]))
    assert pairing["high"] is not None
    page = html(settings, standings, {})
    for part in ("Hash 16, Style &lt;wild&gt;", "<td>8.0</td>", "<td>500,000</td>", "<td>15</td>", "<td>11.2%</td>"):
        assert part in page
    assert "<strong>Warning:</strong> a used 11.2%" in page
    assert "<td>1</td><td>a</td><td>b</td><td>1-0</td><td>checkmate</td><td>61</td>" in page
