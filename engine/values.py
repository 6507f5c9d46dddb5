"""The engine's value types: plain, frozen, printable.

Everything that the protocol, the matches, the terminal and a user's script exchange with the engine is one of these,
a `Move` or a `Position`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal, get_args, get_origin, get_type_hints

from chuhe.engine._core import DEEPEST, Move
from chuhe.engine.bounds import ENDLESS, bounded, check_bounds
from chuhe.engine.colour import BLACK, RED, Colour
from chuhe.engine.errors import LimitError
from chuhe.engine.levels import LEVELS
from chuhe.text.message import Message

MATE_LIMIT = 256  # moves: no search and no endgame table sees a mate further away

XIANGQI = "xiangqi"
OTHER_GAMES = ("chess", "draughts", "squatter")  # each package has its part of a game under this name

Bound = Literal["exact", "lower", "upper"]
FinalResult = Literal["1-0", "0-1", "1/2-1/2"]
Result = Literal[FinalResult, "*"]  # "*": not finished


@dataclass(frozen=True, slots=True)
class Score:
    """A score for the side to move: centipawns, or mate in a number of moves.

    >>> Score(cp=35), Score(mate=-3)
    (Score(cp=35), Score(mate=-3))
    >>> Score(mate=2) > Score(cp=900) > Score(cp=-20) > Score(mate=-1)
    True
    >>> score = Score(cp=35, turn=BLACK)
    >>> score.red(), score.pov(BLACK), -score == score.red(), score.wdl()[0] > score.red().wdl()[0]
    (Score(cp=-35), Score(cp=35), True, True)

    cp: centipawns; None for a mate.
    mate: +n: this side mates in n moves; -n: it is mated in n; 0: it is mated now; None for centipawns.
    turn: the side that the score is for; None if nobody said. It does not count in a comparison.
    given: with mate=0, this side has just mated the other.
    """

    cp: int | None = None
    mate: int | None = None
    turn: Colour | None = field(default=None, compare=False)
    given: bool = False

    def __post_init__(self) -> None:
        if (self.cp is None) == (self.mate is None):
            raise ValueError("a score is either centipawns or a mate")
        if self.given and self.mate != 0:
            raise ValueError("a mate is given with mate=0 only")

    def pov(self, side: int) -> Score:
        """The score from a side's point of view; ValueError if it does not know whose it is."""
        if self.turn is None:
            raise ValueError("this score does not know whose it is: Score(…, turn=…)")
        return self if self.turn == side else -self

    def red(self) -> Score:
        """The score from Red's point of view."""
        return self.pov(RED)

    def black(self) -> Score:
        """The score from Black's point of view."""
        return self.pov(BLACK)

    def wdl(self) -> tuple[int, int, int]:
        """Win, draw and loss in thousandths for this side, as the engine's own self-play ended."""
        from chuhe.engine.score_scale import win_draw_loss

        win, draw, loss = win_draw_loss(replace(self, given=False, mate=1) if self.given else self)
        return win, draw, loss

    @property
    def is_mate(self) -> bool:
        """Does it count moves to a mate, not centipawns?"""
        return self.mate is not None

    def as_centipawns(self, mate_value: int = 30_000) -> int:
        """One integer that orders like the score: a mate in n moves is ``mate_value - n``."""
        if self.mate is None:
            assert self.cp is not None
            return self.cp
        return mate_value - self.mate if self.mate > 0 or self.given else -mate_value - self.mate

    def __neg__(self) -> Score:
        """The same score from the other side."""
        other = None if self.turn is None else self.turn.opponent
        if self.cp is not None:
            return Score(cp=-self.cp, turn=other)
        return Score(mate=-(self.mate or 0), turn=other, given=self.mate == 0 and not self.given)

    def __lt__(self, other: object) -> bool:
        return self.as_centipawns() < other.as_centipawns() if isinstance(other, Score) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.as_centipawns() <= other.as_centipawns() if isinstance(other, Score) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.as_centipawns() > other.as_centipawns() if isinstance(other, Score) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.as_centipawns() >= other.as_centipawns() if isinstance(other, Score) else NotImplemented

    def __repr__(self) -> str:
        if self.given:
            return "Score(mate=0, given=True)"
        return f"Score(mate={self.mate})" if self.mate is not None else f"Score(cp={self.cp})"

    def __str__(self) -> str:
        return f"#{self.mate}" if self.mate is not None else f"{(self.cp or 0) / 100:+.2f}"


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends. Times are in milliseconds. Without any limit it is `infinite`."""

    depth: int | None = bounded(None, 1, ENDLESS)
    nodes: int | None = bounded(None, 1, ENDLESS)
    movetime: int | None = bounded(None, 1, ENDLESS)
    mate: int | None = bounded(None, 1, ENDLESS)  # look for a mate in this many moves
    time: int | None = bounded(None, -ENDLESS, ENDLESS)  # the clock of the side to move; negative: overdrawn
    increment: int = bounded(0, 0, ENDLESS)
    moves_to_go: int | None = bounded(None, 1, ENDLESS)
    byoyomi: int = bounded(0, 0, ENDLESS)
    opponent_time: int | None = bounded(None, -ENDLESS, ENDLESS)
    opponent_increment: int = bounded(0, 0, ENDLESS)
    infinite: bool = False
    ponder: bool = False  # the clock starts at `SearchHandle.ponderhit()`
    search_moves: tuple[Move, ...] = ()  # empty: all
    ban_moves: tuple[Move, ...] = ()

    def __post_init__(self) -> None:
        """LimitError names the first limit that is not one."""
        check_bounds(self)
        for name in ("infinite", "ponder"):
            if not isinstance(getattr(self, name), bool):
                raise LimitError(f"{name} must be true or false, not {getattr(self, name)!r}")
        for name in ("search_moves", "ban_moves"):
            if not isinstance(getattr(self, name), tuple):
                raise LimitError(f"{name} must be a tuple of moves, not {getattr(self, name)!r}")

    @property
    def has_end(self) -> bool:
        """Does a search end by itself, once its clock runs? A mate search does not: there may be no mate."""
        return not self.infinite and (self.depth, self.nodes, self.movetime, self.time) != (None,) * 4


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
    final: bool = False  # the search is over: line 1 is the move that is played


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


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A position's entry in the transposition table."""

    move: Move | None
    score: Score
    depth: int
    bound: Bound


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

    occurrences: int = bounded(3, 2, 100_000)
    move_limit: int = bounded(60, 0, 100_000)
    repetition: Repetition = "wxf"
    material: bool = True

    def __post_init__(self) -> None:
        check_bounds(self)
        if self.repetition not in REPETITION_LAWS:
            raise LimitError(f"the law is one of {', '.join(REPETITION_LAWS)}, not {self.repetition!r}")


