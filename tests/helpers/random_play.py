"""Random play: where tests get positions that nobody has chosen."""

from __future__ import annotations

import random
from collections.abc import Iterator

from chuhe.engine import Position


def play_at_random(rng: random.Random, plies: int, position: Position, greed: float = 0.0) -> Iterator[Position]:
    """Play up to `plies` random moves; yields the position after each. `greed`: how often a capture must be played."""
    for _ in range(plies):
        moves = position.legal_moves
        if not moves:
            return
        captures = [move for move in moves if position.is_capture(move)] if greed else []
        position.push(rng.choice(captures if captures and rng.random() < greed else moves))
        yield position


def random_position(rng: random.Random, plies: int, greed: float = 0.0) -> Position:
    """The position after up to `plies` random moves from the start."""
    position = Position()
    for _ in play_at_random(rng, plies, position, greed):
        pass
    return position
