"""Positions of solved endgames drawn at random: to practise from, or to start games from."""

from __future__ import annotations

import random
from collections.abc import Iterator

from chuhe.engine._core import RED, Piece
from chuhe.engine._endgame import Solver
from chuhe.engine.diagram import position_of
from chuhe.engine.endgame.survey import position_at
from chuhe.engine.position import Position
from chuhe.text.errors import UserError
from chuhe.text.message import Message

TRIES = 200_000  # before giving up on finding such a position


def random_positions(
    solver: Solver, seed: int, result: str = "any", least: int = 0, extra: str = ""
) -> Iterator[Position]:
    """An endless stream of positions with the attacker (Red) to move: won in at least `least` plies, drawn, or any.

    `extra` is a FEN letter: such a piece is added anywhere, so that the position is one capture away from the endgame.
    ValueError if no such position is found.
    """
    rng = random.Random(seed)
    while True:
        for _ in range(TRIES):
            index = rng.randrange(solver.size)
            code = solver.code(0, index)
            wanted = result == "any" or (code == 0) == (result == "draw")
            if not wanted or (code and code - 1 < least) or not solver.is_legal(0, index):
                continue
            position = position_at(solver, 0, index)
            added = _with(position, extra, rng) if extra else position
            if added is not None:
                yield added
                break
        else:
            raise UserError(Message("endgame.no-position"))


def _with(position: Position, letter: str, rng: random.Random) -> Position | None:
    """The position with one more piece on a random square; None if it cannot stand there."""
    square = rng.randrange(90)
    if position.piece_at(square) is not None:
        return None
    return position_of({**position.pieces(), square: Piece.from_symbol(letter)}, RED)
