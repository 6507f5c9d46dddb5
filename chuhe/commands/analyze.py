"""``chuhe analyze``: walks through a game and writes it back with scores, mistakes and better lines."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from chuhe.bench.spread import Workers, add_worker_options, own_engine, spread, workers_of
from chuhe.coach.judgement import Judgement, Known, PositionSearch, annotate, clamped, judge_game, longer, summary
from chuhe.coach.practice.progress import OwnMistakes
from chuhe.coach.practice.puzzles import Puzzle
from chuhe.coach.practice.session import mistake_puzzle
from chuhe.common.command_line import Parser, add_resource_options, fault_text, seconds, whole_number
from chuhe.common.extras import needs
from chuhe.common.progress import Bar
from chuhe.common.score_plot import (
    PLOT_SUFFIXES,
    Curve,
    can_plot,
    check_plot,
    clipped,
    save_figure,
    score_figure,
)
from chuhe.engine import BestMove, Engine, Limits, Position, Settings
from chuhe.engine.engine import file_stamp
from chuhe.engine.notation import NOTATIONS, USUAL_NOTATION, Notation, language_of
from chuhe.files.writing import check_output, marked
from chuhe.records.files import check_writable, read_games, read_numbered, write_games
from chuhe.records.game_record import GameRecord, RecordError
from chuhe.records.openings import opening_of, with_opening
from chuhe.text.message import LANGUAGES, Language, Message
from chuhe.text.system_language import Speaker, take_language

MOST_PLOTS = 20  # of one file, unless --plot asks for them
SAVE_SHARE = 0.05  # of the time goes to writing the games that are finished


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the analysis of a game depends on besides the game."""

    settings: Settings
    limits: Limits
    notation: Notation
    language: Language
    practise: str | None  # the side whose mistakes are kept


@dataclass(frozen=True, slots=True)
class AnalyzedGame:
    """A game with its annotations, and what is said and drawn of it."""

    record: GameRecord
    text: str
    scores: list[int]  # centipawns for Red
    faults: dict[int, str]  # marks by ply
    mistakes: list[Puzzle]


def engine_search(engine: Engine, limits: Limits) -> PositionSearch:
    """A search by one engine that keeps its hash table for the whole game."""

    def search(position: Position, times: int = 1) -> BestMove:
        engine.set_position(position)
        return engine.search(longer(limits, times))

    return search


def table_words(engine: Engine, language: Language = "en") -> Known:
    """The endgame tables' verdict on a position, in words; empty if no table covers it."""

    def known(position: Position) -> str:
        verdict = engine.verdict(position)
        return verdict.message(position.turn).text(language) if verdict else ""

    return known


def _parser(language: Language = "en") -> argparse.ArgumentParser:
    say = Speaker(language)
    parser = Parser(prog="chuhe analyze", description=say("analyze-help.description"), language=language)
    parser.add_argument("file", metavar="FILE", type=Path, help=say("analyze-help.file"))
    parser.add_argument("--game", type=whole_number(1, language=language), metavar="N", help=say("analyze-help.game"))
    parser.add_argument("--time", type=seconds(language), metavar="SECONDS", help=say("analyze-help.time"))
    parser.add_argument("--depth", type=whole_number(1, language=language), help=say("analyze-help.depth"))
    parser.add_argument("--nodes", type=whole_number(1, 2**62, language), help=say("analyze-help.nodes"))
    parser.add_argument(
        "--notation", choices=NOTATIONS, default=USUAL_NOTATION[language], help=say("analyze-help.notation")
    )
    parser.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    parser.add_argument("--output", type=Path, metavar="FILE", help=say("analyze-help.output"))
    parser.add_argument("--plot", metavar="FILE", help=say("analyze-help.plot"))
    parser.add_argument("--practise", choices=("red", "black", "both"), help=say("analyze-help.mine"))
    parser.add_argument("--resume", action="store_true", help=say("analyze-help.resume"))
    parser.add_argument("--force", action="store_true", help=say("analyze-help.force"))
    add_resource_options(parser, say)
    add_worker_options(parser, say)
    return parser


def _limits(options: argparse.Namespace) -> Limits:
    time = options.time or (None if options.depth or options.nodes else 1.0)
    return Limits(depth=options.depth, nodes=options.nodes, movetime=max(1, round(time * 1000)) if time else None)


