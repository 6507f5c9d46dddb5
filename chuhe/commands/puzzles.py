"""`chuhe puzzles`: make puzzles from games, choose among them, check them all, replace those that no longer hold."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from chuhe.bench.spread import WorkError, add_worker_options, spread, workers_of
from chuhe.coach import MOTIFS
from chuhe.coach.practice.making import LONGER, NODES, PuzzleMaker, SourceGame, candidates, choose, themes_of
from chuhe.coach.practice.puzzles import (
    Puzzle,
    PuzzleError,
    bundled_puzzles,
    format_puzzles,
    read_puzzles,
    read_unfinished,
)
from chuhe.coach.practice.second_opinion import opinion_on
from chuhe.common.command_line import Parser, report_fault, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import Position
from chuhe.engine.score_scale import shown
from chuhe.files.writing import OutputError, check_output, exclusive, marked, write_file
from chuhe.protocol.errors import EngineError
from chuhe.records.files import read_games
from chuhe.records.game_record import RecordError
from chuhe.text.message import LANGUAGES, Language, Message
from chuhe.text.system_language import Speaker, take_language

SAVE_EVERY = 5  # puzzles
ENGINE_NODES = 1_000_000  # of another engine's search


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    options = _parser(language).parse_args(arguments)
    options.say = Speaker(language)
    options.workers = workers_of(options, language)
    try:
        return {"make": _make, "choose": _choose, "check": _check, "mend": _mend}[options.command](options)
    except (RecordError, PuzzleError, OutputError, EngineError, WorkError, OSError) as error:
        return report_fault("puzzles", error, language)


def _parser(language: Language) -> argparse.ArgumentParser:
    say = Speaker(language)
    parser = Parser(prog="chuhe puzzles", description=say("puzzles-help.description"), language=language)
    parser.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str) -> argparse.ArgumentParser:
        text = say(f"puzzles-help.{name}")
        found: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text, language=language)
        return found

    def output(parser: argparse.ArgumentParser, count_help: str, resumed: bool = False) -> None:
        file_help, force_help = ("output-resumed", "force-anew") if resumed else ("output", "force")
        parser.add_argument(
            "--output", dest="out", metavar="FILE", type=Path, required=True, help=say(f"puzzles-help.{file_help}")
        )
        parser.add_argument("--force", action="store_true", help=say(f"puzzles-help.{force_help}"))
        parser.add_argument("--count", type=whole_number(1, language=language), default=300, help=say(count_help))

    def nodes(parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--nodes",
            type=whole_number(100, language=language),
            default=NODES,
            help=say("puzzles-help.nodes", most=LONGER[-1]),
        )

    make = command("make")
    make.add_argument("games", metavar="FILE", nargs="+", type=Path, help=say("puzzles-help.games"))
    output(make, "puzzles-help.stop-at", resumed=True)
    make.add_argument("--skip", type=whole_number(0, language=language), default=0, help=say("puzzles-help.skip"))
    nodes(make)
    add_worker_options(make, say)
    select = command("choose")
    select.add_argument("puzzles", metavar="FILE", nargs="+", type=Path, help=say("puzzles-help.puzzles"))
    output(select, "puzzles-help.count")
    add_worker_options(select, say)
    check = command("check")
    check.add_argument("puzzles", metavar="FILE", nargs="*", type=Path, help=say("puzzles-help.bundled"))
    nodes(check)
    add_worker_options(check, say)
    check.add_argument("--engine", metavar="COMMAND", help=say("puzzles-help.engine"))
    check.add_argument(
        "--engine-nodes",
        type=whole_number(1, language=language),
        default=ENGINE_NODES,
        metavar="N",
        help=say("puzzles-help.engine-nodes"),
    )
    check.add_argument("--keep", metavar="FILE", type=Path, help=say("puzzles-help.keep"))
    check.add_argument("--force", action="store_true", help=say("puzzles-help.force-anew"))
    mend = command("mend")
    mend.add_argument("puzzles", metavar="FILE", nargs="*", type=Path, help=say("puzzles-help.bundled"))
    mend.add_argument("--pool", metavar="FILE", nargs="+", type=Path, required=True, help=say("puzzles-help.pool"))
    output(mend, "puzzles-help.count")
    nodes(mend)
    add_worker_options(mend, say)
    return parser


def _make(options: argparse.Namespace) -> int:
    check_output(options.out, force=options.force, ours=marked())
    with exclusive(options.out):  # two runs would replace each other's puzzles
        return _make_on(options)


def _make_on(options: argparse.Namespace) -> int:
    earlier, done = ([], 0) if options.force else read_unfinished(options.out)
    found = {puzzle.name: puzzle for puzzle in earlier}
    written = len(found)
    bar = Bar(options.count, options.say("bar.puzzles"), len(found))
    skipped = max(options.skip, done)
    code = 0
    try:
        games = islice(_played(options.games), skipped, None)
        with spread(partial(puzzles_of, options.nodes), games, options.workers, tell=bar.write) as made:
            while len(found) < options.count and (puzzles := next(made, None)) is not None:
                skipped = done = skipped + 1
                new = {puzzle.name: puzzle for puzzle in puzzles if puzzle.name not in found}
                found |= new
                bar.step(options.say("untitled", n=done), count=len(new))
                if len(found) - written >= SAVE_EVERY:
                    write_file(options.out, format_puzzles(found.values(), done))
                    written = len(found)
    except KeyboardInterrupt:
        print(options.say("puzzles.stopped" if found else "file.nothing-written"), file=sys.stderr)
        code = 130
    finally:
        bar.close()
        if found:  # a file that cannot be read must not cost the puzzles of an earlier run
            write_file(options.out, format_puzzles(found.values(), done))
    print(_summary(list(found.values()), options.say))
    return code if found else code or 1


def puzzles_of(nodes: int, game: SourceGame) -> list[Puzzle]:
    """The puzzles of a game; runs in any process."""
    maker = PuzzleMaker(nodes)
    return [puzzle for candidate in candidates(game) if (puzzle := maker.puzzle(candidate)) is not None]


def _played(paths: list[Path]) -> Iterator[SourceGame]:
    """The games of all files, one after another; self-play games come with their scores."""
    from chuhe.bench.learning.game_files import is_game_file
    from chuhe.bench.learning.game_files import read_games as read_self_play
    from chuhe.bench.learning.game_format import DataError

    for path in paths:
        if path.is_file() and is_game_file(path):
            try:
                for played in read_self_play([path]):
                    moves = (*played.opening, *(move for move, _ in played.plies))
                    known = (score if score is None else shown(score) for _, score in played.plies)
                    scores = (*(None for _ in played.opening), *known)
                    yield SourceGame(played.start(), moves, scores)
            except DataError as error:
                raise RecordError(str(error)) from error
        else:
            for record in read_games(path):
                moves = tuple(record.plain_moves)
                yield SourceGame(Position(record.fen), moves, tuple(None for _ in moves))


def _choose(options: argparse.Namespace) -> int:
    check_output(options.out, force=options.force, ours=marked())
    fresh: list[Puzzle] = []
    pool = _themed(options.puzzles)
    bar = Bar(len(pool) + options.count, options.say("bar.puzzles"))
    with spread(described_anew, pool, options.workers, tell=bar.write) as described:
        for puzzle in described:
            fresh.append(puzzle)
            bar.step()
    chosen = []
    for puzzle in choose(fresh, options.count):
        chosen.append(puzzle)
        bar.step()
    bar.close()
    write_file(options.out, format_puzzles(chosen))
    print(_summary(chosen, options.say))
    return 0


def described_anew(puzzle: Puzzle) -> Puzzle:
    """With its themes and its difficulty found anew; runs in any process."""
    return PuzzleMaker().described(puzzle)


def _read(paths: list[Path]) -> list[Puzzle]:
    return [puzzle for path in paths for puzzle in read_puzzles(path)] if paths else list(bundled_puzzles())


def _themed(paths: list[Path]) -> list[Puzzle]:
    """Puzzles of files with their themes found anew."""
    return [replace(puzzle, themes=themes_of(puzzle.position(), puzzle.line, puzzle.asked)) for puzzle in _read(paths)]


def _check(options: argparse.Namespace) -> int:
    if not options.keep:
        return _check_on(options)
    check_output(options.keep, force=options.force, ours=marked())
    with exclusive(options.keep):
        return _check_on(options)


def _check_on(options: argparse.Namespace) -> int:
    puzzles = _read(options.puzzles)
    if options.engine:
        sound, bad = _second_opinion(puzzles, options)
    else:
        sound = list(_sound(puzzles, options))
        bad = len(puzzles) - len(sound)
    if options.keep:
        write_file(options.keep, format_puzzles(sound, len(puzzles) if options.engine else 0))
    said = (
        Message("puzzles.checked", bad=bad, count=len(puzzles)) if bad else Message("puzzles.sound", count=len(puzzles))
    )
    print(said.text(options.say.language))
    return 1 if bad else 0


def _second_opinion(puzzles: list[Puzzle], options: argparse.Namespace) -> tuple[list[Puzzle], int]:
    """The puzzles that another engine agrees with, less the later moves that it does not; how many had a fault.

    With `--keep` it goes on where an earlier check stopped; PuzzleError if that was a check of other puzzles.
    """
    kept, done = read_unfinished(options.keep) if options.keep and not options.force else ([], 0)
    if not {puzzle.name for puzzle in kept} <= {puzzle.name for puzzle in puzzles[:done]}:
        raise PuzzleError(Message("puzzles.other-check", path=str(options.keep)))
    ask = partial(opinion_on, options.engine, options.engine_nodes)
    bad = min(done, len(puzzles)) - len(kept)
    with (
        Bar(len(puzzles), options.say("bar.puzzles"), done) as bar,
        spread(ask, puzzles[done:], options.workers, tell=bar.write) as opinions,
    ):
        for number, (sound, faults) in enumerate(opinions, start=done + 1):
            for fault in faults:
                bar.write(f"{puzzles[number - 1].fen}: {fault}")
            bad += bool(faults)
            if sound is not None:
                kept.append(sound)
            bar.step()
            if options.keep:
                write_file(options.keep, format_puzzles(kept, number))
    return kept, bad


def _mend(options: argparse.Namespace) -> int:
    check_output(options.out, force=options.force, ours=marked())
    maker, puzzles, pool = PuzzleMaker(options.nodes), _themed(options.puzzles), _themed(options.pool)
    kept = [maker.still_asked(puzzle) for puzzle in _sound(puzzles, options, first_only=True)]
    known = {puzzle.name for puzzle in puzzles}
    pool = [puzzle for puzzle in pool if puzzle.name not in known]

    def approve(puzzle: Puzzle) -> Puzzle | None:
        if fault_of(maker, puzzle, first_only=True):
            return None
        return maker.described(maker.with_asked(puzzle))

    mended = choose(pool, options.count, kept, approve)
    write_file(options.out, format_puzzles(mended))
    print(_summary(mended, options.say))
    print(options.say("puzzles.mended", count=len(kept), taken=len(mended) - len(kept)))
    return 0 if len(mended) == options.count else 1


def _sound(puzzles: list[Puzzle], options: argparse.Namespace, first_only: bool = False) -> Iterator[Puzzle]:
    """The puzzles without a fault; the faults of the others are written."""
    check = partial(fault_by_nodes, options.nodes, first_only)
    with (
        Bar(len(puzzles), options.say("bar.puzzles")) as bar,
        spread(check, puzzles, options.workers, tell=bar.write) as faults,
    ):
        for puzzle, fault in zip(puzzles, faults, strict=True):
            if fault:
                bar.write(f"{puzzle.fen}: {fault}")
            else:
                yield puzzle
            bar.step()


def fault_by_nodes(nodes: int, first_only: bool, puzzle: Puzzle) -> str:
    """`fault_of` with a maker of its own; runs in any process."""
    return fault_of(PuzzleMaker(nodes), puzzle, first_only=first_only)


def fault_of(maker: PuzzleMaker, puzzle: Puzzle, slack: int = 0, first_only: bool = False) -> str:
    """What is wrong with a puzzle; empty if all moves to find hold in the longer searches and its themes are right."""
    for index in puzzle.asked[:1] if first_only else puzzle.asked:
        if maker.verify(puzzle.position(index), puzzle.goal, puzzle.line[index], slack) is None:
            return f"{puzzle.line[index]} is not the only answer in the longer searches"
    if themes_of(puzzle.position(), puzzle.line, puzzle.asked) != puzzle.themes:
        return "its themes are not what the line shows"
    return ""


def _summary(puzzles: list[Puzzle], say: Speaker) -> str:
    themes = Counter(code for puzzle in puzzles for code in puzzle.themes)
    levels = Counter(puzzle.difficulty for puzzle in puzzles)
    lines = [say("puzzles.summary", count=len(puzzles), easy=levels[1], medium=levels[2], hard=levels[3])]
    for code, motif in MOTIFS.items():
        lines.append(f"  {themes[code]:>4} {motif if say.language == 'en' else motif.name(say.language)}")
    return "\n".join(lines)
