"""Match games on a cluster: each worker starts the engines for its game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from functools import partial

from chuhe.bench.matches.local import GameSlot
from chuhe.bench.matches.match_values import GamePlan, MatchGame, MatchSettings, Opening
from chuhe.bench.spread import Workers, spread
from chuhe.protocol.arrivals import Arrivals


def play_one(settings: MatchSettings, task: tuple[GamePlan, Opening]) -> MatchGame:
    """On a worker: one game, with its own engine processes."""
    return asyncio.run(_play(settings, *task))


async def _play(settings: MatchSettings, plan: GamePlan, opening: Opening) -> MatchGame:
    with Arrivals() as arrivals:
        slot = GameSlot(settings, {plan.opening: opening}, arrivals)
        try:
            return await slot.play(plan)
        finally:
            await slot.close()


async def play_on_cluster(
    workers: Workers,
    tell: Callable[[str], None],
    settings: MatchSettings,
    openings: list[Opening],
    plans: Iterator[GamePlan],
) -> AsyncGenerator[MatchGame, None]:
    """Yield games as they finish; closing the iterator gives up the games still running."""
    tasks = ((plan, openings[plan.opening]) for plan in plans)
    with spread(partial(play_one, settings), tasks, workers, in_order=False, tell=tell) as games:
        while (game := await asyncio.to_thread(next, games, None)) is not None:
            yield game
