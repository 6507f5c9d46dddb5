"""`chuhe bench --variant`: the same nodes on every run, the same value with every setting."""

from __future__ import annotations

import pytest

from chuhe.bench.measuring.speed import main
from chuhe.bench.measuring.variant_speed import CHESS_POSITIONS, COMPARISONS, chess_nodes, compare
from chuhe.engine.values import OTHER_GAMES


def test_chess_node_counts_repeat() -> None:
    for fen in CHESS_POSITIONS[:3]:
        assert chess_nodes(fen, 5) == chess_nodes(fen, 5) > 0


@pytest.mark.parametrize("name", OTHER_GAMES)
def test_every_setting_comes_to_the_same_value_with_fewer_nodes(name: str) -> None:
    rows = [line.split() for line in compare(COMPARISONS[name])[2:]]
    assert len({row[-3] for row in rows}) == 1
    nodes = [int(row[-2]) for row in rows]
    assert nodes[0] > nodes[1] > nodes[2]
    assert all(count < nodes[0] for count in nodes[1:])


def test_the_command_reaches_the_other_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--variant", "chess", "--depth", "3"]) == 0
    printed = capsys.readouterr().out
    assert "variant: chess" in printed
    assert "nps: " in printed
    assert "Squatter, 5x5" in printed