class NamedReason(str, Enum):
    """A reason that is printed, compared and stored as its text."""

    def __str__(self) -> str:
        return str(self.value)


class Reason(NamedReason):
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

    result: FinalResult
    reason: Reason
    message: Message

    @property
    def text(self) -> str:
        """The message in English."""
        return str(self.message)


Amount = Literal["none", "small", "medium", "large"]
AMOUNTS: tuple[Amount, ...] = get_args(Amount)  # in the core's order
CONTEMPT_DRAW = {"solid": 4, "normal": 0, "risky": -6}  # what a draw is worth then, in centipawns


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything about an engine that can be set, with its default and its bounds or choices."""

    hash_mb: int = bounded(64, 1, 1 << 17)
    threads: int = bounded(1, 1, 256)
    multipv: int = bounded(1, 1, 128)
    overhead: int = bounded(10, 0, 10_000)  # milliseconds per move for pipes and GUIs
    level: int = bounded(LEVELS[-1], LEVELS[0], LEVELS[-1])
    depth_limit: int = bounded(0, 0, DEEPEST)  # 0: none
    breadth: int = bounded(0, 0, 128)  # only the best N moves of each node; 0: all
    draw_score: int = bounded(0, -1000, 1000)  # centipawns: a draw's value for the engine
    randomness: int = bounded(0, 0, 1000)  # centipawns of noise on every evaluation
    pruning: Amount = "large"
    knowledge: Amount = "large"
    evaluation: Evaluation = "network"
    evalfile: str = ""  # of the network; empty: the bundled one
    contempt: Literal["solid", "normal", "risky"] = "normal"  # for a draw; the option `style`
    ponder: bool = False  # the GUI will ponder; changes the time management only
    law: Law = field(default_factory=Law)
    use_tables: bool = True  # endgame tables, at full strength
    table_paths: str = ""  # their directories, separated by `;`; empty: CHUHE_TABLES or the cache directory

    def __post_init__(self) -> None:
        """LimitError names the first setting that is out of range."""
        check_bounds(self)
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise LimitError(f"{name} must be one of {', '.join(choices)}, not {getattr(self, name)!r}")
        for names, kind, text in _KINDS:
            for name in names:
                if not isinstance(getattr(self, name), kind):
                    raise LimitError(f"{name} must be {text}, not {getattr(self, name)!r}")


_KINDS: tuple[tuple[tuple[str, ...], type, str], ...] = (
    (("ponder", "use_tables"), bool, "true or false"),
    (("evalfile", "table_paths"), str, "a text"),
    (("law",), Law, "a Law"),
)


CHOICES: dict[str, tuple[str, ...]] = {
    name: get_args(kind) for name, kind in get_type_hints(Settings).items() if get_origin(kind) is Literal
}


@dataclass(frozen=True, slots=True)
class SelfPlayRules:
    """The rules of a self-play game. It depends on these, its number and the engine's settings only.

    Scores are centipawns, shares are per thousand games. The core has a struct with the same fields.
    """

    seed: int = bounded(1, 0, ENDLESS)
    nodes: int = bounded(1000, 1, 1 << 40)  # per move; the iteration that reaches this is the last …
    most_nodes: int = bounded(2000, 1, 1 << 40)  # … and is cut off here
    opening_least: int = bounded(4, 0, 200)  # random plies at the start
    opening_most: int = bounded(9, 0, 200)
    balance: int = bounded(500, 0, 30_000)  # the largest score of an opening, for either side
    give_up_score: int = bounded(3500, 1, 30_000)  # resigned when both sides agree on this score …
    give_up_plies: int = bounded(3, 0, 10_000)  # … for this many consecutive plies; 0: never
    draw_score: int = bounded(5, 0, 30_000)  # drawn when both sides see no more than this …
    draw_plies: int = bounded(12, 0, 10_000)  # … for this many consecutive plies; 0: never
    draw_from: int = bounded(160, 0, 60_000)  # from this ply on
    longest: int = bounded(300, 1, 60_000)  # plies including the opening; then it is a draw
    play_on: int = bounded(100, 0, 1000)  # games that are played to the end
    stray: int = bounded(50, 0, 1000)  # games with one random move in the middle game
    odds: int = bounded(0, 0, 1000)  # games that begin without some pieces of either side

    def __post_init__(self) -> None:
        check_bounds(self)
        for name, other, more in (("most_nodes", "nodes", 0), ("opening_most", "opening_least", 0),
                                  ("longest", "opening_most", 1)):  # fmt: skip
            if getattr(self, name) < (least := getattr(self, other) + more):
                raise LimitError(f"{name} must be at least {least}, not {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A game of an engine against itself, packed as described in docs/data.md; empty if it was stopped."""

    packed: bytes
    positions: int  # with a score
    nodes: int
