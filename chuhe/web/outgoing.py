"""What the server sends, as one set of types. A message is a JSON object with a `type`.

Every text for people is a `MessageData`: a code with arguments, which the page turns into its language. A class of ours
as JSON has its name with `Data` behind it: a `Node` travels as `NodeData`. The page's types
(`page.d.ts`) are written from this file: `python tests/tools/page_types.py`. The functions that build messages return
these types, so mypy checks what is sent.
"""

from __future__ import annotations

from typing import Literal, TypedDict, Union

from chuhe.engine.notation import Notation
from chuhe.engine.values import Result

# This file is read as data, so its types are evaluated: Python 3.10 has no NotRequired, hence the two-part classes.

Mode = Literal["play", "analyse", "practise"]
Waiting = Literal["play", "ponder", "analysis", "review"]  # what the engine does instead
Grade = Literal["", "inaccuracy", "mistake", "blunder"]


class PointData(TypedDict):
    point: int


class FileData(TypedDict):
    file: int


class PointMoveData(TypedDict):
    move: list[int]


ArgumentData = Union[str, float, PointData, FileData, PointMoveData, "MessageData", list["ArgumentData"]]


class _MessageArguments(TypedDict, total=False):
    args: dict[str, ArgumentData]


class MessageData(_MessageArguments):
    code: str


class EndingData(TypedDict):
    result: Result
    message: MessageData


# --- a game


class _JudgedExtras(TypedDict, total=False):
    remarks: dict[Notation, list[MessageData]]  # why it is a mistake, what the better move does
    squares: list[int]  # that the remarks speak of


class Judged(_JudgedExtras):
    score: str
    value: int
    loss: int
    grade: Grade
    accuracy: float  # 0 to 100
    depth: int
    best: str | None


class _NodeExtras(TypedDict, total=False):
    move: str
    texts: list[str]  # in the order of NOTATIONS
    number: int
    check: bool
    comment: str
    mark: str
    glyphs: str  # the other annotation glyphs, as shown
    judged: Judged
    score: str


class NodeData(_NodeExtras):
    id: int
    parent: int | None


class TreeData(TypedDict):
    fen: str
    tags: dict[str, str]
    nodes: list[NodeData]


class Opinion(TypedDict):
    source: Literal["network", "table"]
    message: MessageData


class Term(TypedDict):
    name: MessageData
    red: list[int]  # middle game, endgame
    black: list[int]


class EvaluationData(TypedDict):
    terms: list[Term]
    score: str
    words: MessageData
    opinions: list[Opinion]


class Cursor(TypedDict):
    node: int
    fen: str
    turn: int
    check: int | None
    moves: list[str]
    outcome: EndingData | None
    opening: MessageData | None
    evaluation: EvaluationData


class BookMove(TypedDict):
    move: str
    texts: list[str]
    weight: int
    share: float
    results: list[int] | None


class SeatData(TypedDict, total=False):
    kind: Literal["human", "engine", "s0", "s1", "external"]
    level: int
    index: int


class ClockSetting(TypedDict):
    base: int
    increment: int
    byoyomi: int


class SeatingData(TypedDict):
    red: SeatData
    black: SeatData
    clock: ClockSetting | None
    movetime: int
    ponder: bool
    book: bool


class ClockData(TypedDict):
    red: int
    black: int
    running: int | None
    byoyomi: int


class AnalysisState(TypedDict):
    on: bool
    multipv: int
    displaced: Waiting | None


class ReviewState(TypedDict):
    done: int
    total: int
    displaced: Waiting | None


class Practice(TypedDict):
    source: Literal["puzzles", "mine", "endgames"]
    theme: str | None
    difficulty: int
    goal: MessageData
    level: int
    said: dict[Notation, list[MessageData]]
    summary: MessageData | None
    over: bool
    verdict: Literal["", "right", "wrong", "shown"]  # of the last answer
    refutation: list[str]  # the last answer, if it was wrong, and what answers it
    answers: int  # so far
    streak: int  # solved at the first attempt, one after the other
    today: int  # solved today
    due: int  # missed before, and to come back now


class _StateExtras(TypedDict, total=False):
    stale: bool  # the request referred to an old revision
    tree: TreeData  # if it has changed since the last state


