"""Runs games on this machine: one asyncio loop, several games at once, each with its own engine processes."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from chuhe.bench.matches.contender import Contender
from chuhe.bench.matches.live import BackgroundObserver, Observer
from chuhe.bench.matches.match_values import EngineSpec, GamePlan, MatchGame, MatchSettings, Opening, Termination
from chuhe.bench.matches.refereed_game import RefereedGame
from chuhe.protocol.arrivals import Arrivals
from chuhe.protocol.errors import EngineError
from chuhe.protocol.log import DialogueLog

START_FAILURES = 5  # consecutive failures before the match is aborted


class MatchError(Exception):
    """The match cannot continue; the message says why."""


def processors_of(slot: int, settings: MatchSettings) -> tuple[int, ...]:
    """The processors to which the engines of a slot are bound; empty for all.

    Siblings come last where the system numbers them so, as Linux does: cores first, then their second threads.
    """
    if not settings.affinity:
        return ()
    first = slot * settings.affinity
    return tuple(sorted(os.sched_getaffinity(0)))[first : first + settings.affinity]


def check_affinity(settings: MatchSettings) -> None:
    if not settings.affinity:
        return
    if not hasattr(os, "sched_getaffinity"):
        raise MatchError("--affinity works on Linux only")
    usable, needed = len(os.sched_getaffinity(0)), settings.affinity * settings.concurrency
    if needed > usable:
        raise MatchError(f"--affinity {settings.affinity} with --concurrency {settings.concurrency} needs {needed} "
                         f"processors; this machine has {usable}")  # fmt: skip


def seat(
    spec: EngineSpec,
    settings: MatchSettings,
    arrivals: Arrivals | None = None,
    slot: int = 0,
) -> Contender:
    control = spec.control or settings.control
    return Contender(
        spec,
        settings.margin,
        settings.hang,
        exact_time=control.movetime is not None,
        timed=control.base is not None,
        arrivals=arrivals,
        processors=processors_of(slot, settings),
    )


async def probe(settings: MatchSettings) -> list[str]:
    """Start every engine once, so that a wrong command or option is reported before the first game.

    Returns the warnings.
    """
    warnings: list[str] = []
    for spec in settings.engines:
        player = seat(spec, settings)
        try:
            await player.start()
            assert player.client is not None
            warnings += player.client.warnings
        except EngineError as error:
            raise MatchError(str(error)) from error
        finally:
            await player.close()
    return warnings


class GameSlot:
    """Plays games one after the other, with one process per engine, kept until it fails."""

    def __init__(
        self,
        settings: MatchSettings,
        openings: Mapping[int, Opening],
        arrivals: Arrivals,
        observer: Observer | None = None,
        number: int = 0,
    ) -> None:
        self.settings = settings
        self.arrivals = arrivals
        self.observer = observer
        self.openings = openings
        self.players = {spec.name: seat(spec, settings, arrivals, number) for spec in settings.engines}
        self.logs = [DialogueLog() for _ in self.players] if settings.dialogue else []
        for log, (name, player) in zip(self.logs, self.players.items(), strict=False):
            log.open(str(Path(settings.output, f"{quoted(name)}-{number + 1}.log")))
            player.log = log.line

    async def play(self, plan: GamePlan) -> MatchGame:
        red, black = self.players[plan.red], self.players[plan.black]
        opening = self.openings[plan.opening]
        began = time.perf_counter()
        game = await RefereedGame(plan, opening, red, black, self.settings, self.observer).play()
        late = round(1000 * self.arrivals.longest_stall(began))
        return replace(game, late=late, credit=round(max(red.credit, black.credit)))

    async def close(self) -> None:
        await asyncio.gather(*(player.close() for player in self.players.values()))
        for log in self.logs:
            log.close()


def quoted(name: str) -> str:
    """An engine's name as part of a file's name."""
    return re.sub(r"[^\w.+-]", "_", name)


async def play_locally(
    settings: MatchSettings, openings: list[Opening], plans: Iterator[GamePlan], observer: Observer | None = None
) -> AsyncGenerator[MatchGame, None]:
    """Yield games as they finish. Closing the iterator aborts the games still running."""
    finished: asyncio.Queue[MatchGame | BaseException | None] = asyncio.Queue()
    arrivals = Arrivals()
    background = None if observer is None else BackgroundObserver(observer)
    numbered = dict(enumerate(openings))
    tables = [GameSlot(settings, numbered, arrivals, background, slot) for slot in range(settings.concurrency)]

    async def serve(table: GameSlot) -> None:
        try:
            for plan in plans:
                finished.put_nowait(await table.play(plan))
        except Exception as error:
            finished.put_nowait(error)
        else:
            finished.put_nowait(None)

    with arrivals:
        tasks = [asyncio.create_task(serve(table)) for table in tables]
        failures = 0
        busy = len(tasks)
        try:
            while busy:
                item = await finished.get()
                if item is None:
                    busy -= 1
                elif isinstance(item, BaseException):
                    raise item
                else:
                    yield item
                    failures = failures + 1 if item.reason is Termination.START_FAILURE else 0
                    if failures >= START_FAILURES:
                        raise MatchError(f"stopped after {failures} failed starts in a row: {item.detail}")
        finally:
            for task in tasks:
                task.cancel()
            for task in tasks:
                with suppress(asyncio.CancelledError):
                    await task
            await asyncio.gather(*(table.close() for table in tables))
            if background is not None:
                background.close()
