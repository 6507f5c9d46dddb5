"""Why a move is a mistake, and what the better one does: remarks that a search has proven.

A remark names the move, the pieces and the points; `chuhe.coach.wording` turns it into a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chuhe.coach.exchange import Exchange, Taken, first_exchange
from chuhe.coach.explaining import end_by_law
from chuhe.coach.facts import PlacedPiece, placed
from chuhe.coach.features import improvements, leaves_back_rank, new_targets
from chuhe.coach.material import exchange_value
from chuhe.coach.mates import named_mates
from chuhe.coach.tactics import MateSearch, Variation, mate_in_one, mate_threat, tactics_of
from chuhe.engine._core import Move
from chuhe.engine.position import Position
from chuhe.engine.values import Law, Score

LEAST = 100  # hundredths of a pawn: a smaller loss is not named
SLACK = 60  # hundredths of a pawn: the pieces that are named are worth at most so much more than what is lost
MOSTLY = 0.6  # of what is named must not happen in the other line
HELD = 15  # centipawns: a draw
SHOWN_WIN, SHOWN_LOSS = 4, 5  # plies: what comes later is not proven by one line
MOST_NAMED = 2  # pieces in one sentence
HOW = (
    "double_attack",
    "discovered_check",
    "discovered_attack",
    "removed_defender",
    "overloaded_defender",
    "trapped_piece",
    "pin",
)


@dataclass(frozen=True, slots=True)
class Remark:
    """A statement about the first move of a line.

    Faults: "allows_mate", "loses" (`pieces`, for those `given` in return), "leaves" (a piece that was attacked before),
    "allows_threat" (of mate), "allows_attack" (on `pieces`), "allows_capture" (of them), "king_out",
    "repeats" (and loses by the law); "answered" only shows the line. Merits: "mates", "wins", "threatens_mate",
    "holds_draw"; those of `features.Feature`; "better" says no more than that.

    shown: how many moves of the line show it. moves: to mate, or that a piece has, instead of `other`.
    motif: the name of the mate or of the tactic that does it, or "".
    """

    code: str
    line: tuple[Move, ...]
    pieces: tuple[PlacedPiece, ...] = ()
    given: tuple[PlacedPiece, ...] = ()
    shown: int = 1
    moves: int = 0
    other: int = 0
    motif: str = ""
    squares: tuple[int, ...] = ()  # to mark on the board

    def says_the_same(self, other: Remark) -> bool:
        """Whether both claim the same of the same move; the line that shows it may differ, and a mate may be longer."""
        return (self.code, self.line[0], set(self.pieces)) == (other.code, other.line[0], set(other.pieces))


def explain_mistake(
    position: Position,
    played: Move,
    reply_line: Sequence[Move],
    best_line: Sequence[Move],
    best: Score,
    after: Score,
    mate_search: MateSearch = mate_in_one,
    details: bool = True,
) -> list[Remark]:
    """At most two remarks on a mistake: what it does, and what the better move does. Empty if neither is proven.

    The lines are a search's: after the move that was played, and from the best move on. Both scores are the mover's.
    Without `details` only mates and lost repetitions are spoken of: less is not proven to matter.
    """
    if not best_line or best_line[0] == played:
        return []
    if best.mate is not None and after.mate is not None and (best.mate > 0) == (after.mate > 0):
        return []  # the length is all that differs
    bad, good = Variation(position, [played, *reply_line]), Variation(position, best_line)
    bad_trade, good_trade = first_exchange(bad), first_exchange(good)
    fault = _decided_fault(bad, after)
    merit = _decided_merit(good, best)
    if merit is not None and merit.code == "holds_draw" and not details:
        merit = None
    if details:
        fault = fault or _fault(bad, bad_trade, good_trade, mate_search) or _lets_attack(bad)
        fault = fault or _lets_capture(bad, good) or _walks_out(bad)
        merit = merit or _merit(good, good_trade, bad_trade, mate_search)
        merit = merit or _feature(good, bad, fault)
    if merit is None and fault is not None:
        merit = Remark("better", tuple(best_line[:1]))
    return [remark for remark in (fault, merit) if remark is not None]


def explain_best(
    position: Position, line: Sequence[Move], score: Score, mate_search: MateSearch = mate_in_one
) -> Remark | None:
    """What the best move does, as its line shows; None if nothing is proven."""
    if not line:
        return None
    best = Variation(position, line)
    return _decided_merit(best, score) or _merit(best, first_exchange(best), None, mate_search)


def _decided_fault(line: Variation, after: Score) -> Remark | None:
    """A mate that the move allows, or a repetition that it loses by."""
    moves = tuple(line.moves)
    if after.mate is not None and after.mate < 0 and len(moves) > 1 and not line.positions[-1].has_legal_moves():
        squares = _ends(moves[:2])
        return Remark("allows_mate", moves, shown=2, moves=-after.mate, motif=_mate_name(line), squares=squares)
    ending = _end_by_law(line)
    if ending is not None and ending[0] == "perpetual_loses" and ending[1] == line.positions[0].turn:
        return Remark("repeats", ending[2], shown=len(ending[2]), squares=_ends(moves[:1]))
    return None


def _fault(line: Variation, trade: Exchange, other: Exchange, mate_search: MateSearch) -> Remark | None:
    remark = _loss(line, trade, other.least - trade.most)
    moves = tuple(line.moves)
    if remark is not None or len(moves) < 2:
        return remark
    threat = mate_threat(line.positions[2], mate_search)
    if threat is None:
        return None
    squares = (*_ends(moves[:2]), *threat.points)
    return Remark("allows_threat", moves, shown=2, moves=threat.moves, motif=threat.mate, squares=squares)


def _lets_attack(line: Variation) -> Remark | None:
    """What the answer to the move attacks."""
    moves = tuple(line.moves)
    targets = new_targets(line.boards[1], moves[1]) if len(moves) > 1 else []
    if not targets:
        return None
    pieces, squares = placed(line.boards[2], targets[:MOST_NAMED]), (*_ends(moves[:2]), *targets)
    return Remark("allows_attack", moves, pieces, shown=2, motif=_tactic(line, 1, targets), squares=squares)


def _lets_capture(bad: Variation, good: Variation) -> Remark | None:
    """That the answer to a quiet move takes something with gain, and is not the answer to the better move too."""
    moves, taken = tuple(bad.moves), bad.taken(1)
    if (
        taken is None
        or bad.taken(0) is not None
        or list(moves[1:2]) == good.moves[1:2]
        or exchange_value(bad.positions[1], moves[1]) < LEAST
    ):
        return None
    squares = _ends(moves[:2])
    return Remark("allows_capture", moves, (PlacedPiece(taken.symbol, squares[1]),), shown=2, squares=squares)


def _walks_out(line: Variation) -> Remark | None:
    """That the king leaves its back rank."""
    moves = tuple(line.moves)
    return (
        Remark("king_out", moves, squares=_ends(moves[:1])) if leaves_back_rank(line.positions[0], moves[0]) else None
    )


def _feature(good: Variation, bad: Variation, fault: Remark | None) -> Remark | None:
    """What the better move does on the board at once. It saves only what the other move loses."""
    lost = (
        {piece.square for piece in fault.pieces} if fault is not None and fault.code in ("loses", "leaves") else set()
    )
    line = tuple(good.moves)
    for found in improvements(good.positions[0], line, bad.moves):
        if found.code != "saves" or lost >= {piece.square for piece in found.pieces}:
            targets = [piece.square for piece in found.pieces]
            motif = _tactic(good, 0, targets) if found.code == "attacks" else ""
            squares = (line[0].to_square, *targets)
            return Remark(
                found.code, line, found.pieces, moves=found.count, other=found.other, motif=motif, squares=squares
            )
    return None


def _loss(line: Variation, trade: Exchange, difference: int) -> Remark | None:
    named = _named(trade.lost, trade.won, -trade.most, difference)
    if named is None:
        return None
    taken, given = named
    moves, last = tuple(line.moves), max(each.index for each in taken)
    if last >= SHOWN_LOSS:
        return None
    squares = (*_ends(moves[:1]), *(each.piece.square for each in taken))
    pieces, gains = tuple(each.piece for each in taken), tuple(each.piece for each in given)
    if len(taken) == 1 and last == 1 and not given:
        if exchange_value(line.positions[1], moves[1]) < max(LEAST, taken[0].worth - SLACK):
            return None  # it could be taken back
        left = _was_attacked(line, moves[1])
        return Remark("leaves" if left else "loses", moves, pieces, shown=2, squares=squares)
    return Remark("loses", moves, pieces, gains, trade.plies, motif=_how(line, 1, taken), squares=squares)


def _was_attacked(line: Variation, capture: Move) -> bool:
    """Whether the capture that follows would have gained already before the first move of the line."""
    if capture.to_square == line.moves[0].to_square:
        return False
    before = line.positions[0].copy()
    if before.is_check():
        return False
    before.push_null()
    return before.is_legal(capture) and exchange_value(before, capture) >= LEAST


def _decided_merit(line: Variation, score: Score) -> Remark | None:
    """A mate, or a draw by the law."""
    moves = tuple(line.moves)
    if score.mate is not None and score.mate > 0:
        if line.positions[-1].has_legal_moves():
            return None  # the line does not show it
        return Remark("mates", moves, moves=score.mate, motif=_mate_name(line), squares=_ends(moves[:1]))
    ending = _end_by_law(line)
    if ending is not None and ending[0] == "draw_by_law" and abs(score.as_centipawns()) <= HELD:
        return Remark("holds_draw", ending[2], shown=len(ending[2]), motif="draw_by_law", squares=_ends(moves[:1]))
    return None


def _merit(line: Variation, trade: Exchange, other: Exchange | None, mate_search: MateSearch) -> Remark | None:
    """`other`: of the move that was played instead, if there is one."""
    moves = tuple(line.moves)
    named = _named(trade.won, trade.lost, trade.least, trade.least - (other.most if other is not None else 0))
    if named is not None and trade.plies <= SHOWN_WIN:
        taken, given = named
        shown = 1 if trade.captures == 1 and taken[0].index == 0 else trade.plies
        squares = (*_ends(moves[:1]), *(each.piece.square for each in taken))
        pieces, gains = tuple(each.piece for each in taken), tuple(each.piece for each in given)
        return Remark("wins", moves, pieces, gains, shown, motif=_how(line, 0, taken), squares=squares)
    threat = mate_threat(line.positions[1], mate_search)
    if threat is not None:
        squares = (*_ends(moves[:1]), *threat.points)
        return Remark("threatens_mate", moves, moves=threat.moves, motif=threat.mate, squares=squares)
    return None


def _named(
    taken: Sequence[Taken], given: Sequence[Taken], worth: int, difference: int
) -> tuple[tuple[Taken, ...], tuple[Taken, ...]] | None:
    """The pieces to name: at most two for at most one, if they are worth what the exchange is worth; else None.

    `difference`: to the other line, in which most of that must not happen.
    """
    taken, given = _officers_first(taken), _officers_first(given)
    for count in range(1, MOST_NAMED + 1):
        for back in range(2):
            if len(taken) < count or len(given) < back:
                continue
            value = sum(each.worth for each in taken[:count]) - sum(each.worth for each in given[:back])
            if value >= LEAST and abs(value - worth) <= SLACK and difference >= max(LEAST, MOSTLY * value):
                return tuple(taken[:count]), tuple(given[:back])
    return None


def _officers_first(taken: Sequence[Taken]) -> list[Taken]:
    return sorted(taken, key=lambda each: (-each.worth, each.index))


def _how(line: Variation, first: int, taken: Sequence[Taken]) -> str:
    """The tactic of the taker's first move that its later captures carry out; "" if there is none."""
    return _tactic(line, first, [each.piece.square for each in taken if each.index > first])


def _tactic(line: Variation, index: int, targets: Sequence[int]) -> str:
    """The tactic of the move with this index against pieces on these squares; "" if there is none."""
    if not targets or index >= len(line.moves):
        return ""
    facts = [fact for fact in tactics_of(line, index) if fact.code in HOW]
    return next((fact.code for fact in facts if set(targets) & {piece.square for piece in fact.pieces}), "")


def _end_by_law(line: Variation) -> tuple[str, int, tuple[Move, ...]] | None:
    """How the law ends the line, for whom, and its moves; a cycle at its end is played until the law counts it."""
    game, moves = line.positions[-1].copy(), list(line.moves)
    law = Law()
    back = game.recurrence(1)
    if back and back <= len(moves):
        for move in moves[-back:] * law.occurrences:
            if end_by_law(game, law) is not None or not game.is_legal(move):
                break
            game.push(move)
            moves.append(move)
    ending = end_by_law(game, law)
    return None if ending is None else (ending.code, 1 - ending.colour, tuple(moves))


def _mate_name(line: Variation) -> str:
    names = named_mates(line.positions[-1])
    return names[0].code if names else ""


def _ends(moves: Sequence[Move]) -> tuple[int, ...]:
    return tuple(move.to_square for move in moves)
