"""CI's comparison of the node count with the last `Bench:` line of the history."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from paths import ROOT

pytestmark = pytest.mark.needs("git")


@pytest.fixture(scope="module")
def signature() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_signature", ROOT / "tests" / "tools" / "bench_signature.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def git(repository: Path, *arguments: str) -> None:
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    subprocess.run(["git", *arguments], cwd=repository, check=True, capture_output=True, env={**os.environ, **names})


@pytest.fixture
def history(tmp_path: Path) -> Path:
    repository = tmp_path / "history"
    repository.mkdir()
    git(repository, "init", "-q")
    for message in ("Begin\n\nBench: 100", "Search deeper\n\nBench: 250", "Mend a text\n\nNo functional change"):
        git(repository, "commit", "-q", "--allow-empty", "-m", message)
    return repository


def test_the_last_line_counts(signature: ModuleType, history: Path) -> None:
    assert signature.recorded(history) == 250
    git(history, "commit", "-q", "--allow-empty", "-m", "Speak of Bench: 9 only\n\nNo functional change")
    assert signature.recorded(history) == 250


def test_a_shallow_clone_fetches_its_history(signature: ModuleType, history: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{history}", "shallow")
    assert signature.recorded(tmp_path / "shallow") == 250


def test_no_line_and_another_count_are_faults(signature: ModuleType, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    assert signature.recorded(tmp_path) is None
    assert "cannot be compared" in signature.verdict(None, 250)
    assert "counts 251 nodes, but the last `Bench:` line of the history says 250" in signature.verdict(250, 251)
    assert signature.verdict(250, 250) == ""
