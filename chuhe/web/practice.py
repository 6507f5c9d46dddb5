"""Practice in a room: the exercise stands on the board as a game, and every move is judged before it is made."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chuhe.coach import MOTIFS
from chuhe.coach.practice.endgames import EndgameExercise, random_endgame
from chuhe.coach.practice.progress import OwnMistakes, PracticeProgress
from chuhe.coach.practice.puzzles import Puzzle, bundled_puzzles
from chuhe.coach.practice.session import Feedback, PracticeSession, chosen, engine_margin
from chuhe.engine import Engine, Move, Settings
from chuhe.engine.endgame import open_tablebases
from chuhe.engine.notation import NOTATIONS, Notation, move_text
from chuhe.engine.position import side_name
from chuhe.text.message import Message
from chuhe.web.messages import RequestError
from chuhe.web.players import Seating

if TYPE_CHECKING:
    from chuhe.web.room import Room

Source = Literal["puzzles", "mine", "endgames"]
MARGIN_NODES = 20_000  # so short that the server need not wait for its engine


class RoomPractice:
    """What is practised in a room. It ends when the room's game is replaced or analysed."""

    def __init__(self, room: Room, source: Source, theme: str | None, difficulty: int) -> None:
        self._room = room
        self.source, self.theme, self.difficulty = source, theme, difficulty
        self._rng = random.Random()
        self._endgame: EndgameExercise | None = None
        self._session = self._open(room.services.directory) if source != "endgames" else None
        self._said: dict[Notation, list[Message]] = {}
        self.over = False

    def _open(self, directory: Path) -> PracticeSession:
        if self.theme is not None and self.theme not in MOTIFS:
            raise RequestError(Message("practice.no-theme"))
        puzzles = list(bundled_puzzles()) if self.source == "puzzles" else OwnMistakes(directory / "mistakes.txt").all()
        margin = engine_margin(Engine(Settings(hash_mb=8)), MARGIN_NODES) if self.source == "mine" else _no_margin
        themes = [self.theme] if self.theme else []
        progress = PracticeProgress(directory / "practice.json")
        return PracticeSession(chosen(puzzles, themes, self.difficulty), progress, margin, self._rng)

    # --- the exercise

    def next(self) -> str:
        """Chooses the next exercise; returns its position. RequestError if there is none."""
        self.over, self._said = False, {}
        if self._session is not None:
            puzzle = self._session.next()
            if puzzle is None:
                raise RequestError(Message("practice.nothing"))
            return puzzle.fen
        tablebases = open_tablebases()
        if not len(tablebases):
            raise RequestError(Message("practice.no-tables", command="chuhe endgame build KRKAABB"))
        self._endgame = random_endgame(tablebases, self._rng)
        if self._endgame is None:
            raise RequestError(Message("practice.no-endgame"))
        return self._endgame.position.fen()

    def attempt(self, move: Move) -> list[Move]:
        """Judges a move; returns the moves to make on the board: none, this one, or this one and those that follow."""
        if self.over:
            return [move]
        if self._session is not None:
            return self._heard(self._session.answer(move))
        return self._play_endgame(move)

    def _heard(self, reply: Feedback) -> list[Move]:
        self.over = reply.over
        self._said = {notation: list(reply.messages(notation)) for notation in NOTATIONS}
        return list(reply.moves)

    def _play_endgame(self, move: Move) -> list[Move]:
        exercise = self._endgame
        assert exercise is not None
        before, best = exercise.position.copy(), exercise.best()
        kept = exercise.play(move)
        made = [move]
        if not kept:
            self.over = True
            code = "practice.gave-win" if exercise.goal == "win" else "practice.gave-draw"
            for notation in NOTATIONS:
                texts = [move_text(before, each, notation) for each in (move, best)]
                self._said[notation] = [Message(code, move=texts[0], best=texts[1])]
            return made
        if not exercise.achieved:
            made.append(exercise.answer())
        self.over = exercise.achieved
        done = Message("practice.mated" if exercise.goal == "win" else "practice.held")
        self._said = {notation: [done] if self.over else [] for notation in NOTATIONS}
        return made

    def clue(self) -> None:
        """Tells the theme, or the table's move."""
        if self._session is not None:
            self._said = {notation: [self._session.hint()] for notation in NOTATIONS}
        elif self._endgame is not None and not self.over:
            position, best = self._endgame.position, self._endgame.best()
            for notation in NOTATIONS:
                self._said[notation] = [Message("practice.answer", line=move_text(position, best, notation))]

    def reveal(self) -> list[Move]:
        """Gives the answer away; returns the moves to make on the board."""
        if self.over or self._session is None or self._session.puzzle is None:
            self.clue()
            return []
        return self._heard(self._session.give_up())

    # --- what is sent

    def state(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "theme": self.theme,
            "difficulty": self.difficulty,
            "goal": self._goal().to_json(),
            "level": self._puzzle.difficulty if self._puzzle else 0,
            "said": {notation: [message.to_json() for message in said] for notation, said in self._said.items()},
            "summary": self._session.summary().to_json() if self._session else None,
            "over": self.over,
        }

    @property
    def _puzzle(self) -> Puzzle | None:
        return self._session.puzzle if self._session else None

    def _goal(self) -> Message:
        if self._session is not None:
            return self._session.goal()
        assert self._endgame is not None
        kind = "endgame-win" if self._endgame.goal == "win" else "endgame-hold"
        return Message(f"practice.goal.{kind}", side=side_name(0 if self._endgame.goal == "win" else 1))


def _no_margin(position: object, move: Move, best: Move) -> int:
    """A puzzle that was verified has one answer."""
    return 10_000


def practice_seating(room: Room) -> Seating:
    """Two people: the one who practises makes all moves."""
    human = {"kind": "human"}
    return Seating(red=human, black=human, clock=None, movetime=room.seating.movetime, ponder=False, book=False)
