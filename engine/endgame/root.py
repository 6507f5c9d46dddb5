"""How endgame tables change a search at the root: which moves to search, and how deep."""

from __future__ import annotations

from dataclasses import dataclass

from chuhe.engine._core import CoreTablebases, Move
from chuhe.engine.endgame import Tablebases
from chuhe.engine.position import Position


@dataclass(frozen=True)
class RootPlan:
    """moves: the moves to search. tables: for use in the tree. solved: one ply is enough. drawn: all these moves draw.

    A drawn position is searched without tables: by the table all moves that hold the draw are equal, and the search
    finds the one that sets the most problems.
    """

    position: Position
    moves: list[Move]
    tables: CoreTablebases
    solved: bool = False
    drawn: bool = False

    @property
    def tree_tables(self) -> CoreTablebases | None:
        return None if self.drawn else self.tables

    def finish(self, pv: list[Move], plies: int) -> list[Move]:
        """The line of a mate in this many plies, extended from the tables as far as they reach."""
        if len(pv) >= plies:
            return pv
        after = self.position.copy()
        for move in pv:
            after.push(move)
        return [*pv, *self.tables.line(after, plies - len(pv))]


def plan_root(
    tablebases: Tablebases, position: Position, moves: list[Move], move_limit: int, lines: int = 1
) -> RootPlan:
    """The plan for these moves when the best `lines` are to be reported.

    `move_limit` is in plies, 0 for none: a mate that may come too late is not certain.
    """
    wanted = set(moves)
    codes = {move: code for move, code in tablebases.core.moves(position) if move in wanted}
    if not codes or min(codes.values()) < 0:
        return RootPlan(position, moves, tablebases.core)

    def certain(plies: int) -> bool:
        return not move_limit or position.halfmove_clock + plies < move_limit

    winning = [move for move in moves if codes[move] % 2]
    holding = [move for move in moves if codes[move] == 0]
    if winning:
        solved = certain(min(codes[move] for move in winning))
        return RootPlan(position, moves if solved else winning, tablebases.core, solved)
    if holding:
        return (
            RootPlan(position, holding, tablebases.core, drawn=True)
            if lines == 1
            else RootPlan(position, moves, tablebases.core, solved=True)
        )
    return RootPlan(position, moves, tablebases.core, solved=certain(max(codes.values())))
