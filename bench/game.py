"""One game between two players under a referee."""

from __future__ import annotations

import time
from datetime import datetime, timezone

from bench.control import Clock
from bench.player import Forfeit, Player
from bench.referee import Adjudicator, Ending, Referee
from bench.values import GamePlan, GameRecord, MatchSettings, MoveRecord, Opening
from engine import BLACK, RED
from protocol.replies import Played


class Game:
    """The course of a game; `play` runs it to its end, whatever the engines do."""

    def __init__(self, plan: GamePlan, opening: Opening, red: Player, black: Player, settings: MatchSettings) -> None:
        self.plan = plan
        self.opening = opening
        self.settings = settings
        self.referee = Referee(opening.fen, settings.law)
        self.start_fen = self.referee.position.fen()
        self.adjudicator = Adjudicator(settings.adjudication)
        self.players = {RED: red, BLACK: black}
        self.clocks = {
            color: Clock((player.spec.control or settings.control).scaled(player.spec.odds))
            for color, player in self.players.items()
        }
        self.moves = list(opening.moves)
        self.records: list[MoveRecord] = []
        self.draw_offered = False
        for move in opening.moves:
            self.referee.play(move)

    async def play(self) -> GameRecord:
        started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        began = time.perf_counter()
        ending = await self._prepare()
        while ending is None:
            ending = await self._move()
        for player in self.players.values():
            await player.settle()
        result, reason, detail = ending
        return GameRecord(
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
        )

    async def _prepare(self) -> Ending | None:
        for color, player in self.players.items():
            try:
                await player.prepare()
            except Forfeit as forfeit:
                return self._lost(color, forfeit.reason, forfeit.detail)
        return self.referee.ending()

    async def _move(self) -> Ending | None:
        """One move of the side to move; the ending that it brings."""
        color = self.referee.position.turn
        player, clock, other = self.players[color], self.clocks[color], self.clocks[RED + BLACK - color]
        try:
            played = await player.think(self.opening.fen, self.moves, clock, other, self.draw_offered)
        except Forfeit as forfeit:
            return self._lost(color, forfeit.reason, forfeit.detail)
        ending = self._judge(color, played)
        if ending is not None or played.move is None:
            return ending
        clock.spend(played.elapsed * 1000)
        self._record(color, played)
        self.draw_offered = played.draw
        ending = self.referee.ending() or self.adjudicator.ending(color, len(self.moves) // 2)
        if ending is None and self.settings.ponder and played.ponder:
            await self._ponder(color, played.ponder)
        return ending

    def _judge(self, color: int, played: Played) -> Ending | None:
        """What the answer itself decides, before the move stands on the board."""
        name = self.players[color].spec.name
        if played.resign:
            return self._lost(color, "resignation", f"{name} resigns")
        if played.move is None:
            return self._lost(color, "no move", f"{name} has no move although there are legal ones")
        if self.draw_offered and played.draw:
            return "1/2-1/2", "draw agreed", "draw by agreement"
        try:
            self.referee.play(played.move)
        except ValueError as error:
            return self._lost(color, "illegal move", f"{name} plays {played.move}: {error}")
        return None

    def _record(self, color: int, played: Played) -> None:
        assert played.move is not None
        clock = self.clocks[color]
        self.moves.append(played.move)
        self.adjudicator.note(color, played.score)
        self.records.append(
            MoveRecord(
                move=played.move,
                time=round(played.elapsed * 1000),
                clock=None if clock.control.base is None else round(clock.left),
                score=None if played.score is None else str(played.score),
                depth=played.depth or None,
                nodes=played.nodes or None,
            )
        )

    async def _ponder(self, color: int, expected: str) -> None:
        """Ponder only on a move that the opponent can really make."""
        position = self.referee.position
        if expected in {move.iccs for move in position.legal_moves}:
            moves = (*self.moves, expected)
            await self.players[color].ponder(
                self.opening.fen, moves, self.clocks[color], self.clocks[RED + BLACK - color]
            )

    def _lost(self, color: int, reason: str, detail: str) -> Ending:
        return ("0-1" if color == RED else "1-0"), reason, detail
