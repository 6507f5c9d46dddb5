"""An engine in a match: started when needed, restarted after a failure. Every failure becomes a `Forfeit`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from chuhe.bench.matches.match_values import EngineSpec, Termination
from chuhe.common.time_control import SideClock
from chuhe.engine import Limits
from chuhe.protocol.arrivals import Arrivals
from chuhe.protocol.client import DETECTION_TIMEOUT, Client
from chuhe.protocol.errors import EngineDied, EngineError, EngineStartError, EngineTimeout
from chuhe.protocol.replies import Dialect, GoResult, WantedDialect

RESTART_TIMEOUT = 30.0  # seconds to start during the match: others start at the same time


class Forfeit(Exception):
    """The engine forfeits the game: a short reason for the statistics, and the full explanation."""

    def __init__(self, reason: Termination, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Pondered:
    """What an engine is pondering: the moves played, then the reply it expects."""

    moves: tuple[str, ...]


class Contender:
    """One engine of a match. Its process is kept from game to game until it fails."""

    def __init__(
        self,
        spec: EngineSpec,
        margin: int,
        hang: int,
        exact_time: bool = False,
        timed: bool = False,
        arrivals: Arrivals | None = None,
        processors: Sequence[int] = (),
    ) -> None:
        self.spec = spec
        self.processors = processors  # to which its process is bound; empty for all
        self.log: Callable[[str], None] | None = None
        self.arrivals = arrivals
        self.credit = 0.0  # milliseconds: the most that a move of this game was credited
        self.exact_time = exact_time
        self.timed = timed or exact_time
        self.margin = margin
        self.hang = hang
        self.client: Client | None = None
        self._pondered: Pondered | None = None
        self._dialect: Dialect | None = None  # remembered, so that a restart need not detect it again
        self._milliseconds: bool | None = None  # likewise

    async def prepare(self) -> None:
        """Make sure a process is running and ready for a new game."""
        self.credit = 0.0
        if self.spec.restart:
            await self.close()
        if self.client is not None:
            try:
                await self.client.new_game()
                return
            except EngineError:
                await self.discard()
        try:
            await self.start(RESTART_TIMEOUT)
            assert self.client is not None
            await self.client.new_game()
        except EngineError as error:
            await self.discard()
            reason = Termination.START_FAILURE if isinstance(error, EngineStartError) else failure_reason(error)
            raise Forfeit(reason, str(error)) from error

    async def start(self, timeout: float | None = None) -> None:
        """Start the process. The client's errors go to the caller."""
        known = (self._dialect, self._milliseconds)
        self.client = await launch(self.spec, self.exact_time, *known, self.arrivals, timeout, self.log)
        if self.processors:
            bind(self.client.pid, self.processors)
        self._dialect = self.client.dialect
        if self.timed:
            await self.client.learn_unit()
            self._milliseconds = self.client.milliseconds

    async def think(
        self, fen: str | None, moves: Sequence[str], clock: SideClock, other: SideClock, draw: bool
    ) -> GoResult:
        """The engine's answer within its time, or a Forfeit. A ponder search of this position is continued."""
        assert self.client is not None
        client = self.client
        limits = limits_from_clocks(clock, other)
        allowance = clock.allowance
        patience = self.hang if allowance is None else allowance + self.margin
        pondered, self._pondered = self._pondered, None
        try:
            if pondered is not None and client.searching and pondered.moves == tuple(moves):
                await client.ponderhit(draw_offered=draw)
            else:
                if client.searching:
                    await client.stop()
                await client.begin(fen, moves, limits, draw_offered=draw)
            result = await client.finish(patience / 1000, allowance=None if allowance is None else allowance / 1000)
        except EngineTimeout as error:
            raise await self._too_late(error, allowance, patience) from error
        except EngineError as error:
            await self.discard()
            raise Forfeit(failure_reason(error), str(error)) from error
        spent, credit = 1000 * result.elapsed, 1000 * client.credit
        if allowance is not None and spent > patience + credit:
            raise Forfeit(Termination.TIME_FORFEIT, f"{self.spec.name} took {spent:.0f} ms of {allowance:.0f}")
        if allowance is not None and spent > patience:
            self.credit = max(self.credit, credit)
        return result

    async def ponder(self, fen: str | None, moves: tuple[str, ...], clock: SideClock, other: SideClock) -> None:
        """Start pondering; a failure is reported when the next move is requested."""
        if self.client is None:
            return
        with suppress(EngineError):
            await self.client.ponder(fen, moves, limits_from_clocks(clock, other))
            self._pondered = Pondered(moves)

    async def settle(self) -> None:
        """After a game: stop any search still running."""
        self._pondered = None
        if self.client is not None and self.client.searching:
            try:
                await self.client.stop()
            except EngineError:
                await self.discard()

    async def _too_late(self, error: EngineTimeout, allowance: float | None, patience: float) -> Forfeit:
        if not error.answered:
            await self.discard()
            return Forfeit(
                Termination.HANG, f"{self.spec.name} did not answer within {patience:.0f} ms, nor when told to stop"
            )
        if allowance is None:
            return Forfeit(Termination.HANG, f"{self.spec.name} did not answer within {patience:.0f} ms")
        return Forfeit(Termination.TIME_FORFEIT, f"{self.spec.name} did not move within {allowance:.0f} ms")

    async def discard(self) -> None:
        """Kill the process; the next game starts a new one."""
        client, self.client = self.client, None
        if client is not None:
            await client.kill()

    async def close(self) -> None:
        client, self.client = self.client, None
        if client is not None:
            await client.quit()


