"""A simple, slow implementation of English draughts: a test oracle that shares no code with the engine.

A board is a dict from (row, column) to one of A k B K; every move makes a new dict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

Placement = dict[tuple[int, int], str]
Path = tuple[tuple[int, int], ...]

OWN = {"Alice": "Ak", "Bill": "BK"}
OTHER = {"Alice": "Bill", "Bill": "Alice"}
KING = {"A": "k", "B": "K", "k": "k", "K": "K"}


def board_from(cells: str) -> Placement:
    return {(i // 8, i % 8): letter for i, letter in enumerate(cells) if letter in "AkBK"}


def directions(letter: str) -> list[tuple[int, int]]:
    up, down = [(-1, -1), (-1, 1)], [(1, -1), (1, 1)]
    return {"A": up, "B": down, "k": up + down, "K": up + down}[letter]


def on_board(square: tuple[int, int]) -> bool:
    return square[0] in range(8) and square[1] in range(8)


def single_jumps(
    board: Placement, square: tuple[int, int], letter: str, jumped: frozenset[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """(landing, piece jumped) for each jump of the piece from `square`; a piece can be jumped only once."""
    enemies = OWN["Bill"] if letter in OWN["Alice"] else OWN["Alice"]
    for row_step, column_step in directions(letter):
        over = (square[0] + row_step, square[1] + column_step)
        landing = (square[0] + 2 * row_step, square[1] + 2 * column_step)
        if board.get(over, " ") in enemies and over not in jumped and on_board(landing) and landing not in board:
            yield landing, over


def chains(board: Placement, path: Path, letter: str, jumped: frozenset[tuple[int, int]], multi: bool) -> list[Path]:
    """Every complete chain of jumps that begins with `path`."""
    far_row = {"A": 0, "B": 7}.get(letter)
    crowned_now = len(path) > 1 and path[-1][0] == far_row
    found: list[Path] = []
    if len(path) == 1 or (multi and not crowned_now):
        for landing, over in single_jumps(board, path[-1], letter, jumped):
            found += chains(board, (*path, landing), letter, jumped | {over}, multi)
    return found or ([path] if len(path) > 1 else [])


def legal(board: Placement, side: str, multi: bool = False) -> list[Path]:
    """Sorted by the square left, then by the squares moved to."""
    jumps: list[Path] = []
    steps: list[Path] = []
    for square, letter in board.items():
        if letter not in OWN[side]:
            continue
        without = {other: piece for other, piece in board.items() if other != square}
        jumps += chains(without, (square,), letter, frozenset(), multi)
        for row_step, column_step in directions(letter):
            target = (square[0] + row_step, square[1] + column_step)
            if on_board(target) and target not in board:
                steps.append((square, target))
    return sorted(jumps or steps)


def play(board: Placement, path: Path) -> Placement:
    after = dict(board)
    letter = after.pop(path[0])
    for (row, column), (next_row, next_column) in pairwise(path):
        if abs(next_row - row) == 2:
            del after[(row + next_row) // 2, (column + next_column) // 2]
    crowned = path[-1][0] == (0 if letter == "A" else 7) or letter in "kK"
    after[path[-1]] = KING[letter] if crowned else letter
    return after


def heuristic(board: Placement) -> int:
    return sum({"A": 1, "k": 2, "B": -1, "K": -2}[letter] for letter in board.values())


def settled(board: Placement, side: str, multi: bool) -> float | None:
    """The value for Alice if the game is over with `side` to move."""
    if not any(letter in OWN[OTHER[side]] for letter in board.values()):
        return math.inf if side == "Alice" else -math.inf
    if not legal(board, side, multi):
        return -math.inf if side == "Alice" else math.inf
    return None


def minimax(board: Placement, side: str, depth: int, multi: bool = False) -> float:
    """Full minimax to the given depth, without pruning."""
    over = settled(board, side, multi)
    if over is not None:
        return over
    if depth == 0:
        return heuristic(board)
    values = [minimax(play(board, path), OTHER[side], depth - 1, multi) for path in legal(board, side, multi)]
    return max(values) if side == "Alice" else min(values)


def best(board: Placement, depth: int, multi: bool = False) -> tuple[float, Path]:
    """The value for Alice and the first of her best moves."""
    scored = [(minimax(play(board, path), "Bill", depth - 1, multi), path) for path in legal(board, "Alice", multi)]
    value = max(value for value, _ in scored)
    return value, next(path for score, path in scored if score == value)


def text(path: Path) -> str:
    return "=>".join(f"({row},{column})" for row, column in path)


def number(value: float) -> str:
    return str(value) if math.isinf(value) else str(int(value))


class Traversal:
    """Textbook alpha-beta, one function for each player, that records its traversal."""

    def __init__(self, board: Placement, depth: int, multi: bool = False) -> None:
        self.depth, self.multi = depth, multi
        self.lines: list[str] = []
        self.cuts: list[tuple[Placement, str, int, Path, float, float]] = []
        self.first: Path | None = None
        self.value = self.maximise(board, -math.inf, math.inf, 0)
        self.lines.append(f"first move: {text(self.first)}." if self.first else "first move: none.")

    def leaf(self, board: Placement, side: str, ply: int) -> float | None:
        over = settled(board, side, self.multi)
        return over if over is not None else heuristic(board) if ply == self.depth else None

    def visit(self, board: Placement, path: Path, ply: int, mover: str) -> Placement:
        after = play(board, path)
        value = self.leaf(after, OTHER[mover], ply + 1)
        ending = "" if value is None else f"; h={number(value)}"
        self.lines.append(f"{'|-' * ply}{mover[0]}{ply + 1}: {text(path)}{ending}.")
        return after

    def prune(self, board: Placement, mover: str, ply: int, rest: list[Path], alpha: float, beta: float) -> None:
        if rest:
            names = ", ".join(text(path) for path in rest)
            window = f"alpha={number(alpha)}, beta={number(beta)}"
            self.lines.append(f"{'|-' * ply}{mover[0]}{ply + 1}: pruning {names}; {window}.")
            self.cuts += [(board, mover, ply, path, alpha, beta) for path in rest]

    def maximise(self, board: Placement, alpha: float, beta: float, ply: int) -> float:
        value = self.leaf(board, "Alice", ply)
        if value is not None:
            return value
        paths, best_value = legal(board, "Alice", self.multi), None
        for i, path in enumerate(paths):
            score = self.minimise(self.visit(board, path, ply, "Alice"), alpha, beta, ply + 1)
            if best_value is None or score > best_value:
                best_value = score
                if ply == 0:
                    self.first = path
            alpha = max(alpha, best_value)
            if alpha >= beta:
                self.prune(board, "Alice", ply, paths[i + 1 :], alpha, beta)
                break
        assert best_value is not None
        return best_value

    def minimise(self, board: Placement, alpha: float, beta: float, ply: int) -> float:
        value = self.leaf(board, "Bill", ply)
        if value is not None:
            return value
        paths, best_value = legal(board, "Bill", self.multi), math.inf
        for i, path in enumerate(paths):
            score = self.maximise(self.visit(board, path, ply, "Bill"), alpha, beta, ply + 1)
            best_value = min(best_value, score)
            beta = min(beta, best_value)
            if alpha >= beta:
                self.prune(board, "Bill", ply, paths[i + 1 :], alpha, beta)
                break
        return best_value


if __name__ == "__main__":
    import sys

    print("\n".join(Traversal(board_from(sys.stdin.read().replace("\n", "")), 4).lines))
