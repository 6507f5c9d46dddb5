"""The requests a page may send, as one table: name, fields and limits. No side effects.

A request is a JSON object: ``{"do": "move", "revision": 7, "node": 3, "move": "h2e2"}``. No field holds a path or a
command; engines are named by their number on the server's command line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from chuhe.engine.bounds import bounds_of
from chuhe.engine.levels import LEVELS
from chuhe.engine.notation import NOTATIONS
from chuhe.engine.values import Settings
from chuhe.pictures.svg import PIECE_SETS
from chuhe.text.errors import UserError
from chuhe.text.message import shown

MAX_MESSAGE = 6 * 1024 * 1024  # bytes of one message: a file in base64
MAX_TEXT = 4000  # characters of a comment
MAX_TAG = 200  # characters of a name, a title, a date
MAX_TAGS = 100  # of a game in a file
MAX_MULTIPV = 5
MAX_LIST = 10_000
BOUNDS = bounds_of(Settings)

FieldReader = Callable[[Any], Any]


class RequestError(UserError):
    """A request that cannot be done.

    A plain text is for whoever writes the page: the page never sends such a request. What a user can cause is a
    `Message`.
    """


@dataclass(frozen=True)
class Request:
    name: str
    fields: Mapping[str, Any]
    revision: int | None = None


# --- kinds of fields


def whole(low: int, high: int) -> FieldReader:
    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise RequestError(f"a whole number from {low} to {high}, not {shown_value(value)}")
        return value

    return read


def text(limit: int) -> FieldReader:
    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise RequestError(f"a text, not {shown_value(value)}")
        if len(value) > limit:
            raise RequestError(f"a text of at most {limit} characters, not {len(value)}")
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # half a character has no UTF-8

    return read


def choice(*values: str) -> FieldReader:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in values:
            raise RequestError(f"one of {', '.join(values)}, not {shown_value(value)}")
        return value

    return read


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise RequestError(f"true or false, not {shown_value(value)}")
    return value


def several(reader: FieldReader) -> FieldReader:
    def read(value: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) > MAX_LIST:
            raise RequestError(f"a list of at most {MAX_LIST}, not {shown_value(value)}")
        return [reader(item) for item in value]

    return read


def maybe(reader: FieldReader) -> FieldReader:
    """May be absent or null."""

    def read(value: Any) -> Any:
        return None if value is None else reader(value)

    return read


def seat(value: Any) -> dict[str, Any]:
    """Who plays a side: a person, our engine at a level, an old style, or an engine by its number."""
    if not isinstance(value, dict):
        raise RequestError(f"a player, not {shown_value(value)}")
    kind = choice("human", "engine", "s0", "s1", "external")(value.get("kind"))
    known = {"engine": {"level": whole(LEVELS[0], LEVELS[-1])}, "external": {"index": whole(0, 31)}}.get(kind, {})
    if extra := set(value) - {"kind", *known}:
        raise RequestError(f"a {kind} player has no {', '.join(sorted(map(str, extra)))}")
    return {"kind": kind, **{name: reader(value.get(name)) for name, reader in known.items()}}


def clock(value: Any) -> dict[str, int]:
    """Milliseconds: base time, increment, and time per move once the base is used up (byoyomi)."""
    if not isinstance(value, dict) or set(value) - {"base", "increment", "byoyomi"}:
        raise RequestError(f"a clock of base, increment and byoyomi, not {shown_value(value)}")
    hours = 24 * 3_600_000
    times: dict[str, int] = {name: whole(0, hours)(value.get(name, 0)) for name in ("base", "increment", "byoyomi")}
    if not times["base"] and not times["byoyomi"]:
        raise RequestError("a clock with some time on it")
    return times


def shown_value(value: Any) -> str:
    """A value for an error message, shortened if it is long."""
    return shown(repr(value), 60)


# --- the table

NODE = whole(0, 10**9)
MOVE = text(40)
FEN = text(200)
ROOM = text(40)
PLAYERS = {
    "red": seat,
    "black": seat,
    "clock": maybe(clock),
    "movetime": whole(50, 60_000),
    "ponder": flag,
    "book": flag,
}

REQUESTS: dict[str, dict[str, FieldReader]] = {
    "hello": {"token": text(100), "room": maybe(ROOM), "notation": choice(*NOTATIONS)},
    "notation": {"notation": choice(*NOTATIONS)},
    # the game
    "move": {"node": NODE, "move": MOVE},
    "goto": {"node": NODE},
    "undo": {},
    "redo": {},
    "resign": {},
    "draw": {},
    "hint": {},
    "threat": {},
    "swap": {},
    "now": {},
    "new": {**PLAYERS, "fen": maybe(FEN)},
    "players": PLAYERS,
    "mode": {"mode": choice("play", "analyse")},
    "continue": {"node": NODE},
    "try": {"node": NODE, "move": MOVE},
    # practice
    "practise": {
        "source": choice("puzzles", "mine", "endgames"),
        "theme": maybe(text(40)),
        "difficulty": whole(0, 3),
    },
    "exercise": {},
    "clue": {},
    "reveal": {},
    # the tree
    "line": {"node": NODE, "moves": text(600)},
    "promote": {"node": NODE},
    "delete": {"node": NODE},
    "restore": {},
    "comment": {"node": NODE, "text": text(MAX_TEXT)},
    # the engine
    "analyse": {"on": flag, "multipv": whole(1, MAX_MULTIPV)},
    "review": {"on": flag, "movetime": whole(20, 20_000)},
    "resources": {"threads": whole(*BOUNDS["threads"]), "hash": whole(*BOUNDS["hash_mb"])},
    # files
    "open": {"name": text(200), "data": text(MAX_MESSAGE)},
    "pick": {"index": whole(0, 100_000)},
    "check": {"fen": FEN},
    "setup": {"fen": FEN},
    "export": {"notation": choice(*NOTATIONS), "pieces": choice(*PIECE_SETS), "flipped": flag},
    # rooms
    "rooms": {},
    "enter": {"room": ROOM},
    "room": {},
    # games that are not on the board
    "rename": {"game": ROOM, "title": text(MAX_TAG)},
    "forget": {"games": several(ROOM)},
    # the watched match
    "watch": {"game": whole(0, 10**9)},
}
# these change the game, so they must refer to its current revision
CHANGING = frozenset(
    (
        "move undo redo resign draw swap new players mode continue exercise clue reveal "
        "line promote delete restore comment setup"
    ).split()
)


def decode(message: str | bytes) -> dict[str, Any]:
    """A message as a JSON object; RequestError if it is none."""
    if isinstance(message, bytes):
        raise RequestError("messages are text")
    try:
        data = json.loads(message)
    except (ValueError, RecursionError) as error:
        raise RequestError("the message is not valid JSON") from error
    if not isinstance(data, dict):
        raise RequestError("a message is a JSON object")
    return data


def number_of(data: dict[str, Any]) -> int | None:
    """The number that a page gave its request, to find the answer to it; it is taken out of the fields."""
    number: int | None = _field("a request", "number", maybe(whole(0, 2**53)), data.pop("number", None))
    return number


def parse(message: str | bytes) -> Request:
    """A message as a request; RequestError says what is wrong with it."""
    return request_of(decode(message))


def request_of(data: dict[str, Any]) -> Request:
    """A JSON object as a request; RequestError says what is wrong with it."""
    name = data.pop("do", None)
    if not isinstance(name, str) or name not in REQUESTS:
        raise RequestError(f"there is no request {shown_value(name)}")
    revision = _field(name, "revision", maybe(whole(0, 2**53)), data.pop("revision", None))
    if name in CHANGING and revision is None:
        raise RequestError(f"{name} needs the revision that it was asked about")
    readers = REQUESTS[name]
    if extra := set(data) - set(readers):
        raise RequestError(f"{name} has no field {shown_value(sorted(map(str, extra))[0])}")
    fields = {field: _field(name, field, reader, data.get(field)) for field, reader in readers.items()}
    return Request(name, fields, revision)


def _field(name: str, field: str, reader: FieldReader, value: Any) -> Any:
    try:
        return reader(value)
    except RequestError as error:
        raise RequestError(f"{name}: {field} must be {error}") from None
