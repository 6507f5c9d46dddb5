"""Matches between the engines of tests/fixtures, for the tests of the match runner."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from paths import ROOT

from chuhe.bench.matches.match_values import EngineSpec, MatchSettings
from chuhe.common.time_control import TimeControl, parse_control

TOY = ROOT / "tests" / "fixtures" / "toy_engine.py"
OPENINGS = "h2e2 h9g7\nb2e2 b9c7\nc3c4 g6g5\nh0g2 h7e7\n"


def toy(
    name: str, behaviour: str = "good", seed: int = 1, after: int = 0, think: float = 0.0, **fields: Any
) -> EngineSpec:
    command = (sys.executable, str(TOY), behaviour, "--seed", str(seed), "--after", str(after), "--think", str(think))
    return EngineSpec(name, command, **fields)


def toy_match(
    directory: Path, *engines: EngineSpec, control: str | TimeControl = "nodes=100", **fields: Any
) -> MatchSettings:
    openings = directory / "openings.txt"
    openings.write_text(OPENINGS)
    fields.setdefault("openings", str(openings))
    fields.setdefault("output", str(directory / "out"))
    fields.setdefault("report", False)
    fields.setdefault("games", 4)
    if isinstance(control, str):
        control = parse_control(control)
    return MatchSettings(tuple(engines), control, **fields)
