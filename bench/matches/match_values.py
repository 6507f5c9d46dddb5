"""Plain data classes of a match: engines, settings, schedule entries and finished games. No I/O here."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

from chuhe.bench.statistics import Sprt
from chuhe.common.time_control import TimeControl
from chuhe.engine.bounds import bounded, check_bounds
from chuhe.engine.notation import NOTATIONS, Notation
from chuhe.engine.values import FinalResult, Law, NamedReason, Reason
from chuhe.protocol.replies import WantedDialect

Format = Literal["roundrobin", "gauntlet"]
Order = Literal["random", "sequential"]

PROTOCOLS, FORMATS, ORDERS = (get_args(kind) for kind in (WantedDialect, Format, Order))
MOST_GAMES = 10**7  # per encounter
MOST_AT_ONCE = 1024
LONGEST_WAIT = 10**9  # milliseconds; limit for `margin` and `hang`
SMALLEST_ODDS, LARGEST_ODDS = 0.0001, 10_000.0

POINTS: Mapping[str, float] = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}  # Red's


def check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")


def check_name(name: str, value: str) -> None:
    """Check a name, which appears in tables, PGN tags and paths."""
    if not value.strip() or not value.isprintable():
        raise ValueError(f"{name} must be printable and not empty, not {value!r}")


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An engine as the user described it."""

    name: str
    command: tuple[str, ...]
    protocol: WantedDialect = "auto"
    options: tuple[tuple[str, str], ...] = ()
    directory: str | None = None
    odds: float = bounded(1.0, SMALLEST_ODDS, LARGEST_ODDS)  # factor on the match's time
    control: TimeControl | None = None  # its own time control instead of the match's
    restart: bool = False  # a fresh process for every game

    def __post_init__(self) -> None:
        check_name("name", self.name)
        if not self.command or not all(self.command[:1]):
            raise ValueError(f"engine {self.name!r} has an empty command")
        check_choice("protocol", self.protocol, PROTOCOLS)
        check_bounds(self)


@dataclass(frozen=True, slots=True)
class Opening:
    """Where games begin: a position (None: the start position) and moves from there, in ICCS."""

    fen: str | None = None
    moves: tuple[str, ...] = ()
    name: str = ""


class Termination(NamedReason):
    """How a match game ends other than by the law."""

    RESIGNATION = "resignation"
    DRAW_AGREED = "draw agreed"
    ILLEGAL_MOVE = "illegal move"
    NO_MOVE = "no move"
    BAD_ANSWER = "bad answer"
    CRASH = "crash"
    HANG = "hang"
    TIME_FORFEIT = "time forfeit"
    START_FAILURE = "start failure"
    MOVE_COUNT = "move count"
    DRAW_ADJUDICATION = "draw adjudication"
    RESIGN_ADJUDICATION = "resign adjudication"
    TABLE_ADJUDICATION = "endgame tables"
    AGREED = "agreed"  # self-play: by the scores of both sides
    LENGTH = "length"  # self-play: too many moves


GameEnd = Reason | Termination


