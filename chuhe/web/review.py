"""The review of a room's game: judges every move of the main line, like `chuhe analyze`, at low priority."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from typing import TYPE_CHECKING

from chuhe.coach.judgement import LINE_PLIES, Judgement, final_score, judgements
from chuhe.coach.practice.progress import OwnMistakes
from chuhe.coach.practice.session import mistake_puzzle
from chuhe.engine import BestMove, Limits, Move, Position, Score
from chuhe.engine.levels import LEVELS
from chuhe.engine.notation import NOTATIONS
from chuhe.engine.search_handle import StopSignal
from chuhe.play.xiangqi_game import GameError, turn_of
from chuhe.records.game_tree import Node
from chuhe.text.message import Message, message_of
from chuhe.web.engine_queue import EngineJob, Priority
from chuhe.web.messages import RequestError
from chuhe.web.outgoing import ReviewState, Tried, Waiting
from chuhe.web.state import judgement_json, message_json

if TYPE_CHECKING:
    from chuhe.web.room import Room

TRIED_MS = 800  # for a move that is tried in place of a mistake


class Review:
    """One run at a time. It has a thread that walks through the game; each search is a job in the engine queue."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._run: _Run | None = None

    def state(self) -> ReviewState | None:
        run = self._run
        return {"done": run.done, "total": run.total, "displaced": run.waits_for} if run is not None else None

    def start(self, movetime: int) -> None:
        room = self._room
        line = room.tree.main_line()
        if not line:
            raise GameError(Message("web.nothing-to-review"))
        if room.mode == "play":
            if room.game.ending is None:
                raise GameError(Message("web.review-later"))
            room.set_mode("analyse")
        self.stop()
        room.analysis.stop()  # this room's: it has priority and would never end
        room.judged = {}
        for node in line:
            if node.mark in ("?!", "?", "??"):
                node.mark = ""
        self._run = _Run(self, room, line, movetime)
        room.changed(tree=True)
        self._run.start()

    def stop(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.cancel()
            self._room.refresh()

    def heard(self, run: _Run, index: int, judgement: Judgement) -> None:
        if run is not self._run:
            return
        node = run.line[index]
        self._room.judged[node.id] = judgement
        node.mark = judgement.grade[0] or node.mark
        self._room.tell(
            {
                "type": "judged",
                "node": node.id,
                "judged": judgement_json(judgement, self._room.tree.position(node.parent or node)),
                "mark": node.mark,
                "done": run.done,
                "total": run.total,
                "displaced": run.waits_for,
            }
        )

    def ended(self, run: _Run, error: BaseException | None) -> None:
        """Adds the better lines as variations, and stores the review with the game."""
        if run is not self._run:
            return
        self._run = None
        room = self._room
        if error is not None:
            room.tell({"type": "error", "message": message_json(message_of(error))})
        for node in run.line:
            judgement = room.judged.get(node.id)
            if judgement is not None and judgement.grade[0] and node.parent is not None:
                room.tree.add_line(node.parent, judgement.best_line[:LINE_PLIES])
        self._keep_mistakes(run)
        room.changed(tree=True, keep_discarded=True)

    def judge(self, identity: int, text: str) -> None:
        """What a move is worth that a person tries in place of a judged one. RequestError if that one is not judged."""
        room = self._room
        node = room.tree[identity]
        known = room.judged.get(identity)
        if node.parent is None or known is None:
            raise RequestError(Message("web.nothing-to-review"))
        before, position = node.parent.id, room.tree.position(node.parent)
        move = position.parse_move(text)
        turn = turn_of(position, move)

        def told(score: Score, depth: int) -> None:
            was_best = bool(known.best_line) and move == known.best_line[0]
            judgement = replace(known, after=score, was_best=was_best, depth=depth, remarks=())
            judged = judgement_json(judgement, position)
            texts = [turn.texts[name] for name in NOTATIONS]
            tried: Tried = {
                "type": "tried",
                "node": before,
                "move": move.iccs,
                "texts": texts,
                "grade": judged["grade"],
                "loss": judged["loss"],
                "score": judged["score"],
            }
            room.tell(tried)

        after = position.copy()
        after.push(move)
        if move == node.move or (known.best_line and move == known.best_line[0]):
            told(known.after if move == node.move else known.best, known.depth)
            return
        room.analysis.stop()
        engine = room.services.queue.engine

        def work(stop: StopSignal) -> tuple[Score, tuple[Move, ...]]:
            engine.configure(level=LEVELS[-1], multipv=1)

            def search(board: Position, times: int = 1) -> BestMove:
                engine.set_position(board)
                return engine.search(Limits(movetime=times * TRIED_MS), stop=stop)

            return final_score(after, search)

        job = EngineJob(Priority.PLAY, work)
        job.result.add_done_callback(lambda done: None if done.cancelled() else told(-done.result()[0], known.depth))
        room.services.queue.submit(job)

    def _keep_mistakes(self, run: _Run) -> None:
        """What a person did wrong against a program can be practised."""
        room = self._room
        kinds = [seat["kind"] for seat in room.seating.seats]
        people = [colour for colour, kind in enumerate(kinds) if kind == "human"]
        if len(people) != 1 or room.practice is not None:
            return
        found = []
        for node in run.line:
            judgement = room.judged.get(node.id)
            if judgement is not None and judgement.colour == people[0] and node.parent is not None:
                found.append(mistake_puzzle(room.tree.position(node.parent), judgement))
        OwnMistakes(room.services.directory / "mistakes.txt").add([puzzle for puzzle in found if puzzle])


class _Run:
    def __init__(self, review: Review, room: Room, line: list[Node], movetime: int) -> None:
        self.line = line
        self.done = 0
        self.total = len(line) + 1
        self.waits_for: Waiting | None = None
        self._review = review
        self._room = room
        self._movetime = movetime
        self._fen = room.tree.fen
        self._moves = [node.move for node in line if node.move is not None]
        self._loop = asyncio.get_running_loop()
        self._job: EngineJob | None = None
        self._cancelled = False

    def start(self) -> None:
        threading.Thread(target=self._walk, name="review", daemon=True).start()

    def cancel(self) -> None:
        self._cancelled = True
        self._room.services.queue.cancel(self._job)

    def _walk(self) -> None:
        """Runs in its own thread: reports the judgements one by one."""
        error: BaseException | None = None
        try:
            moves: list[Move] = self._moves
            for index, judgement in judgements(self._fen, moves, self._search):
                self._loop.call_soon_threadsafe(self._judged, index, judgement)
        except CancelledError:
            return
        except Exception as fault:
            error = fault
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._review.ended, self, error)

    def _judged(self, index: int, judgement: Judgement) -> None:
        self.done = self.total - index
        self._review.heard(self, index, judgement)

    def _search(self, position: Position, times: int = 1) -> BestMove:
        found: Future[BestMove] = asyncio.run_coroutine_threadsafe(self._ask(position.copy(), times), self._loop)
        return found.result()

    async def _ask(self, position: Position, times: int) -> BestMove:
        if self._cancelled:
            raise asyncio.CancelledError
        engine = self._room.services.queue.engine

        def work(stop: StopSignal) -> BestMove:
            engine.configure(level=LEVELS[-1], multipv=1)
            engine.set_position(position)
            return engine.search(Limits(movetime=times * self._movetime), stop=stop)

        self._job = EngineJob(Priority.REVIEW, work, self._wait)
        self._room.services.queue.submit(self._job)
        best: BestMove = await self._job.result
        return best

    def _wait(self, by: Priority | None) -> None:
        name = by.word if by is not None else None
        if name != self.waits_for:
            self.waits_for = name
            self._room.refresh()
