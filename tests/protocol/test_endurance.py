"""Short versions of the long runs: the engine survives bad input, and its memory does not grow."""

from __future__ import annotations

import pytest
from endurance import fuzz, fuzz_lines, memory


@pytest.mark.parametrize("seed", [1, 2])
def test_fuzz(seed: int) -> None:
    fuzz(2000, seed)


def test_the_fuzz_is_seeded_and_varied() -> None:
    lines = list(fuzz_lines(2000, 7))
    assert lines == list(fuzz_lines(2000, 7))
    assert len(set(lines)) > 1200
    assert any(line.startswith(b"go ") for line in lines)
    assert any(b"\xff" in line for line in lines)
    assert max(map(len, lines)) > 10_000


def test_memory_is_steady() -> None:
    sizes = memory(200, 2, seed=3)
    assert max(sizes[3:]) - sizes[2] < 6000  # kB; the larger of the two hash tables may come late
