"""A short, seeded part of the comparison with pyffish; tests/tools/oracle_long.py has the rest."""

from __future__ import annotations

import random
from itertools import islice

import oracle
import pytest
from oracle_classes import BINDING, PINNED, RETREAT, UNKNOWN, UNPROTECTED, classify

# Classes of positions in which pyffish deviates from the text of the law; docs/lab/compared.md explains each.
EXPLAINED = {
    PINNED: (
        oracle.Cycle("6b2/4n4/b4k3/2p6/p3p4/2P3p2/rN3CP1r/5K3/9/5AB2 b - - 0 1", ("a3a4", "f3f4", "a4a3", "f4f3")),
        "1/2-1/2",
        "0-1",
    ),
    UNPROTECTED: (
        oracle.Cycle(
            "3aka2r/5n3/b3b4/p1p1p3p/6p2/4P1P2/P1c2Rc2/B3B3N/R3K2C1/3r1A3 b - - 0 1", ("e9e8", "f3f1", "e8e9", "f1f3")
        ),
        "0-1",
        "1/2-1/2",
    ),
    RETREAT: (
        oracle.Cycle("9/4k4/4b4/8P/4n4/9/4R4/5K3/9/9 w - - 0 1", ("e3e1", "e5d3", "e1e3", "d3e5")),
        "1/2-1/2",
        "0-1",
    ),
    BINDING: (
        oracle.Cycle("9/4k4/9/4p4/5R3/9/r8/B2Ac4/9/4K4 w - - 0 1", ("f5e5", "a3e3", "e5f5", "e3a3")),
        "1/2-1/2",
        "1-0",
    ),
}


def test_moves_and_check_on_random_positions() -> None:
    positions = list(islice(oracle.random_positions(random.Random(2026)), 500))
    assert min(len(position.pieces()) for position in positions) <= 6, "deep endgames belong to the sample"
    assert any(position.is_check() for position in positions)
    assert not [difference for position in positions if (difference := oracle.moves_differ(position))]


def test_verdicts_on_random_cycles() -> None:
    verdicts = []
    differences = 0
    for cycle in islice(oracle.random_cycles(random.Random(13)), 400):
        ours, moves = oracle.our_verdict(cycle)
        theirs = oracle.their_verdict(cycle, moves)
        verdicts.append(ours)
        if ours != theirs:
            assert classify(cycle, ours, theirs) != UNKNOWN, (cycle, ours, theirs)
            differences += 1
    assert {"1-0", "0-1", "1/2-1/2"} <= set(verdicts), "every verdict belongs to the sample"
    assert differences <= 4, "the classes must stay rare, or they hide a fault of our own"


@pytest.mark.parametrize("name", EXPLAINED)
def test_explained_differences(name: str) -> None:
    cycle, expected, known_of_pyffish = EXPLAINED[name]
    ours, moves = oracle.our_verdict(cycle)
    assert ours == expected
    assert oracle.their_verdict(cycle, moves) == known_of_pyffish, "pyffish has changed its mind: docs/lab/compared.md"
    assert classify(cycle, ours, known_of_pyffish) == name