def plot_paths(given: str | None, output: Path, numbers: list[int]) -> list[Path | None]:
    """Where the plot of each game goes: one file for a single game, one directory for several."""
    if given == "none":
        return [None] * len(numbers)
    plain = output.with_suffix("").with_suffix("")
    path = Path(given) if given else plain.with_suffix(".svg" if len(numbers) == 1 else ".plots")
    if len(numbers) == 1 and not path.is_dir():
        return [path]
    suffix = path.suffix if path.suffix.lower() in PLOT_SUFFIXES else ".svg"
    folder = path.with_suffix("") if path.suffix.lower() in PLOT_SUFFIXES else path
    return [folder / f"{plain.name}-{number}{suffix}" for number in numbers]


@contextmanager
def _plot_folder(plots: list[Path | None]) -> Iterator[None]:
    """The plots of several games have a directory, made for them if need be; it goes again if it stays empty."""
    plot = plots[0] if len(plots) > 1 else None
    if plot is None or plot.parent.exists():
        yield
        return
    if not plot.parent.parent.is_dir():
        raise RecordError(Message("file.no-directory", path=str(plot), directory=str(plot.parent.parent)))
    plot.parent.mkdir()
    try:
        yield
    finally:
        with suppress(OSError):
            plot.parent.rmdir()


