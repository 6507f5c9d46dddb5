"""The two sides."""

from __future__ import annotations

from enum import IntEnum


class Colour(IntEnum):
    """RED (0) or BLACK (1). It has no truth value: `if position.turn:` would silently mean Black.

    >>> Colour.RED.opponent, ["red", "black"][Colour.BLACK]
    (BLACK, 'black')
    >>> bool(Colour.RED)
    Traceback (most recent call last):
    ...
    TypeError: a side is neither true nor false: compare it with RED or BLACK
    """

    RED = 0
    BLACK = 1

    @property
    def opponent(self) -> Colour:
        """The other side."""
        return BLACK if self is RED else RED

    def __bool__(self) -> bool:
        raise TypeError("a side is neither true nor false: compare it with RED or BLACK")

    def __repr__(self) -> str:
        return self.name


RED, BLACK = Colour
