"""`chuhe bench`: the same nodes on every run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chuhe.bench.measuring.position_reader import PositionsError, read_positions
from chuhe.bench.measuring.speed import measure
from chuhe.commands.bench import main
from chuhe.engine import Limits
from chuhe.engine._core import vector_paths


def test_one_thread_searches_the_same_nodes_every_time() -> None:
    positions = read_positions()
    runs = [measure(positions, Limits(depth=5), 1, 4) for _ in range(2)]
    counts = [[item.nodes for item in run.positions] for run in runs]
    assert counts[0] == counts[1]
    assert runs[0].nodes == sum(counts[0]) > len(positions)


def test_a_position_is_searched_the_same_alone_and_after_others() -> None:
    """Every position gets an empty table, so their order does not matter."""
    positions = read_positions()
    whole = measure(positions, Limits(depth=5), 1, 4)
    alone = measure(positions[-1:], Limits(depth=5), 1, 4)
    assert alone.positions[0].nodes == whole.positions[-1].nodes


def test_the_positions_are_of_all_kinds() -> None:
    labels = [item.label for item in read_positions()]
    assert set(labels) == {"opening", "middlegame", "tactics", "quiet", "endgame"}
    assert len(labels) >= 20


def test_totals_come_last(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--depth", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[-3:]] == ["nodes", "time", "nps"]
    assert lines[0] == f"instructions: {vector_paths()[0]}"


def test_json_and_threads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    fens = tmp_path / "fens.txt"
    fens.write_text("# mine\n3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1\n")
    assert main(["--depth", "4", "--threads", "2", "--fens", str(fens), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [run["threads"] for run in data["runs"]] == [1, 2]
    assert data["nodes"] == data["runs"][0]["nodes"] > 0
    assert data["speedup_nps"] > 0


@pytest.mark.parametrize("arguments", [["--depth", "0"], ["--hash", "0"], ["--threads", "-1"]])
def test_nonsense_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert main(["--fens", "/nowhere"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("chuhe bench: ") for line in lines)


def test_a_bad_position_is_named(tmp_path: Path) -> None:
    path = tmp_path / "fens.txt"
    path.write_text("9/9 w\n")
    with pytest.raises(PositionsError, match="line 1"):
        read_positions(path)
