"""The programs' side of a room's game: their moves, pondering, hints, and their answers to draw offers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine import Limits, Move
from play.opponents import Answer, Opponent, StyleOpponent, Thought, search_with
from play.web.desk import Job, Priority, Throttle
from play.web.players import SharedEngine
from play.web.state import line_json, score_json
from play.xiangqi_game import DRAW_JUDGEMENT_MS, Turn

if TYPE_CHECKING:
    from play.web.room import Room

HINT_MS = 1000


class Playing:
    """At most one job of each kind at the desk: the move, the pondering, the hint (or the verdict on a draw)."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._move: Job | None = None
        self._ponder: Job | None = None
        self._expected: Move | None = None
        self._aside: Job | None = None
        self._waits_for: Priority | None = None
        self._fault = ""
        self._thoughts = Throttle(lambda thought: room.tell({"type": "thought", **thought}))

    def state(self) -> dict[str, Any]:
        return {
            "thinking": self._move is not None,
            "waiting": self._waits_for.name.lower() if self._waits_for is not None else None,
            "fault": self._fault,
            "pondering": self._ponder is not None,
            "due": self._due is not None and self._move is None,
        }

    @property
    def _due(self) -> Opponent | None:
        """The program whose turn it is."""
        game = self._room.game
        if self._room.mode != "play" or game.ending is not None:
            return None
        return game.opponent_to_move

    def begin(self, played: Move | None = None) -> None:
        """Lets the program move if it is its turn. `played`: the person's move, which it may have pondered on."""
        player = self._due
        if player is None or self._move is not None:
            return
        self._fault = ""
        self._stop_aside()
        if self._ponder is not None and played is not None and played == self._expected and self._hit():
            return
        self.stop_pondering()
        position = self._room.game.position.copy()
        limits = self._limits(position.turn)
        listen = self._listener(position)
        self._start(Job(Priority.PLAY, lambda: player.choose(position, limits, listen), player.interrupt, self._wait))

    def _start(self, job: Job) -> None:
        self._move = job
        job.result.add_done_callback(lambda done: self._answered(job, done))
        self._room.house.desk.submit(job)
        self._room.refresh()

    def _limits(self, colour: int) -> Limits:
        """Those of a side's next move."""
        game, own = self._room.game, Limits(movetime=self._room.table.movetime)
        player = game.players[colour]
        return game.limits(player.strength.limits() if isinstance(player, StyleOpponent) else own, colour)

    def _listener(self, position: Any) -> Callable[[Thought], None]:
        """Called in the desk's thread; the loop does the rest."""
        loop = asyncio.get_running_loop()

        def heard(thought: Thought) -> None:
            loop.call_soon_threadsafe(self._thoughts.put, thought_json(thought))

        def thought_json(thought: Thought) -> dict[str, Any]:
            notations = {listener.notation for listener in tuple(self._room.listeners)}
            return {
                "depth": thought.depth,
                "nodes": thought.nodes,
                **score_json(thought.score, position.turn),
                **line_json(position, thought.line, notations),
            }

        return heard

    def _wait(self, by: Priority | None) -> None:
        if by is not self._waits_for:
            self._waits_for = by
            if self._move is not None:
                self._room.refresh()

    def _answered(self, job: Job, done: asyncio.Future[Any]) -> None:
        if job is not self._move:
            return
        self._move, self._waits_for = None, None
        self._thoughts.flush()
        if done.cancelled():
            return
        error = done.exception()
        if error is not None:  # the engine died or hangs: the person decides what to do
            player = self._room.game.opponent_to_move
            if player is not None:
                player.close()
            self._fault = str(error) or type(error).__name__
            self._room.changed()
            return
        room, reply = self._room, done.result()
        following = room.cursor is room.game.node
        turn = room.game.accept(reply)
        if following:
            room.cursor = room.game.node
        room.changed(tree=True)
        if isinstance(turn, Turn):
            self._after(reply, 1 - room.game.turn)
        self.begin()

    def now(self) -> None:
        """The program moves at once; if it was not thinking, it starts."""
        if self._move is not None:
            self._room.house.desk.finish(self._move)
        else:
            self.begin()

    def cancel(self) -> None:
        """Stops all thinking."""
        desk = self._room.house.desk
        move, self._move = self._move, None
        self._waits_for, self._fault = None, ""
        self._thoughts.drop()
        desk.cancel(move)
        self.stop_pondering()
        self._stop_aside()

    # --- pondering

    def _after(self, reply: Answer, colour: int) -> None:
        room = self._room
        player, expected = room.game.players[colour], reply.expected
        wanted = room.table.ponder and room.listeners and expected is not None and room.game.opponent_to_move is None
        if not wanted or expected is None or not isinstance(player, SharedEngine):
            return
        position = room.game.position.copy()
        if room.game.ending is not None or not position.is_legal(expected):
            return
        limits = replace(self._limits(colour), ponder=True)
        position.push(expected)
        listen = self._listener(position)
        self._expected = expected
        self._ponder = Job(Priority.PONDER, lambda: player.search(position, limits, listen), player.interrupt)
        room.house.desk.submit(self._ponder)
        room.refresh()

    def _hit(self) -> bool:
        """The expected move was played: the ponder search becomes the answer. False if that search is not running."""
        desk, job = self._room.house.desk, self._ponder
        if job is None or desk.current is not job or job.displaced or not desk.engine.searching:
            return False
        self._ponder = None
        desk.raise_to(job, Priority.PLAY)
        desk.engine.ponderhit()
        self._move = job
        job.result.add_done_callback(lambda done: self._answered(job, done))
        self._room.refresh()
        return True

    def stop_pondering(self) -> None:
        job, self._ponder = self._ponder, None
        self._room.house.desk.cancel(job)

    # --- hints and draws

    def hint(self) -> None:
        """What our engine at full strength would play in the position shown."""
        room, engine = self._room, self._room.house.desk.engine
        node, position = room.cursor, room.tree.position(room.cursor)
        if not position.has_legal_moves():
            return

        limits = Limits(movetime=HINT_MS, ban_moves=room.game.forbidden_moves if node is room.game.node else ())

        def work() -> Answer:
            engine.configure(level=10, multipv=1)
            return search_with(engine, position, limits, lambda thought: None)

        def told(done: asyncio.Future[Any]) -> None:
            reply: Answer = done.result()
            if reply.move is not None and reply.score is not None:
                notations = {listener.notation for listener in room.listeners}
                line = line_json(position, (reply.move,), notations)
                room.tell({"type": "hint", "node": node.id, **line, **score_json(reply.score, position.turn)})

        self._ask(work, engine.stop, told)

    def offer_draw(self) -> None:
        """Asks the program, or agrees between two people."""
        room = self._room
        player = room.game.asked_for_draw
        if player is None:
            room.game.settle_draw(None)
            room.changed()
            return
        position = room.game.position.copy()

        def told(done: asyncio.Future[Any]) -> None:
            if room.game.settle_draw(done.result()) is None:
                room.tell({"type": "notice", "key": "draw-refused"})
            else:
                self.cancel()
                room.changed()

        self._ask(lambda: player.judge(position, DRAW_JUDGEMENT_MS), player.interrupt, told)

    def _ask(
        self, work: Callable[[], Any], interrupt: Callable[[], None], told: Callable[[asyncio.Future[Any]], None]
    ) -> None:
        self._stop_aside()
        job = Job(Priority.PLAY, work, interrupt)
        self._aside = job

        def done(result: asyncio.Future[Any]) -> None:
            if self._aside is not job or result.cancelled():
                return
            self._aside = None
            error = result.exception()
            if error is None:
                told(result)
            else:
                self._room.tell({"type": "error", "text": str(error)})

        job.result.add_done_callback(done)
        self._room.house.desk.submit(job)

    def _stop_aside(self) -> None:
        job, self._aside = self._aside, None
        self._room.house.desk.cancel(job)
