"""What the Makefile would do in a fresh clone, without doing it."""

import subprocess
from pathlib import Path

import pytest
from paths import ROOT


def planned(directory: Path, *words: str) -> str:
    command = ["make", "--dry-run", f"VENV={directory / 'venv'}", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("target", ["play", "serve"])
def test_a_game_installs_little_and_compiles_every_command(tmp_path: Path, target: str) -> None:
    plan = planned(tmp_path, target, "ARGS=--seed 1")
    assert '".[play]"' in plan
    assert ".[dev]" not in plan
    assert "CHUHE_ONLY=chuhe " in plan
    assert f"chuhe {target} --seed 1" in plan


@pytest.mark.parametrize("target", ["test", "browser", "lint", "debug"])
def test_developers_get_everything_once(tmp_path: Path, target: str) -> None:
    assert planned(tmp_path, target).count('".[dev]"') == 1


def test_a_development_install_serves_for_a_game(tmp_path: Path) -> None:
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv" / ".installed").touch()
    assert "pip" not in planned(tmp_path, "play")
    assert "pip" not in planned(tmp_path, "serve")
    assert "pip" not in planned(tmp_path, "test")


def test_the_debug_and_sanitizer_builds_are_what_their_tests_import() -> None:
    """`make debug` runs pytest inside its build's directory; the checkout on the path would come before it."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    paths = next(line for line in text.splitlines() if line.startswith("pythonpath"))
    assert '"."' not in paths
