"""Why a move is a mistake, and what the better one does: remarks that a search has proven.

A remark names the move, the piece and the points; `chuhe.coach.wording` turns it into a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chuhe.coach.explaining import end_by_law
from chuhe.coach.facts import Fact, PlacedPiece, placed
from chuhe.coach.material import A_PIECE, OFFICERS, WORTH, balance, hangs, settled_balance
from chuhe.coach.mates import named_mates
from chuhe.coach.tactics import MateSearch, Variation, mate_in_one, mate_threat, tactics_of
from chuhe.engine._core import Move
from chuhe.engine.position import Position
from chuhe.engine.values import Law, Score

LOSS = A_PIECE - 50  # hundredths of a pawn: less than this is not called the loss of a piece
HELD, GIVEN_UP = 60, -150  # centipawns: a draw, and a move that no longer holds it
LOST = -300  # centipawns: in a position as bad as this no move is called better
SEARCH_LAW = Law(occurrences=2)  # as the search judges
HOW = (
    "double_attack",
    "discovered_check",
    "discovered_attack",
    "removed_defender",
    "overloaded_defender",
)


@dataclass(frozen=True, slots=True)
class Remark:
    """A statement about the first move of a line.

    code: "allows_mate", "loses_piece"; "mates", "wins_piece", "threatens_mate", "holds_draw"; "better" says no more
    than that. piece: the one that is lost or won. shown: how many moves of the line show it. motif: the name of the
    mate or of the tactic that does it, or "".
    """

    code: str
    line: tuple[Move, ...]
    piece: PlacedPiece | None = None
    shown: int = 1
    moves: int = 0
    motif: str = ""
    squares: tuple[int, ...] = ()  # to mark on the board


def explain_mistake(
    position: Position,
    played: Move,
    reply_line: Sequence[Move],
    best_line: Sequence[Move],
    best: Score,
    after: Score,
    mate_search: MateSearch = mate_in_one,
) -> list[Remark]:
    """At most two remarks on a mistake: what it does, and what the better move does. Empty if neither is proven.

    The lines are a search's: after the move that was played, and from the best move on. Both scores are the mover's.
    """
    bad = Variation(position, [played, *reply_line])
    good = Variation(position, best_line)
    difference = _won(good) - _won(bad)
    fault = _fault(bad, best, after, difference)
    merit = None
    if best_line and best_line[0] != played:
        merit = _merit(good, best, difference, after, mate_search)
        if merit is None and fault is not None and best.as_centipawns() > LOST:
            merit = Remark("better", tuple(best_line[:1]))
    return [remark for remark in (fault, merit) if remark is not None]


def explain_best(
    position: Position, line: Sequence[Move], score: Score, mate_search: MateSearch = mate_in_one
) -> Remark | None:
    """What the best move does, as its line shows; None if nothing is proven."""
    best = Variation(position, line)
    return _merit(best, score, _won(best), None, mate_search) if line else None


def _won(line: Variation) -> int:
    """What the side that begins has won at the end of the line."""
    mover = line.positions[0].turn
    return settled_balance(line.positions[-1], mover) - balance(line.boards[0], mover)


def _fault(line: Variation, best: Score, after: Score, difference: int) -> Remark | None:
    moves = tuple(line.moves)
    if after.mate is not None and after.mate < 0 and not (best.mate is not None and best.mate < 0):
        return Remark("allows_mate", moves, moves=-after.mate, motif=_mate_name(line), squares=_ends(moves[:2]))
    if _won(line) > -LOSS or difference < LOSS:
        return None
    return _capture(line, "loses_piece", taker=1, worth=-_won(line))


def _merit(
    line: Variation, score: Score, difference: int, after: Score | None, mate_search: MateSearch
) -> Remark | None:
    """`after`: the score of the move that was played instead, if there is one."""
    moves = tuple(line.moves)
    if score.mate is not None and score.mate > 0:
        if after is not None and after.mate is not None and after.mate > 0:
            return None  # both moves win; the length is all that differs
        return Remark("mates", moves, moves=score.mate, motif=_mate_name(line), squares=_ends(moves[:1]))
    if _won(line) >= LOSS and difference >= LOSS:
        won = _capture(line, "wins_piece", taker=0, worth=_won(line))
        if won is not None:
            return won
    held = after is None or after.as_centipawns() <= GIVEN_UP
    ending = end_by_law(line.positions[-1], SEARCH_LAW)
    if ending is not None and ending.code == "draw_by_law" and held and abs(score.as_centipawns()) <= HELD:
        return Remark("holds_draw", moves, shown=len(moves), motif="draw_by_law", squares=_ends(moves[:1]))
    threat = mate_threat(line.positions[1], mate_search)
    if threat is not None:
        squares = (*_ends(moves[:1]), *threat.points)
        return Remark("threatens_mate", moves, moves=threat.moves, motif=threat.mate, squares=squares)
    return None


def _capture(line: Variation, code: str, taker: int, worth: int) -> Remark | None:
    """The most valuable officer that a side takes for good, if it is worth no more than what the line wins.

    It takes it with its first move, or with its second as a tactic of the first: what falls later is not proven.

    taker: 0 for the side that begins the line, 1 for the other.
    """
    found = []
    for index in (taker, taker + 2):
        victim, square = line.taken(index), line.moves[index].to_square if index < len(line.moves) else -1
        if victim is None or victim.kind not in OFFICERS or hangs(line.boards[index + 1], square):
            continue
        if index == taker or _how(line, taker, index, square):  # a later capture must carry out a tactic
            found.append(index)
    if not found:
        return None
    squares = [line.moves[index].to_square for index in found]
    pieces = [placed(line.boards[index], (square,))[0] for index, square in zip(found, squares, strict=True)]
    index, square, piece = max(zip(found, squares, pieces, strict=True), key=lambda each: WORTH[each[2].kind])
    if WORTH[piece.kind] > worth + 60:
        return None
    moves = tuple(line.moves)
    return Remark(code, moves, piece, index + 1, 0, _how(line, taker, index, square), (*_ends(moves[:1]), square))


def _how(line: Variation, first: int, capture: int, square: int) -> str:
    """The tactic of the taker's first move that this capture carries out; "" if it is the capture itself."""
    if capture != first + 2:
        return ""
    facts: list[Fact] = [fact for fact in tactics_of(line, first) if fact.code in HOW]
    return next((fact.code for fact in facts if any(piece.square == square for piece in fact.pieces)), "")


def _mate_name(line: Variation) -> str:
    names = named_mates(line.positions[-1])
    return names[0].code if names else ""


def _ends(moves: Sequence[Move]) -> tuple[int, ...]:
    return tuple(move.to_square for move in moves)
