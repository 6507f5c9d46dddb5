"""Mate problems: each is proven by a full-width search, and the engine must find that mate with its whole line."""

from __future__ import annotations

import pytest
from mate_prover import OutOfBudget, Prover
from paths import DATA

from chuhe.engine import Engine, Info, Limits, Move, Position, Score, Settings

PROBLEMS = [
    (int(length), fen)
    for length, fen, _ in (
        line.split("|")
        for line in (DATA / "mates.txt").read_text(encoding="ascii").splitlines()
        if not line.startswith("#")
    )
]
NODES = 3_000_000  # far more than any problem needs


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(Settings(hash_mb=16))


def ends_in_mate(fen: str, pv: tuple[Move, ...]) -> bool:
    position = Position(fen)
    for move in pv:
        position.push(move)
    return not position.legal_moves


def test_there_are_enough_problems_of_every_kind() -> None:
    assert len({fen for _, fen in PROBLEMS}) >= 40
    assert {length for length, _ in PROBLEMS} >= set(range(1, 9))
    assert {fen.split()[1] for _, fen in PROBLEMS} == {"w", "b"}
    for piece in "rncp":
        assert any(piece in fen.lower() for _, fen in PROBLEMS)


@pytest.mark.parametrize(("length", "fen"), PROBLEMS)
def test_the_length_is_proven(length: int, fen: str) -> None:
    assert Prover().mate_length(fen, length) == length


@pytest.mark.parametrize(("length", "fen"), PROBLEMS)
def test_the_engine_finds_exactly_this_mate(engine: Engine, length: int, fen: str) -> None:
    reports: list[Info] = []
    engine.new_game()
    engine.set_position(Position(fen))
    answer = engine.search(Limits(mate=length, nodes=NODES), reports.append)
    assert answer.score == Score(mate=length)
    assert len(answer.pv) == 2 * length - 1
    assert ends_in_mate(fen, answer.pv)
    for report in reports:
        if report.score.mate is not None and report.bound == "exact":
            mate = report.score.mate
            assert len(report.pv) == (2 * mate - 1 if mate > 0 else -2 * mate)
            assert ends_in_mate(fen, report.pv)


@pytest.mark.parametrize(("length", "fen"), [problem for problem in PROBLEMS if problem[0] <= 3])
def test_the_defender_sees_it_coming(engine: Engine, length: int, fen: str) -> None:
    """After the mating side's first move the other side is mated in one move less."""
    engine.new_game()
    engine.set_position(Position(fen))
    answer = engine.search(Limits(mate=length, nodes=NODES))
    assert answer.move is not None
    position = Position(fen)
    position.push(answer.move)
    engine.set_position(position)
    assert engine.search(Limits(depth=2 * length + 6)).score == Score(mate=1 - length)


# The prover itself


def test_the_prover_finds_no_mate_where_there_is_none() -> None:
    assert Prover().mate_length("4k4/9/9/9/9/9/9/9/4A4/4K4 w", 3) is None
    assert Prover().mate_length(Position().fen(), 1) is None


def test_the_prover_knows_stalemate() -> None:
    """Red takes Black's last move without giving check: Black is stalemated and has lost."""
    assert Prover().mate_length("3k5/9/4P4/9/9/9/9/9/9/4K4 w", 1) == 1


def test_the_prover_keeps_to_its_budget() -> None:
    with pytest.raises(OutOfBudget):
        Prover(budget=100).mate_length(Position().fen(), 3)