def _check_places(output: Path, plots: list[Path | None], force: bool) -> None:
    """Raises ValueError before any search if an output cannot be written."""
    check_writable(output, len(plots))
    check_output(output, force=force, ours=marked('[Annotator "Chuhe"]'))
    for plot in filter(None, plots):
        check_plot(plot, force=force)


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    say = Speaker(language)
    options = _parser(language).parse_args(arguments)
    output = options.output or options.file.with_suffix(".annotated.pgn")
    faults: list[RecordError] = []
    before = file_stamp(str(output))
    try:
        games = _chosen(options.file, options.game, faults)
        if options.plot is None and len(games) > MOST_PLOTS:
            options.plot = "none"
        elif options.plot is None and not can_plot():
            options.plot = "none"
            print(f"chuhe analyze: {needs('a plot', 'matplotlib')}", file=sys.stderr)
        plots = plot_paths(options.plot, output, list(games))
        with _plot_folder(plots):
            _check_places(output, plots, options.force)
            _analyze_all(games, output, plots, options, language)
    except (ValueError, OSError) as error:
        for text in (*faults, error):
            print(f"chuhe analyze: {fault_text(text, language)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        written = file_stamp(str(output)) not in (None, before)
        last = say("analyze.stopped", path=str(output)) if written else say("analyze.stopped-early")
        print(f"\n{last}", file=sys.stderr)
        return 130
    for fault in faults:
        print(f"chuhe analyze: {say('analyze.left-out', fault=fault.message)}", file=sys.stderr)
    return 1 if faults else 0


def _chosen(path: Path, number: int | None, faults: list[RecordError]) -> dict[int, GameRecord]:
    """The games to analyze, by their numbers in the file; errors of unreadable games are added to the faults."""
    games, bad = read_numbered(path)
    if number is None:
        faults += bad.values()
        return games
    if number in bad:
        raise bad[number]
    if number not in games:
        raise RecordError(Message("file.no-such-game", path=str(path), count=len(games) + len(bad), number=number))
    return {number: games[number]}


def analyze_game(analysis: Analysis, game: GameRecord, step: Callable[[], None] = lambda: None) -> AnalyzedGame:
    """Judge and annotate a game; runs in any process. The result depends on no other game."""
    engine = own_engine(analysis.settings)
    judgements = judge_game(game, engine_search(engine, analysis.limits), step, table_words(engine, analysis.language))
    name = opening_of(game)
    opening = f"{name.text(language_of(analysis.notation))}\n" if name else ""
    return AnalyzedGame(
        with_opening(annotate(game, judgements, analysis.notation), analysis.notation),
        f"{title_of(game)}  {game.result}\n{opening}{summary(judgements, analysis.language)}",
        [clamped(judgement.for_red) for judgement in judgements],
        _faults(judgements),
        _mistakes(game, judgements, analysis.practise) if analysis.practise else [],
    )


def title_of(game: GameRecord) -> str:
    return " - ".join(game.tags.get(side, "?") for side in ("Red", "Black"))


def _kept(output: Path, games: list[GameRecord]) -> list[GameRecord]:
    """The games that an earlier run has finished; RecordError if they are not the first ones of this run."""
    earlier = read_games(output) if output.is_file() and output.stat().st_size else []
    for number, (kept, game) in enumerate(zip(earlier, games, strict=False), 1):
        if (kept.fen, kept.plain_moves) != (game.fen, game.plain_moves):
            raise RecordError(Message("analyze.other-game", path=str(output), number=number))
    return earlier[: len(games)]


def _analyze_all(
    games: dict[int, GameRecord],
    output: Path,
    plots: list[Path | None],
    options: argparse.Namespace,
    language: Language,
) -> None:
    """Finished games reach the disk soon, and all of them in the end, however it comes."""
    say, workers = Speaker(language), workers_of(options, language)
    settings = Settings(hash_mb=options.hash, threads=options.threads)
    analysis = Analysis(settings, _limits(options), options.notation, language, options.practise)
    annotated = _kept(output, list(games.values())) if options.resume else []
    saved, cost, last = len(annotated), 0.0, 0.0
    rest = list(zip(games.items(), plots, strict=True))[saved:]
    try:
        with _analyzed(analysis, [item for item, _ in rest], saved, workers, say) as results:
            for ((_, game), plot), result in zip(rest, results, strict=True):
                annotated.append(result.record)
                if time.monotonic() - last > cost / SAVE_SHARE:
                    began = time.monotonic()
                    write_games(output, annotated, options.notation, overwrite=True)
                    saved, last = len(annotated), time.monotonic()
                    cost = last - began
                if options.practise:
                    print(say("analyze.kept", count=OwnMistakes().add(result.mistakes)))
                print(result.text)
                if plot is not None:
                    write_plot(plot, result.scores, result.faults, title_of(game))
                    print(say("analyze.plot", path=str(plot)))
    finally:
        if len(annotated) > saved:
            write_games(output, annotated, options.notation, overwrite=True)
    print(say("analyze.annotated", path=str(output)))


@contextmanager
def _analyzed(
    analysis: Analysis, games: list[tuple[int, GameRecord]], done: int, workers: Workers, say: Speaker
) -> Iterator[Iterator[AnalyzedGame]]:
    """The games, analyzed one after the other with a bar for each, or several at once with one bar for all."""
    total = done + len(games)
    if workers.alone:

        def with_bar(numbered: tuple[int, tuple[int, GameRecord]]) -> AnalyzedGame:
            at, (number, game) = numbered
            unit = say("analyze.progress", number=number, done=at, total=total)
            with Bar(len(game.moves) + 1, unit) as bar:
                return analyze_game(analysis, game, bar.step)

        yield map(with_bar, enumerate(games, done + 1))
        return
    with (
        Bar(total, say("bar.games"), done) as bar,
        spread(partial(analyze_game, analysis), (game for _, game in games), workers, tell=bar.write) as results,
    ):
        yield _stepping(results, bar)


def _stepping(results: Iterator[AnalyzedGame], bar: Bar) -> Iterator[AnalyzedGame]:
    for result in results:
        bar.step()
        yield result


def write_plot(path: Path, scores: list[int], faults: dict[int, str], title: str) -> None:
    """Plot the scores (centipawns for Red, one per ply) with marks on mistakes. Call `check_plot` first."""
    moves = [(ply + 1) / 2 for ply in range(len(scores))]
    pawns = [clipped(score / 100) for score in scores]
    marks = [(moves[ply], pawns[ply], mark) for ply, mark in faults.items()]
    save_figure(score_figure([Curve(moves, pawns, "#b22", filled=True)], title, marks), path)


def _mistakes(game: GameRecord, judgements: list[Judgement], side: str) -> list[Puzzle]:
    """The mistakes of a side, as puzzles."""
    found, position = [], Position(game.fen)
    for recorded, judgement in zip(game.moves, judgements, strict=True):
        puzzle = mistake_puzzle(position, judgement)
        if puzzle is not None and side in ("both", ("red", "black")[judgement.colour]):
            found.append(puzzle)
        position.push(recorded.move)
    return found


def _faults(judgements: list[Judgement]) -> dict[int, str]:
    return {ply: judgement.grade[0] for ply, judgement in enumerate(judgements) if judgement.grade[0] in ("?", "??")}
