"""The engine's value types: plain, frozen, printable.

Everything that the protocol, the matches, the terminal and a user's script exchange with the engine is one of these,
a :class:`engine.Move` or a :class:`engine.Position`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, get_args

from engine._core import Move
from engine.errors import LimitError

MATE_LIMIT = 256  # no search is deeper, so no mate is further away (in plies)

Bound = Literal["exact", "lower", "upper"]
Result = Literal["1-0", "0-1", "1/2-1/2", "*"]


@dataclass(frozen=True, slots=True)
class Score:
    """A score for the side to move: centipawns, or mate in a number of moves.

    >>> Score(cp=35), Score(mate=-3)
    (Score(cp=35), Score(mate=-3))
    >>> Score(mate=2) > Score(cp=900) > Score(cp=-20) > Score(mate=-1)
    True
    """

    cp: int | None = None
    mate: int | None = None  # +n: the side to move mates in n moves; -n: it is mated in n; 0: it is mated now

    def __post_init__(self) -> None:
        if (self.cp is None) == (self.mate is None):
            raise ValueError("a score is either centipawns or a mate")

    @property
    def is_mate(self) -> bool:
        return self.mate is not None

    def as_centipawns(self, mate_value: int = 30_000) -> int:
        """One integer that orders like the score: a mate in n moves is ``mate_value - n``."""
        if self.mate is None:
            assert self.cp is not None
            return self.cp
        return mate_value - self.mate if self.mate > 0 else -mate_value - self.mate

    def __neg__(self) -> Score:
        return Score(cp=-self.cp) if self.cp is not None else Score(mate=-(self.mate or 0))

    def __lt__(self, other: Score) -> bool:
        return self.as_centipawns() < other.as_centipawns()

    def __le__(self, other: Score) -> bool:
        return self.as_centipawns() <= other.as_centipawns()

    def __gt__(self, other: Score) -> bool:
        return self.as_centipawns() > other.as_centipawns()

    def __ge__(self, other: Score) -> bool:
        return self.as_centipawns() >= other.as_centipawns()

    def __repr__(self) -> str:
        return f"Score(mate={self.mate})" if self.mate is not None else f"Score(cp={self.cp})"

    def __str__(self) -> str:
        return f"#{self.mate}" if self.mate is not None else f"{(self.cp or 0) / 100:+.2f}"


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends. Times are in milliseconds. Without any limit it is `infinite`."""

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    mate: int | None = None  # look for a mate in this many moves
    time: int | None = None  # the clock of the side to move
    increment: int = 0
    moves_to_go: int | None = None
    byoyomi: int = 0
    opponent_time: int | None = None
    opponent_increment: int = 0
    infinite: bool = False
    ponder: bool = False  # the clock starts at `Engine.ponderhit()`
    search_moves: tuple[Move, ...] = ()  # empty: all
    ban_moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Info:
    """A report during a search: a line (`pv`), or the root move being searched (`currmove`)."""

    depth: int
    seldepth: int
    score: Score
    bound: Bound
    pv: tuple[Move, ...]
    nodes: int
    time: int
    nps: int
    hashfull: int
    multipv: int = 1
    wdl: tuple[int, int, int] | None = None  # win, draw, loss in thousandths
    currmove: Move | None = None
    currmovenumber: int = 0
    tbhits: int | None = None  # endgame table hits; None if there are no tables


@dataclass(frozen=True, slots=True)
class BestMove:
    """A search's answer. `move` is None when there is no legal (or no allowed) move."""

    move: Move | None
    ponder: Move | None
    score: Score
    depth: int
    nodes: int
    time: int
    pv: tuple[Move, ...] = ()


Repetition = Literal["wxf", "checks", "none"]
REPETITION_LAWS: tuple[Repetition, ...] = get_args(Repetition)  # in the core's order
Evaluation = Literal["network", "classical"]
EVALUATIONS: tuple[Evaluation, ...] = get_args(Evaluation)


