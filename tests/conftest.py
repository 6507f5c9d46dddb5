"""Keeps pytest's doctest collection away from the helpers beside the tests: some are engines that wait for input."""

from __future__ import annotations

from pathlib import Path

collect_ignore_glob = [
    "fixtures/*",
    *(path.name for path in Path(__file__).parent.glob("*.py") if not path.name.startswith(("test_", "conftest"))),
]
