"""What a line of moves shows, as facts in the order of the moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from chuhe.coach.facts import Fact, placed
from chuhe.coach.mates import named_mates
from chuhe.coach.tactics import MateSearch, Variation, mate_in_one, mate_threat, tactics_of
from chuhe.engine._core import RED, Move
from chuhe.engine.position import Position
from chuhe.engine.values import Law, Reason


def explain(
    position: Position, line: Iterable[Move | str] = (), mate_search: MateSearch = mate_in_one, law: Law | None = None
) -> list[Fact]:
    """The facts of a line from a position; of the position itself if there are no moves. The position stays as it is.

    `mate_search` finds the mates that are threatened; by default those in one move.

    >>> [str(fact.motif) for fact in explain(Position("3aka3/9/4b4/9/9/9/9/2C6/9/4K4 w"), ["c2c9"])]
    []
    >>> [fact.text() for fact in explain(Position("5k3/1R7/R8/9/9/9/9/9/9/4K4 w"), ["a7a9"])]
    ['alternating rooks (双车错): Red rook a9, rook b8; Black king f9; f8']
    """
    game = position.copy()
    moves = []
    for move in line:
        game.push(move)
        moves.append(game.move_stack[-1])
    return list(_facts(Variation(position, moves), mate_search, law or Law()))


def _facts(line: Variation, mate_search: MateSearch, law: Law) -> Iterator[Fact]:
    for index in range(len(line.moves)):
        yield from tactics_of(line, index)
        threat = mate_threat(line.positions[index + 1], mate_search, index + 1)
        if threat is not None:
            yield threat
    last, ply = line.positions[-1], len(line.moves)
    for fact in named_mates(last):
        yield replace(fact, ply=ply)
    ending = end_by_law(last, law)
    if ending is not None:
        yield replace(ending, ply=ply)


def end_by_law(position: Position, law: Law) -> Fact | None:
    """The draw, or the loss by perpetual check or chase, that has ended the game here."""
    outcome = position.outcome(law)
    if outcome is None or outcome.reason in (Reason.CHECKMATE, Reason.STALEMATE):
        return None
    kings = placed(position.pieces(), (position.king(RED), position.king(1 - RED)))
    if outcome.result == "1/2-1/2":
        return Fact("draw_by_law", 1 - position.turn, kings)
    return Fact("perpetual_loses", RED if outcome.result == "1-0" else 1 - RED, kings)
