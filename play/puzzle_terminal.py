"""Puzzles and endgames in the terminal, or through a pipe."""

from __future__ import annotations

import random
from collections.abc import Callable

from chuhe.coach.practice.endgames import EndgameExercise, EndgameGoal, random_endgame
from chuhe.coach.practice.session import PracticeSession
from chuhe.engine import IllegalMoveError, InvalidMoveError, Move, Position
from chuhe.engine.endgame import open_tablebases
from chuhe.engine.notation import Notation, move_text
from chuhe.engine.position import side_name
from chuhe.play.board import BoardLook, draw
from chuhe.play.line_reader import LineReader
from chuhe.play.view import View
from chuhe.text.message import Language, Message, message_of


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
        else:
            screen.say(Message("tryAgain"))


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


def play_endgames(screen: PracticeScreen, name: str, goal: EndgameGoal | None, rng: random.Random) -> int:
    tablebases = open_tablebases()
    if not len(tablebases):
        screen.say(Message("practice.no-tables", command="chuhe endgame build KRKAABB"))
        return 2
    screen.say(Message("practice.commands"))
    while True:
        exercise = random_endgame(tablebases, rng, [name.upper()] if name else (), goal)
        if exercise is None:
            screen.say(Message("practice.no-endgame"))
            return 2
        play_endgame(screen, exercise)
