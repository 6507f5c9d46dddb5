"""What scores mean: material by kind, and the curves fitted to results."""

from __future__ import annotations

import numpy as np
import pytest
from game_data import block_of

from chuhe.bench.learning.game_format import Game
from chuhe.bench.learning.records import expand
from chuhe.bench.learning.score_meaning import CENTRES, LEAST, MATERIALS, ScoreMeaning, materials_of
from chuhe.bench.matches.match_values import Termination
from chuhe.engine import Position


def meaning_of(slope: float, width: float) -> ScoreMeaning:
    """Results exactly as two logistic curves have them, the same number of positions for each score."""
    win, loss = (1 / (1 + np.exp(slope * (width - score))) for score in (CENTRES, -CENTRES))
    meaning = ScoreMeaning()
    meaning.counts[-1] = np.rint(100_000 * np.stack([loss, 1 - win - loss, win], axis=1))
    return meaning


@pytest.mark.parametrize(("slope", "width"), [(0.0031, 441), (0.0022, 300)])
def test_the_fit_finds_the_curves(slope: float, width: int) -> None:
    found = meaning_of(slope, width).win_draw_loss()
    assert found == pytest.approx((slope, width), rel=0.01)


def test_a_material_that_is_drawn_has_a_small_slope() -> None:
    meaning = meaning_of(0.003, 400)
    meaning.counts[0, :, 1] = LEAST
    assert meaning.slope(0) < 1e-4 < meaning.slope(len(MATERIALS)) == pytest.approx(meaning.slope(), rel=0.1)
    assert any(line.lstrip().startswith(f"{MATERIALS[0]}: 0.00") for line in meaning.report())


def test_a_share_is_named_only_where_some_follow() -> None:
    meaning = ScoreMeaning()
    meaning.counts[:, 300:500] = LEAST // (600 * (len(MATERIALS) + 1)) + 1  # enough for all, not for any material
    assert meaning.report()[-1].endswith(" per centipawn")


def test_the_lost_share_is_of_the_scores_below() -> None:
    meaning = ScoreMeaning()
    for score, result in ((-2600, 0), (-1300, 0), (-1300, 1), (-1100, 2)):
        meaning.counts[-1, (score + 4000) // 10, result] += 1
    assert meaning.lost(-1200) == (3, 2 / 3)
    assert meaning.lost(-2500) == (1, 1.0)
    assert meaning.lost(-3900) == (0, 0.0)
    assert meaning.report() == []  # too few for a fit


@pytest.mark.parametrize(
    ("fen", "material"),
    [
        ("3k5/9/9/4P4/9/9/9/9/9/4K4 w", 0),
        ("3ak4/4a4/9/9/9/9/9/9/R8/4K4 w", 1),
        ("3akab2/9/4b4/9/9/9/9/9/R8/4K4 w", 2),
        ("3k5/r8/9/9/9/9/9/4B4/4A4/2BAK4 w", 2),
        ("3k5/9/9/4n4/9/9/9/9/9/4K4 w", 3),
        ("3k5/9/9/4N4/9/9/9/9/4C4/4K4 w", 4),
        ("3k5/9/9/4n4/9/9/9/9/4C4/4K4 w", 6),
        ("3k5/r8/9/9/9/9/9/9/R8/4K4 w", 5),
        ("3k5/r8/9/9/9/9/P8/9/R8/4K4 w", 6),
    ],
)
def test_material(fen: str, material: int) -> None:
    move = next(iter(Position(fen).legal_moves))
    positions, _ = expand(block_of(Game(1, "1-0", Termination.AGREED, (), ((move, 1),), fen=fen)))
    assert materials_of(positions).tolist() == [material]
