"""One game between two players under a referee."""

from __future__ import annotations

import time
from datetime import datetime, timezone

from chuhe.bench.matches.contender import Contender, Forfeit
from chuhe.bench.matches.line_check import line_fault
from chuhe.bench.matches.live import Nobody, Observer
from chuhe.bench.matches.match_values import GamePlan, MatchGame, MatchMove, MatchSettings, Opening, Termination
from chuhe.bench.matches.referee import Adjudicator, Decision, Referee, decided_by_tables
from chuhe.common.time_control import SideClock
from chuhe.engine import BLACK, RED, Colour
from chuhe.protocol.replies import GoResult


class RefereedGame:
    """One game in progress; `play` runs it to an end, whatever the engines do."""

    def __init__(
        self,
        plan: GamePlan,
        opening: Opening,
        red: Contender,
        black: Contender,
        settings: MatchSettings,
        observer: Observer | None = None,
    ) -> None:
        self.plan = plan
        self.opening = opening
        self.settings = settings
        self.observer = observer or Nobody()
        self.referee = Referee(opening.fen, settings.law)
        self.start_fen = self.referee.position.fen()
        self.adjudicator = Adjudicator(settings.adjudication)
        self.players = {RED: red, BLACK: black}
        self.clocks = {
            colour: SideClock((player.spec.control or settings.control).scaled(player.spec.odds))
            for colour, player in self.players.items()
        }
        self.moves = list(opening.moves)
        self.records: list[MatchMove] = []
        self.faults: list[tuple[str, str]] = []
        self.draw_offered = False
        for move in opening.moves:
            self.referee.play(move)

    async def play(self) -> MatchGame:
        started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        began = time.perf_counter()
        self.observer.begins(self.plan, self.start_fen, self.opening.moves)
        try:
            ending = await self._prepare()
            while ending is None:
                ending = await self._move()
            for player in self.players.values():
                await player.settle()
        finally:
            self.observer.ends(self.plan)
        result, reason, detail = ending
        return MatchGame(
            number=self.plan.number,
            pair=self.plan.pair,
            red=self.plan.red,
            black=self.plan.black,
            opening=self.plan.opening,
            fen=self.start_fen,
            opening_moves=self.opening.moves,
            moves=tuple(self.records),
            result=result,
            reason=reason,
            detail=detail,
            started=started,
            seconds=round(time.perf_counter() - began, 3),
            faults=tuple(self.faults),
        )

    async def _prepare(self) -> Decision | None:
        for colour, player in self.players.items():
            try:
                await player.prepare()
            except Forfeit as forfeit:
                return self._lost(colour, forfeit.reason, forfeit.detail)
        return self.referee.ending()

    async def _move(self) -> Decision | None:
        """Play one move of the side to move; returns the ending, if the game is over."""
        colour = self.referee.position.turn
        player, clock, other = self.players[colour], self.clocks[colour], self.clocks[colour.opponent]
        try:
            result = await player.think(self.opening.fen, self.moves, clock, other, self.draw_offered)
        except Forfeit as forfeit:
            return self._lost(colour, forfeit.reason, forfeit.detail)
        ending = self._judge(colour, result)
        if ending is not None or result.move is None:
            return ending
        clock.spend(result.elapsed * 1000)
        self._record(colour, result)
        self.draw_offered = result.draw
        ending = self.referee.ending() or self.adjudicator.ending(colour, len(self.moves) // 2)
        if ending is None and self.settings.adjudication.tables:
            ending = decided_by_tables(self.referee.position, self.settings.law)
        if ending is None and self.settings.ponder and result.ponder:
            await self._ponder(colour, result.ponder)
        return ending

    def _judge(self, colour: Colour, result: GoResult) -> Decision | None:
        """Play the answered move. Returns the ending if it resigns, agrees a draw, or is missing or illegal."""
        name = self.players[colour].spec.name
        if result.resign:
            return self._lost(colour, Termination.RESIGNATION, f"{name} resigns")
        if result.move is None:
            return self._lost(colour, Termination.NO_MOVE, f"{name} gave no move although it has legal moves")
        if self.draw_offered and result.draw:
            return "1/2-1/2", Termination.DRAW_AGREED, "draw by agreement"
        if self.settings.check_lines and result.last and (fault := line_fault(self.referee.position, result.last)):
            self.faults.append((name, f"game {self.plan.number}, ply {len(self.moves) + 1}: {fault}"))
        try:
            self.referee.play(result.move)
        except ValueError as error:
            return self._lost(colour, Termination.ILLEGAL_MOVE, f"{name} plays {result.move}: {error}")
        return None

    def _record(self, colour: Colour, result: GoResult) -> None:
        assert result.move is not None
        clock = self.clocks[colour]
        self.moves.append(result.move)
        self.adjudicator.note(colour, result.score)
        record = MatchMove(
            move=result.move,
            time=round(result.elapsed * 1000),
            clock=None if clock.control.base is None else round(clock.left),
            score=None if result.score is None else str(result.score),
            depth=result.depth or None,
            nodes=result.nodes or None,
            lag=round(result.elapsed * 1000) - result.time if result.time else None,
        )
        self.records.append(record)
        self.observer.moves(self.plan, record)

    async def _ponder(self, colour: Colour, expected: str) -> None:
        """Start pondering, if the expected reply is legal."""
        position = self.referee.position
        if expected in {move.iccs for move in position.legal_moves}:
            moves = (*self.moves, expected)
            await self.players[colour].ponder(
                self.opening.fen, moves, self.clocks[colour], self.clocks[colour.opponent]
            )

    def _lost(self, colour: int, reason: Termination, detail: str) -> Decision:
        return ("0-1" if colour == RED else "1-0"), reason, detail
