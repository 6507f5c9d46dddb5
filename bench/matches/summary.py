"""The summary of a match: as a table with Elo and SPRT, as JSON, and what to warn of."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from chuhe.bench.matches.engine_figures import EngineFigures, engine_figures
from chuhe.bench.matches.match_values import MatchSettings
from chuhe.bench.matches.standings import Standings
from chuhe.bench.statistics import signed
from chuhe.common.command_line import counted


def summary(standings: Standings, settings: MatchSettings) -> str:
    """The result as a table, with Elo and SPRT, followed by how the games ended."""
    lines = []
    if len(standings.names) > 2:
        lines.append(f"{'engine':<24} {'Elo':>7} {'±':>6} {'points':>8} {'games':>6}")
        for rating in standings.ratings():
            error = f"{rating.error:.0f}" if math.isfinite(rating.error) else "inf"
            lines.append(f"{rating.name:<24} {rating.elo:>+7.0f} {error:>6} {rating.points:>8g} {rating.games:>6}")
        lines.append("")
    for (first, second), tally in standings.tallies.items():
        estimate = tally.estimate()
        lines.append(
            f"{first} against {second}: +{tally.wins} ={tally.draws} -{tally.losses} of {tally.games}, "
            f"{estimate.score:.1%}"
        )
        normalized = tally.normalized_elo()
        known = f", nElo {normalized[0]:+.1f} ±{normalized[1]:.1f}" if normalized else ""
        lines.append(f"  {estimate}{known}, pairs {list(tally.pairs)}")
    if settings.sprt is not None:
        lines.append(f"  {settings.sprt.describe(standings.tally.pairs, len(standings.games) >= settings.games)}")
    for (reason, winner), count in standings.reasons.most_common():
        lines.append(f"  {count:>5}  {reason}" + ("" if winner == "draw" else f", {winner} wins"))
    figures = engine_figures(settings, standings.games)
    lines += [f"  {item}" for item in figures if item.moves]
    lines += [f"  warning: {text}" for text in warnings(standings, figures)]
    return "\n".join(lines)


def warnings(standings: Standings, figures: Sequence[EngineFigures]) -> list[str]:
    """Warnings about the engines and the runner that affect how to read the result."""
    late = [game.late for game in standings.games if game.late]
    runner = [f"the runner was late in {counted(len(late), 'game')}, by up to {max(late)} ms"] if late else []
    faults = [fault for game in standings.games for fault in game.faults]
    first = dict(reversed(faults))
    lines = [
        f"{name}: {counted(count, 'faulty line')}, the first in {first[name]}"
        for name, count in Counter(name for name, _ in faults).items()
    ]
    credit = [game.credit for game in standings.games if game.credit]
    if credit:
        runner.append(
            f"in {counted(len(credit), 'game')} a late move did not lose: its engine had waited for a processor,"
            f" up to {max(credit)} ms"
        )
    return [*standings.warnings, *(item.warning for item in figures if item.warning), *lines, *runner]


def pairings_json(standings: Standings) -> list[dict[str, Any]]:
    """For the page, which shows the numbers as they are."""
    pairings = []
    for (first, second), tally in standings.tallies.items():
        estimate = tally.estimate()
        pairings.append(
            {
                "engines": [first, second],
                "wins": tally.wins,
                "draws": tally.draws,
                "losses": tally.losses,
                "pairs": list(tally.pairs),
                "elo": signed(estimate.elo),
                "low": signed(estimate.low),
                "high": signed(estimate.high),
                "los": round(estimate.superiority, 4),
            }
        )
    return pairings


def _finite(elo: float) -> float | None:
    """JSON has no infinity."""
    return round(elo, 1) if math.isfinite(elo) else None


def summary_json(standings: Standings, settings: MatchSettings) -> dict[str, Any]:
    pairings = pairings_json(standings)
    for entry, tally in zip(pairings, standings.tallies.values(), strict=True):
        estimate = tally.estimate()
        entry.update(elo=_finite(estimate.elo), low=_finite(estimate.low), high=_finite(estimate.high))
    result: dict[str, Any] = {"name": settings.name, "games": len(standings.games), "pairings": pairings}
    result["reasons"] = [[reason, winner, count] for (reason, winner), count in standings.reasons.most_common()]
    figures = engine_figures(settings, standings.games)
    result["engines"] = [
        {
            "name": item.spec.name,
            "moves": item.moves,
            "milliseconds_per_move": item.time_per_move,
            "share_of_time": item.share,
            "milliseconds_to_spare": item.spare,
            "milliseconds_of_latency": item.lag,
            "depth": item.depth,
            "nodes_per_second": item.nodes_per_second,
        }
        for item in figures
    ]
    result["warnings"] = warnings(standings, figures)
    if settings.sprt is not None:
        ratio = settings.sprt.ratio(standings.tally.pairs)
        verdict: str = standings.sprt(settings.sprt)
        if verdict == "continue" and len(standings.games) >= settings.games:
            verdict = "undecided"
        result["sprt"] = {"llr": round(ratio, 4), "model": settings.sprt.model, "verdict": verdict}
    return result
