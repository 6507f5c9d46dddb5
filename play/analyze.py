"""``chuhe analyze``: walks through a game and writes it back with scores, mistakes and better lines."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.progress import Bar
from engine import BestMove, Limits, Position, Settings
from engine.notation import NOTATIONS
from engine.pgn import GameRecord, RecordError
from play.files import read_games, write_games
from play.judgement import Judgement, Search, annotate, clamped, judge_game, summary
from play.plot import write_plot


def engine_search(limits: Limits, settings: Settings) -> Search:
    """A search by one engine that remembers what it has seen of the game."""
    from engine import Engine

    engine = Engine(settings)

    def search(position: Position) -> BestMove:
        engine.set_position(position)
        return engine.search(limits)

    return search


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="chuhe analyze", description="Annotate the games of a file: score per move, mistakes with the better line."
    )
    parser.add_argument("file", type=Path, help="a PGN, XQF, CBL, CBR or CBF file")
    parser.add_argument("--game", type=int, metavar="N", help="only the Nth game of the file")
    parser.add_argument("--time", type=float, default=1.0, metavar="SECONDS", help="per move (default: 1)")
    parser.add_argument("--depth", type=int, help="plies per move, instead of a time")
    parser.add_argument("--nodes", type=int, help="nodes per move, instead of a time")
    parser.add_argument("--notation", choices=NOTATIONS, default="wxf", help="how moves are written (default: wxf)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="the annotated PGN (default: NAME.annotated.pgn)")
    parser.add_argument("--plot", metavar="FILE", help="the score as .svg or .png (default: NAME.svg); none: no plot")
    parser.add_argument("--hash", type=int, default=64, metavar="MB")
    parser.add_argument("--threads", type=int, default=1)
    return parser


def _limits(options: argparse.Namespace) -> Limits:
    if options.depth or options.nodes:
        return Limits(depth=options.depth, nodes=options.nodes)
    return Limits(movetime=max(1, round(options.time * 1000)))


def _plot_path(options: argparse.Namespace, output: Path, number: int, count: int) -> Path | None:
    if options.plot == "none":
        return None
    path = Path(options.plot) if options.plot else output.with_suffix("").with_suffix(".svg")
    return path if count == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")


def main(arguments: list[str]) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.time <= 0 or (options.depth or 1) < 1 or (options.nodes or 1) < 1:
        parser.error("--time, --depth and --nodes must be above 0")
    output = options.output or options.file.with_suffix(".annotated.pgn")
    try:
        games = read_games(options.file)
        if options.game is not None:
            if not 1 <= options.game <= len(games):
                raise RecordError(f"{options.file} holds {len(games)} games, not a number {options.game}")
            games = [games[options.game - 1]]
        _analyze_all(games, output, options)
    except (ValueError, OSError) as error:
        print(f"chuhe analyze: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nstopped; the games that were finished are in {output}", file=sys.stderr)
        return 130
    return 0


def _analyze_all(games: list[GameRecord], output: Path, options: argparse.Namespace) -> None:
    """Every finished game is on disk before the next begins."""
    search = engine_search(_limits(options), Settings(hash_mb=options.hash, threads=options.threads))
    annotated: list[GameRecord] = []
    for number, game in enumerate(games, 1):
        bar = Bar(len(game.moves) + 1, f"positions of game {number}/{len(games)}")
        judgements = judge_game(game, search, bar.step)
        bar.close()
        annotated.append(annotate(game, judgements))
        write_games(output, annotated, options.notation)
        title = " - ".join(game.tags.get(side, "?") for side in ("Red", "Black"))
        print(f"{title}  {game.result}\n{summary(judgements)}")
        plot = _plot_path(options, output, number, len(games))
        if plot is not None:
            write_plot(plot, [clamped(judgement.for_red) for judgement in judgements], _faults(judgements), title)
            print(f"plot: {plot}")
    print(f"annotated: {output}")


def _faults(judgements: list[Judgement]) -> dict[int, str]:
    return {ply: judgement.grade[0] for ply, judgement in enumerate(judgements) if judgement.grade[0] in ("?", "??")}
