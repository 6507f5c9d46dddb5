"""The match report: tables and plots."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from toys import toy, toy_match

from chuhe.bench.matches.match_values import MatchGame, MatchMove, MatchSettings
from chuhe.bench.matches.report import evaluations, final_position, telling_game, write_report
from chuhe.bench.matches.standings import Standings
from chuhe.bench.statistics import Sprt
from chuhe.engine import START_FEN, Reason
from chuhe.engine.values import FinalResult


def game(number: int, result: FinalResult, moves: tuple[MatchMove, ...] = ()) -> MatchGame:
    pair, first = (number + 1) // 2, number % 2 == 1
    red, black = ("a<b>", "b") if first else ("b", "a<b>")
    return MatchGame(
        number, pair, red, black, pair % 3, START_FEN, ("h2e2",), moves, result, Reason.CHECKMATE, "", "", 1.0
    )


def played(settings: MatchSettings) -> Standings:
    standings = Standings([engine.name for engine in settings.engines], settings.format)
    curve = tuple(MatchMove("a0a1", 5, None, score) for score in ("-0.50", "+0.75", "#-2", None, "#3"))
    results: list[FinalResult] = ["1-0", "0-1", "1/2-1/2", "1-0", "1-0", "1/2-1/2", "0-1", "0-1"]
    for number, result in enumerate(results, 1):
        standings.add(game(number, result, curve if number == 1 else ()))
    return standings


def settings_for(tmp_path: Path) -> MatchSettings:
    return toy_match(tmp_path, toy("a<b>"), toy("b"), sprt=Sprt(0, 10), name="the <cup>")


def test_the_report_is_one_file_with_plots_inside(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    path = write_report(settings, played(settings), tmp_path)
    text = path.read_text(encoding="utf-8")
    assert text.count("<svg") == 3  # two plots and a board
    assert "The end of game 1" in text
    assert "the &lt;cup&gt;" in text
    assert "a<b>" not in text.replace("a&lt;b&gt;", "")
    assert "SPRT [0, 10]" in text
    assert "3: h2e2" in text
    for name in ("elo", "evaluations"):
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert ElementTree.parse(tmp_path / f"{name}.svg").getroot().tag.endswith("svg")


def test_without_matplotlib_there_are_tables_and_a_word_about_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    settings = settings_for(tmp_path)
    text = write_report(settings, played(settings), tmp_path).read_text(encoding="utf-8")
    assert text.count("<svg") == 1  # the board needs no library
    assert Reason.CHECKMATE in text
    assert "A plot needs matplotlib: " in capsys.readouterr().err


def test_evaluations_are_reds(tmp_path: Path) -> None:
    """After one opening move Black is to move, so the first score is Black's."""
    found = telling_game(played(settings_for(tmp_path)).games)
    assert found is not None
    assert evaluations(found) == {"a<b>": ([2.0], [0.75]), "b": ([1.5, 2.5, 3.5], [0.5, 10.0, -10.0])}


def test_the_last_position_is_that_before_an_illegal_move() -> None:
    moves = tuple(MatchMove(move, 5, None, None) for move in ("h9g7", "h0g2", "i9i0"))
    assert final_position(game(1, "1-0", moves)).fen().startswith("rnbakab1r/9/1c4nc1/")
    assert final_position(game(1, "1-0", moves)).ply == 3


def test_a_match_without_games_has_a_report(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    standings = Standings(["a<b>", "b"])
    assert write_report(settings, standings, tmp_path).exists()
