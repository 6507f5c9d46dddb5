"""Xiangqi games as PGN, in and out.

A comment follows its move without a blank and holds none, `h2e2{+0.35/12,0.104s,52013n,left=59.8s}`: score/depth, time
used, nodes, time left. That is ordinary PGN, and it is the one form that is also
read by programs that split the text at blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench.values import GameRecord, MoveRecord, Notation
from engine import START_FEN, Move, Position, notation

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
WIDTH = 100
TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
TOKEN = re.compile(r"\{[^}]*\}|;[^\n]*|\(|\)|\$\d+|[^\s{}();]+")
NUMBER = re.compile(r"^\d+\.+")


class PgnError(ValueError):
    """A PGN that cannot be read; the text names the game and the move."""


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game as read: its tags, where it began, its moves in ICCS, its result."""

    tags: dict[str, str] = field(default_factory=dict)
    fen: str | None = None
    moves: tuple[str, ...] = ()
    result: str = "*"


def write_game(record: GameRecord, event: str = "match", form: Notation = "iccs") -> str:
    """One game of a match, with a blank line behind it."""
    tags = {
        "Game": "Chinese Chess",
        "Event": event,
        "Site": "?",
        "Date": record.started[:10].replace("-", ".") or "????.??.??",
        "Round": str(record.number),
        "Red": record.red,
        "Black": record.black,
        "Result": record.result,
        "Format": {"iccs": "ICCS", "wxf": "WXF", "chinese": "Chinese"}[form],
        "Termination": record.detail or record.reason,
    }
    if record.fen != START_FEN:
        tags["FEN"] = record.fen
    header = "\n".join(f'[{name} "{_escape(value)}"]' for name, value in tags.items())
    plain = [MoveRecord(move, 0) for move in record.opening_moves]
    comments = [""] * len(plain) + [comment(move) for move in record.moves]
    texts = move_texts(record.fen, [move.move for move in (*plain, *record.moves)], form)
    tokens = _numbered(record.fen, [text + note for text, note in zip(texts, comments, strict=True)])
    return f"{header}\n\n{_wrap(tokens)}\n{record.result}\n\n"


def move_texts(fen: str, moves: Iterable[str], form: Notation) -> list[str]:
    """The moves in the notation that was asked for."""
    if form == "iccs":
        return list(moves)
    position = Position(fen)
    write = notation.to_wxf if form == "wxf" else notation.to_chinese
    texts = []
    for text in moves:
        move = Move.from_iccs(text)
        texts.append(write(position, move))
        position.push(move)
    return texts


def comment(record: MoveRecord) -> str:
    parts = []
    if record.score is not None:
        parts.append(record.score + (f"/{record.depth}" if record.depth else ""))
    parts.append(f"{record.time / 1000:.3f}s")
    if record.nodes is not None:
        parts.append(f"{record.nodes}n")
    if record.clock is not None:
        parts.append(f"left={record.clock / 1000:.1f}s")
    return "{" + ",".join(parts) + "}"


def _numbered(fen: str, texts: list[str]) -> Iterator[str]:
    """Each move with its number; a game that Black begins opens with `1...`, as everywhere in PGN."""
    fields = fen.split()
    black_first = len(fields) > 1 and fields[1] == "b"
    for index, text in enumerate(texts, int(black_first)):
        if index % 2 == 0:
            yield f"{index // 2 + 1}."
        elif index == 1 and black_first:
            yield "1..."
        yield text


def _wrap(tokens: Iterable[str]) -> str:
    lines, line = [], ""
    for token in tokens:
        if line and len(line) + 1 + len(token) > WIDTH:
            lines.append(line)
            line = token
        else:
            line = f"{line} {token}" if line else token
    return "\n".join([*lines, line] if line else lines)


def _escape(text: str) -> str:
    """Quotes, brackets and line ends have a meaning of their own in tags."""
    return text.replace("\\", "/").replace('"', "'").replace("[", "(").replace("]", ")").replace("\n", " ")


def read_games(path: str | Path) -> Iterator[PgnGame]:
    """All games of a PGN file, moves in any notation that `engine.notation` reads; variations are passed over."""
    data = Path(path).read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("gb18030", "replace")  # what older Chinese programs write
    yield from parse_games(text)


def parse_games(text: str) -> Iterator[PgnGame]:
    """Like `read_games`, from a text."""
    for number, (tags, body) in enumerate(_split(text), 1):
        yield _parse_game(tags, body, number)


def _split(text: str) -> Iterator[tuple[dict[str, str], str]]:
    tags: dict[str, str] = {}
    body: list[str] = []
    for line in text.splitlines():
        match = TAG.match(line.strip())
        if match and not _inside_comment(body):
            if body:
                yield tags, "\n".join(body)
                tags, body = {}, []
            tags[match[1]] = match[2].replace('\\"', '"')
        elif line.strip():
            body.append(line)
    if tags or body:
        yield tags, "\n".join(body)


def _inside_comment(body: list[str]) -> bool:
    text = "\n".join(body)
    return text.rfind("{") > text.rfind("}")


def _parse_game(tags: dict[str, str], body: str, number: int) -> PgnGame:
    fen = tags.get("FEN")
    try:
        position = Position(fen) if fen else Position()
    except ValueError as error:
        raise PgnError(f"game {number}: {error}") from None
    moves: list[str] = []
    depth = 0
    result = tags.get("Result", "*")
    for token in TOKEN.findall(body):
        if token in "()":
            depth += 1 if token == "(" else -1
        elif depth > 0 or token[0] in "{;$":
            continue
        elif token in RESULTS:
            result = token
            break
        elif word := NUMBER.sub("", token):
            try:
                move = notation.parse(position, word)
                position.push(move)
            except ValueError as error:
                raise PgnError(f"game {number}, move {len(moves) // 2 + 1} ({word}): {error}") from None
            moves.append(move.iccs)
    return PgnGame(tags, fen, tuple(moves), result)
