"""``chuhe analyze``: walks through a game and writes it back with scores, mistakes and better lines."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.arguments import Given
from bench.command_line import Parser, counted, seconds, whole_number
from bench.progress import Bar
from bench.score_plot import PLOT_SUFFIXES, check_plot
from engine import BestMove, Engine, Limits, Position, Settings
from engine.notation import NOTATIONS
from engine.pgn import GameRecord, RecordError
from engine.safe_files import check_output, marked
from play.files import WRITABLE, read_numbered, write_games
from play.judgement import Judgement, Known, Search, annotate, clamped, judge_game, summary
from play.plot import write_plot


def engine_search(engine: Engine, limits: Limits) -> Search:
    """A search by one engine that keeps its hash table for the whole game."""

    def search(position: Position) -> BestMove:
        engine.set_position(position)
        return engine.search(limits)

    return search


def table_words(engine: Engine) -> Known:
    """The endgame tables' verdict on a position, in words; empty if no table covers it."""

    def known(position: Position) -> str:
        verdict = engine.verdict(position)
        return verdict.words_for(position.turn) if verdict else ""

    return known


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="chuhe analyze", description="Annotate the games of a file: score per move, mistakes with the better line."
    )
    parser.add_argument("file", type=Path, help="a PGN, XQF, CBL, CBR or CBF file")
    parser.add_argument("--game", type=whole_number(1), metavar="N", help="only the Nth game of the file")
    parser.add_argument("--time", type=seconds(), default=1.0, metavar="SECONDS", help="time per move (default: 1)")
    parser.add_argument("--depth", type=whole_number(1), help="search depth per move, instead of a time")
    parser.add_argument("--nodes", type=whole_number(1, 2**62), help="nodes per move, instead of a time")
    parser.add_argument("--notation", choices=NOTATIONS, default="wxf", help="how moves are written (default: wxf)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="the annotated PGN (default: NAME.annotated.pgn)")
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="the score plot, .svg or .png (default: NAME.svg); for several games, a directory; none: no plot",
    )
    parser.add_argument("--force", action="store_true", help="replace files that chuhe analyze did not write")
    parser.add_argument("--hash", type=whole_number(1, 2**20), default=64, metavar="MB")
    parser.add_argument("--threads", type=whole_number(1, 1024), default=1)
    return parser


def _limits(options: argparse.Namespace) -> Limits:
    if options.depth or options.nodes:
        return Limits(depth=options.depth, nodes=options.nodes)
    return Limits(movetime=max(1, round(options.time * 1000)))


def plot_paths(given: str | None, output: Path, numbers: list[int]) -> list[Path | None]:
    """Where the plot of each game goes: one file for a single game, one directory for several."""
    if given == "none":
        return [None] * len(numbers)
    plain = output.with_suffix("").with_suffix("")
    path = Path(given) if given else plain.with_suffix(".svg" if len(numbers) == 1 else ".plots")
    if len(numbers) == 1 and not path.is_dir():
        return [path]
    ending = path.suffix if path.suffix.lower() in PLOT_SUFFIXES else ".svg"
    folder = path.with_suffix("") if path.suffix.lower() in PLOT_SUFFIXES else path
    return [folder / f"{plain.name}-{number}{ending}" for number in numbers]


def _check_places(output: Path, plots: list[Path | None], force: bool) -> None:
    """Raises ValueError before any search if an output cannot be written."""
    if output.suffix.lower() not in WRITABLE:
        raise RecordError(f"{output}: games are saved as {' or '.join(WRITABLE)} files")
    check_output(output, force=force, ours=marked('[Annotator "Chuhe"]'))
    for plot in filter(None, plots):
        folder = plot.parent
        if not folder.is_dir() and len(plots) > 1:
            if not folder.parent.is_dir():
                raise RecordError(f"{plot}: there is no directory {folder.parent}")
            folder.mkdir()
        check_plot(plot, force=force)


def main(arguments: list[str]) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.depth or options.nodes:
        Given(parser, arguments).refuse("time", "with --depth or --nodes, which replace it")
    output = options.output or options.file.with_suffix(".annotated.pgn")
    faults: list[RecordError] = []
    try:
        games = _chosen(options.file, options.game, faults)
        plots = plot_paths(options.plot, output, list(games))
        _check_places(output, plots, options.force)
        _analyze_all(games, output, plots, options)
    except (ValueError, OSError) as error:
        for text in (*faults, error):
            print(f"chuhe analyze: {text}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nstopped; the games that were finished are in {output}", file=sys.stderr)
        return 130
    for fault in faults:
        print(f"chuhe analyze: left out: {fault}", file=sys.stderr)
    return 1 if faults else 0


def _chosen(path: Path, number: int | None, faults: list[RecordError]) -> dict[int, GameRecord]:
    """The games to analyse, by their numbers in the file; errors of unreadable games are added to the faults."""
    games, bad = read_numbered(path)
    if number is None:
        faults += bad.values()
        return games
    if number in bad:
        raise bad[number]
    if number not in games:
        raise RecordError(f"{path} has {counted(len(games) + len(bad), 'game')}; there is no game {number}")
    return {number: games[number]}


def _analyze_all(
    games: dict[int, GameRecord], output: Path, plots: list[Path | None], options: argparse.Namespace
) -> None:
    """Every finished game is on disk before the next begins."""
    engine = Engine(Settings(hash_mb=options.hash, threads=options.threads))
    search = engine_search(engine, _limits(options))
    annotated: list[GameRecord] = []
    for (number, game), plot in zip(games.items(), plots, strict=True):
        bar = Bar(len(game.moves) + 1, f"positions of game {number} ({len(annotated) + 1}/{len(games)})")
        judgements = judge_game(game, search, bar.step, table_words(engine))
        bar.close()
        annotated.append(annotate(game, judgements))
        write_games(output, annotated, options.notation)
        title = " - ".join(game.tags.get(side, "?") for side in ("Red", "Black"))
        print(f"{title}  {game.result}\n{summary(judgements)}")
        if plot is not None:
            write_plot(plot, [clamped(judgement.for_red) for judgement in judgements], _faults(judgements), title)
            print(f"plot: {plot}")
    print(f"annotated: {output}")


def _faults(judgements: list[Judgement]) -> dict[int, str]:
    return {ply: judgement.grade[0] for ply, judgement in enumerate(judgements) if judgement.grade[0] in ("?", "??")}
