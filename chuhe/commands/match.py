"""`chuhe match`: engine against engine, any number of games."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from chuhe.bench.matches.config import ConfigError, read_matches
from chuhe.bench.matches.engine_text import ENGINE_HELP, distinct, engine_from_text
from chuhe.bench.matches.local import MatchError
from chuhe.bench.matches.match_progress import MatchProgress
from chuhe.bench.matches.match_values import MatchSettings
from chuhe.bench.matches.opening_reader import OpeningError
from chuhe.bench.matches.runner import run_match
from chuhe.bench.matches.store import StoreError
from chuhe.bench.matches.summary import summary, summary_json
from chuhe.bench.spread import add_cluster_options, workers_of
from chuhe.bench.statistics import ELO_MODELS, Sprt
from chuhe.common.command_line import Parser, fault_text, report_fault
from chuhe.common.time_control import TimeControl, parse_control
from chuhe.engine.notation import NOTATIONS
from chuhe.engine.values import REPETITION_LAWS

CONTROL_HELP = "[MOVES/]SECONDS[+INCREMENT][~BYOYOMI]: 10+0.1, 40/60, 300~30"


def parser() -> argparse.ArgumentParser:
    top = Parser(prog="chuhe match", description=__doc__, epilog=ENGINE_HELP)
    top.add_argument("--each", metavar="PROPERTIES", help="of all engines, unless one has its own")
    top.add_argument("engines", nargs="+", metavar="ENGINE", help="two or more engines, or one TOML file; see below")
    time = top.add_argument_group("time per move or game")
    time.add_argument("--tc", help=CONTROL_HELP)
    time.add_argument("--movetime", type=int, metavar="MS", help="milliseconds per move")
    time.add_argument("--nodes", type=int, help="nodes per move")
    time.add_argument("--depth", type=int, help="plies per move")
    time.add_argument(
        "--margin", type=int, metavar="MS", help="milliseconds that a move may be late before it loses (default 100)"
    )
    time.add_argument(
        "--hang", type=int, metavar="MS", help="milliseconds to wait for a move without a clock (default 60000)"
    )
    time.add_argument("--ponder", action="store_true", default=None, help="let engines think on the opponent's time")
    games = top.add_argument_group("games")
    games.add_argument("--games", type=int, help="per pairing, an even number (default 100)")
    games.add_argument("--openings", metavar="FILE", help="moves, FEN/EPD or PGN (default the bundled set)")
    games.add_argument("--order", choices=("random", "sequential"), help="of the openings (default random)")
    games.add_argument("--opening-plies", type=int, metavar="N", help="only the first N moves of an opening")
    games.add_argument("--opening-start", type=int, metavar="N", help="begin with the Nth opening (default 1)")
    games.add_argument("--seed", type=int, help="seed for the order (default 1)")
    games.add_argument(
        "--format", choices=("roundrobin", "gauntlet"), help="with more than two engines (default roundrobin)"
    )
    games.add_argument("--concurrency", type=int, metavar="N", help="games at once (default 1)")
    games.add_argument(
        "--affinity",
        type=int,
        nargs="?",
        const=1,
        metavar="N",
        help="bind each game's engines to N processors (1 if N is left out)",
    )
    add_cluster_options(games)
    ends = top.add_argument_group("ends")
    ends.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop when one hypothesis is clear")
    ends.add_argument(
        "--model", choices=ELO_MODELS, default=ELO_MODELS[0], help="SPRT: what ELO0 and ELO1 are (default normalized)"
    )
    ends.add_argument("--alpha", type=float, default=0.05, help="SPRT: risk of accepting wrongly")
    ends.add_argument("--beta", type=float, default=0.05, help="SPRT: risk of rejecting wrongly")
    ends.add_argument(
        "--draw",
        nargs=3,
        type=int,
        metavar=("FROM", "MOVES", "SCORE"),
        help="from full move FROM on, both scores within ±SCORE centipawns for MOVES moves: drawn",
    )
    ends.add_argument(
        "--resign",
        nargs=2,
        type=int,
        metavar=("MOVES", "SCORE"),
        help="both agree on a score beyond SCORE centipawns for MOVES moves: lost",
    )
    ends.add_argument("--resign-alone", action="store_true", help="--resign by the loser's score alone")
    ends.add_argument("--tables", action="store_true", help="what the installed endgame tables know is decided by them")
    ends.add_argument("--max-moves", type=int, metavar="N", help="drawn after N full moves")
    ends.add_argument("--law", choices=REPETITION_LAWS, help="how repetitions are judged (default wxf)")
    ends.add_argument(
        "--occurrences", type=int, help="occurrences of a position before the cycle is judged (default 3)"
    )
    ends.add_argument(
        "--move-limit", type=int, help="full moves without a capture before a draw; 0: no limit (default 60)"
    )
    output = top.add_argument_group("output")
    output.add_argument("--name", help="name of the match (default the engines' names)")
    output.add_argument("--output", metavar="DIR", help="directory for results, PGN and report (default results/NAME)")
    output.add_argument("--resume", action="store_true", help="continue the match in DIR")
    output.add_argument("--force", action="store_true", help="overwrite files in DIR that chuhe match did not write")
    output.add_argument("--notation", choices=NOTATIONS, help="move notation in the PGN (default iccs)")
    output.add_argument("--no-report", action="store_true", help="no HTML report and plots at the end")
    output.add_argument("--json", action="store_true", help="print the final standings as JSON")
    output.add_argument(
        "--live", action="store_true", help="show the running games move by move: chuhe serve --match DIR"
    )
    output.add_argument("--dialogue", action="store_true", help="keep what each engine is told and says: NAME-N.log")
    output.add_argument(
        "--check-lines", action="store_true", help="report illegal moves in lines, and mates that are none"
    )
    output.add_argument("--quiet", action="store_true", help="no progress")
    return top


def matches_from_options(options: argparse.Namespace) -> list[MatchSettings]:
    """The matches that the command line asks for; options override what a file says."""
    given: dict[str, Any] = {
        key: value
        for key in (
            "games",
            "openings",
            "order",
            "opening_plies",
            "opening_start",
            "affinity",
            "seed",
            "format",
            "concurrency",
            "ponder",
            "margin",
            "hang",
            "name",
            "output",
            "notation",
        )
        if (value := getattr(options, key)) is not None
    }
    for key in ("dialogue", "check_lines"):
        if getattr(options, key):
            given[key] = True
    if options.no_report:
        given["report"] = False
    if options.sprt:
        elo0, elo1 = options.sprt
        given["sprt"] = Sprt(elo0, elo1, options.alpha, options.beta, options.model)
    if len(options.engines) == 1:
        if not options.engines[0].endswith(".toml"):
            raise ConfigError("a match needs two engines or more, or one TOML file")
        matches = read_matches(options.engines[0])
        if len(matches) > 1 and "output" in given:
            base = given.pop("output")
            matches = [replace(match, output=f"{base}/{match.name}") for match in matches]
    else:
        engines = distinct([engine_from_text(text, options.each or "") for text in options.engines])
        control = _control(options)
        if control is None and any(engine.control is None for engine in engines):
            raise ConfigError("say how long to think: --tc, --movetime, --nodes or --depth")
        name = options.name or "-".join(engine.name for engine in engines)
        first = MatchSettings(
            engines, control or engines[0].control or TimeControl(depth=1), name=name, output=f"results/{name}"
        )
        matches = [first]
    return [_override(match, given, options) for match in matches]


def _control(options: argparse.Namespace) -> TimeControl | None:
    parts = [options.tc] if options.tc else []
    parts += [
        f"{key}={getattr(options, key)}" for key in ("movetime", "nodes", "depth") if getattr(options, key) is not None
    ]
    return parse_control(",".join(parts)) if parts else None


def _override(match: MatchSettings, given: dict[str, Any], options: argparse.Namespace) -> MatchSettings:
    adjudication: dict[str, Any] = {}
    if options.draw:
        adjudication.update(zip(("draw_from", "draw_moves", "draw_score"), options.draw, strict=True))
    if options.resign:
        adjudication.update(zip(("resign_moves", "resign_score"), options.resign, strict=True))
    adjudication.update({key: True for key in ("resign_alone", "tables") if getattr(options, key)})
    if options.max_moves is not None:
        adjudication["max_moves"] = options.max_moves
    law = {"repetition": options.law, "occurrences": options.occurrences, "move_limit": options.move_limit}
    control = _control(options)
    return replace(
        match,
        adjudication=replace(match.adjudication, **adjudication),
        law=replace(match.law, **{key: value for key, value in law.items() if value is not None}),
        control=match.control if control is None else control,
        **given,
    )


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        for settings in matches_from_options(options):
            run_one(settings, options)
    except (ConfigError, MatchError, OpeningError, StoreError, ValueError) as error:
        return report_fault("match", error)
    except OSError as error:
        print(f"chuhe match: {fault_text(error)}; --resume continues", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nchuhe match: interrupted; every finished game is kept, --resume continues", file=sys.stderr)
        return 130
    return 0


def run_one(settings: MatchSettings, options: argparse.Namespace) -> None:
    progress = None if options.quiet else MatchProgress()
    standings = run_match(
        settings,
        resume=options.resume,
        progress=progress,
        workers=workers_of(options),
        force=options.force,
        live=options.live,
    )
    if options.json:
        print(json.dumps(summary_json(standings, settings)))
    else:
        print(summary(standings, settings))
    if settings.report:
        from chuhe.bench.matches.report import write_report

        path = write_report(settings, standings, Path(settings.output))
        if not options.json:
            print(f"report: {path}")
