"""``chuhe analyze``: walks through a game and writes it back with scores, mistakes and better lines."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

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
from chuhe.engine.notation import NOTATIONS, USUAL_NOTATION, language_of
from chuhe.files.writing import check_output, marked
from chuhe.records.files import check_writable, read_numbered, write_games
from chuhe.records.game_record import GameRecord, RecordError
from chuhe.records.openings import opening_of, with_opening
from chuhe.text.message import LANGUAGES, Language, Message
from chuhe.text.system_language import Speaker, take_language


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
    parser.add_argument("--time", type=seconds(language=language), metavar="SECONDS", help=say("analyze-help.time"))
    parser.add_argument("--depth", type=whole_number(1, language=language), help=say("analyze-help.depth"))
    parser.add_argument("--nodes", type=whole_number(1, 2**62, language), help=say("analyze-help.nodes"))
    parser.add_argument(
        "--notation", choices=NOTATIONS, default=USUAL_NOTATION[language], help=say("analyze-help.notation")
    )
    parser.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    parser.add_argument("--output", type=Path, metavar="FILE", help=say("analyze-help.output"))
    parser.add_argument("--plot", metavar="FILE", help=say("analyze-help.plot"))
    parser.add_argument("--practise", choices=("red", "black", "both"), help=say("analyze-help.mine"))
    parser.add_argument("--force", action="store_true", help=say("analyze-help.force"))
    add_resource_options(parser, say)
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
        if options.plot is None and not can_plot():
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


def _analyze_all(
    games: dict[int, GameRecord],
    output: Path,
    plots: list[Path | None],
    options: argparse.Namespace,
    language: Language,
) -> None:
    """Every finished game is on disk before the next begins."""
    say = Speaker(language)
    engine = Engine(Settings(hash_mb=options.hash, threads=options.threads))
    search = engine_search(engine, _limits(options))
    annotated: list[GameRecord] = []
    for (number, game), plot in zip(games.items(), plots, strict=True):
        bar = Bar(
            len(game.moves) + 1, say("analyze.progress", number=number, done=len(annotated) + 1, total=len(games))
        )
        judgements = judge_game(game, search, bar.step, table_words(engine, language))
        bar.close()
        annotated.append(with_opening(annotate(game, judgements, options.notation), options.notation))
        write_games(output, annotated, options.notation, overwrite=True)
        if options.practise:
            kept = OwnMistakes().add(_mistakes(game, judgements, options.practise))
            print(say("analyze.kept", count=kept))
        title = " - ".join(game.tags.get(side, "?") for side in ("Red", "Black"))
        name = opening_of(game)
        opening = f"{name.text(language_of(options.notation))}\n" if name else ""
        print(f"{title}  {game.result}\n{opening}{summary(judgements, language)}")
        if plot is not None:
            write_plot(plot, [clamped(judgement.for_red) for judgement in judgements], _faults(judgements), title)
            print(say("analyze.plot", path=str(plot)))
    print(say("analyze.annotated", path=str(output)))


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
