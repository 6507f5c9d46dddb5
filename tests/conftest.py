"""Shared fixtures, and tests that need other programs. Tests see no endgame tables except those they request.

Also excludes the helper scripts from doctest collection: some are engines that wait for input.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections import Counter
from pathlib import Path

import hypothesis
import pytest

collect_ignore_glob = ["fixtures/*", "helpers/*", "tools/*"]

os.environ["CHUHE_TABLES"] = os.devnull  # tests must not use tables that this machine's user has built
os.environ["LC_ALL"] = "C.UTF-8"  # the tests read English, whatever this machine speaks
for name in ("LINES", "COLUMNS"):  # a terminal has the size that its test gives it
    os.environ.pop(name, None)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that ran us in the background has ignored Ctrl-C
os.environ["PATH"] += os.pathsep + "/usr/games"  # where Debian installs games
# the same examples everywhere, however slow the machine
slow_or_shared = [hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.function_scoped_fixture]
hypothesis.settings.register_profile("chuhe", deadline=None, derandomize=True, suppress_health_check=slow_or_shared)
hypothesis.settings.load_profile("chuhe")

# the programs of Debian's packages, for `@pytest.mark.needs`, where they have other names
PROGRAMS = {"chromium": ("chromium", "chromium-browser", "google-chrome"), "xvfb": ("Xvfb",)}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is not installed; where CI is set it fails, so that nothing is skipped unnoticed."""
    for name in (name for mark in item.iter_markers("needs") for name in mark.args):
        if not any(map(shutil.which, PROGRAMS.get(name, (name,)))):
            if os.environ.get("CI", "").lower() not in ("", "0", "false"):
                pytest.fail(f"Debian's {name} is not installed")
            pytest.skip(f"Debian's {name} is not installed")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = terminalreporter.stats.get("skipped", [])
    for reason, count in sorted(Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports).items()):
        terminalreporter.line(f"{count} {'test' if count == 1 else 'tests'} skipped: {reason}")


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a few endgame tables, built once per session."""
    from chuhe.engine.endgame.building import build, missing
    from chuhe.engine.endgame.material import Material

    directory = tmp_path_factory.mktemp("tables")
    endgames = [Material.parse(name) for name in ("KRKAABB", "KNKAA", "KPPKA", "KCAAKAA", "KCK", "KCKA", "KCKB")]
    build(directory, missing(directory, endgames), 2, lambda built: None)
    return directory
