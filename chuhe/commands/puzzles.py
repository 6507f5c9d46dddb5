"""`chuhe puzzles`: make puzzles from games, choose among them, check them all."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from chuhe.common.command_line import Parser, counted, whole_number
from chuhe.common.progress import Bar
from chuhe.engine import Position
from chuhe.engine.coach import MOTIFS
from chuhe.engine.formats.files import read_games
from chuhe.engine.formats.pgn import RecordError
from chuhe.engine.safe_files import OutputError, check_output, marked, write_file
from chuhe.play.practice.making import NODES, PlayedGame, PuzzleMaker, candidates, choose, themes_of
from chuhe.play.practice.puzzles import Puzzle, PuzzleError, bundled_puzzles, format_puzzles, read_puzzles

SAVE_EVERY = 5  # puzzles


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        return {"make": _make, "choose": _choose, "check": _check}[options.command](options)
    except (RecordError, PuzzleError, OutputError) as error:
        print(f"chuhe puzzles: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="chuhe puzzles",
        description="Positions with exactly one move that wins or saves the game; see docs/coach.md.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="find puzzles in games (chuhe selfplay, PGN, XQF, …)")
    make.add_argument("games", metavar="FILE", nargs="+", type=Path, help="games of any format")
    _output(make)
    make.add_argument("--count", type=whole_number(1), default=300, help="stop at so many puzzles")
    make.add_argument("--skip", type=whole_number(0), default=0, help="leave out the first N games")
    _nodes(make)
    select = commands.add_parser(
        "choose", help="a varied selection from files of puzzles, with themes and difficulty found anew"
    )
    select.add_argument("puzzles", metavar="FILE", nargs="+", type=Path, help="puzzles")
    _output(select)
    select.add_argument("--count", type=whole_number(1), default=300, help="how many")
    check = commands.add_parser("check", help="verify every puzzle with the longer search again")
    check.add_argument("puzzles", metavar="FILE", nargs="*", type=Path, help="puzzles (default the bundled ones)")
    _nodes(check)
    return parser


def _output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output", dest="out", metavar="FILE", type=Path, required=True, help="the new file of puzzles"
    )
    parser.add_argument("--force", action="store_true", help="replace a file that is not ours")


def _nodes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--nodes",
        type=whole_number(100),
        default=NODES,
        help="nodes of a search; the verification takes ten times as many",
    )


def _make(options: argparse.Namespace) -> int:
    check_output(options.out, force=options.force, ours=marked())
    maker, found = PuzzleMaker(options.nodes), []
    bar = Bar(options.count, "puzzles")
    try:
        for number, game in enumerate(_played(options.games), start=1):
            if number <= options.skip:
                continue
            for candidate in candidates(game):
                puzzle = maker.puzzle(candidate)
                bar.step(f"game {number}", count=int(puzzle is not None))
                if puzzle is not None:
                    found.append(puzzle)
                    if len(found) % SAVE_EVERY == 0:
                        write_file(options.out, format_puzzles(found))
                if len(found) == options.count:
                    break
            if len(found) == options.count:
                break
    except KeyboardInterrupt:
        print("stopped; what was found is kept", file=sys.stderr)
    finally:
        bar.close()
        write_file(options.out, format_puzzles(found))
    print(_summary(found))
    return 0


def _played(paths: list[Path]) -> Iterator[PlayedGame]:
    """The games of all files, one after another; self-play games come with their scores."""
    from chuhe.bench.learning.game_files import is_game_file
    from chuhe.bench.learning.game_files import read_games as read_self_play
    from chuhe.bench.learning.game_format import DataError

    for path in paths:
        if path.is_file() and is_game_file(path):
            try:
                for played in read_self_play([path]):
                    moves = (*played.opening, *(move for move, _ in played.plies))
                    scores = (*(None for _ in played.opening), *(score for _, score in played.plies))
                    yield PlayedGame(played.start(), moves, scores)
            except DataError as error:
                raise RecordError(str(error)) from error
        else:
            for record in read_games(path):
                moves = tuple(record.plain_moves)
                yield PlayedGame(Position(record.fen), moves, tuple(None for _ in moves))


def _choose(options: argparse.Namespace) -> int:
    check_output(options.out, force=options.force, ours=marked())
    pool = [puzzle for path in options.puzzles for puzzle in read_puzzles(path)]
    maker, fresh = PuzzleMaker(), []
    bar = Bar(len(pool), "puzzles")
    for puzzle in pool:
        themes = themes_of(puzzle.position(), puzzle.line)
        fresh.append(replace(puzzle, themes=themes, difficulty=maker.difficulty(puzzle)))
        bar.step()
    bar.close()
    chosen = choose((puzzle for puzzle in fresh if puzzle.themes), options.count)
    write_file(options.out, format_puzzles(chosen))
    print(_summary(chosen))
    return 0


def _check(options: argparse.Namespace) -> int:
    puzzles = [puzzle for path in options.puzzles for puzzle in read_puzzles(path)] or list(bundled_puzzles())
    maker, bad = PuzzleMaker(options.nodes), 0
    bar = Bar(len(puzzles), "puzzles")
    for puzzle in puzzles:
        fault = fault_of(maker, puzzle)
        if fault:
            bad += 1
            bar.write(f"{puzzle.fen}: {fault}")
        bar.step()
    bar.close()
    print(f"{counted(len(puzzles), 'puzzle')}: {bad or 'none'} with a fault")
    return 1 if bad else 0


def fault_of(maker: PuzzleMaker, puzzle: Puzzle, slack: int = 0) -> str:
    """What is wrong with a puzzle; empty if it holds in the longer search and its themes are right."""
    position = puzzle.position()
    if maker.verify(position, puzzle.goal, puzzle.answer, slack) is None:
        return f"{puzzle.answer} is not the only answer in the longer search"
    if themes_of(position, puzzle.line) != puzzle.themes:
        return "its themes are not what the line shows"
    return ""


def _summary(puzzles: list[Puzzle]) -> str:
    themes = Counter(code for puzzle in puzzles for code in puzzle.themes)
    levels = Counter(puzzle.difficulty for puzzle in puzzles)
    lines = [counted(len(puzzles), "puzzle") + "; easy, medium, hard: " + ", ".join(str(levels[n]) for n in (1, 2, 3))]
    lines += [f"  {themes[code]:>4} {motif}" for code, motif in MOTIFS.items()]
    return "\n".join(lines)
