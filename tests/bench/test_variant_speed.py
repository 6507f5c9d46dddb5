"""`chuhe bench --variant`: the same nodes on every run, the same value with every setting."""

from __future__ import annotations

import pytest

from chuhe.bench.measuring.variant_speed import CHESS_POSITIONS, COMPARISONS, chess_nodes, compare
from chuhe.commands.bench import main
from chuhe.engine.values import OTHER_GAMES


def test_chess_node_counts_repeat() -> None:
    for fen in CHESS_POSITIONS[:3]:
        assert chess_nodes(fen, 5) == chess_nodes(fen, 5) > 0


@pytest.mark.parametrize("name", OTHER_GAMES)
def test_every_setting_comes_to_the_same_value_with_fewer_nodes(name: str) -> None:
    rows = [line.split() for line in compare(COMPARISONS[name])[2:]]
    assert len({row[-4] for row in rows}) == 1
    nodes = [int(row[-3]) for row in rows]
    assert nodes[0] > nodes[1] > nodes[2]
    assert all(int(row[-1]) > 0 for row in rows)  # nodes per second
    assert all(count < nodes[0] for count in nodes[1:])


def test_the_command_reaches_the_other_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--variant", "chess", "--depth", "3"]) == 0
    printed = capsys.readouterr().out
    assert "variant: chess" in printed
    assert "nps: " in printed
    assert "Squatter, 5x5" in printed


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("squatter --quiet", "--variant takes no other option, but --depth for chess"),
        ("draughts --depth 3", "--variant takes no other option, but --depth for chess"),
        ("chess --json", "--variant takes no other option, but --depth for chess"),
        ("chess --depth 61", "must be from 1 to 60, not 61"),
    ],
)
def test_what_another_game_does_not_take_is_named(line: str, named: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--variant", *line.split()])
    assert ended.value.code == 2
    assert named in capsys.readouterr().err
