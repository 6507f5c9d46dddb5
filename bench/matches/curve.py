"""`chuhe bench curve`: two engines at several numbers of nodes a move. Does the lead grow with a longer think, or melt?

Each number is a match of its own, with its own directory below the output; --resume continues all of them.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from chuhe.bench.matches.engine_text import ENGINE_HELP, distinct, engine_from_text
from chuhe.bench.matches.local import MatchError
from chuhe.bench.matches.match_values import Adjudication, MatchSettings
from chuhe.bench.matches.runner import run_match
from chuhe.bench.spread import add_cluster_options, workers_of
from chuhe.bench.statistics import Tally
from chuhe.common.command_line import Parser, report_fault, whole_number
from chuhe.common.time_control import TimeControl

NODES = (20_000, 100_000, 500_000)
ADJUDICATION = Adjudication(draw_from=60, draw_moves=8, draw_score=3, resign_moves=4, resign_score=300)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The result at one number of nodes."""

    nodes: int
    tally: Tally

    def __str__(self) -> str:
        tally, estimate = self.tally, self.tally.estimate()
        games = f"+{tally.wins} ={tally.draws} -{tally.losses}"
        return f"{self.nodes:>9,} {tally.games:>6} {games:<16} {estimate.score:>6.1%}  {estimate}"


def matches(options: argparse.Namespace) -> list[MatchSettings]:
    """One match for each number of nodes."""
    engines = distinct([engine_from_text(text) for text in (options.new, options.old)])
    name = "-".join(engine.name for engine in engines)
    return [
        MatchSettings(
            engines,
            TimeControl(nodes=nodes),
            games=options.games,
            openings=options.openings,
            concurrency=options.concurrency,
            adjudication=ADJUDICATION,
            name=f"{name}-{nodes}",
            output=f"{options.output or f'results/{name}'}/{nodes}",
            report=False,
        )
        for nodes in options.nodes
    ]


def parser() -> argparse.ArgumentParser:
    top = Parser(prog="chuhe bench curve", description=__doc__, epilog=ENGINE_HELP)
    top.add_argument("new", metavar="NEW", help="an engine; see below")
    top.add_argument("old", metavar="OLD", help="its opponent")
    top.add_argument("--nodes", type=whole_number(1), nargs="+", default=NODES, help="nodes per move")
    top.add_argument("--games", type=whole_number(2), default=100, help="at each number of nodes, an even number")
    top.add_argument("--openings", metavar="FILE", help="as for chuhe match (default the bundled set)")
    top.add_argument("--concurrency", type=whole_number(1), default=1, metavar="N", help="games at once")
    add_cluster_options(top)
    top.add_argument("--output", metavar="DIR", help="directory for results (default results/NEW-OLD)")
    top.add_argument("--resume", action="store_true", help="continue interrupted matches")
    return top


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        print(f"{'nodes':>9} {'games':>6} {'result':<16} {'score':>6}")
        for settings, nodes in zip(matches(options), options.nodes, strict=True):
            standings = run_match(settings, resume=options.resume, workers=workers_of(options))
            print(CurvePoint(nodes, standings.tally), flush=True)
    except (ValueError, MatchError) as error:
        return report_fault("bench curve", error)
    except KeyboardInterrupt:
        print("\nchuhe bench curve: interrupted; every finished game is kept, --resume continues", file=sys.stderr)
        return 130
    return 0
