"""A plain full-width mate search: every move of either side, no evaluation, independent of the engine's search.

It proves the engine's claims: that a mate in n exists, and that no shorter one does. A side without a legal move has
lost, in check or not. The only refinements are a cache of solved positions and move ordering (checks first, the last
refutation first), which affect the speed but not the answer.
"""

from __future__ import annotations

from chuhe.engine import Move
from chuhe.engine._core import Board


class OutOfBudget(Exception):
    """The search would exceed the node limit."""


class Prover:
    """Proves mates; one object may be used for many positions."""

    def __init__(self, budget: int = 1_000_000) -> None:
        self.budget = budget
        self.looked = 0
        self.mated_in: dict[int, int] = {}  # key: the mover mates in at most this many moves
        self.safe_for: dict[int, int] = {}  # key: the mover cannot mate in this many moves
        self.refutation: dict[tuple[int, Move], Move] = {}

    def mate_length(self, fen: str, longest: int) -> int | None:
        """The length of the shortest mate for the mover, up to `longest`; None if there is none."""
        board = Board(fen)
        for length in range(1, longest + 1):
            if self.mates(board, length):
                return length
        return None

    def mates(self, board: Board, length: int) -> bool:
        """Whether the mover forces mate in at most `length` moves."""
        key = board.key
        if self.mated_in.get(key, 1000) <= length:
            return True
        if self.safe_for.get(key, 0) >= length:
            return False
        for move in sorted(board.legal_moves, key=board.gives_check, reverse=True):
            board.push(move)
            lost = self.loses(board, move, length - 1)
            board.pop()
            if lost:
                self.mated_in[key] = length
                return True
        self.safe_for[key] = length
        return False

    def loses(self, board: Board, last: Move, length: int) -> bool:
        """Whether every move of the defender, who is to move, allows a mate in `length` moves."""
        self.looked += 1
        if self.looked > self.budget:
            raise OutOfBudget(f"more than {self.budget} positions")
        if length == 0:
            return not board.has_legal_moves()
        moves = board.legal_moves
        hint = self.refutation.get((length, last))
        if hint in moves:
            moves.insert(0, hint)
        for move in moves:
            board.push(move)
            mated = self.mates(board, length)
            board.pop()
            if not mated:
                self.refutation[length, last] = move
                return False
        return True
