"""What the tree formats (XQF, CBR, UBB) have in common: pieces in numbered slots, moves one after the other, comments.

XQF and CBR store a tree as a list of moves with two flags: the line goes on, and there is another move instead. After a
move come the moves that follow it, then the other move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from chuhe.engine import Move, Position
from chuhe.files.reading import check_time
from chuhe.records.game_record import GameRecord, RecordError
from chuhe.records.game_tree import GameTree, Node
from chuhe.records.pgn import FIRST_TAGS
from chuhe.text.message import Message, message_of, shown

SLOTS = "RNBAKABNRCCPPPPP"  # each side's pieces, Red's first
LONGEST_LINE = 2000  # plies: more is damage
_MARK = re.compile(r"(!!|\?\?|!\?|\?!|!|\?)(?:\s+|$)")
_GLYPHS = re.compile(r"(?:\$\d{1,3}(?:\s+|$)){1,100}", re.ASCII)


@dataclass(frozen=True)
class Step:
    """A move as it is stored."""

    from_square: int
    to_square: int
    comment: str
    goes_on: bool
    has_other: bool


def grow(tree: GameTree, steps: Iterable[Step]) -> Message | None:
    """Add the moves to the tree; the first reason why one of them, and what follows it, had to be left out."""
    parent: Node | None = tree.root
    waiting: list[Node | None] = []  # where the other moves belong
    fault: Message | None = None
    try:
        for step in steps:
            check_time()
            node = None
            if parent is not None:
                try:
                    node = add_move(tree, parent, step.from_square, step.to_square, step.comment)
                except ValueError as error:
                    fault = fault or message_of(error)
            if step.has_other:
                waiting.append(parent)
            if step.goes_on:
                parent = node
            elif waiting:
                parent = waiting.pop()
            else:
                break
    except RecordError as error:
        fault = fault or message_of(error)
    return fault


def add_move(tree: GameTree, parent: Node, from_square: int, to_square: int, comment: str = "") -> Node:
    """Add one move with its comment; ValueError names the place and says why it cannot be played."""
    plies = len(parent.path())
    try:
        if plies >= LONGEST_LINE:
            raise RecordError(Message("file.long-line", most=LONGEST_LINE))
        node = tree.add(parent, Move(from_square, to_square))
    except ValueError as error:
        main = all(step.parent is not None and step.parent.children[0] is step for step in parent.path())
        number, fault = plies // 2 + 1, message_of(error)
        if main and not parent.children:
            raise RecordError(Message("file.at-move", move=number, fault=fault)) from error
        raise RecordError(Message("file.at-variation", move=number, fault=fault)) from error
    read_comment(node, comment)
    return node


def no_move(plies: int, text: str) -> RecordError:
    """What stands for the next move after so many plies is none."""
    return RecordError(Message("file.at-move", move=plies // 2 + 1, fault=Message("file.no-move", text=shown(text))))


# --- comments


def read_comment(node: Node, text: str) -> None:
    """Take over a comment; the mark and the other glyphs stand before it: these formats have no place for them."""
    text = "\n".join(" ".join(line.split()) for line in text.splitlines()).strip()
    if node.move is not None:
        if found := _MARK.match(text):
            node.mark, text = found[1], text[found.end() :]
        if found := _GLYPHS.match(text):
            node.nags, text = tuple(int(word[1:]) for word in found[0].split()), text[found.end() :]
    node.comment = f"{node.comment}\n{text}".strip()


def comment_text(node: Node) -> str:
    return " ".join(filter(None, (node.mark, *(f"${number}" for number in node.nags), node.comment)))


# --- the board


def slots_of(position: Position) -> list[int | None]:
    """The squares of the pieces in 32 slots, None for a missing one."""
    slots: list[int | None] = [None] * (2 * len(SLOTS))
    for square, piece in sorted(position.pieces().items(), key=lambda item: (item[0] % 9, item[0])):
        symbol = piece.symbol
        base = 0 if symbol.isupper() else len(SLOTS)
        kinds = (base + index for index, kind in enumerate(SLOTS) if kind == symbol.upper())
        slots[next(slot for slot in kinds if slots[slot] is None)] = square  # no side has more pieces than slots
    return slots


def pieces_of(slots: Sequence[int | None]) -> dict[int, str]:
    symbols = SLOTS + SLOTS.lower()
    return {square: symbols[index] for index, square in enumerate(slots) if square is not None}


def begin(pieces: Mapping[int, str], first: int | None, black: bool = False) -> GameTree:
    """A game from this board. The piece on `first`, the first move's square, tells who moves; else `black` does."""
    if first is not None and first in pieces:
        black = pieces[first].islower()
    rows = []
    for rank in range(9, -1, -1):
        row = "".join(pieces.get(9 * rank + file, " ") for file in range(9))
        rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
    try:
        return GameTree(f"{'/'.join(rows)} {'b' if black else 'w'} - - 0 1")
    except ValueError as error:
        raise RecordError(message_of(error)) from error


# --- the other facts of a game


def known_tags(record: GameRecord) -> dict[str, str]:
    """The tags with a known value."""
    return {name: text for name, text in record.tags.items() if text and FIRST_TAGS.get(name) != text}


def finish(tree: GameTree, fault: Message | None) -> GameRecord:
    """The record of a game that was read."""
    return replace(tree.to_record(), fault=fault)
