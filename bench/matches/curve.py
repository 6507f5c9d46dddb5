"""A point of the curve that `chuhe curve` prints: two engines at one number of nodes a move."""

from __future__ import annotations

from dataclasses import dataclass

from chuhe.bench.matches.match_values import Adjudication
from chuhe.bench.statistics import Tally

NODES = (20_000, 100_000, 500_000)
ADJUDICATION = Adjudication(draw_from=60, draw_moves=8, draw_score=8, resign_moves=4, resign_score=900)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The result at one number of nodes."""

    nodes: int
    tally: Tally

    def __str__(self) -> str:
        tally, estimate = self.tally, self.tally.estimate()
        games = f"+{tally.wins} ={tally.draws} -{tally.losses}"
        return f"{self.nodes:>9,} {tally.games:>6} {games:<16} {estimate.score:>6.1%}  {estimate}"
