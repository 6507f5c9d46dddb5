"""How the two old console programs judged a board and searched: their published weights, and plain alpha-beta.

An evaluation is a sum of named terms per side. S0: ``6 strength + 4 position + 4 threat + 1 mobility + 1 control``;
S1: ``7 piece + 15 position + 1 flexibility``; each mine minus yours. Patterns, tables and S1's piece values are ours
(see `style_tables`), because they were never published.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from engine._core import Move
from play.reach import targets
from play.style_tables import S0_TABLES, S1_TABLES, Table

if TYPE_CHECKING:
    from engine.position import Position

Pieces = Mapping[int, str]  # square: FEN letter
Targets = Mapping[int, list[int]]  # square: where its piece could go, check or not
RED, BLACK = 0, 1

LOST = -10_000_000  # below every evaluation; plies are added so that a later loss is better


@dataclass(frozen=True)
class Board:
    """What an evaluation looks at: the pieces, and where each of them could go next."""

    pieces: Pieces
    targets: Targets


@dataclass(frozen=True)
class Style:
    """An evaluation and the search that goes with it."""

    name: str
    strength: Mapping[str, int]
    tables: Mapping[str, Table]  # by FEN letter, so Black's are turned round
    weights: Mapping[str, int]  # term: weight, in the order in which they are shown
    terms: Callable[[Style, Board, int], dict[str, int]]
    default_breadth: int  # 0: every move is tried
    depth: Callable[[int], int]  # number of pieces on the board: plies

    def score(self, board: Board, colour: int) -> int:
        """The weighted sum, mine minus yours."""
        mine, yours = self.terms(self, board, colour), self.terms(self, board, 1 - colour)
        return sum(weight * (mine[term] - yours[term]) for term, weight in self.weights.items())


def both_sides(tables: Mapping[str, Table]) -> dict[str, Table]:
    """Red's position tables by FEN letter, and the same turned round for Black."""
    turned = [9 * (9 - square // 9) + square % 9 for square in range(90)]
    black = {kind.lower(): tuple(table[square] for square in turned) for kind, table in tables.items()}
    return {**tables, **black}


def _own(board: Board, colour: int) -> list[tuple[int, str]]:
    return [(square, piece) for square, piece in board.pieces.items() if piece.isupper() == (colour == RED)]


# --- S0

S0_STRENGTH = {"K": 1_000_000, "A": 110, "B": 110, "N": 300, "R": 600, "C": 500, "P": 70}
S0_MOBILITY = {"K": 0, "A": 0, "B": 0, "N": 13, "R": 7, "C": 7, "P": 15}
S0_WEIGHTS = {"strength": 6, "position": 4, "threat": 4, "mobility": 1, "control": 1}

# two attackers across the river that work together
S0_THREATS = {
    frozenset("R"): 60,  # two rooks
    frozenset("RN"): 50,
    frozenset("RC"): 45,
    frozenset("NC"): 35,
    frozenset("N"): 30,
    frozenset("C"): 30,
    frozenset("RP"): 20,
    frozenset("NP"): 15,
    frozenset("CP"): 15,
    frozenset("P"): 10,
}


def s0_depth(pieces: int) -> int:
    """Deeper as pieces leave: min(9, 7.3 - 0.11 pieces), whole plies.

    >>> s0_depth(32), s0_depth(20), s0_depth(2)
    (3, 5, 7)
    """
    return min(9, int(7.3 - 0.11 * pieces))


def s0_threat(board: Board, colour: int) -> int:
    """The sum over all pairs of attackers that have crossed the river."""
    home_ranks = range(5) if colour == RED else range(5, 10)
    across = [
        piece.upper()
        for square, piece in _own(board, colour)
        if piece.upper() in "RNCP" and square // 9 not in home_ranks
    ]
    return sum(S0_THREATS[frozenset(pair)] for pair in combinations(across, 2))


def s0_terms(style: Style, board: Board, colour: int) -> dict[str, int]:
    """The five terms of one side, unweighted."""
    strength = position = mobility = control = 0
    for square, piece in _own(board, colour):
        kind = piece.upper()
        targets = board.targets.get(square, [])
        strength += style.strength[kind]
        table = style.tables[piece]
        position += table[square]
        mobility += S0_MOBILITY[kind] * len(targets)
        control += sum(map(table.__getitem__, targets))
    return {
        "strength": strength,
        "position": position,
        "threat": s0_threat(board, colour),
        "mobility": mobility,
        "control": control,
    }


S0 = Style("s0", S0_STRENGTH, both_sides(S0_TABLES), S0_WEIGHTS, s0_terms, 0, s0_depth)


# --- S1

S1_STRENGTH = {"K": 10_000, "A": 20, "B": 20, "N": 40, "R": 90, "C": 45, "P": 10}
S1_WEIGHTS = {"piece": 7, "position": 15, "flexibility": 1}
S1_DEPTH, S1_BREADTH = 4, 20


def s1_terms(style: Style, board: Board, colour: int) -> dict[str, int]:
    """The three terms of one side, unweighted; flexibility is the number of its moves."""
    own = _own(board, colour)
    return {
        "piece": sum(style.strength[piece.upper()] for _, piece in own),
        "position": sum(style.tables[piece][square] for square, piece in own),
        "flexibility": sum(len(board.targets.get(square, [])) for square, _ in own),
    }


S1 = Style("s1", S1_STRENGTH, both_sides(S1_TABLES), S1_WEIGHTS, s1_terms, S1_BREADTH, lambda pieces: S1_DEPTH)

STYLES = {"s0": S0, "s1": S1}


# --- the search that both had


def look(position: Position) -> Board:
    """A position as an evaluation sees it, both sides' moves included."""
    pieces = {square: piece.symbol for square, piece in position.pieces().items()}
    return Board(pieces, targets(pieces))


@dataclass(frozen=True)
class Line:
    """A search's answer: the score for the mover, the expected moves, and the work done."""

    score: int
    moves: tuple[Move, ...]
    depth: int
    nodes: int


class _Interrupted(Exception):
    pass


class PlainSearch:
    """Minimax with alpha-beta on one board that is changed and restored; no tables, no quiescence, as it was."""

    def __init__(
        self, style: Style, breadth: int | None = None, should_stop: Callable[[], bool] = lambda: False
    ) -> None:
        self.style = style
        self.breadth = style.default_breadth if breadth is None else breadth
        self.nodes = 0
        self._should_stop = should_stop

    def search(self, position: Position, depth: int | None = None, seconds: float | None = None) -> Line | None:
        """The best line; None without a legal move. It deepens step by step, so that one cut short has an answer."""
        full = depth or self.style.depth(len(position.pieces()))
        board = position.copy()
        if not board.legal_moves:
            return None
        self.nodes = 0
        outer_stop = self._should_stop
        if seconds is not None:
            deadline = time.monotonic() + seconds
            self._should_stop = lambda: outer_stop() or time.monotonic() >= deadline
        best = Line(0, (board.legal_moves[0],), 0, 0)
        try:
            for plies in range(1, full + 1):
                score, moves = self._negamax(board, plies, LOST, -LOST, 0)
                best = Line(score, tuple(moves), plies, self.nodes)
        except _Interrupted:
            pass
        finally:
            self._should_stop = outer_stop
        return best

    def _negamax(self, board: Position, depth: int, alpha: int, beta: int, ply: int) -> tuple[int, list[Move]]:
        self.nodes += 1
        if self.nodes % 64 == 0 and self._should_stop():
            raise _Interrupted
        moves = board.legal_moves
        if not moves:
            return LOST + ply, []
        if depth == 0:
            return self.style.score(look(board), board.turn), []
        line: list[Move] = []
        best = LOST
        for move in self.ordered(board, moves):
            board.push(move)
            try:
                score, rest = self._negamax(board, depth - 1, -beta, -max(alpha, best), ply + 1)
            finally:
                board.pop()
            if -score > best:
                best, line = -score, [move, *rest]
                if best >= beta:
                    break
        return best, line

    def ordered(self, board: Position, moves: list[Move]) -> list[Move]:
        """The moves to try, in order, cut to the breadth.

        S1: captures first, by value of the victim over value of the attacker. S0: by strength of the piece taken,
        then of the piece that moves. Quiet moves of S1 follow by what they gain in the position tables.
        """
        pieces = {square: piece.symbol for square, piece in board.pieces().items()}
        rank = self._s1_rank if self.style.name == "s1" else self._s0_rank
        ordered = sorted(moves, key=lambda move: rank(pieces, move), reverse=True)
        return ordered[: self.breadth] if self.breadth else ordered

    def _s0_rank(self, pieces: Pieces, move: Move) -> tuple[int, float]:
        victim = pieces.get(move.to_square)
        strength = self.style.strength
        return (strength[victim.upper()] if victim else 0), strength[pieces[move.from_square].upper()] % 1_000_000

    def _s1_rank(self, pieces: Pieces, move: Move) -> tuple[int, float]:
        victim, mover = pieces.get(move.to_square), pieces[move.from_square]
        if victim:
            return 1, self.style.strength[victim.upper()] / self.style.strength[mover.upper()]
        table = self.style.tables[mover]
        return 0, table[move.to_square] - table[move.from_square]
