"""The scripts in examples/ run, and print what they promise."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

GAMES = """[Red "a"]\n[Result "1-0"]\n
1. C2=5 {[%clk 0:09:58] [%eval 0.31] usual} H8+7! $10 2. H2+3 1-0\n
[Red "b"]\n[Result "0-1"]\n\n1. P7+1 P7+1 0-1\n"""

# script: a line that it prints; IN and OUT are files
CASES: dict[str, tuple[tuple[str, ...], str]] = {
    "any_engine": ((), "plays "),
    "best_lines": ((), " 1. "),
    "convert_notation": (("IN", "OUT"), "2 games"),
    "count_results": (("IN",), "1-0 1"),
    "draw_lines": (("OUT",), ""),
    "engine_game": ((), "1. "),
    "hanging_pieces": ((), "captures: "),
    "live_analysis": ((), "played: "),
    "mark_mistakes": ((), "??"),
    "opening_tree": (("IN",), "兵七进一 1"),
    "set_up_board": ((), "3k5/9/9/9/R8/9/9/9/9/4K4 w - - 0 1 "),
    "thinking_times": (("IN",), "C2=5\t598.0\t+0.31\t()\tusual"),
}


def test_every_example_is_run() -> None:
    assert sorted(path.stem for path in ROOT.glob("examples/*.py")) == sorted(CASES)


@pytest.mark.parametrize("name", CASES)
def test_an_example_runs(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = "picture.svg" if name == "draw_lines" else "out.pgn"
    files: dict[str, Any] = {"IN": tmp_path / "games.pgn", "OUT": tmp_path / out}
    files["IN"].write_text(GAMES, encoding="utf-8")
    arguments, line = CASES[name]
    runpy.run_path(str(ROOT / "examples" / f"{name}.py"))["main"](*(files[word] for word in arguments))
    assert line in capsys.readouterr().out
    if "OUT" in arguments:
        written = files["OUT"].read_text(encoding="utf-8")
        assert "<svg" in written or "炮二平五" in written
