"""What scores mean: the results of the games by score and by material, and the curves fitted to them.

The engine's win/draw/loss, its levels' resignation and the adjudication of matches rest on these numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from chuhe.bench.learning.records import BY_RULE, MATED, NO_FEATURE, RECURS, STRAY, Doubles, Records
from chuhe.engine._core import ADVISOR, BISHOP, CANNON, KNIGHT, PAWN, ROOK

STEP, LIMIT = 10, 4000  # centipawns: the bins; the outermost are open-ended
BINS = 2 * LIMIT // STEP + 1
LEAST = 1000  # positions, for a fit
WITHOUT_MEANING = MATED | BY_RULE | RECURS | STRAY  # flags of positions whose score or result is not the network's
MIDDLE = (40, 80)  # plies: about move 30
GIVEN_UP = (-1200, -1500, -2000, -2500, -3000)  # centipawns: the rows about resignation
MATERIALS = (
    "no attackers, one pawn",
    "one rook, no pawns, fewer than three guards against it",
    "one rook, no pawns, three or four guards against it",
    "one knight or cannon, no pawns",
    "two knights or cannons of one side, no pawns",
    "rook against rook, no pawns",
)
GUARDS_ENOUGH = 3


def materials_of(positions: Records) -> npt.NDArray[np.int64]:
    """The index of each position's material in `MATERIALS`; their number if it is none of them."""
    features = positions["features"]
    pieces = np.where(features == NO_FEATURE, -1, features // 90)
    counts = np.stack([np.count_nonzero(pieces == piece, axis=1) for piece in range(14)], axis=1)
    own, other = counts[:, :7], counts[:, 7:]
    both = own + other
    rooks, minors = both[:, ROOK], both[:, KNIGHT] + both[:, CANNON]
    bare = both[:, PAWN] == 0
    guards = np.where(own[:, ROOK] > 0, other[:, ADVISOR] + other[:, BISHOP], own[:, ADVISOR] + own[:, BISHOP])
    one_rook = bare & (rooks == 1) & (minors == 0)
    one_sided = (own[:, KNIGHT] + own[:, CANNON] == 0) | (other[:, KNIGHT] + other[:, CANNON] == 0)
    found = np.select(
        [
            (rooks + minors == 0) & (both[:, PAWN] == 1),
            one_rook & (guards < GUARDS_ENOUGH),
            one_rook & (guards >= GUARDS_ENOUGH),
            bare & (rooks == 0) & (minors == 1),
            bare & (rooks == 0) & (minors == 2) & one_sided,
            bare & (own[:, ROOK] == 1) & (other[:, ROOK] == 1) & (minors == 0),
        ],
        list(range(len(MATERIALS))),
        len(MATERIALS),
    )
    return found.astype(np.int64)


def bin_of(score: int) -> int:
    return (max(-LIMIT, min(LIMIT, score)) + LIMIT) // STEP


CENTRES: Doubles = np.linspace(-LIMIT, LIMIT, BINS) + STEP / 2


def _bins(positions: Records) -> npt.NDArray[np.int64]:
    return (np.clip(positions["score"].astype(np.int64), -LIMIT, LIMIT) + LIMIT) // STEP


@dataclass
class ScoreMeaning:
    """Positions by material, score and the mover's result (lost, drawn, won)."""

    counts: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((len(MATERIALS) + 1, BINS, 3), np.int64))

    middle: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((BINS, 3), np.int64))  # about move 30

    def add(self, positions: Records) -> None:
        meant = positions[positions["flags"] & WITHOUT_MEANING == 0]
        self._count(meant)
        plies = meant["ply"]
        about = meant[(plies >= MIDDLE[0]) & (plies < MIDDLE[1])]
        where = _bins(about) * 3 + about["result"]
        self.middle += np.bincount(where, minlength=self.middle.size).reshape(self.middle.shape)

    def _count(self, meant: Records) -> None:
        where = (materials_of(meant) * BINS + _bins(meant)) * 3 + meant["result"]
        self.counts += np.bincount(where, minlength=self.counts.size).reshape(self.counts.shape)

    def lost(self, score: int) -> tuple[int, float]:
        """Positions scored at or below this, and the share of them that the mover lost."""
        below = self.counts.sum(axis=0)[: bin_of(score) + 1].sum(axis=0)
        whole = int(below.sum())
        return whole, float(below[0] / whole) if whole else 0.0

    def slope(self, material: int | None = None) -> float:
        """The slope of the logistic curve that best maps scores to results, per centipawn."""
        from scipy import optimize

        counts = self.counts.sum(axis=0) if material is None else self.counts[material]
        seen, points = counts.sum(axis=1), counts @ np.array([0.0, 0.5, 1.0])

        def error(slope: float) -> float:
            expected = 1 / (1 + np.exp(-slope * CENTRES))
            # the square error, less the part that does not depend on the slope
            return float(np.sum(seen * expected**2 - 2 * points * expected) / seen.sum())

        return float(optimize.minimize_scalar(error, bounds=(0, 0.02), method="bounded").x)

    def win_draw_loss(self) -> tuple[float, float]:
        """Slope and draw width (centipawns) of the curves that make the results from about move 30 most likely.

        They are the two numbers of `chuhe.engine.score_scale`: half of the games are won at the width.
        """
        from scipy import optimize

        counts = self.middle if int(self.middle.sum()) >= LEAST else self.counts.sum(axis=0)

        def surprise(values: Doubles) -> float:
            slope, width = values[0] / 1000, values[1] * 100
            win, loss = (1 / (1 + np.exp(slope * (width - score))) for score in (CENTRES, -CENTRES))
            chances = np.stack([loss, 1 - win - loss, win], axis=1)
            return float(-np.sum(counts * np.log(np.maximum(chances, 1e-9))) / counts.sum())

        slope, width = optimize.minimize(surprise, np.array([3.0, 4.0]), method="Nelder-Mead").x
        return slope / 1000, width * 100

    def report(self) -> list[str]:
        """The lines of `chuhe data`; a fit needs enough positions."""
        whole = int(self.counts.sum())
        if whole < LEAST:
            return []
        slope, width = self.win_draw_loss()
        general = self.slope()
        lines = ["", "what a score means (without mates, repetitions and games with a random move to come)"]
        lines.append(f"  engine/score_scale.py: HALF_WON = {width:.0f}, SLOPE = {slope:.5f} (moves 20 to 40)")
        for score in GIVEN_UP:
            count, share = self.lost(score)
            if count:
                lines.append(f"  {score} or less: {share:.1%} lost of {count:,}")
        counts = {index: int(self.counts[index].sum()) for index in range(len(MATERIALS))}
        several = "; as a share of that with" if max(counts.values()) >= LEAST else ""
        lines.append(f"  slope of the expected result {general:.4f} per centipawn{several}")
        for index, name in enumerate(MATERIALS):
            if (count := counts[index]) >= LEAST:
                size = float(np.abs(CENTRES) @ self.counts[index].sum(axis=1) / count)
                lines.append(f"    {name}: {self.slope(index) / general:.2f} (scores {size:.0f} on average, {count:,})")
        return lines
