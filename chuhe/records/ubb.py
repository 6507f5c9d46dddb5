"""UBB: games as the forums exchange them (DhtmlXQ), fields in square brackets.

The board is 32 points of two digits, file and row from Black's side (99: captured), in the order of `steps.SLOTS`. A
move is four digits. ``[DhtmlXQ_move_P_S_N]`` is variation N: it replaces move S of line P, where the main line is 0;
``[DhtmlXQ_commentN_S]`` is the comment on move S of line N, ``[DhtmlXQ_commentS]`` that of the main line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chuhe.engine import Position
from chuhe.engine.values import Result
from chuhe.files.reading import check_time
from chuhe.records.game_record import GameRecord, RecordError
from chuhe.records.game_tree import GameTree, Node
from chuhe.records.steps import (
    add_move,
    begin,
    comment_text,
    finish,
    known_tags,
    no_move,
    pieces_of,
    read_comment,
    slots_of,
)
from chuhe.text.message import Message, message_of

MARK = "[DhtmlXQ"
_GAME = re.compile(r"\[DhtmlXQ\](.*?)(?:\[/DhtmlXQ\]|\Z|(?=\[DhtmlXQ\]))", re.DOTALL | re.IGNORECASE)
_EDGE = re.compile(r"\[(/?)DhtmlXQ_(\w+)\]", re.IGNORECASE)  # where a field begins or ends
_OLD_LINE = re.compile(r"\[(\d{1,6})_(\d{1,6})_(\d{1,6})\]([\d\s]*)\[/")  # a line as old pages have it: [0_1_0]…
_BREAK = re.compile(r"<br\s*/?>|\|\|", re.IGNORECASE)
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
# text that would be read as something else: our brackets, a line break, an escape
_TO_ESCAPE = re.compile(r"\[(?=/?DhtmlXQ)|\|(?=\|)|(?<=\|)\||<(?=br\b|br/)|\\(?=u[0-9a-f]{4})", re.IGNORECASE)
TAGS = {
    "title": "Title",
    "event": "Event",
    "date": "Date",
    "place": "Site",
    "round": "Round",
    "table": "Table",
    "red": "Red",
    "redteam": "RedTeam",
    "black": "Black",
    "blackteam": "BlackTeam",
    "timerule": "TimeControl",
    "remark": "Annotator",
    "author": "Author",
    "open": "Opening",
}
OTHER_TAG = "pgn_"  # before the name of any other tag
RESULTS: dict[str, Result] = {"红胜": "1-0", "黑胜": "0-1", "和棋": "1/2-1/2", "未知": "*"}
_READ_RESULTS = {
    **RESULTS, "紅勝": "1-0", "黑勝": "0-1", "和局": "1/2-1/2", "和": "1/2-1/2", "红先胜": "1-0", "红先负": "0-1",
    "1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2",
}  # fmt: skip
CAPTURED = "99"


# --- reading


def parse_ubb(text: str) -> Iterator[GameRecord | RecordError]:
    """The games of a text, one after the other; an error for one that cannot be read at all."""
    games = [found[1] for found in _GAME.finditer(text)] or [text]
    for game in games:
        try:
            yield _game(game)
        except RecordError as error:
            yield error


def _game(text: str) -> GameRecord:
    given = list(_given(text))
    fields: dict[str, str] = {}
    for name, value in given:
        fields.setdefault(name.lower(), value)
    if "movelist" not in fields and "binit" not in fields and "fen" not in fields:
        raise RecordError(Message("file.ubb-empty"))
    main = _digits(fields.get("movelist", ""))
    tree = _tree(fields, main)
    for name, value in given:
        tag = name[len(OTHER_TAG) :] if name.lower().startswith(OTHER_TAG) else TAGS.get(name.lower())
        if tag and _plain(value):
            tree.tags[tag] = _plain(value)
    tree.result = _READ_RESULTS.get(_plain(fields.get("result", "")), "*")
    read_comment(tree.root, _lines(fields.get("comment0", "")))
    return finish(tree, _LineParser(tree, fields).read(main))


def _given(text: str) -> Iterator[tuple[str, str]]:
    """The fields in their order. One that is not closed before the next begins is left out."""
    name, start = "", 0
    for edge in _EDGE.finditer(text):
        check_time()
        if not edge[1]:
            name, start = edge[2], edge.end()
        elif name and edge[2].lower() == name.lower():
            yield name, text[start : edge.start()]
            name = ""  # it is closed: another end belongs to nothing
    for line, step, number, moves in _OLD_LINE.findall(text):
        yield ("movelist" if int(number) == 0 else f"move_{line}_{step}_{number}"), moves


def _lines(text: str) -> str:
    text = _ESCAPE.sub(lambda code: chr(int(code[1], 16)), _BREAK.sub("\n", text))
    return text.encode("utf-8", "replace").decode("utf-8")  # an escape may be half a character


def _plain(text: str) -> str:
    return " ".join(_lines(text).split())


def _digits(text: str) -> str:
    return "".join(text.split())


def _tree(fields: dict[str, str], main: str) -> GameTree:
    """The start: the board's points, else the FEN, else the usual one; the first move tells who begins."""
    board, fen = _digits(fields.get("binit", "")), _plain(fields.get("fen", ""))
    try:
        if fen and not board:
            return GameTree(fen)
        if not board:
            return GameTree()
        tree = begin(pieces_of(_slots(board)), _square(main[:2]))
        if fen and Position(fen).fen().split()[0] == tree.fen.split()[0]:
            tree = GameTree(fen)  # it also knows who moves
    except ValueError as error:
        raise RecordError(message_of(error)) from error
    return tree


