"""An engine in another process, from code that is not asyncio."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

import chuhe
from chuhe import Limits, Position


@pytest.fixture(scope="module")
def engine() -> Iterator[chuhe.ExternalEngine]:
    with chuhe.open_engine([sys.executable, "-m", "chuhe"], options={"OwnBook": False, "Hash": 2}) as engine:
        yield engine


def test_it_plays(engine: chuhe.ExternalEngine) -> None:
    position = Position()
    position.push("h2e2")
    found = engine.play(position, Limits(depth=4))
    assert found.move in position.legal_moves
    assert found.score is not None
    assert found.score.red() == -found.score
    assert engine.name.startswith("Chuhe")
    assert engine.options


def test_it_analyses_several_lines(engine: chuhe.ExternalEngine) -> None:
    assert [info.multipv for info in engine.analyse(Position(), Limits(depth=4), multipv=3)] == [1, 2, 3]
    assert len(engine.analyse(Position(), Limits(depth=3))) == 1


def test_an_analysis_can_be_left(engine: chuhe.ExternalEngine) -> None:
    with engine.analysis(Position()) as analysis:
        for info in analysis:
            if info.depth >= 3:
                break
    assert analysis.wait().move in Position().legal_moves
    with engine.analysis(Position()):
        pass  # stopped before it began
    assert engine.play(Position(), Limits(depth=2)).move is not None


def test_errors_arrive_where_the_call_is(engine: chuhe.ExternalEngine) -> None:
    with pytest.raises(chuhe.FenError):
        engine.play(Position.empty(), Limits(depth=1))
    with pytest.raises(chuhe.OptionError):
        engine.configure({"Colour of the board": "red"})
    with pytest.raises(chuhe.EngineStartError):
        chuhe.open_engine("no-such-engine-here")
    assert engine.play(Position(), Limits(depth=2)).move is not None


def test_a_closed_engine_says_so() -> None:
    with chuhe.open_engine([sys.executable, "-m", "chuhe"]) as engine:
        engine.close()
        with pytest.raises(chuhe.EngineDied, match="closed"):
            engine.play(Position(), Limits(depth=1))


@pytest.mark.needs("fairy-stockfish")
def test_another_engine() -> None:
    with chuhe.open_engine("fairy-stockfish") as engine:
        assert engine.play(Position(), Limits(depth=4)).move in Position().legal_moves
        assert len(engine.analyse(Position(), Limits(depth=4), multipv=2)) == 2