async def launch(
    spec: EngineSpec,
    exact_time: bool = False,
    dialect: Dialect | None = None,
    milliseconds: bool | None = None,
    arrivals: Arrivals | None = None,
    timeout: float | None = None,
    log: Callable[[str], None] | None = None,
) -> Client:
    """Start an engine. With the protocol `auto` and `exact_time`, try UCI first. UCCI can state a time per move only as
    "one move to the time control", and some engines use a small part of that.
    """
    protocol: WantedDialect = dialect or spec.protocol
    if protocol == "auto" and exact_time:
        protocol = await uci_dialect(spec) or "auto"
    return await Client.start(
        list(spec.command),
        protocol,
        cwd=spec.directory,
        options=dict(spec.options),
        name=spec.name,
        milliseconds=milliseconds,
        arrivals=arrivals,
        timeout=timeout,
        log=log,
    )


def bind(process: int, processors: Sequence[int]) -> None:
    """Bind a process to processors (Linux): the threads that it has, and so those that it starts later."""
    with suppress(OSError):  # it has ended: that is reported when it is asked
        for thread in os.listdir(f"/proc/{process}/task"):
            os.sched_setaffinity(int(thread), processors)


async def uci_dialect(spec: EngineSpec) -> WantedDialect | None:
    """The UCI dialect an engine speaks; None if it does not speak UCI."""
    try:
        client = await Client.start(
            list(spec.command), "uci", cwd=spec.directory, name=spec.name, timeout=DETECTION_TIMEOUT
        )
    except EngineStartError:
        return None
    await client.quit()
    return "uci1" if client.supports("UCI_Variant") else "uci"


def limits_from_clocks(clock: SideClock, other: SideClock) -> Limits:
    """The limits for `go`: the current clocks, or the limit per move."""
    control = clock.control
    if control.base is None:
        return Limits(depth=control.depth, nodes=control.nodes, movetime=control.movetime)
    return Limits(
        depth=control.depth,
        nodes=control.nodes,
        time=int(clock.left),
        increment=control.increment,
        moves_to_go=clock.moves_to_go,
        byoyomi=control.byoyomi,
        opponent_time=None if other.control.base is None else int(other.left),
        opponent_increment=other.control.increment,
    )


def failure_reason(error: EngineError) -> Termination:
    if isinstance(error, EngineDied):
        return Termination.CRASH
    return Termination.HANG if isinstance(error, EngineTimeout) else Termination.BAD_ANSWER
