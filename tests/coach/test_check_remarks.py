"""The tool that lets another engine judge the coach's remarks: what it refutes, and what it remembers."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path

import pytest
from paths import ROOT

from chuhe.coach import PlacedPiece
from chuhe.coach.judgement import Judgement
from chuhe.coach.mistakes import Remark
from chuhe.engine import Move, Position, Score

_spec = importlib.util.spec_from_file_location("check_remarks", ROOT / "tests" / "tools" / "check_remarks.py")
assert _spec is not None
assert _spec.loader is not None
check_remarks = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = check_remarks  # dataclasses look their module up
_spec.loader.exec_module(check_remarks)

FEN = "3k5/9/9/9/n8/9/9/R8/9/4K4 b"  # a rook attacks a knight
PLAYED, BETTER, TAKES = (Move.from_iccs(text) for text in ("d9d8", "a5c6", "a2a5"))
JUDGEMENT = Judgement(1, Score(cp=-60), Score(cp=-220), (BETTER,), 9, False, (TAKES,))
KNIGHT = PlacedPiece("n", 45)
LEVEL, DOWN = Score(cp=0), Score(cp=-400)


class Fixed:
    """A referee that gives each position, by the moves before it, a score for the side that made the mistake."""

    def __init__(self, **scores: Score) -> None:
        self.scores = scores

    async def after(self, position: Position, moves: tuple[Move, ...]) -> tuple[Score, list[Move]]:
        return self.scores["_".join(move.iccs for move in moves)], []

    async def continued(self, position: Position, moves: tuple[Move, ...], line: list[Move]) -> list[Move]:
        return line


@pytest.mark.parametrize(
    ("code", "scores", "refuted"),
    [
        ("leaves", {"a5c6": LEVEL, "d9d8": DOWN, "d9d8_a2a5": DOWN}, ""),
        ("leaves", {"a5c6": LEVEL, "d9d8": LEVEL, "d9d8_a2a5": DOWN}, "is not better"),
        ("leaves", {"a5c6": Score(mate=3), "d9d8": Score(cp=1600), "d9d8_a2a5": DOWN}, "is not better"),
        ("leaves", {"a5c6": LEVEL, "d9d8": DOWN, "d9d8_a2a5": LEVEL}, "does not punish it"),
        ("allows_mate", {"a5c6": LEVEL, "d9d8": DOWN, "d9d8_a2a5": DOWN}, "no mate"),
        ("allows_mate", {"a5c6": LEVEL, "d9d8": Score(mate=-3), "d9d8_a2a5": Score(mate=-2)}, ""),
    ],
)
def test_a_remark_is_refuted_by_scores(code: str, scores: dict[str, Score], refuted: str) -> None:
    remark = Remark(code, (PLAYED, TAKES), (KNIGHT,), moves=3, shown=2)
    found = asyncio.run(check_remarks.refutation(Position(FEN), PLAYED, JUDGEMENT, remark, Fixed(**scores)))
    assert refuted in found
    assert bool(found) == bool(refuted)


@pytest.mark.parametrize(("rounds", "refuted"), [(2, ""), (1, "the law does not end the line")])
def test_the_law_alone_judges_a_repetition(rounds: int, refuted: str) -> None:
    cycle = tuple(Move.from_iccs(text) for text in "a0a1 e1e0 a1a0 e0e1".split()) * rounds  # Black checks for ever
    remark = Remark("repeats", cycle, shown=len(cycle))
    position = Position("3k5/9/9/9/9/9/9/9/4K4/r8 b")
    found = asyncio.run(check_remarks.refutation(position, cycle[0], JUDGEMENT, remark, Fixed()))
    assert refuted in found
    assert bool(found) == bool(refuted)


@pytest.mark.parametrize(("centipawns", "refuted"), [(-100, True), (0, False), (160, False), (400, True)])
def test_a_draw_is_held_unless_the_engine_wins_or_loses(centipawns: int, refuted: bool) -> None:
    remark = Remark("holds_draw", (BETTER,))
    referee = Fixed(a5c6=Score(cp=centipawns), d9d8=Score(cp=-900))
    found = asyncio.run(check_remarks.refutation(Position(FEN), PLAYED, JUDGEMENT, remark, referee))
    assert bool(found) == refuted


def test_an_interrupted_check_remembers(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    memory = check_remarks.Memory(path)
    memory.put("mate", Score(mate=-3), [PLAYED, TAKES])
    memory.put("level", Score(cp=12), [])
    memory.save()
    again = check_remarks.Memory(path)
    assert again.get("mate") == (Score(mate=-3), [PLAYED, TAKES])
    assert again.get("level") == (Score(cp=12), [])
    assert again.get("other") is None
