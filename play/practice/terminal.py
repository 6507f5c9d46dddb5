"""`chuhe puzzle`: practice in the terminal, or through a pipe."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

from chuhe.common.command_line import Parser, whole_number
from chuhe.common.system_language import USUAL_NOTATION, take_language
from chuhe.engine import Engine, IllegalMoveError, InvalidMoveError, Move, Position, Settings
from chuhe.engine.coach import MOTIFS
from chuhe.engine.endgame import TableError, open_shelf
from chuhe.engine.message import LANGUAGES, Language, Message, message_of
from chuhe.engine.notation import NOTATIONS, Notation, move_text
from chuhe.engine.position import side_name
from chuhe.engine.safe_files import OutputError
from chuhe.play.board import BOARD_LOOKS, BoardLook, draw
from chuhe.play.line_reader import LineReader, make_reader
from chuhe.play.practice.endings import EndingExercise, EndingGoal, random_ending
from chuhe.play.practice.progress import OwnMistakes, Progress
from chuhe.play.practice.puzzles import DIFFICULTIES, Puzzle, PuzzleError, bundled_puzzles, read_puzzles
from chuhe.play.practice.session import Session, chosen, engine_margin
from chuhe.play.view import View

PROMPT = "practice> "


class Desk:
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
        print(draw(view, self.board, self.colour), flush=True)

    def ask(self, position: Position, commands: dict[str, Callable[[], bool]]) -> Move | None:
        """A legal move; None once a command that ends the puzzle (it returns True) or the input's end came."""
        while True:
            line = self.reader.read(PROMPT)
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


def practise(desk: Desk, session: Session) -> None:
    """Puzzles until there are none, or the player leaves."""
    desk.say(session.summary(), Message("practice.commands"))
    while (puzzle := session.next()) is not None:
        position = puzzle.position()
        desk.show(position, position.turn)
        desk.say(Message(f"practice.level.{puzzle.difficulty}"), session.goal())
        _solve(desk, session, position)
    desk.say(Message("practice.nothing"))


def _solve(desk: Desk, session: Session, position: Position) -> None:
    def hint() -> bool:
        desk.say(session.hint())
        return False

    def give_up() -> bool:
        desk.say(*session.give_up(desk.notation))
        return True

    commands = {"hint": hint, "answer": give_up, "skip": give_up, "quit": _quit}
    while True:
        move = desk.ask(position, commands)
        if move is None:
            return
        reply = session.answer(move, desk.notation)
        desk.say(*reply.messages)
        if reply.solved:
            return


def play_ending(desk: Desk, exercise: EndingExercise) -> bool:
    """One ending to its end; whether the goal was reached."""
    side = exercise.position.turn
    kind = "ending-win" if exercise.goal == "win" else "ending-hold"
    desk.say(Message(f"practice.goal.{kind}", side=side_name(side)))

    def hint() -> bool:
        print(desk.text(exercise.position, exercise.best()), flush=True)
        return False

    commands = {"hint": hint, "answer": hint, "skip": lambda: True, "quit": _quit}
    while True:
        desk.show(exercise.position, side)
        best = desk.text(exercise.position, exercise.best())
        move = desk.ask(exercise.position, commands)
        if move is None:
            return False
        text = desk.text(exercise.position, move)
        if not exercise.play(move):
            desk.say(
                Message("practice.gave-win" if exercise.goal == "win" else "practice.gave-draw", move=text, best=best)
            )
            return False
        if not exercise.achieved:
            reply_position = exercise.position.copy()
            reply = exercise.answer()
            desk.say(Message("practice.answers", side=side_name(1 - side), move=desk.text(reply_position, reply)))
        if exercise.achieved:
            desk.say(Message("practice.mated" if exercise.goal == "win" else "practice.held"))
            return True


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="chuhe puzzle",
        description="Practise: puzzles, your own mistakes (kept by chuhe analyze --practise), or endings against "
        "perfect defence. What you missed comes back later.",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--file", type=Path, metavar="FILE", help="puzzles of your own (default the bundled ones)")
    what.add_argument("--mine", action="store_true", help="the mistakes of your own games")
    what.add_argument("--ending", metavar="NAME", nargs="?", const="", help="an ending from the tables, like KRKAABB")
    parser.add_argument(
        "--theme", metavar="THEME", action="append", default=[], help="only this theme; --theme list: show them"
    )
    parser.add_argument("--difficulty", type=whole_number(1, 3), help="1 easy, 2 medium, 3 hard (default all)")
    parser.add_argument("--goal", choices=("win", "hold"), help="of an ending: win it, or hold the draw")
    parser.add_argument("--notation", choices=NOTATIONS, help="how moves are shown (default wxf, or Chinese)")
    parser.add_argument("--language", choices=LANGUAGES, help="of all messages (default that of the system)")
    parser.add_argument("--board", choices=BOARD_LOOKS, default="unicode", help="how the board is drawn")
    parser.add_argument("--seed", type=int, help="makes the order repeatable")
    return parser


def main(arguments: list[str]) -> int:
    language, arguments = take_language(arguments)
    options = _parser().parse_args(arguments)
    if options.theme == ["list"]:
        print(_themes())
        return 0
    unknown = [theme for theme in options.theme if theme not in MOTIFS]
    if unknown:
        print(f"chuhe puzzle: there is no theme {unknown[0]!r}; --theme list shows them all", file=sys.stderr)
        return 2
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    reader = make_reader(interactive, lambda line: (0, []), lambda line: False)
    notation = options.notation or USUAL_NOTATION[language]
    desk = Desk(reader, options.board, notation, interactive and "NO_COLOR" not in os.environ, language)
    rng = random.Random(options.seed)
    try:
        if options.ending is not None:
            return _endings(desk, options.ending, options.goal, rng)
        practise(desk, _session(options, rng))
    except EOFError:
        return 0
    except (PuzzleError, OutputError, TableError, OSError) as error:
        print(f"chuhe puzzle: {error}", file=sys.stderr)
        return 2
    return 0


def _session(options: argparse.Namespace, rng: random.Random) -> Session:
    puzzles: list[Puzzle]
    if options.mine:
        puzzles = OwnMistakes().all()
    else:
        puzzles = read_puzzles(options.file) if options.file else list(bundled_puzzles())
    progress = Progress()
    if progress.notice:
        print(f"chuhe puzzle: {progress.notice}", file=sys.stderr)
    margin = engine_margin(Engine(Settings(hash_mb=16)))
    return Session(chosen(puzzles, options.theme, options.difficulty or 0), progress, margin, rng)


def _endings(desk: Desk, name: str, goal: EndingGoal | None, rng: random.Random) -> int:
    shelf = open_shelf()
    if not len(shelf):
        desk.say(Message("practice.no-tables", command="chuhe endgame build KRKAABB"))
        return 2
    desk.say(Message("practice.commands"))
    while True:
        exercise = random_ending(shelf, rng, [name.upper()] if name else (), goal)
        if exercise is None:
            desk.say(Message("practice.no-ending"))
            return 2
        play_ending(desk, exercise)


def _themes() -> str:
    counts = {code: sum(code in puzzle.themes for puzzle in bundled_puzzles()) for code in MOTIFS}
    rows = [f"{code:<22}{counts[code]:>4}  {motif}" for code, motif in MOTIFS.items()]
    levels = [sum(puzzle.difficulty == level for puzzle in bundled_puzzles()) for level in DIFFICULTIES]
    return "\n".join([*rows, f"easy, medium, hard: {', '.join(map(str, levels))}"])
