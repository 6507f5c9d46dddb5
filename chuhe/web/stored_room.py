"""What a stored room and an archived game consist of, as tables: names and types. What does not fit is left out."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from chuhe.engine import Position
from chuhe.records.game_record import RESULTS
from chuhe.text.message import Message, verbatim
from chuhe.web.messages import (
    PLAYERS,
    FieldReader,
    RequestError,
    choice,
    flag,
    maybe,
    several,
    shown_value,
    text,
    whole,
)

VERSION = 1
LONG = 1_000_000  # characters of a text: comments may have come from a file
NODE = whole(0, 10**9)
COUNT = whole(0, 10**15)
CENTIPAWNS = whole(-(10**6), 10**6)


def load_json(data: bytes) -> Any:
    """Plain JSON: NaN, Infinity and 1e400 are refused."""

    def finite(text: str) -> float:
        return number(float(text))

    return json.loads(data, parse_constant=finite, parse_float=finite)


def number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise RequestError(f"a number, not {shown_value(value)}")
    return float(value)


def row(*readers: FieldReader, optional: int = 0) -> FieldReader:
    """A list with these items; the last `optional` ones may be missing."""

    def read(value: Any) -> list[Any]:
        if not isinstance(value, list) or not len(readers) - optional <= len(value) <= len(readers):
            raise RequestError(f"a list of {len(readers)}, not {shown_value(value)}")
        return [reader(item) for reader, item in zip(readers, value, strict=False)]

    return read


def table(readers: Mapping[str, FieldReader]) -> Callable[[Any], dict[str, Any]]:
    """An object with these fields; others are left out."""

    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise RequestError(f"an object, not {shown_value(value)}")
        found = {}
        for name, reader in readers.items():
            try:
                found[name] = reader(value.get(name))
            except RequestError as error:
                raise RequestError(f"{name}: {error}") from None
        return found

    return read


def named(reader: FieldReader) -> FieldReader:
    """An object whose fields are all of one kind."""

    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise RequestError(f"an object, not {shown_value(value)}")
        return {str(name): reader(item) for name, item in value.items()}

    return read


def said(value: Any) -> Any:
    """A message, or a text of an earlier version."""
    if not isinstance(value, str):
        try:
            str(Message.from_json(value))
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            raise RequestError(f"a message, not {shown_value(value)}") from None
    return value


def message(value: Any) -> Any:
    """As the page gets it; earlier versions stored a text."""
    return verbatim(value).to_json() if isinstance(value, str) else said(value)


def fen(value: Any) -> str:
    """Of a position that the page can draw; earlier versions stored none."""
    return Position(text(200)(value)).fen() if value else ""


def seating(value: Any) -> dict[str, Any]:
    """Earlier versions stored fewer fields."""
    present = {name: reader for name, reader in PLAYERS.items() if isinstance(value, dict) and name in value}
    return table(present)(value)


def several_nodes(value: Any) -> list[list[Any]]:
    """The root first, and every other node after its parent, each with a number of its own."""
    if not isinstance(value, list) or not value:
        raise RequestError(f"a list of nodes, not {shown_value(value)}")
    read = row(NODE, maybe(NODE), maybe(text(4)), text(LONG), text(10))
    rows = [read(item) for item in value]
    known: set[int] = set()
    for identity, parent, move, _, _ in rows:
        is_root = not known
        if identity in known or is_root != (parent is None) or is_root != (move is None) or is_root != (identity == 0):
            raise RequestError(f"node {identity} does not fit")
        if parent is not None and parent not in known:
            raise RequestError(f"node {identity} follows node {parent}, which is not there")
        known.add(identity)
    return rows


TREE = table(
    {
        "fen": text(200),
        "tags": named(text(LONG)),
        "result": choice(*RESULTS),
        "next": NODE,
        "nodes": several_nodes,
    }
)
SCORE = row(maybe(CENTIPAWNS), maybe(CENTIPAWNS))
LINE = several(text(4))
JUDGEMENT = row(whole(0, 1), SCORE, SCORE, LINE, whole(0, 1000), flag, LINE, flag, several(text(40)), optional=3)
SIDE = row(number, whole(0, 10**6))
ROOM = table(
    {
        "version": whole(VERSION, VERSION),
        "mode": choice("play", "analyse"),
        "study": lambda value: value is True,  # earlier versions did not tell
        "game": maybe(text(40)),
        "revision": COUNT,
        "table": seating,
        "tree": TREE,
        "head": NODE,
        "cursor": NODE,
        "agreed": maybe(row(choice(*RESULTS), said)),
        "clock": maybe(row(SIDE, SIDE)),
        "judged": named(JUDGEMENT),
    }
)
ENTRY = table(
    {
        "id": text(40),
        "red": message,
        "black": message,
        "moves": COUNT,
        "result": choice(*RESULTS),
        "title": text(LONG),
        "opening": maybe(message),
        "date": text(LONG),
        "fen": fen,
        "below": lambda value: 0 if value is None else whole(0, 1)(value),  # earlier versions did not tell
    }
)
