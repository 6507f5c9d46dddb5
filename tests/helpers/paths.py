"""Where the tests find things."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
PACKAGES = ("chuhe", "engine", "protocol", "bench", "play")
DATA = TESTS / "data"
FIXTURES = TESTS / "fixtures"
RUDE_ENGINE = TESTS / "helpers" / "rude_engine.py"
TOY_ENGINE = FIXTURES / "toy_engine.py"

# words of a command line; the path of a checkout may have spaces
PYTHON = shlex.quote(sys.executable)
TOY_COMMAND = shlex.join([sys.executable, str(TOY_ENGINE)])
RUDE_COMMAND = shlex.join([sys.executable, str(RUDE_ENGINE)])
