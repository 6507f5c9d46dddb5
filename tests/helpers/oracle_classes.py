"""Assigns a difference between our verdict and pyffish's to one of the classes explained in docs/lab/compared.md."""

from __future__ import annotations

from collections.abc import Iterator

import core_inspection
from oracle import Cycle

from chuhe.engine import BLACK, CANNON, KING, PAWN, RED, ROOK, Colour, FenError, Move, Position

PINNED = "1 a pinned attacker"
UNPROTECTED = "2 a protection taken away"
RETREAT = "3 a retreat along the line of attack"
BINDING = "4 a new pin or discovered check"
UNKNOWN = "unknown"


def classify(cycle: Cycle, ours: str, theirs: str) -> str:
    """The class of a difference, recognised from the moves.

    pyffish sees one chase too many by the side that only it blames, or one too few by the other (both chase: a draw).
    """
    losers = {"0-1": RED, "1-0": BLACK}
    here, there = losers.get(ours), losers.get(theirs)
    too_many = [colour for colour in (RED, BLACK) if colour == there or (here is not None and colour != here)]
    too_few = [colour for colour in (RED, BLACK) if colour == here or (there is not None and colour != there)]
    marks = [_mark_of_too_many(cycle, too_many), _mark_of_too_few(cycle, too_few)]
    if here is not None:
        marks.reverse()
    return next((mark for mark in marks if mark), UNKNOWN)


def _mark_of_too_many(cycle: Cycle, colours: list[Colour]) -> str:
    for colour in colours:
        if any(_retreats(before, move) for before, move, _ in _moves_of(cycle, colour)):
            return RETREAT
        if any(_pinned_threat(after) for _, _, after in _moves_of(cycle, colour)):
            return PINNED
        if any(_binding(after, colour) - _binding(before, colour) for before, _, after in _moves_of(cycle, colour)):
            return BINDING
    return ""


def _mark_of_too_few(cycle: Cycle, colours: list[Colour]) -> str:
    for colour in colours:
        if any(_lost_protection(before, after) for before, _, after in _moves_of(cycle, colour)):
            return UNPROTECTED
    return ""


def _moves_of(cycle: Cycle, colour: int) -> Iterator[tuple[Position, Move, Position]]:
    """(before, move, after) for every move of one side in the cycle."""
    position = Position(cycle.fen)
    for text in cycle.moves:
        before, move = position.copy(), Move.from_iccs(text)
        position.push(move)
        if before.turn == colour:
            yield before, move, position.copy()


def _retreats(before: Position, move: Move) -> bool:
    """A rook or cannon retreats in a straight line from a piece it attacks, and still attacks it."""
    piece = before.pieces()[move.from_square]
    if piece.kind not in (ROOK, CANNON):
        return False
    after = before.copy()
    after.push(move)
    for victim, other in before.pieces().items():
        if other.colour == piece.colour or other.kind == KING:
            continue
        line = (victim, move.from_square, move.to_square)
        along = len({place % 9 for place in line}) == 1 or len({place // 9 for place in line}) == 1
        between = min(victim, move.to_square) < move.from_square < max(victim, move.to_square)
        if along and between and move.to_square in after.attackers(piece.colour, victim):
            return True
    return False


def _pinned_threat(after: Position) -> bool:
    """The side that has just moved attacks something with a piece that cannot legally capture it."""
    colour = 1 - after.turn
    if after.is_check():
        return False
    waiting = after.copy()
    waiting.push_null()
    for victim, other in waiting.pieces().items():
        if other.colour == colour or other.kind == KING:
            continue
        for place in waiting.attackers(colour, victim):
            kind = waiting.pieces()[place].kind
            if kind not in (KING, PAWN) and not waiting.is_legal(Move(place, victim)):
                return True
    return False


def _lost_protection(before: Position, after: Position) -> bool:
    """The move creates a new threat to a piece without adding an attacker."""
    colour = before.turn
    for victim in core_inspection.chased(after):
        old = {before.pieces()[place].kind for place in before.attackers(colour, victim)}
        new = {after.pieces()[place].kind for place in after.attackers(colour, victim)}
        if new <= old:
            return True
    return False


def _binding(position: Position, colour: int) -> set[int]:
    """The points of single pieces that block a check by `colour` on the other king."""
    board = {place: piece.symbol for place, piece in position.pieces().items()}
    enemy = "bw"[colour]
    found = set()
    for place, symbol in board.items():
        rest = {other: letter for other, letter in board.items() if other != place}
        rows = ("".join(rest.get(9 * rank + file, "1") for file in range(9)) for rank in range(9, -1, -1))
        try:
            if symbol not in "Kk" and Position(f"{'/'.join(rows)} {enemy}").is_check():
                found.add(place)
        except FenError:  # the kings would face each other, or `colour` itself would be in check
            continue
    return found