class State(_StateExtras):
    type: Literal["state"]
    revision: int
    answers: int  # the number of this tab's last request
    room: str
    game: str  # changes when another game begins in the room
    mode: Mode
    below: int  # the side at the bottom of the board: the person's or the solver's
    study: bool  # a game or a position that was opened, not one that is played here
    unsaved: MessageData | None
    discarded: Literal["new", "delete"] | None
    head: int
    cursor: Cursor
    book: list[BookMove]
    table: SeatingData
    players: list[MessageData]
    ending: EndingData | None
    clock: ClockData | None
    turn: int
    canUndo: bool
    canRedo: bool
    thinking: bool
    waiting: Waiting | None
    fault: MessageData | None
    pondering: bool
    due: bool
    analysis: AnalysisState
    review: ReviewState | None
    practice: Practice | None


# --- the engine


class Scored(TypedDict):
    score: str  # for Red
    value: int


class Line(Scored):
    depth: int
    moves: list[str]
    texts: dict[Notation, list[str]]


class Lines(TypedDict):
    type: Literal["lines"]
    node: int
    lines: list[Line]
    depth: int
    nodes: int
    nps: int
    time: int
    chances: list[int] | None
    merit: dict[Notation, MessageData]  # what the best move does; empty if nothing is proven


class Thought(Line):
    type: Literal["thought"]
    nodes: int


class Suggestion(Scored):
    node: int
    moves: list[str]
    texts: dict[Notation, list[str]]
    merit: dict[Notation, MessageData]  # what it does; empty if nothing is proven


class Hint(Suggestion):
    type: Literal["hint"]


class Threat(Suggestion):
    """What the other side would play if it were its turn."""

    type: Literal["threat"]


class Tried(TypedDict):
    """What a move is worth that a person tries in place of a mistake."""

    type: Literal["tried"]
    node: int  # before the move
    move: str
    texts: list[str]
    grade: Grade
    loss: int
    score: str


class JudgedMove(ReviewState):
    type: Literal["judged"]
    node: int
    judged: Judged
    mark: str


# --- everything else


class About(TypedDict):
    type: Literal["about"]
    version: str
    engines: list[str]
    threads: int
    hash: int
    levels: int
    maxThreads: int
    maxHash: int
    match: bool
    changing: list[str]  # requests that refer to a revision
    damaged: list[str]  # files of games that could not be read


class Notice(TypedDict):
    type: Literal["notice"]
    message: MessageData


class Error(TypedDict):
    type: Literal["error"]
    message: MessageData


class GameInFile(TypedDict):
    red: str
    black: str
    event: str
    date: str
    title: str
    result: Result
    moves: int


class Games(TypedDict):
    type: Literal["games"]
    total: int
    games: list[GameInFile]


class Checked(TypedDict):
    type: Literal["checked"]
    fen: str
    fault: MessageData | None


class Export(TypedDict):
    type: Literal["export"]
    pgn: str
    xqf: str  # base64
    ubb: str
    fen: str
    svg: str
    moves: str
    name: str  # of a file, without its ending


class GameEntry(TypedDict):
    id: str
    red: MessageData
    black: MessageData
    moves: int
    result: Result
    title: str
    opening: MessageData | None
    date: str
    fen: str  # of its last position; empty if an earlier version stored none
    below: int  # the side at the bottom of the board


class GameList(TypedDict):
    type: Literal["rooms"]
    games: list[GameEntry]  # the one used last comes first
    damaged: list[str]  # files that could not be read


# --- a watched match


class Pairing(TypedDict):
    engines: list[str]
    wins: int
    draws: int
    losses: int
    pairs: list[int]
    elo: str
    low: str
    high: str
    los: float


class RatingData(TypedDict):
    name: str
    elo: int
    error: int | None
    points: float
    games: int


class SprtState(TypedDict):
    elo0: float
    elo1: float
    lower: float
    upper: float
    llr: float
    verdict: Literal["accepted", "rejected", "continue"]


class RunningGameData(TypedDict):
    number: int
    red: str
    black: str
    moves: int


class FinishedGame(RunningGameData):
    result: Result
    reason: MessageData


class WaitingMatch(TypedDict):
    type: Literal["match"]
    name: str
    waiting: Literal[True]


class _MatchExtras(TypedDict, total=False):
    waiting: Literal[False]


class Match(_MatchExtras):
    type: Literal["match"]
    name: str
    games: int
    pairings: list[Pairing]
    total: int
    control: list[MessageData]
    ratings: list[RatingData]
    bounds: SprtState | None
    finished: list[FinishedGame]
    running: list[RunningGameData]


class MatchGameData(TypedDict):
    type: Literal["matchGame"]
    number: int
    players: list[str]
    fen: str
    running: bool
    nodes: list[NodeData]
    result: Result
    message: MessageData | None


Outgoing = (
    About | State | Lines | Thought | Hint | Threat | Tried | JudgedMove | Notice | Error
    | Games | Checked | Export | GameList | WaitingMatch | Match | MatchGameData
)  # fmt: skip
