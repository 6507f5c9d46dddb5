"""Depth by nodes, and what a ply costs."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from chuhe.bench.measuring.growth import Growth, depth_at, growth_positions, marks_up_to, mean_growth
from chuhe.commands.bench import main

ENDING = "3k5/9/9/9/9/9/9/9/4A4/4K3R w - - 0 1"


def test_depth_between_iterations_is_interpolated() -> None:
    iterations = [(1, 100), (2, 1_000), (3, 100_000)]
    assert depth_at(iterations, 1_000) == 2.0
    assert depth_at(iterations, 10_000) == pytest.approx(2.5)
    assert depth_at(iterations, 10**9) == 3.0  # the search ended earlier
    assert depth_at([], 100) == 0.0


def test_an_iteration_without_nodes_does_no_harm() -> None:
    assert depth_at([(1, 0), (2, 0), (3, 400)], 20) == pytest.approx(2.5)


def test_growth_is_the_factor_of_one_ply() -> None:
    search = [(depth, 2**depth) for depth in range(1, 21)]
    growth = mean_growth([search, search], (2**6, 2**12))
    assert growth.depths == pytest.approx((6.0, 12.0))
    assert growth.factor == pytest.approx(2.0)
    assert "growth per ply: 2.00" in str(growth)
    assert math.isinf(Growth((1, 2), (3.0, 3.0)).factor)


def test_the_positions_are_twelve() -> None:
    assert len({item.fen for item in growth_positions()}) == 12
    assert marks_up_to(64) == (1, 4, 16, 64)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    fens = tmp_path / "fens.txt"
    fens.write_text(f"{ENDING}\n")
    arguments = ["growth", "--nodes", "6400", "--fens", str(fens), "--hash", "1"]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert "6,400 nodes: depth " in text
    assert main([*arguments, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["marks"] == [100, 400, 1600, 6400]
    assert data["depths"] == sorted(data["depths"])
    assert main(["growth", "--fens", "/nowhere"]) == 2
    with pytest.raises(SystemExit, match="2"):
        main(["growth", "--depth", "3"])
