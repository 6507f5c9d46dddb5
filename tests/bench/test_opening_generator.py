"""Generated openings are legal, balanced, different, and the same for the same seed."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from chuhe.bench.matches.opening_generator import BalancedLine, OpeningRecipe, generate, identity
from chuhe.bench.matches.opening_reader import read_openings
from chuhe.commands.openings import main
from chuhe.engine import Position

QUICK = OpeningRecipe(plies=(4, 6), depth=1, nodes=2000, seed=3)


def found(recipe: OpeningRecipe, tries: int = 40) -> list[BalancedLine]:
    return [item for item in islice(generate(recipe), tries) if item is not None]


def test_lines_are_balanced_and_different() -> None:
    lines = found(QUICK)
    assert len(lines) >= 3
    keys = set()
    for line in lines:
        position = Position()
        for move in line.moves:
            position.push(move)
        keys.add(identity(position))
        assert 4 <= len(line.moves) <= 6
        assert abs(line.score) <= QUICK.balance
    assert len(keys) == len(lines)


def test_a_seed_gives_the_same_lines() -> None:
    assert found(QUICK, 6) == found(QUICK, 6)


def test_mirror_images_are_one_position() -> None:
    left, right = Position(), Position()
    left.push("b2e2")
    right.push("h2e2")
    assert left.fen() != right.fen()
    assert identity(left) == identity(right)


def test_the_command_writes_what_matches_read(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    assert main(["--count", "3", "--depth", "1", "--nodes", "1000", "--output", str(path)]) == 0
    assert len(read_openings(path)) == 3


def test_several_workers_write_the_same_file_and_a_stopped_run_is_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--depth", "1", "--nodes", "1000", "--output"]
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    assert main(["--count", "5", *flags, str(one)]) == 0
    assert main(["--count", "2", *flags, str(two)]) == 0
    assert main(["--count", "5", *flags, str(two), "--concurrency", "2"]) == 0
    assert one.read_bytes() == two.read_bytes()
    assert main(["--count", "5", *flags, str(two)]) == 0
    assert "has 5 openings already" in capsys.readouterr().err
    assert main(["--count", "1", "--seed", "2", *flags, str(two)]) == 0
    assert len(read_openings(two)) == 1


def test_nonsense_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--count", "0"])
    assert main(["--plies", "8", "6"]) == 2
    assert "MIN must be at most MAX" in capsys.readouterr().err


def test_the_shipped_openings_are_legal_and_many() -> None:
    openings = read_openings(None)
    assert len(openings) >= 100
    assert len({opening.moves for opening in openings}) == len(openings)
