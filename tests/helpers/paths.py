"""Where the tests find things."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
PACKAGES = ("chuhe", "engine", "protocol", "bench", "play")
DATA = TESTS / "data"
FIXTURES = TESTS / "fixtures"
RUDE_ENGINE = TESTS / "helpers" / "rude_engine.py"
TOY_ENGINE = FIXTURES / "toy_engine.py"