def _slots(board: str) -> list[int | None]:
    if len(board) != 64 or not board.isdecimal():
        raise RecordError(Message("file.ubb-board"))
    return [_square(board[place : place + 2]) for place in range(0, 64, 2)]


def _square(point: str) -> int | None:
    if len(point) != 2 or not (point.isascii() and point.isdecimal()) or point[0] == "9":
        return None
    return 9 * (9 - int(point[1])) + int(point[0])


class _LineParser:
    """Reads the main line and the variations into a tree. A line is kept as its last node."""

    def __init__(self, tree: GameTree, fields: dict[str, str]) -> None:
        self._tree, self._fields = tree, fields
        self._fault: Message | None = None
        self._ends: dict[int, Node] = {}

    def read(self, main: str) -> Message | None:
        """The first reason why a move, and what follows it, had to be left out."""
        self._line(0, self._tree.root, main)
        by_line: dict[int, list[tuple[int, int, str]]] = {}
        for line, step, number, moves in self._variations():
            by_line.setdefault(line, []).append((number, step, moves))
        lines = [0]
        for line in lines:  # grows while it is read
            path = [self._tree.root, *self._ends[line].path()]
            for number, step, moves in sorted(by_line.pop(line, ())):
                check_time()
                if 0 < step <= len(path):
                    self._line(number, path[step - 1], moves)
                    lines.append(number)
                else:
                    self._note(Message("file.ubb-beyond", number=number, move=step))
        for missing, (first, *_) in by_line.items():
            self._note(Message("file.ubb-orphan", number=first[0], missing=missing))
        return self._fault

    def _variations(self) -> Iterator[tuple[int, int, int, str]]:
        """The line, the move that is replaced, the variation's number, its moves."""
        for name, text in self._fields.items():
            found = re.fullmatch(r"move_(\d{1,6})_(\d{1,6})_(\d{1,6})", name)
            if found:
                yield int(found[1]), int(found[2]), int(found[3]), _digits(text)

    def _line(self, number: int, node: Node, moves: str) -> None:
        first = len(node.path()) + 1
        try:
            for ply, place in enumerate(range(0, len(moves), 4), first):
                from_square, to_square = _square(moves[place : place + 2]), _square(moves[place + 2 : place + 4])
                if from_square is None or to_square is None:
                    raise no_move(ply - 1, moves[place : place + 4])
                node = add_move(self._tree, node, from_square, to_square, self._comment(number, ply))
        except ValueError as error:
            self._note(message_of(error))
        self._ends[number] = node

    def _comment(self, number: int, ply: int) -> str:
        names = (f"comment{number}_{ply}", f"comment{ply}") if number == 0 else (f"comment{number}_{ply}",)
        return _lines(next((self._fields[name] for name in names if name in self._fields), ""))

    def _note(self, fault: Message) -> None:
        self._fault = self._fault or fault


# --- writing


def format_ubb(record: GameRecord) -> str:
    """The game with its variations and comments, as a text to paste into a forum."""
    tree = GameTree.from_record(record)
    position = Position(tree.fen)
    board = "".join(CAPTURED if square is None else _point(square) for square in slots_of(position))
    fields = {"ver": "www_dpxq_com", "init": "500,350", "binit": board}
    if tree.fen != Position().fen():
        fields["fen"] = tree.fen
    names = {tag: field for field, tag in TAGS.items()}
    for tag, text in known_tags(record).items():
        fields[names.get(tag, OTHER_TAG + tag)] = text
    fields["result"] = next(word for word, result in RESULTS.items() if result == record.result)
    lines = "".join(f"[DhtmlXQ_{name}]{_escaped(text)}[/DhtmlXQ_{name}]\n" for name, text in fields.items())
    moves = "".join(f"[DhtmlXQ_{name}]{text}[/DhtmlXQ_{name}]\n" for name, text in _move_fields(tree).items())
    return f"[DhtmlXQ]\n{lines}{moves}[/DhtmlXQ]\n"


def _point(square: int) -> str:
    return f"{square % 9}{9 - square // 9}"


def _escaped(text: str) -> str:
    return _TO_ESCAPE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).replace("\n", "||")


def _move_fields(tree: GameTree) -> dict[str, str]:
    """The lines and the comments. Variations are numbered as they come."""
    lines: dict[str, str] = {"movelist": ""}
    comments: dict[str, str] = {"comment0": _escaped(tree.root.comment)} if tree.root.comment else {}
    places: dict[int, tuple[str, int, int]] = {0: ("movelist", 0, 0)}  # the line's field and number, the ply
    for node in tree:
        if node.parent is None or node.move is None:
            continue
        name, number, ply = places[node.parent.id]
        ply += 1
        if node.parent.children[0] is not node:
            parent, number = number, len(lines)
            name = f"move_{parent}_{ply}_{number}"
        places[node.id] = (name, number, ply)
        lines[name] = lines.get(name, "") + _point(node.move.from_square) + _point(node.move.to_square)
        if comment_text(node):
            comments[f"comment{number}_{ply}" if number else f"comment{ply}"] = _escaped(comment_text(node))
    return {**lines, **comments}
