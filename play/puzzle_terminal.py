"""`chuhe puzzle`: practice in the terminal, or through a pipe."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

from chuhe.coach import MOTIFS
from chuhe.coach.practice.endgames import EndgameExercise, EndgameGoal, random_endgame
from chuhe.coach.practice.progress import OwnMistakes, PracticeProgress
from chuhe.coach.practice.puzzles import DIFFICULTIES, Puzzle, PuzzleError, bundled_puzzles, read_puzzles
from chuhe.coach.practice.session import PracticeSession, chosen, engine_margin
from chuhe.common.command_line import Parser, report_fault, whole_number
from chuhe.engine import Engine, IllegalMoveError, InvalidMoveError, Move, Position, Settings
from chuhe.engine.endgame import TableError, open_shelf
from chuhe.engine.notation import NOTATIONS, USUAL_NOTATION, Notation, move_text
from chuhe.engine.position import side_name
from chuhe.files.writing import OutputError
from chuhe.play.board import BOARD_LOOKS, BoardLook, draw
from chuhe.play.line_reader import LineReader, make_reader
from chuhe.play.view import View
from chuhe.text.message import LANGUAGES, Language, Message, message_of, shown
from chuhe.text.system_language import Speaker, take_language


class PracticeScreen:
    """Where practice happens: draws boards, says messages, reads lines."""

    def __init__(
        self, reader: LineReader, board: BoardLook, notation: Notation, colour: bool, language: Language = "en"
    ) -> None:
        self.reader, self.board, self.notation, self.colour, self.language = reader, board, notation, colour, language

    def say(self, *messages: Message) -> None:
        for message in messages:
            print(message.text(self.language), flush=True)

    def show(self, position: Position, side: int) -> None:
        last = position.move_stack[-1] if position.move_stack else None
        view = View(
            pieces={square: piece.symbol for square, piece in position.pieces().items()},
            turn=position.turn,
            last_move=(last.from_square, last.to_square) if last else None,
            checked_king=position.king(position.turn) if position.is_check() else None,
            black_at_bottom=side == 1,
        )
        print(draw(view, self.board, self.colour, self.language == "zh-Hans"), flush=True)

    def ask(self, position: Position, commands: dict[str, Callable[[], bool]]) -> Move | None:
        """A legal move; None once a command that ends the puzzle (it returns True) or the input's end came."""
        while True:
            line = self.reader.read(f"{Message('practice.prompt').text(self.language)}> ")
            if line is None:
                raise EOFError
            word = line.strip()
            if word.lower() in commands:
                if commands[word.lower()]():
                    return None
                continue
            if word.lower() in ("help", "?"):
                self.say(Message("practice.commands"))
                continue
            if not word:
                continue
            try:
                move = position.parse_move(word)
                if not position.is_legal(move):
                    position.push(move)  # raises, and says why
                return move
            except (InvalidMoveError, IllegalMoveError) as error:
                self.say(message_of(error))

    def text(self, position: Position, move: Move) -> str:
        return move_text(position, move, self.notation)


def _quit() -> bool:
    raise EOFError


def practise(screen: PracticeScreen, session: PracticeSession) -> None:
    """Puzzles until there are none, or the player leaves."""
    screen.say(session.summary(), Message("practice.commands"))
    while (puzzle := session.next()) is not None:
        side = session.position().turn
        screen.show(session.position(), side)
        screen.say(Message(f"practice.level.{puzzle.difficulty}"), session.goal())
        _solve(screen, session, side)
    screen.say(Message("practice.nothing"))


def _solve(screen: PracticeScreen, session: PracticeSession, side: int) -> None:
    def hint() -> bool:
        screen.say(session.hint())
        return False

    def give_up() -> bool:
        screen.say(*session.give_up().messages(screen.notation))
        return True

    commands = {"hint": hint, "answer": give_up, "skip": give_up, "quit": _quit}
    while True:
        move = screen.ask(session.position(), commands)
        if move is None:
            return
        reply = session.answer(move)
        screen.say(*reply.messages(screen.notation))
        if reply.over:
            return
        if reply.moves:
            screen.show(session.position(), side)


def play_endgame(screen: PracticeScreen, exercise: EndgameExercise) -> bool:
    """One endgame to its end; whether the goal was reached."""
    side = exercise.position.turn
    kind = "endgame-win" if exercise.goal == "win" else "endgame-hold"
    screen.say(Message(f"practice.goal.{kind}", side=side_name(side)))

    def hint() -> bool:
        print(screen.text(exercise.position, exercise.best()), flush=True)
        return False

    commands = {"hint": hint, "answer": hint, "skip": lambda: True, "quit": _quit}
    while True:
        screen.show(exercise.position, side)
        best = screen.text(exercise.position, exercise.best())
        move = screen.ask(exercise.position, commands)
        if move is None:
            return False
        text = screen.text(exercise.position, move)
        if not exercise.play(move):
            screen.say(
                Message("practice.gave-win" if exercise.goal == "win" else "practice.gave-draw", move=text, best=best)
            )
            return False
        if not exercise.achieved:
            reply_position = exercise.position.copy()
            reply = exercise.answer()
            screen.say(Message("practice.answers", side=side_name(1 - side), move=screen.text(reply_position, reply)))
        if exercise.achieved:
            screen.say(Message("practice.mated" if exercise.goal == "win" else "practice.held"))
            return True


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
            return _endgames(screen, options.endgame, options.goal, rng)
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
    margin = engine_margin(Engine(Settings(hash_mb=16)))
    return PracticeSession(chosen(puzzles, options.theme, options.difficulty or 0), progress, margin, rng)


def _endgames(screen: PracticeScreen, name: str, goal: EndgameGoal | None, rng: random.Random) -> int:
    shelf = open_shelf()
    if not len(shelf):
        screen.say(Message("practice.no-tables", command="chuhe endgame build KRKAABB"))
        return 2
    screen.say(Message("practice.commands"))
    while True:
        exercise = random_endgame(shelf, rng, [name.upper()] if name else (), goal)
        if exercise is None:
            screen.say(Message("practice.no-endgame"))
            return 2
        play_endgame(screen, exercise)


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
