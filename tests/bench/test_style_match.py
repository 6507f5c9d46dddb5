"""The older programs and one of our levels, each with its own command, in one `chuhe match`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from paths import PYTHON

from chuhe.bench.matches.match_progress import MatchProgress
from chuhe.commands.match import main


def test_styles_meet_each_other_and_level_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chuhe = f"{PYTHON} -m chuhe"
    engines = [
        f"s0={chuhe} --style s0 --weights threat=5",
        f"s1={chuhe} --style s1 --quiet-order alike;protocol=ucci",
        f"level3={chuhe};option.level=3;option.hash=4",
    ]
    arguments = ["--depth", "2", "--games", "2", "--max-moves", "12", "--quiet", "--json", "--no-report"]
    assert main([*engines, *arguments, "--notation", "rows", "--output", str(tmp_path)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["games"] == 6
    assert {tuple(pairing["engines"]) for pairing in result["pairings"]} == {
        ("s0", "s1"),
        ("s0", "level3"),
        ("s1", "level3"),
    }
    assert not {reason for reason, _, _ in result["reasons"]} & MatchProgress.MISBEHAVIOUR
    games = "".join(path.read_text() for path in tmp_path.glob("*.pgn"))
    assert '[Format "Rows"]' in games
