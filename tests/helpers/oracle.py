"""Compares Chuhe's rules with pyffish (Fairy-Stockfish) on positions and cycles from random play.

Used by tests/engine/test_oracle.py (a seeded part that takes seconds) and by tests/tools/oracle_long.py (any amount).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import core_inspection
import pyffish
from random_play import play_at_random

from chuhe.engine import KING, Law, Move, Position

VARIANT = "xiangqi"
LAW = Law(occurrences=3, move_limit=0, material=False)


def random_positions(rng: random.Random) -> Iterator[Position]:
    """Positions from random games; how strongly captures are favoured differs from game to game."""
    while True:
        greed = rng.choice((0.05, 0.2, 0.5, 0.9))
        for position in play_at_random(rng, rng.choice((40, 120, 300)), Position(), greed):
            if rng.random() < 0.15:
                yield Position(bare_fen(position))


def bare_fen(position: Position) -> str:
    """The FEN with its counters at zero, so that the move limit has no effect."""
    board, side = position.fen().split()[:2]
    return f"{board} {side} - - 0 1"


def moves_differ(position: Position) -> str:
    """Differences about legal moves and check; empty if there are none."""
    fen = position.fen()
    ours = {move.uci for move in position.legal_moves}
    theirs = set(pyffish.legal_moves(VARIANT, fen, []))
    check = pyffish.gives_check(VARIANT, fen, [])
    if ours != theirs:
        return f"{fen}: only ours {sorted(ours - theirs)}, only theirs {sorted(theirs - ours)}"
    if position.is_check() != check:
        return f"{fen}: check is {position.is_check()} here, {check} there"
    return ""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Moves that lead from a position back to it; playing them twice gives the third occurrence."""

    fen: str
    moves: tuple[str, ...]


def random_cycles(rng: random.Random) -> Iterator[Cycle]:
    """Cycles of 4 to 8 plies; favours checks, attacks and escapes, so that enough cycles are offences."""
    for start in random_positions(rng):
        if not start.has_attackers():
            continue
        for _ in range(4):
            cycle = _find_cycle(rng, start)
            if cycle:
                yield Cycle(start.fen(), tuple(str(move) for move in cycle))


def random_pairs(rng: random.Random) -> Iterator[Cycle]:
    """Two different cycles, one after the other: the position occurs for the third time after both."""
    for start in random_positions(rng):
        if not start.has_attackers():
            continue
        found = {tuple(str(move) for move in _find_cycle(rng, start)) for _ in range(8)} - {()}
        rounds = sorted(found)
        for first, second in pairwise(rounds):
            yield Cycle(start.fen(), first + second)


def _find_cycle(rng: random.Random, start: Position) -> list[Move]:
    """One attempt; empty if the moves turn out illegal or do not lead back."""
    length = rng.choice((2, 2, 2, 3, 4))
    position = start.copy()
    plans: tuple[list[Move], list[Move]] = ([], [])
    for ply in range(2 * length):
        plan = plans[ply % 2]
        move = _next_move(rng, position, plan, length)
        if move is None:
            return []
        plan.append(move)
        position.push(move)
    return position.move_stack if position.key == start.key else []


def _next_move(rng: random.Random, position: Position, plan: list[Move], length: int) -> Move | None:
    """The plan's next move: first away, then back."""
    done = len(plan)
    if done == 0:
        return _favoured(rng, position)
    first = plan[0]
    if length == 2:
        return _legal(position, first.to_square, first.from_square)
    if length == 3:  # one piece, three points of a line
        if done == 2:
            return _legal(position, plan[1].to_square, first.from_square)
        onward = [move for move in position.legal_moves if move.from_square == first.to_square]
        quiet = [move for move in onward if not position.is_capture(move) and move.to_square != first.from_square]
        return rng.choice(quiet) if quiet else None
    if done == 1:  # another piece, or the same one again; both return in turn
        return _favoured(rng, position)
    back = plan[1] if plan[1].from_square == first.to_square else first
    rest = first if back is plan[1] else plan[1]
    last = back if done == 2 else rest
    return _legal(position, last.to_square, last.from_square)


def _legal(position: Position, start: int, end: int) -> Move | None:
    move = Move(start, end)
    return move if position.is_legal(move) and not position.is_capture(move) else None


def _favoured(rng: random.Random, position: Position) -> Move | None:
    quiet = [move for move in position.legal_moves if not position.is_capture(move)]
    if not quiet:
        return None
    threatened = set(core_inspection.chased(position)) if position.move_stack else set()
    escapes = [move for move in quiet if move.from_square in threatened]
    sharp = rng.random()
    if escapes and sharp < 0.8:
        quiet = escapes
    elif sharp < 0.25:
        quiet = [move for move in quiet if position.gives_check(move)] or quiet
    elif sharp < 0.85:
        quiet = [move for move in quiet if _attacks_something(position, move)] or quiet
    return rng.choice(quiet)


def _attacks_something(position: Position, move: Move) -> bool:
    after = position.copy()
    after.push(move)
    victims = [square for square, piece in after.pieces().items() if piece.colour == after.turn and piece.kind != KING]
    return any(move.to_square in after.attackers(1 - after.turn, square) for square in victims)


def our_verdict(cycle: Cycle) -> tuple[str, list[str]]:
    """The result at the first third occurrence, and the moves up to it."""
    position = Position(cycle.fen)
    for move in cycle.moves * 2:
        position.push(move)
        outcome = position.outcome(LAW)
        if outcome is not None:
            return outcome.result, [str(played) for played in position.move_stack]
    return "*", [str(played) for played in position.move_stack]


def their_verdict(cycle: Cycle, moves: list[str]) -> str:
    """pyffish's verdict after `moves`, as a result."""
    played = [Move.from_iccs(move).uci for move in moves]
    ended, value = pyffish.is_optional_game_end(VARIANT, cycle.fen, played)
    if not ended:
        return "*"
    if value == 0:
        return "1/2-1/2"
    red_to_move = (cycle.fen.split()[1] == "w") == (len(moves) % 2 == 0)
    return "1-0" if (value > 0) == red_to_move else "0-1"
