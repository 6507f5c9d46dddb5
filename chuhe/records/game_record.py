"""A game as values: the moves with comments and variations, the tags, the result. Every format is read into this."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import get_args

from chuhe.engine._core import RED, START_FEN, Move
from chuhe.engine.position import Position
from chuhe.engine.values import Result, Score
from chuhe.text.errors import UserError
from chuhe.text.message import Message

RESULTS: tuple[Result, ...] = get_args(Result)
MAX_NESTING = 100  # of variations: more is damage, and reading must not run out of stack

_COMMAND = re.compile(r"\[%\w{1,20}[^\]]{0,200}\]")
_EVAL = re.compile(
    r"\[%eval\s+(?:#(?P<mate>[+-]?\d{1,4})|(?P<pawns>[+-]?\d{1,6}(?:\.\d{1,9})?))\s*(?:,[^\]]{0,200})?\]", re.ASCII
)


def _seconds(comment: str, name: str) -> float | None:
    """The time of a command ``[%name h:mm:ss]``."""
    match = re.search(rf"\[%{name}\s+(\d{{1,4}}):(\d\d?):(\d\d?(?:\.\d{{1,9}})?)\s*\]", comment, re.ASCII)
    return None if match is None else 3600 * int(match[1]) + 60 * int(match[2]) + float(match[3])


class RecordError(UserError):
    """A game file that cannot be read; the text says which game, which move, and why. `game` is its number, if any."""

    def __init__(self, said: Message | str, game: int | None = None) -> None:
        super().__init__(said)
        self.game = game


OnFault = Callable[[RecordError], None]


@dataclass(frozen=True)
class RecordedMove:
    """A move with its annotations.

    move: the move.
    comment: what is said about it, with commands such as ``[%clk 0:09:58]``.
    mark: one of ``!`` ``?`` ``!!`` ``??`` ``!?`` ``?!``, or empty.
    variations: alternatives to the move, each a line.
    nags: the numbers of the other annotation glyphs (``$10``), in the file's order.

    >>> said = RecordedMove(Move.from_iccs("h2e2"), "[%clk 0:09:58.5] [%eval -0.31] usual")
    >>> said.clock, said.score, said.text
    (598.5, Score(cp=-31), 'usual')
    """

    move: Move
    comment: str = ""
    mark: str = ""
    variations: tuple[tuple[RecordedMove, ...], ...] = ()
    nags: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The comment without commands."""
        return " ".join(_COMMAND.sub(" ", self.comment).split())

    @property
    def clock(self) -> float | None:
        """The seconds left on the mover's clock, from ``[%clk]``."""
        return _seconds(self.comment, "clk")

    @property
    def elapsed(self) -> float | None:
        """The seconds that the move took, from ``[%emt]``."""
        return _seconds(self.comment, "emt")

    @property
    def score(self) -> Score | None:
        """The score of the position after the move, for Red, from ``[%eval]``."""
        match = _EVAL.search(self.comment)
        if match is None:
            return None
        if match["mate"]:
            return Score(mate=int(match["mate"]), turn=RED)
        return Score(cp=round(100 * float(match["pawns"])), turn=RED)


@dataclass(frozen=True)
class GameRecord:
    """A whole game. As text it is PGN, and a notebook shows its last position.

    fen: the position that it began from.
    moves: what was played.
    tags: who played, and where, by the names that PGN gives them.
    result: how it ended.
    comment: what is said before the first move.
    fault: why the game ends here: the next move could not be read; None if nothing is wrong.
    """

    fen: str = START_FEN
    moves: tuple[RecordedMove, ...] = ()
    tags: dict[str, str] = field(default_factory=dict)
    result: Result = "*"
    comment: str = ""
    fault: Message | None = None

    @classmethod
    def from_position(cls, position: Position, tags: Mapping[str, str] | None = None) -> GameRecord:
        """The game that led to a position, with its result.

        >>> game = Position()
        >>> game.push("炮二平五")
        >>> GameRecord.from_position(game, {"Red": "Hu"}).plain_moves
        (Move.from_iccs('h2e2'),)
        """
        moves, first = position.move_stack, position.copy()
        for _ in moves:
            first.pop()
        return cls(first.fen(), tuple(map(RecordedMove, moves)), dict(tags or {}), position.result())

    @property
    def plain_moves(self) -> tuple[Move, ...]:
        """The moves without their annotations."""
        return tuple(recorded.move for recorded in self.moves)

    @property
    def end(self) -> Position:
        """The position after the last move, with the moves that led to it."""
        position = Position(self.fen)
        for recorded in self.moves:
            position.push(recorded.move)
        return position

    def positions(self) -> Iterator[Position]:
        """The position at the start, then the one after each move; each is a copy with its history."""
        position = Position(self.fen)
        yield position.copy()
        for recorded in self.moves:
            position.push(recorded.move)
            yield position.copy()

    def __str__(self) -> str:
        from chuhe.records.pgn import format_pgn  # that module imports this one

        return format_pgn(self)

    def _repr_svg_(self) -> str:
        return self.end._repr_svg_()