@dataclass(frozen=True, slots=True)
class Law:
    """The referee's settings.

    occurrences: how often a position must occur before the cycle is judged.
    move_limit: full moves without a capture after which the game is drawn; 0: never.
    repetition: "wxf" judges checks and chases, "checks" only checks, "none" nothing (repetition does not end the game).
    material: whether a game is drawn when neither side has an attacking piece left.
    """

    occurrences: int = 3
    move_limit: int = 60
    repetition: Repetition = "wxf"
    material: bool = True

    def __post_init__(self) -> None:
        if self.occurrences < 2:
            raise LimitError(f"occurrences must be 2 or more, not {self.occurrences}")
        if self.move_limit < 0:
            raise LimitError(f"the move limit must be 0 or more, not {self.move_limit}")
        if self.repetition not in REPETITION_LAWS:
            raise LimitError(f"the law is one of {', '.join(REPETITION_LAWS)}, not {self.repetition!r}")


class Reason(Enum):
    """Why a game is over under the law."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    PERPETUAL_CHECK = "perpetual check"
    PERPETUAL_CHASE = "perpetual chase"
    REPETITION = "repetition"
    MOVE_LIMIT = "move limit"
    MATERIAL = "insufficient material"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the result, the reason, and the reason in words."""

    result: Result
    reason: Reason
    text: str = ""


Grade = Literal["none", "small", "medium", "large"]
GRADES: tuple[Grade, ...] = get_args(Grade)  # in the core's order


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything about an engine that can be set; one field per engine option."""

    hash_mb: int = 64
    threads: int = 1
    multipv: int = 1
    overhead: int = 10  # milliseconds reserved in every move for pipes and GUIs
    level: int = 10  # 1 beginner … 10 full strength
    depth_limit: int = 0  # 0: none
    breadth: int = 0  # only the best N moves of each node; 0: all
    draw_score: int = 0  # the value of a draw for the engine's side, in centipawns
    randomness: int = 0  # centipawns of noise on every evaluation
    pruning: Grade = "large"
    knowledge: Grade = "large"
    evaluation: Evaluation = "network"
    evalfile: str = ""  # of the network; empty: the bundled one
    style: Literal["solid", "normal", "risky"] = "normal"
    ponder: bool = False  # the GUI will ponder; changes the time management only
    law: Law = field(default_factory=lambda: Law(occurrences=2))
    use_tables: bool = True  # endgame tables, at full strength
    table_paths: str = ""  # their directories, separated by `;`; empty: CHUHE_TABLES or the cache directory


@dataclass(frozen=True, slots=True)
class SelfPlayRules:
    """The rules of a self-play game. It depends on these, its number and the engine's settings only.

    Scores are centipawns, shares are per thousand games. The core has a struct with the same fields.
    """

    seed: int = 1
    nodes: int = 1000  # per move; the iteration that reaches this is the last …
    most_nodes: int = 2000  # … and is cut off here
    opening_least: int = 4  # random plies at the start
    opening_most: int = 9
    balance: int = 500  # the largest score of an opening, for either side
    give_up_score: int = 3500  # resigned when both sides agree on this score …
    give_up_plies: int = 3  # … for this many consecutive plies; 0: never
    draw_score: int = 5  # drawn when both sides see no more than this …
    draw_plies: int = 12  # … for this many consecutive plies; 0: never
    draw_from: int = 160  # from this ply on
    longest: int = 300  # plies including the opening; then it is a draw
    play_on: int = 100  # games that are played to the end
    stray: int = 50  # games with one random move in the middle game

    def __post_init__(self) -> None:
        for name, least, most in (
            ("seed", 0, 2**63 - 1),
            ("nodes", 1, 2**40),
            ("most_nodes", self.nodes, 2**40),
            ("opening_least", 0, 200),
            ("opening_most", self.opening_least, 200),
            ("balance", 0, 30_000),
            ("give_up_score", 1, 30_000),
            ("give_up_plies", 0, 10_000),
            ("draw_score", 0, 30_000),
            ("draw_plies", 0, 10_000),
            ("draw_from", 0, 60_000),
            ("longest", self.opening_most + 1, 60_000),
            ("play_on", 0, 1000),
            ("stray", 0, 1000),
        ):
            if not least <= getattr(self, name) <= most:
                raise LimitError(f"{name} must be from {least} to {most}, not {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A game of an engine against itself, packed as described in docs/data.md; empty if it was stopped."""

    packed: bytes
    positions: int  # with a score
    nodes: int
