"""Puzzles and the files that hold them: one line each, `FEN | goal | difficulty | themes | line`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, get_args

from chuhe.coach import MOTIFS
from chuhe.engine import FenError, IllegalMoveError, InvalidMoveError, Move, Position
from chuhe.files.encoding import EncodingError, plain_text
from chuhe.files.reading import read_input
from chuhe.files.writing import MARK
from chuhe.text.errors import UserError
from chuhe.text.message import Message, message_of, os_message

Goal = Literal["win", "save", "better"]  # "better": from a game of the player's own; several moves may be good
GOALS: tuple[Goal, ...] = get_args(Goal)
DIFFICULTIES = (1, 2, 3)  # easy, medium, hard
ASKED = "!"  # after a move of the line that the player has to find
HEAD = f"# puzzles, {MARK} puzzles make: FEN | goal | difficulty | themes | line, {ASKED} after a move to find\n"
DONE = "# so far: "  # a line of an unfinished file: the games or puzzles that have been looked at


class PuzzleError(UserError):
    """A file of puzzles that cannot be read; the message names the file and the line."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with an answer, and the line that shows it. Unless the goal is "better", no other move will do.

    asked: the indices of the moves of the line that are to be found; the first is always among them.
    """

    fen: str
    goal: Goal
    difficulty: int
    themes: tuple[str, ...]  # codes of motifs, the most telling first
    line: tuple[Move, ...]
    asked: tuple[int, ...] = (0,)

    @property
    def name(self) -> str:
        """What identifies it in a player's progress: the placement and the side to move."""
        return " ".join(self.fen.split()[:2])

    @property
    def answer(self) -> Move:
        return self.line[0]

    def position(self, index: int = 0) -> Position:
        """The position before the move of the line with this index."""
        game = Position(self.fen)
        for move in self.line[:index]:
            game.push(move)
        return game

    def text(self) -> str:
        marks = [ASKED if index in self.asked else "" for index in range(len(self.line))]
        moves = " ".join(f"{move.iccs}{mark}" for move, mark in zip(self.line, marks, strict=True))
        return f"{self.fen} | {self.goal} | {self.difficulty} | {' '.join(self.themes)} | {moves}"


def parse_puzzle(text: str) -> Puzzle:
    """A puzzle from its line; ValueError says what is wrong with it."""
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != 5:
        raise ValueError("a puzzle has five parts, separated by |")
    fen, goal, difficulty, themes, line = parts
    if goal not in GOALS:
        raise ValueError(f"the goal is {' or '.join(GOALS)}, not {goal!r}")
    if difficulty not in map(str, DIFFICULTIES):
        raise ValueError(f"the difficulty is from 1 to 3, not {difficulty!r}")
    unknown = [code for code in themes.split() if code not in MOTIFS]
    if unknown:
        raise ValueError(f"there is no theme {unknown[0]!r}")
    game = Position(fen)
    moves = []
    words = line.split()
    for word in words:
        moves.append(Move.from_iccs(word.removesuffix(ASKED)))
        game.push(moves[-1])
    if not moves:
        raise ValueError("it has no answer")
    asked = {0, *(index for index, word in enumerate(words) if word.endswith(ASKED))}
    if any(index % 2 for index in asked):
        raise ValueError("a move of the other side is not to be found")
    return Puzzle(fen, goal, int(difficulty), tuple(themes.split()), tuple(moves), tuple(sorted(asked)))


def read_puzzles(path: str | Path, *, may_be_empty: bool = False) -> list[Puzzle]:
    """The puzzles of a file; PuzzleError names the first bad line, or says that there is no puzzle."""
    try:
        text = plain_text(read_input(path))
    except EncodingError:
        raise PuzzleError(Message("file.at", path=str(path), fault=Message("practice.no-puzzles"))) from None
    except OSError as error:
        raise PuzzleError(Message("file.at", path=str(path), fault=os_message(error))) from None
    found = _parse_all(text, str(path))
    if not found and not may_be_empty:
        raise PuzzleError(Message("file.at", path=str(path), fault=Message("practice.no-puzzles")))
    return found


def _parse_all(text: str, path: str) -> list[Puzzle]:
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            try:
                found.append(parse_puzzle(line))
            except (ValueError, FenError, IllegalMoveError, InvalidMoveError) as error:
                fault = Message("practice.bad-line", path=path, line=number, fault=message_of(error))
                raise PuzzleError(fault) from None
    return found


def format_puzzles(puzzles: Iterable[Puzzle], done: int = 0) -> str:
    """A file of puzzles. `done`: how far the command that writes it has come, so that it can go on from there."""
    text = HEAD + "".join(f"{puzzle.text()}\n" for puzzle in puzzles)
    return f"{text}{DONE}{done}\n" if done else text


def read_unfinished(path: Path) -> tuple[list[Puzzle], int]:
    """The puzzles that an interrupted command has written, and how far it came; nothing if there is no such file."""
    if not path.is_file():
        return [], 0
    ends = [line.removeprefix(DONE) for line in path.read_text("utf-8").splitlines() if line.startswith(DONE)]
    return (read_puzzles(path, may_be_empty=True), int(ends[-1])) if ends and ends[-1].isdecimal() else ([], 0)


@cache
def bundled_puzzles() -> tuple[Puzzle, ...]:
    """The puzzles that come with Chuhe."""
    text = (files("chuhe.coach.practice") / "data" / "puzzles.txt").read_text(encoding="utf-8")
    return tuple(_parse_all(text, "puzzles.txt"))
