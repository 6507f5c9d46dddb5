"""Two engines at several numbers of nodes."""

from __future__ import annotations

from pathlib import Path

import pytest
from paths import TOY_COMMAND

from chuhe.bench.matches.curve import main


def test_a_line_for_each_number_of_nodes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    toy = f"{TOY_COMMAND};protocol=uci"
    arguments = [f"new={toy}", f"old={toy}", "--nodes", "10", "20", "--games", "2", "--output", str(tmp_path)]
    assert main(arguments) == 0
    first, second = capsys.readouterr().out.splitlines()[1:]
    assert first.split()[:2] == ["10", "2"]
    assert second.split()[:2] == ["20", "2"]
    assert {path.name for path in tmp_path.iterdir()} == {"10", "20"}
    assert main(arguments) == 2  # played already
    assert main([*arguments, "--resume"]) == 0


def test_an_odd_number_of_games_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a=x", "b=y", "--games", "3"]) == 2
    assert capsys.readouterr().err.startswith("chuhe bench curve: ")
