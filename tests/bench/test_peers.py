"""The side-by-side measurement, with toys as peers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from paths import TOY_COMMAND

from chuhe.bench.matches.opening_reader import OpeningError
from chuhe.bench.measuring.peers import OURS, Metric, as_text, plot, read_problems
from chuhe.commands.peers import main
from chuhe.engine import Position

QUICK = ["--rounds", "1", "--positions", "1", "--movetime", "20", "--perft", "2", "--problems", "2", "--growth", "640"]


def test_ratios_are_ours_over_theirs_or_the_other_way_round_for_times() -> None:
    more = Metric("search", "nodes/s", True, {OURS: [300, 100, 200], "peer": [100]})
    less = Metric("start", "ms", False, {OURS: [50], "peer": [100]})
    none = Metric("perft", "nodes/s", True, {OURS: [50]})
    assert more.ratio("peer") == 2.0
    assert less.ratio("peer") == 2.0
    assert none.ratio("peer") is None
    text = as_text([more, less, none], [OURS, "peer"])
    assert text.count("2.00") == 2
    assert text.splitlines()[3].endswith("-")


def test_a_whole_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "ratios.svg"
    peer = f"toy={TOY_COMMAND};protocol=uci"
    assert main([peer, *QUICK, "--json", "--plot", str(picture)]) == 0
    table = {line["metric"]: line for line in json.loads(capsys.readouterr().out)}
    assert len(table) == 11
    assert len(table["search"]["values"][OURS]) == 1
    assert table["search"]["ratio"]["toy"] > 0
    assert table["perft 2"]["median"]["toy"] is None  # the toy treats `go perft` as a search
    assert table["speed-up, 2 threads"]["median"]["toy"] is None
    assert table["depth, 640 nodes"]["median"][OURS] > table["depth, 10 nodes"]["median"][OURS] > 0
    assert "<svg" in picture.read_text()


def test_a_plot_without_any_ratio(tmp_path: Path) -> None:
    plot([Metric("perft", "nodes/s", True, {OURS: [50]})], [OURS, "peer"], tmp_path / "x.png")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_the_shipped_problems_are_positions_with_legal_answers() -> None:
    problems = read_problems()
    assert len(problems) >= 20
    assert all(problem.best[0] in map(str, Position(problem.fen).legal_moves) for problem in problems)


@pytest.mark.parametrize(
    "line", ["9/9 w bm a0a1;", "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "3k5/9/9/9/9/9/9/9/9/4K4 w bm a0a1;"]
)
def test_bad_problems_are_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "bad.epd"
    path.write_text(f"# problems\n{line}\n")
    with pytest.raises(OpeningError, match="line 2"):
        read_problems(path)


def test_what_is_wrong_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nowhere", *QUICK]) == 2
    assert "cannot run 'nowhere'" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["x", "--rounds", "0"])
    assert main(["a=x", "a=y"]) == 2