def parse_reason(text: str) -> GameEnd:
    """ValueError if no game ends like this.

    >>> parse_reason("checkmate") is Reason.CHECKMATE, parse_reason("crash") is Termination.CRASH
    (True, True)
    """
    return Reason(text) if text in {reason.value for reason in Reason} else Termination(text)


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When the runner ends a game early, by the engines' own scores (centipawns) or the endgame tables.

    Draw: from full move `draw_from` on, both sides' scores within ±draw_score for draw_moves moves each.
    Resign: the loser's score at or below −resign_score for resign_moves of its moves and, unless `resign_alone`,
    the winner's at or above it as well.
    """

    draw_from: int = bounded(40, 0, 100_000)
    draw_moves: int = bounded(0, 0, 100_000)  # 0: never
    draw_score: int = bounded(10, 0, 100_000)
    resign_moves: int = bounded(0, 0, 100_000)  # 0: never
    resign_score: int = bounded(800, 0, 100_000)
    resign_alone: bool = False
    max_moves: int = bounded(0, 0, 100_000)  # full moves after which any game is drawn; 0: never
    tables: bool = False  # by the installed endgame tables, unless the move limit may come first

    def __post_init__(self) -> None:
        check_bounds(self)


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """A whole match. The same settings always give the same schedule, so a match can be resumed."""

    engines: tuple[EngineSpec, ...]
    control: TimeControl
    games: int = bounded(100, 2, MOST_GAMES)  # per encounter of two engines
    openings: str | None = None  # file; None: the bundled set
    order: Order = "random"
    opening_plies: int = bounded(0, 0, 10_000)  # only so many moves of each opening; 0: all
    opening_start: int = bounded(1, 1, MOST_GAMES)  # the first one used, in the order
    seed: int = 1
    format: Format = "roundrobin"
    concurrency: int = bounded(1, 1, MOST_AT_ONCE)
    ponder: bool = False
    margin: int = bounded(100, 0, LONGEST_WAIT)  # milliseconds past the time limit before a move loses on time
    hang: int = bounded(60_000, 1, LONGEST_WAIT)  # milliseconds to wait for a move when there is no clock
    law: Law = field(default_factory=Law)
    adjudication: Adjudication = field(default_factory=Adjudication)
    sprt: Sprt | None = None
    name: str = "match"
    output: str = "results/match"  # directory
    notation: Notation = "iccs"
    report: bool = True
    dialogue: bool = False  # keep what is said to each engine and by it
    affinity: int = bounded(0, 0, 1024)  # processors that each game's engines are bound to; 0: any
    check_lines: bool = False  # note illegal moves in the engines' lines, and mates that are none

    def __post_init__(self) -> None:
        if len(self.engines) < 2:
            raise ValueError("a match needs two engines or more")
        names = [engine.name for engine in self.engines]
        if len(set(names)) != len(names):
            raise ValueError(f"engines need different names, not {', '.join(names)}")
        check_name("name", self.name)
        check_bounds(self)
        if self.games % 2:
            raise ValueError(f"games must be an even number, since they are played in pairs, not {self.games}")
        check_choice("order", self.order, ORDERS)
        check_choice("format", self.format, FORMATS)
        check_choice("notation", self.notation, NOTATIONS)
        if self.sprt is not None and len(names) != 2:
            raise ValueError("SPRT compares two engines")


@dataclass(frozen=True, slots=True)
class GamePlan:
    """One game of the schedule, before it is played."""

    number: int  # from 1; identifies the game in the results file
    pair: int  # the two games of a pair share it
    red: str
    black: str
    opening: int  # index into the openings file


@dataclass(frozen=True, slots=True)
class MatchMove:
    """One move of a game, as recorded in the PGN. The score is text from the mover's side: `+0.35`, `#-3`."""

    move: str  # ICCS
    time: int
    clock: int | None = None
    score: str | None = None
    depth: int | None = None
    nodes: int | None = None
    lag: int | None = None  # milliseconds that we measured more than the engine reported


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A finished game: one line of the results file."""

    number: int
    pair: int
    red: str
    black: str
    opening: int
    fen: str
    opening_moves: tuple[str, ...]
    moves: tuple[MatchMove, ...]
    result: FinalResult
    reason: GameEnd
    detail: str = ""  # the reason in full
    started: str = ""  # ISO time
    seconds: float = 0.0
    late: int = 0  # milliseconds: the longest time that the runner itself was late; not charged to the engines
    faults: tuple[tuple[str, str], ...] = ()  # of an engine's lines: its name, what is wrong
    credit: int = 0  # milliseconds: the most that a late move was not charged, because its engine had no processor

    @property
    def red_points(self) -> float:
        return POINTS[self.result]

    def points_of(self, name: str) -> float:
        return self.red_points if name == self.red else 1.0 - self.red_points

    def moves_by_engine(self) -> Iterator[tuple[str, int, MatchMove]]:
        """Each move made by an engine: the engine, the ply (even: Red's) and the move."""
        black_first = self.fen.split()[1:2] == ["b"]
        for ply, move in enumerate(self.moves, len(self.opening_moves) + int(black_first)):
            yield (self.black if ply % 2 else self.red), ply, move

    def to_json(self) -> dict[str, Any]:
        data = asdict(self)
        data["moves"] = [[m.move, m.time, m.clock, m.score, m.depth, m.nodes, m.lag] for m in self.moves]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MatchGame:
        """ValueError, OverflowError, KeyError or TypeError if the data is not a valid game."""
        fields = dict(data)
        fields["moves"] = tuple(map(match_move, fields["moves"]))
        fields["opening_moves"] = tuple(map(str, fields["opening_moves"]))
        fields["faults"] = tuple((str(name), str(text)) for name, text in fields.get("faults", ()))
        game = cls(**fields)
        for name, kind in _KINDS.items():
            if not isinstance(getattr(game, name), kind):
                raise ValueError(f"{name} is {getattr(game, name)!r}")
        if game.result not in POINTS:
            raise ValueError(f"result is {game.result!r}")
        return replace(game, reason=parse_reason(game.reason))


_KINDS: Mapping[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("number", "pair", "opening", "late", "credit"), int),
    **dict.fromkeys(("red", "black", "fen", "result", "reason", "detail", "started"), str),
    "seconds": (int, float),
}


def match_move(row: Sequence[Any]) -> MatchMove:
    """A move as files of results and of running games have it; ValueError, OverflowError or TypeError if it is none."""
    move = MatchMove(*row)
    numbers = (move.time, move.clock, move.depth, move.nodes, move.lag)
    if not isinstance(move.move, str) or not isinstance(move.score, (str, type(None))) or move.time is None:
        raise ValueError(f"{move} is not a move")
    if not all(value is None or (isinstance(value, (int, float)) and math.isfinite(value)) for value in numbers):
        raise ValueError(f"{move} is not a move")
    return move
