"""`chuhe puzzle`: practice in the terminal, or through a pipe."""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

from chuhe.coach import MOTIFS
from chuhe.coach.practice.progress import OwnMistakes, PracticeProgress
from chuhe.coach.practice.puzzles import DIFFICULTIES, Puzzle, PuzzleError, bundled_puzzles, read_puzzles
from chuhe.coach.practice.session import PracticeSession, chosen, engine_comparison
from chuhe.common.command_line import Parser, report_fault, whole_number
from chuhe.engine import Engine, Settings
from chuhe.engine.endgame import TableError
from chuhe.engine.notation import NOTATIONS, USUAL_NOTATION
from chuhe.files.writing import OutputError
from chuhe.play.board import BOARD_LOOKS
from chuhe.play.line_reader import make_reader
from chuhe.play.puzzle_terminal import PracticeScreen, play_endgames, practise
from chuhe.text.message import LANGUAGES, Language, Message, shown
from chuhe.text.system_language import Speaker, take_language


def _parser(language: Language) -> argparse.ArgumentParser:
    say = Speaker(language)
    parser = Parser(prog="chuhe puzzle", description=say("puzzle-help.description"), language=language)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--file", type=Path, metavar="FILE", help=say("puzzle-help.file"))
    what.add_argument("--mine", action="store_true", help=say("puzzle-help.mine"))
    what.add_argument("--endgame", metavar="NAME", nargs="?", const="", help=say("puzzle-help.endgame"))
    parser.add_argument("--theme", metavar="THEME", action="append", default=[], help=say("puzzle-help.theme"))
    parser.add_argument("--difficulty", type=whole_number(1, 3, language=language), help=say("puzzle-help.difficulty"))
    parser.add_argument("--goal", choices=("win", "hold"), help=say("puzzle-help.goal"))
    parser.add_argument("--notation", choices=NOTATIONS, help=say("puzzle-help.notation"))
    parser.add_argument("--language", choices=LANGUAGES, help=say("cli.language"))
    parser.add_argument("--board", choices=BOARD_LOOKS, default="unicode", help=say("puzzle-help.board"))
    parser.add_argument("--seed", type=int, help=say("puzzle-help.seed"))
    return parser


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    options = _parser(language).parse_args(arguments)
    if options.theme == ["list"]:
        print(_themes(language))
        return 0
    unknown = [theme for theme in options.theme if theme not in MOTIFS]
    if unknown:
        fault = Message("practice.unknown-theme", theme=shown(unknown[0]))
        print(f"chuhe puzzle: {fault.text(language)}", file=sys.stderr)
        return 2
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    reader = make_reader(interactive, lambda line: (0, []), lambda line: False)
    notation = options.notation or USUAL_NOTATION[language]
    screen = PracticeScreen(reader, options.board, notation, interactive and "NO_COLOR" not in os.environ, language)
    rng = random.Random(options.seed)
    try:
        if options.endgame is not None:
            return play_endgames(screen, options.endgame, options.goal, rng)
        practise(screen, _session(options, rng))
    except EOFError:
        return 0
    except (PuzzleError, OutputError, TableError, OSError) as error:
        return report_fault("puzzle", error, language)
    return 0


def _session(options: argparse.Namespace, rng: random.Random) -> PracticeSession:
    puzzles: list[Puzzle]
    if options.mine:
        puzzles = OwnMistakes().all()
    else:
        puzzles = read_puzzles(options.file) if options.file else list(bundled_puzzles())
    progress = PracticeProgress()
    if progress.notice:
        print(f"chuhe puzzle: {progress.notice}", file=sys.stderr)
    compare = engine_comparison(Engine(Settings(hash_mb=16)))
    return PracticeSession(chosen(puzzles, options.theme, options.difficulty or 0), progress, compare, rng)


def _themes(language: Language) -> str:
    counts = {code: sum(code in puzzle.themes for puzzle in bundled_puzzles()) for code in MOTIFS}
    rows = [
        f"{code:<22}{counts[code]:>4}  {motif if language == 'en' else motif.name(language)}"
        for code, motif in MOTIFS.items()
    ]
    for level in DIFFICULTIES:
        count = sum(puzzle.difficulty == level for puzzle in bundled_puzzles())
        rows.append(
            f"{'--difficulty ' + str(level):<22}{count:>4}  {Message(f'practice.level.{level}').text(language)}"
        )
    return "\n".join(rows)
