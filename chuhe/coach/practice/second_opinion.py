"""Another engine's opinion of puzzles: has a move to find a second solution?"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from chuhe.coach.practice.making import themes_of
from chuhe.coach.practice.puzzles import Goal, Puzzle
from chuhe.engine import Info, Limits, Score
from chuhe.protocol.client import Client

WINS, HOLDS = 250, -250  # the other engine's centipawns: a second move that scores more wins, or holds, too
GAP = 150  # centipawns: the answer is better than the second move by so much


def fault(goal: Goal, best: Score, second: Score) -> str:
    """Why these scores of the answer and of the second best move do not make a puzzle; empty if they do.

    >>> fault("win", Score(mate=4), Score(cp=20)), fault("win", Score(mate=4), Score(mate=6))
    ('', 'a second move mates')
    """
    limit = WINS if goal == "win" else HOLDS
    if goal == "win" and second.mate is not None and second.mate > 0:
        return "a second move mates"
    if second.as_centipawns() > limit:
        return f"a second move scores {second}"
    if best.as_centipawns() - second.as_centipawns() < GAP:
        return f"the answer scores {best}, a second move {second}"
    return ""


class SecondOpinion:
    """An engine that looks at the two best moves."""

    def __init__(self, client: Client, nodes: int) -> None:
        self._client, self._nodes = client, nodes

    @classmethod
    async def start(cls, command: str, nodes: int) -> SecondOpinion:
        return cls(await Client.start(command, options={"MultiPV": 2, "Threads": 1}), nodes)

    async def quit(self) -> None:
        await self._client.quit()

    async def fault(self, puzzle: Puzzle, index: int) -> str:
        """What is wrong with the move to find with this index in the line; empty if the engine agrees with it."""
        position = puzzle.position(index)
        await self._client.new_game()
        found = await self._client.search(position.fen(), Limits(nodes=self._nodes))
        lines: dict[int, Info] = {info.multipv: info for info in found.infos if info.pv}
        if not lines or lines[1].pv[0] != puzzle.line[index]:
            return f"the engine plays {found.move}, not {puzzle.line[index]}"
        return fault(puzzle.goal, lines[1].score, lines[2].score) if 2 in lines else ""

    async def sound(self, puzzle: Puzzle) -> tuple[Puzzle | None, list[str]]:
        """The puzzle without the later moves to find that have a fault, and the faults; None if the first has one."""
        faults = []
        asked = []
        for index in puzzle.asked:
            wrong = await self.fault(puzzle, index)
            if not wrong:
                asked.append(index)
                continue
            faults.append(f"{puzzle.line[index]}: {wrong}")
            if index == 0:
                return None, faults
        if faults:
            themes = themes_of(puzzle.position(), puzzle.line, asked)
            puzzle = replace(puzzle, asked=tuple(asked), themes=themes)
        return puzzle, faults


def opinion_on(command: str, nodes: int, puzzle: Puzzle) -> tuple[Puzzle | None, list[str]]:
    """`SecondOpinion.sound` by an engine that is started for it; runs in any process."""

    async def ask() -> tuple[Puzzle | None, list[str]]:
        opinion = await SecondOpinion.start(command, nodes)
        try:
            return await opinion.sound(puzzle)
        finally:
            await opinion.quit()

    return asyncio.run(ask())
