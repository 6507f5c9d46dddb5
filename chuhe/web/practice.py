"""Practice in a room: the exercise stands on the board as a game, and every move is judged before it is made."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from chuhe.coach import MOTIFS
from chuhe.coach.practice.endgames import EndgameExercise, random_endgame
from chuhe.coach.practice.progress import OwnMistakes, PracticeProgress
from chuhe.coach.practice.puzzles import Puzzle, bundled_puzzles
from chuhe.coach.practice.session import Feedback, PracticeSession, chosen, engine_comparison
from chuhe.engine import Engine, Move, Position, Settings
from chuhe.engine.endgame import open_tablebases
from chuhe.engine.notation import NOTATIONS, Notation, move_text
from chuhe.engine.position import side_name
from chuhe.text.message import Message
from chuhe.web.messages import RequestError
from chuhe.web.outgoing import Practice
from chuhe.web.players import Seating
from chuhe.web.state import message_json

if TYPE_CHECKING:
    from chuhe.web.room import Room

Source = Literal["puzzles", "mine", "endgames"]
Verdict = Literal["", "right", "wrong", "shown"]
LINE_NODES = 20_000  # so short that the server need not wait for its engine


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
        self.verdict: Verdict = ""
        self._refutation: tuple[Move, ...] = ()
        self._answers = 0
        self.side = 0  # that is to move in the exercise

    def is_about(self, source: Source, theme: str | None, difficulty: int) -> bool:
        return (self.source, self.theme, self.difficulty) == (source, theme, difficulty)

    def _open(self, directory: Path) -> PracticeSession:
        if self.theme is not None and self.theme not in MOTIFS:
            raise RequestError(Message("practice.no-theme"))
        puzzles = list(bundled_puzzles()) if self.source == "puzzles" else OwnMistakes(directory / "mistakes.txt").all()
        compare = engine_comparison(Engine(Settings(hash_mb=8)), LINE_NODES)
        themes = [self.theme] if self.theme else []
        progress = PracticeProgress(directory / "practice.json")
        return PracticeSession(chosen(puzzles, themes, self.difficulty), progress, compare, self._rng)

    # --- the exercise

    def next(self) -> str:
        """Chooses the next exercise; returns its position. RequestError if there is none."""
        fen = self._choose()
        self.over, self._said, self.verdict, self._refutation = False, {}, "", ()
        self.side = Position(fen).turn
        return fen

    def _choose(self) -> str:
        if self._session is not None:
            puzzle = self._session.next()
            if puzzle is None:
                none_kept = self.source == "mine" and not self._session.puzzles
                raise RequestError(Message("practice.no-mistakes") if none_kept else Message("practice.nothing"))
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
        self._answers += 1
        if self._session is not None:
            reply = self._session.answer(move)
            self.verdict = "right" if reply.moves else "wrong"
            return self._heard(reply)
        return self._play_endgame(move)

    def _heard(self, reply: Feedback) -> list[Move]:
        self.over, self._refutation = reply.over, reply.refutation
        self._said = {notation: list(reply.messages(notation)) for notation in NOTATIONS}
        return list(reply.moves)

    def _play_endgame(self, move: Move) -> list[Move]:
        exercise = self._endgame
        assert exercise is not None
        before, best = exercise.position.copy(), exercise.best()
        kept = exercise.play(move)
        made = [move]
        if not kept:
            self.over, self.verdict = True, "wrong"
            code = "practice.gave-win" if exercise.goal == "win" else "practice.gave-draw"
            for notation in NOTATIONS:
                texts = [move_text(before, each, notation) for each in (move, best)]
                self._said[notation] = [Message(code, move=texts[0], best=texts[1])]
            return made
        if not exercise.achieved:
            made.append(exercise.answer())
        self.over, self.verdict = exercise.achieved, "right"
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
        self.verdict = "shown"
        return self._heard(self._session.give_up())

    # --- what is sent

    def state(self) -> Practice:
        session = self._session
        return {
            "source": self.source,
            "theme": self.theme,
            "difficulty": self.difficulty,
            "goal": message_json(self._goal()),
            "level": self._puzzle.difficulty if self._puzzle else 0,
            "said": {notation: [message_json(each) for each in said] for notation, said in self._said.items()},
            "summary": message_json(session.summary()) if session else None,
            "over": self.over,
            "verdict": self.verdict,
            "refutation": [move.iccs for move in self._refutation],
            "answers": self._answers,
            "streak": session.progress.streak if session else 0,
            "today": session.progress.today if session else 0,
            "due": session.progress.due(session.puzzles) if session else 0,
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


def practice_seating(room: Room) -> Seating:
    """Two people: the one who practises makes all moves."""
    human = {"kind": "human"}
    return Seating(red=human, black=human, clock=None, movetime=room.seating.movetime, ponder=False, book=False)
