"""A practice session: the next puzzle, a move as an answer, and what is said about it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from chuhe.coach.judgement import Judgement
from chuhe.coach.mistakes import explain_mistake
from chuhe.coach.practice.making import succeeds, themes_of
from chuhe.coach.practice.progress import PracticeProgress
from chuhe.coach.practice.puzzles import Goal, Puzzle
from chuhe.coach.score_words import line_text
from chuhe.coach.wording import FAULTS, mistake_words
from chuhe.engine import Engine, Limits, Move, Position, Score
from chuhe.engine.notation import Notation, move_text
from chuhe.engine.position import side_name
from chuhe.text.message import Message

SHOWN_PLIES = 7
AS_GOOD = 12  # centipawns: a move that is no worse than this solves a puzzle of the goal "better" …
WINS_AS_MUCH = 40  # … and this, one of the others, if it still reaches the goal
NODES = 100_000


@dataclass(frozen=True, slots=True)
class Trial:
    """A move beside the one that is known to be right: whether it is as good, its score, and the line from it on."""

    right: bool
    line: tuple[Move, ...]
    score: Score
    best: Score


# compares the first move with the second one, which is known to be right; None: it is not, and no more is known
Comparison = Callable[[Position, Move, Move, Goal], Trial | None]


@dataclass(frozen=True, slots=True)
class Feedback:
    """The end of a puzzle (`over`), the moves to make on the board, and what is said, in a notation.

    refutation: a wrong move and the answer to it, or nothing.
    """

    over: bool
    moves: tuple[Move, ...]
    messages: Callable[[Notation], tuple[Message, ...]]
    refutation: tuple[Move, ...] = ()


def engine_comparison(engine: Engine, nodes: int = NODES) -> Comparison:
    """Compares two moves by two searches of an engine."""

    def compare(position: Position, move: Move, best: Move, goal: Goal) -> Trial:
        engine.set_position(position)
        known, tried = (engine.search(Limits(nodes=nodes, search_moves=(each,))) for each in (best, move))
        line, after = tried.pv or (move,), position.copy()
        after.push(move)
        if len(line) == 1 and after.has_legal_moves():  # cut short by the hash table
            engine.set_position(after)
            reply = engine.search(Limits(nodes=nodes))
            line = (move, *(reply.pv or filter(None, (reply.move,))))
        return Trial(as_good(goal, known.score, tried.score), line, tried.score, known.score)

    return compare


def as_good(goal: Goal, best: Score, score: Score) -> bool:
    """Whether a move with this score reaches the goal as well as the best one: it mates too, or wins as much.

    >>> as_good("win", Score(mate=3), Score(mate=5)), as_good("win", Score(mate=3), Score(cp=300))
    (True, False)
    """
    if goal == "win" and best.mate is not None and best.mate > 0:
        return score.mate is not None and score.mate > 0
    worse = best.as_centipawns() - score.as_centipawns()
    if goal == "better":
        return worse <= AS_GOOD
    return worse <= WINS_AS_MUCH and succeeds(goal, score)


class PracticeSession:
    """Puzzles one after another, each to its last move to find. Only the first answers to a puzzle count."""

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        progress: PracticeProgress,
        compare: Comparison,
        rng: random.Random | None = None,
    ) -> None:
        self.puzzles = list(puzzles)
        (rng or random.Random()).shuffle(self.puzzles)
        self.progress = progress
        self._compare = compare
        self.puzzle: Puzzle | None = None
        self._index = 0  # of the move to find, in the line
        self._counted = False
        self._tried: dict[Move, Trial | None] = {}  # other moves that were tried here

    def next(self) -> Puzzle | None:
        """The next puzzle: what was missed and is due, then what is new."""
        self.puzzle, self._index, self._counted = self.progress.choose(self.puzzles), 0, False
        self._tried.clear()
        return self.puzzle

    def position(self) -> Position:
        """Where a move is to be found."""
        return self._current().position(self._index)

    def answer(self, move: Move) -> Feedback:
        """Judges a move. OutputError if the progress cannot be written."""
        puzzle, position, index = self._current(), self.position(), self._index
        wanted = puzzle.line[index]
        if move != wanted:
            trial = self._trial(position, move, wanted)
            if trial is None or not trial.right:
                self._count(False)
                return _refuted(position, move, puzzle.line[index:], trial)
            puzzle = self.puzzle = _goes_on(puzzle, index, trial.line)
        further = [each for each in puzzle.asked if each > index]
        if further:
            self._index = further[0]
            self._tried.clear()
            made = puzzle.line[index : self._index]
            return Feedback(False, made, lambda notation: (self._said("goes-on", position, made, notation),))
        self._count(True)
        if puzzle.goal == "better" and move != wanted:

            def as_good(notation: Notation) -> tuple[Message, ...]:
                texts = [move_text(position, each, notation) for each in (move, wanted)]
                return (Message("practice.as-good", move=texts[0], best=texts[1]),)

            return Feedback(True, (move,), as_good)
        rest = puzzle.line[index:]
        return Feedback(True, (move,), lambda notation: (self._said("right", position, rest, notation), *self.themes()))

    def _trial(self, position: Position, move: Move, wanted: Move) -> Trial | None:
        if move not in self._tried:
            self._tried[move] = self._compare(position, move, wanted, self._current().goal)
        return self._tried[move]

    def give_up(self) -> Feedback:
        """The answer, with all moves to find; the puzzle counts as missed."""
        self._count(False)
        puzzle, position, rest = self._current(), self.position(), self._current().line[self._index :]
        shown = rest[: puzzle.asked[-1] + 1 - self._index]
        return Feedback(True, shown, lambda notation: (self._said("answer", position, rest, notation), *self.themes()))

    def goal(self) -> Message:
        puzzle = self._current()
        return Message(f"practice.goal.{puzzle.goal}", side=side_name(puzzle.position().turn))

    def hint(self) -> Message:
        return (*self.themes(), Message("practice.no-theme"))[0]

    def themes(self) -> tuple[Message, ...]:
        names = [Message(f"motif.{code}") for code in self._current().themes]
        return (Message("practice.theme", names=names),) if names else ()

    def _said(self, code: str, position: Position, line: tuple[Move, ...], notation: Notation) -> Message:
        return Message(f"practice.{code}", line=line_text(position, line, notation, SHOWN_PLIES))

    def summary(self) -> Message:
        solved, returning, new = self.progress.summary(self.puzzles)
        return Message("practice.summary", solved=solved, returning=returning, new=new)

    def _current(self) -> Puzzle:
        assert self.puzzle is not None
        return self.puzzle

    def _count(self, solved: bool) -> None:
        if not self._counted:
            self.progress.note(self._current().name, solved)
            self._counted = True


def _refuted(position: Position, move: Move, right: Sequence[Move], trial: Trial | None) -> Feedback:
    """A wrong answer: what it allows, as far as that is proven, and the answer to it; never what is right."""
    replies = trial.line[1:] if trial else ()
    remarks = explain_mistake(position, move, replies, right, trial.best, trial.score) if trial else []
    faults = [remark for remark in remarks if remark.code in FAULTS]

    def messages(notation: Notation) -> tuple[Message, ...]:
        if faults:
            return tuple(mistake_words(position, faults[:1], notation))
        text = move_text(position, move, notation)
        if not replies:
            return (Message("practice.wrong", move=text),)
        after = position.copy()
        after.push(move)
        reply = move_text(after, replies[0], notation)
        return (Message("practice.refuted", move=text, side=side_name(after.turn), reply=reply),)

    return Feedback(False, (), messages, (move, replies[0]) if replies else ())


def _goes_on(puzzle: Puzzle, index: int, line: Sequence[Move]) -> Puzzle:
    """The puzzle along the line of another right move, which still has a move to find if the puzzle has."""
    line = (*puzzle.line[:index], *line)
    asked = [each for each in puzzle.asked if each <= index]
    if puzzle.asked[-1] > index and len(line) > index + 2:
        asked.append(index + 2)
    return replace(puzzle, line=line, asked=tuple(asked))


def chosen(puzzles: Sequence[Puzzle], themes: Sequence[str] = (), difficulty: int = 0) -> list[Puzzle]:
    """The puzzles that have one of these themes, and this difficulty; nothing given: all."""
    return [
        puzzle
        for puzzle in puzzles
        if (not themes or set(themes) & set(puzzle.themes)) and difficulty in (0, puzzle.difficulty)
    ]


def mistake_puzzle(position: Position, judgement: Judgement) -> Puzzle | None:
    """A mistake of a reviewed game as a puzzle; None if the move was none, or nothing better is known."""
    if judgement.grade[0] not in ("?", "??") or not judgement.best_line:
        return None
    line = judgement.best_line[:15]
    plain = Position(position.fen())
    return Puzzle(plain.fen(), "better", 2, themes_of(plain, line), line)
