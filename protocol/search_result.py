"""What an engine at the other end of a pipe found, in the types of the engine's own interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chuhe.engine import Info, Move, Position, Score
from chuhe.protocol.errors import ReplyError
from chuhe.protocol.replies import GoResult, Report
from chuhe.text.message import Message


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to `Client.search`. `score` is None if the engine reported none, as for a book move."""

    move: Move | None = None  # None: the engine has no move
    ponder: Move | None = None
    score: Score | None = None
    depth: int = 0
    nodes: int = 0
    time: int = 0  # milliseconds, as reported by the engine
    pv: tuple[Move, ...] = ()
    infos: tuple[Info, ...] = ()  # the newest reports that have a score
    draw: bool = False  # the engine offers or accepts a draw
    resign: bool = False


def history(position: Position) -> tuple[str, list[str]]:
    """The FEN that a position's game began from, and its moves; from its last null move on, which no protocol has."""
    first, moves = position.copy(), []
    for move in reversed(position.move_stack):
        if not move:
            break
        moves.append(move.iccs)
        first.pop()
    return first.fen(), moves[::-1]


def check_game(fen: str | None, moves: Sequence[str]) -> None:
    """Raise the reason if a game cannot begin with this FEN (None: the start) or go on with these moves (ICCS)."""
    board = Position() if fen is None else Position(fen)
    for move in moves:
        board.push_iccs(move)


def search_result(result: GoResult, position: Position, name: str) -> SearchResult:
    """The answer in a position; ReplyError if it is not a legal move there."""
    move = None if result.move is None else Move.from_iccs(result.move)
    if move is not None and not position.is_legal(move):
        raise ReplyError(Message("engine.illegal", name=name, move=str(result.move)))
    ponder = None
    if move is not None and result.ponder is not None:
        after = position.copy()
        after.push(move)
        ponder = next(iter(legal_line(after, (result.ponder,))), None)
    score = None if result.score is None else replace(result.score, turn=position.turn)
    infos = tuple(info for report in result.reports if (info := to_info(report, position)) is not None)
    return SearchResult(
        move, ponder, score, result.depth, result.nodes, result.time, tuple(legal_line(position, result.pv)),
        infos, result.draw, result.resign,
    )  # fmt: skip


def to_info(report: Report, position: Position) -> Info | None:
    """A report as the engine's own interface has it; None if it has no score."""
    if report.score is None:
        return None
    score = replace(report.score, turn=position.turn)
    return Info(
        report.depth or 0, report.seldepth or 0, score, report.bound, tuple(legal_line(position, report.pv)),
        report.nodes or 0, report.time or 0, report.nps or 0, report.hashfull or 0, report.multipv, report.wdl,
    )  # fmt: skip


def legal_line(position: Position, moves: tuple[str, ...]) -> Iterator[Move]:
    """The moves up to the first that is not legal: engines cut or mix up the ends of their lines."""
    board = position.copy()
    for text in moves:
        try:
            yield board.push_iccs(text)
        except ValueError:
            return
