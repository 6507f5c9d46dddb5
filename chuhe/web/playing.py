"""The programs' side of a room's game: their moves, pondering, hints, and their answers to draw offers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chuhe.engine import BestMove, FenError, Info, Limits, Move, Position
from chuhe.engine.base_engine import OnInfo
from chuhe.engine.levels import LEVELS
from chuhe.engine.search_handle import StopSignal
from chuhe.play.opponents import Opponent, Reply, StyleOpponent, search_with
from chuhe.play.xiangqi_game import DRAW_JUDGEMENT_MS, Turn
from chuhe.text.message import Message, message_of
from chuhe.web.engine_queue import EngineJob, Priority, Throttle
from chuhe.web.messages import RequestError
from chuhe.web.outgoing import Hint, Suggestion, Thought, Threat, Waiting
from chuhe.web.players import SharedEngine
from chuhe.web.state import line_json, merit_json, message_json, score_json

if TYPE_CHECKING:
    from chuhe.web.room import Room

HINT_MS = 1000


class Playing:
    """At most one job of each kind in the queue: the move, the pondering, the hint (or the verdict on a draw)."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._move: EngineJob | None = None
        self._ponder: EngineJob | None = None
        self.expected: Move | None = None
        self._aside: EngineJob | None = None
        self._waits_for: Priority | None = None
        self.fault: Message | None = None  # why the program cannot play on
        self._thoughts = Throttle(room.tell)

    @property
    def thinking(self) -> bool:
        return self._move is not None

    @property
    def waiting(self) -> Waiting | None:
        return self._waits_for.word if self._waits_for is not None else None

    @property
    def pondering(self) -> bool:
        return self._ponder is not None

    @property
    def is_due(self) -> bool:
        """It is a program's turn, and it waits until it is told to move."""
        return self._due is not None and self._move is None

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
        self.fault = None
        self._stop_aside()
        if self._ponder is not None and played is not None and played == self.expected and self._hit():
            return
        self.stop_pondering()
        position = self._room.game.position.copy()
        limits = self._limits(position.turn)
        listen = self._listener(position)
        self._start(EngineJob(Priority.PLAY, lambda stop: player.choose(position, limits, listen, stop), self._wait))

    def _start(self, job: EngineJob) -> None:
        self._move = job
        job.result.add_done_callback(lambda done: self._answered(job, done))
        self._room.services.queue.submit(job)
        self._room.refresh()

    def _limits(self, colour: int) -> Limits:
        """Those of a side's next move."""
        game, own = self._room.game, Limits(movetime=self._room.seating.movetime)
        player = game.players[colour]
        return game.limits(player.strength.limits() if isinstance(player, StyleOpponent) else own, colour)

    def _listener(self, position: Any) -> OnInfo:
        """Called in the queue's thread; the loop does the rest."""
        loop = asyncio.get_running_loop()

        def heard(info: Info) -> None:
            loop.call_soon_threadsafe(self._thoughts.put, thought_json(info))

        def thought_json(info: Info) -> Thought:
            notations = {listener.notation for listener in tuple(self._room.listeners)}
            moves, texts = line_json(position, info.pv, notations)
            scored = score_json(info.score, position.turn)
            return {
                **scored,
                "type": "thought",
                "depth": info.depth,
                "nodes": info.nodes,
                "moves": moves,
                "texts": texts,
            }

        return heard

    def _wait(self, by: Priority | None) -> None:
        if by is not self._waits_for:
            self._waits_for = by
            if self._move is not None:
                self._room.refresh()

    def _answered(self, job: EngineJob, done: asyncio.Future[Any]) -> None:
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
            self.fault = message_of(error)
            self._room.changed()
            return
        room, reply = self._room, done.result()
        following = room.cursor is room.game.node
        turn = room.game.accept(reply)
        if following:
            room.cursor = room.game.node
        # the program's first move must not take back the offer to bring the last game back
        room.changed(tree=True, keep_discarded=None in room.game.players)
        if isinstance(turn, Turn):
            self._after(reply, 1 - room.game.turn)
        self.begin()

    def now(self) -> None:
        """The program moves at once; if it was not thinking, it starts."""
        if self._move is not None:
            self._room.services.queue.finish(self._move)
        else:
            self.begin()

    def cancel(self) -> None:
        """Stops all thinking."""
        queue = self._room.services.queue
        move, self._move = self._move, None
        self._waits_for, self.fault = None, None
        self._thoughts.drop()
        queue.cancel(move)
        self.stop_pondering()
        self._stop_aside()

    # --- pondering

    def _after(self, reply: Reply, colour: int) -> None:
        room = self._room
        player, expected = room.game.players[colour], reply.ponder
        wanted = room.seating.ponder and room.listeners and expected is not None and room.game.opponent_to_move is None
        if not wanted or expected is None or not isinstance(player, SharedEngine):
            return
        position = room.game.position.copy()
        if room.game.ending is not None or not position.is_legal(expected):
            return
        limits = replace(self._limits(colour), ponder=True)
        position.push(expected)
        listen = self._listener(position)
        self.expected = expected
        self._ponder = EngineJob(Priority.PONDER, lambda stop: player.search(position, limits, listen, stop))
        room.services.queue.submit(self._ponder)
        room.refresh()

    def _hit(self) -> bool:
        """The expected move was played: the ponder search becomes the answer. False if that search is not running."""
        queue, job = self._room.services.queue, self._ponder
        if job is None or queue.current is not job or job.displaced or (search := queue.engine.current) is None:
            return False
        self._ponder = None
        queue.raise_to(job, Priority.PLAY)
        search.ponderhit()
        self._move = job
        job.result.add_done_callback(lambda done: self._answered(job, done))
        self._room.refresh()
        return True

    def stop_pondering(self) -> None:
        job, self._ponder = self._ponder, None
        self._room.services.queue.cancel(job)

    # --- hints and draws

    def hint(self) -> None:
        """What our engine at full strength would play in the position shown."""
        room = self._room
        forbidden = room.game.forbidden_moves if room.cursor is room.game.node else ()
        position = room.tree.position(room.cursor)
        self._suggest(position, lambda found: room.tell(Hint(**found, type="hint")), forbidden)

    def threat(self) -> None:
        """What the other side would play if it were its turn in the position shown. RequestError if that cannot be."""
        room = self._room
        placement, turn, _ = room.tree.position(room.cursor).fen().split(maxsplit=2)
        try:
            position = Position(f"{placement} {'b' if turn == 'w' else 'w'} - - 0 1")
        except FenError:
            raise RequestError(Message("web.no-threat")) from None
        self._suggest(position, lambda found: room.tell(Threat(**found, type="threat")))

    def _suggest(self, position: Position, tell: Callable[[Suggestion], None], forbidden: Sequence[Move] = ()) -> None:
        """Tells the engine's move in a position, for the node that is shown now."""
        room, engine = self._room, self._room.services.queue.engine
        node = room.cursor
        if not position.has_legal_moves():
            return
        limits = Limits(movetime=HINT_MS, ban_moves=tuple(forbidden))

        def work(stop: StopSignal) -> BestMove:
            engine.configure(level=LEVELS[-1], multipv=1)
            return search_with(engine, position, limits, stop=stop)

        def told(done: asyncio.Future[Any]) -> None:
            reply: BestMove = done.result()
            if reply.move is not None:
                notations = {listener.notation for listener in room.listeners}
                moves, texts = line_json(position, (reply.move,), notations)
                merit = merit_json(position, reply.pv, reply.score, notations)
                scored = score_json(reply.score, position.turn)
                tell({**scored, "node": node.id, "moves": moves, "texts": texts, "merit": merit})

        self._ask(work, told)

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
                room.tell({"type": "notice", "message": message_json(Message("game.draw-refused"))})
            else:
                self.cancel()
                room.changed()

        self._ask(lambda stop: player.judge(position, DRAW_JUDGEMENT_MS, stop), told)

    def _ask(self, work: Callable[[StopSignal], Any], told: Callable[[asyncio.Future[Any]], None]) -> None:
        self._stop_aside()
        job = EngineJob(Priority.PLAY, work)
        self._aside = job

        def done(result: asyncio.Future[Any]) -> None:
            if self._aside is not job or result.cancelled():
                return
            self._aside = None
            error = result.exception()
            if error is None:
                told(result)
            else:
                self._room.tell({"type": "error", "message": message_json(message_of(error))})

        job.result.add_done_callback(done)
        self._room.services.queue.submit(job)

    def _stop_aside(self) -> None:
        job, self._aside = self._aside, None
        self._room.services.queue.cancel(job)
