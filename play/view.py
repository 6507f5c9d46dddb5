"""What is visible of a position in a game: all that is needed to draw it, in the terminal or on a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chuhe.records.game_tree import GameTree, Node


@dataclass(frozen=True)
class View:
    """What drawing the board needs. Squares are ``9 * rank + file``; pieces are FEN letters, upper case for Red."""

    pieces: Mapping[int, str]
    turn: int = 0  # 0 Red, 1 Black
    last_move: tuple[int, int] | None = None
    checked_king: int | None = None
    black_at_bottom: bool = False
    captured: tuple[str, ...] = ()  # in the order of capture


def view_of(tree: GameTree, node: Node, black_at_bottom: bool = False) -> View:
    """The position at a node of a game."""
    position = tree.position(node)
    last = node.move
    return View(
        pieces={square: piece.symbol for square, piece in position.pieces().items()},
        turn=position.turn,
        last_move=(last.from_square, last.to_square) if last else None,
        checked_king=position.king(position.turn) if position.is_check() else None,
        black_at_bottom=black_at_bottom,
        captured=_captured(tree, node),
    )


def _captured(tree: GameTree, node: Node) -> tuple[str, ...]:
    """The pieces captured on the way: whatever stood on a move's target point."""
    board = {square: piece.symbol for square, piece in tree.position(tree.root).pieces().items()}
    taken = []
    for step in node.path():
        assert step.move is not None
        if step.move.to_square in board:
            taken.append(board[step.move.to_square])
        board[step.move.to_square] = board.pop(step.move.from_square)
    return tuple(taken)
