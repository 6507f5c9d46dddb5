"""A game with its variations as a tree that can be changed: go back, try another move, promote, delete, comment.

The first child of a node is the main line there. Games as text (`formats.pgn.GameRecord`) become trees and back.

>>> from chuhe.engine import Move
>>> tree = GameTree()
>>> first = tree.add(tree.root, Move.from_iccs("h2e2"))
>>> other = tree.add(tree.root, Move.from_iccs("c3c4"))
>>> [str(node.move) for node in tree.main_line()]
['h2e2']
>>> tree.promote(other)
>>> [str(node.move) for node in tree.main_line()]
['c3c4']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from chuhe.engine._core import START_FEN, Move
from chuhe.engine.errors import IllegalMoveError
from chuhe.engine.legality import explain_illegal
from chuhe.engine.position import Position
from chuhe.engine.values import Result
from chuhe.records.game_record import MAX_NESTING, GameRecord, RecordedMove
from chuhe.text.errors import UserError
from chuhe.text.message import Message


class TreeError(UserError):
    """Something that cannot be done to a tree; the text says why."""


class Node:
    """A position of the tree, named by the move that leads to it; the root has none.

    move: that move; None at the root.
    parent: the node before it; None at the root.
    children: the nodes after it, the main line first.
    comment, mark, nags: as in `RecordedMove`.
    id: its number in the tree.
    """

    __slots__ = ("children", "comment", "id", "mark", "move", "nags", "parent")

    def __init__(self, identity: int, parent: Node | None, move: Move | None) -> None:
        self.id = identity
        self.parent = parent
        self.move = move
        self.children: list[Node] = []
        self.comment = ""
        self.mark = ""
        self.nags: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"Node({self.id}, {self.move})"

    def path(self) -> list[Node]:
        """The nodes from the first move to this one."""
        result = []
        node = self
        while node.parent is not None:
            result.append(node)
            node = node.parent
        return result[::-1]

    def child(self, move: Move) -> Node | None:
        """The node after a move, if it is there."""
        return next((child for child in self.children if child.move == move), None)

    def is_below(self, other: Node) -> bool:
        """Whether this node is the other one or comes after it."""
        node: Node | None = self
        while node is not None and node is not other:
            node = node.parent
        return node is other


class GameTree:
    """A start position, the moves from there, and who played.

    fen, tags, result: as in `GameRecord`.
    root: the node of the start position.
    nodes: all nodes by number.
    """

    def __init__(self, fen: str = START_FEN) -> None:
        self.fen = Position(fen).fen()
        self.root = Node(0, None, None)
        self.nodes = {0: self.root}
        self.tags: dict[str, str] = {}
        self.result: Result = "*"
        self._next_id = 1
        self._latest: tuple[Node, Position] | None = None  # what was added last: mostly the next is added after it

    def __len__(self) -> int:
        """The number of moves in the tree."""
        return len(self.nodes) - 1

    # --- looking

    def __getitem__(self, identity: int) -> Node:
        try:
            return self.nodes[identity]
        except KeyError:
            raise TreeError(Message("tree.no-node", number=identity)) from None

    def position(self, node: Node) -> Position:
        """The position at a node, with the history that repetitions are judged by."""
        position = Position(self.fen)
        for step in node.path():
            assert step.move is not None
            position.push(step.move)
        return position

    def main_line(self, node: Node | None = None) -> list[Node]:
        """The nodes that follow a node (the root) on its main line."""
        return list(_main_line(node or self.root))

    def end(self, node: Node | None = None) -> Node:
        """Where the main line from a node ends."""
        line = self.main_line(node)
        return line[-1] if line else node or self.root

    def __iter__(self) -> Iterator[Node]:
        """All nodes, every line followed to its end before the next begins; parents come before their children."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    # --- changing

    def add(self, parent: Node, move: Move, *, as_main: bool = False) -> Node:
        """The node after a move, made if it is not there yet. `as_main`: it becomes the main line."""
        node = parent.child(move)
        if node is None:
            latest = self._latest
            position = latest[1] if latest is not None and latest[0] is parent else self.position(parent)
            if not position.is_legal(move):
                fault = explain_illegal(position, move) or Message("move.forbidden")
                raise IllegalMoveError(Message("move.is-illegal", move=move.iccs, fault=fault))
            if parent.children and not as_main and _nesting(parent) >= MAX_NESTING - 1:
                raise TreeError(Message("tree.nested", most=MAX_NESTING))
            node = self._attach(parent, move)
            position.push(move)
            self._latest = node, position
        if as_main:
            parent.children.remove(node)
            parent.children.insert(0, node)
        return node

    def add_line(self, parent: Node, moves: Iterable[Move]) -> Node:
        """Adds one move after the other; the last node."""
        for move in moves:
            parent = self.add(parent, move)
        return parent

    def promote(self, node: Node) -> None:
        """Makes the variation that the node belongs to the main line of where it branches off."""
        for step in reversed(node.path()):
            assert step.parent is not None
            siblings = step.parent.children
            if siblings[0] is not step:
                siblings.remove(step)
                siblings.insert(0, step)
                return
        raise TreeError(Message("tree.main-line"))

    def delete(self, node: Node) -> Node:
        """Removes a move and all that follows it; the node before it."""
        if node.parent is None:
            raise TreeError(Message("tree.start"))
        node.parent.children.remove(node)
        waiting = [node]
        while waiting:
            gone = waiting.pop()
            del self.nodes[gone.id]
            waiting += gone.children
        return node.parent

    def _attach(self, parent: Node, move: Move) -> Node:
        node = Node(self._next_id, parent, move)
        self._next_id += 1
        self.nodes[node.id] = node
        parent.children.append(node)
        return node

    # --- games as text

    @classmethod
    def from_record(cls, record: GameRecord) -> GameTree:
        """The tree of a game that was read; IllegalMoveError names a move that cannot be played."""
        tree = cls(record.fen)
        tree.tags, tree.result = dict(record.tags), record.result
        tree.root.comment = record.comment
        tree._add_recorded(tree.root, record.moves)
        return tree

    def _add_recorded(self, parent: Node, moves: Iterable[RecordedMove]) -> None:
        lines = [(parent, tuple(moves))]
        while lines:
            node, line = lines.pop(0)
            position = self.position(node)
            for recorded in line:
                if not recorded.move:
                    raise IllegalMoveError(Message("move.null"))
                before = node
                existing = before.child(recorded.move)
                position.push(recorded.move)
                node = existing or self._attach(before, recorded.move)
                node.comment = f"{node.comment} {recorded.comment}".strip()
                node.mark = recorded.mark or node.mark
                node.nags = recorded.nags or node.nags
                lines += [(before, variation) for variation in recorded.variations]

    def to_record(self, tags: Mapping[str, str] | None = None, end: Node | None = None) -> GameRecord:
        """The tree as a record; `tags` are added to its own. `end`: the main line leads there and ends there."""
        way = None if end is None else end.path()
        moves = tuple(_recorded_line(self.root, way))
        return GameRecord(self.fen, moves, {**self.tags, **(tags or {})}, self.result, self.root.comment)

    def __str__(self) -> str:
        """The game as PGN."""
        return str(self.to_record())

    def _repr_svg_(self) -> str:
        """The end of the main line, for a notebook."""
        return self.position(self.end())._repr_svg_()

    # --- keeping it

    def to_json(self) -> dict[str, Any]:
        """Plain data with the nodes' numbers, from which `from_json` makes the same tree."""
        rows = [
            [node.id, node.parent and node.parent.id, node.move and node.move.iccs, node.comment, node.mark, *node.nags]
            for node in self
        ]
        return {"fen": self.fen, "tags": self.tags, "result": self.result, "next": self._next_id, "nodes": rows}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GameTree:
        """ValueError or KeyError if the data are damaged."""
        tree = cls(data["fen"])
        tree.tags, tree.result = dict(data["tags"]), data["result"]
        for identity, parent, move, comment, mark, *nags in data["nodes"]:
            node = tree.root
            if parent is not None:
                node = Node(int(identity), tree.nodes[parent], Move.from_iccs(move))
                tree.nodes[parent].children.append(node)
                tree.nodes[node.id] = node
            node.comment, node.mark, node.nags = str(comment), str(mark), tuple(map(int, nags))
        tree._next_id = max(int(data["next"]), max(tree.nodes) + 1)
        for node in tree:
            if not node.children:
                tree.position(node)  # every line must be playable
        return tree


def _nesting(node: Node) -> int:
    """In how many variations of variations a node lies."""
    return sum(step.parent is not None and step.parent.children[0] is not step for step in node.path())


def _recorded_line(node: Node, way: list[Node] | None = None) -> Iterator[RecordedMove]:
    """The main line after a node, or a given way; what else could be played stands as variations beside each move."""
    for main in _main_line(node) if way is None else way:
        others = [child for child in node.children if child is not main]
        variations = tuple((_recorded(other), *_recorded_line(other)) for other in others)
        yield replace(_recorded(main), variations=variations)
        node = main


def _main_line(node: Node) -> Iterator[Node]:
    while node.children:
        node = node.children[0]
        yield node


def _recorded(node: Node) -> RecordedMove:
    assert node.move is not None
    return RecordedMove(node.move, node.comment, node.mark, nags=node.nags)
