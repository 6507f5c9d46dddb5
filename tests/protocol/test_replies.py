"""Parsing engines' replies."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chuhe.engine.values import Score
from chuhe.protocol.replies import parse_answer, parse_option, parse_report


def test_a_full_uci_line() -> None:
    report = parse_report(
        "info depth 12 seldepth 20 multipv 2 score mate -3 lowerbound wdl 1 2 997 nodes 5 nps 6 hashfull 7 tbhits 0"
        " time 8 pv h3e3 a10a9",
        "uci1",
    )
    assert report.score == Score(mate=-3)
    assert (report.bound, report.multipv, report.wdl) == ("lower", 2, (1, 2, 997))
    assert (report.nodes, report.nps, report.hashfull, report.time) == (5, 6, 7, 8)
    assert report.pv == ("h2e2", "a9a8")


def test_ucci_lines_in_the_wild() -> None:
    assert parse_report("info time 120 nodes 4000", "ucci").nodes == 4000
    assert parse_report("info depth 6 score 9997 pv b0c2", "ucci").score == Score(mate=2)
    assert parse_report("info depth 6 score cp 40 pv b0c2", "ucci").score == Score(cp=40)
    odd = parse_report("info depth 1_0 nodes ３ time 5", "uci")  # not how engines write numbers
    assert (odd.depth, odd.nodes, odd.time) == (None, None, 5)
    assert parse_report("info currmove h2e2", "ucci").currmove == "h2e2"
    assert parse_report("info message out of book", "ucci").text == "out of book"


def test_answers() -> None:
    assert parse_answer("info depth 3", "ucci") is None
    assert parse_answer("nobestmove", "ucci") is not None
    assert parse_answer("bestmove a10a9 ponder h3e3", "uci1") == parse_answer("bestmove a9a8 ponder h2e2", "uci")
    resigned = parse_answer("bestmove resign", "ucci")
    assert resigned is not None
    assert resigned.resign
    assert resigned.move is None
    answer = parse_answer("bestmove h2e2 ponder", "uci")
    assert answer is not None
    assert answer.ponder is None


def test_options_of_both_protocols() -> None:
    combo = parse_option("option name Analysis Contempt type combo default Both var Off var White Wins var Both")
    assert combo is not None
    assert combo.name == "Analysis Contempt"
    assert combo.choices == ("Off", "White Wins", "Both")
    spin = parse_option("option hashsize type spin min 0 max 1024 default 16")
    assert spin is not None
    assert (spin.name, spin.minimum, spin.maximum, spin.default) == ("hashsize", 0, 1024, "16")
    assert parse_option("id name Option type") is None


@given(st.text())
def test_no_line_is_too_strange(line: str) -> None:
    for start in ("", "info ", "bestmove ", "option "):
        parse_report(start + line, "uci1")
        parse_answer(start + line, "ucci")
        parse_option(start + line)
