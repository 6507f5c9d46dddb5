"""What the server does with each request of a page: one function for every line of `messages.REQUESTS`."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from engine import Position
from engine.pgn import GameRecord, RecordError
from play.files import games_from_bytes
from play.web.export import export
from play.web.messages import CHANGING, Request, RequestError
from play.web.players import Table

if TYPE_CHECKING:
    from play.web.server import Visitor

MAX_GAMES = 2000  # listed from one file

Handler = Callable[["Visitor", Any], Awaitable[None] | None]


async def handle(visitor: Visitor, request: Request) -> None:
    """Does what is asked. Raises a ValueError or an OpponentError with a clear text."""
    room = visitor.room
    if request.name in CHANGING and request.revision != room.revision:
        room.show(visitor, stale=True)
        return
    done = HANDLERS[request.name](visitor, request.fields)
    if done is not None:
        await done


# --- the game


def _notation(visitor: Visitor, fields: Any) -> None:
    visitor.notation = fields["notation"]


def _move(visitor: Visitor, fields: Any) -> None:
    visitor.room.move(fields["node"], fields["move"])


def _goto(visitor: Visitor, fields: Any) -> None:
    """If the node no longer exists, the page's tree is stale: sends the current state."""
    room = visitor.room
    if fields["node"] not in room.tree.nodes:
        room.show(visitor, stale=True)
    elif fields["node"] != room.cursor.id:
        room.go(room.tree[fields["node"]])


def _new(visitor: Visitor, fields: Any) -> None:
    table = Table(**{name: value for name, value in fields.items() if name != "fen"})
    visitor.room.new(table, fields["fen"])


def _draw(visitor: Visitor, fields: Any) -> None:
    visitor.room.playing.offer_draw()


def _hint(visitor: Visitor, fields: Any) -> None:
    visitor.room.playing.hint()


def _now(visitor: Visitor, fields: Any) -> None:
    visitor.room.playing.now()


# --- the engine


def _analyse(visitor: Visitor, fields: Any) -> None:
    room = visitor.room
    if fields["on"] and room.mode == "play":
        room.set_mode("analyse")
    room.analysis.set(fields["on"], fields["multipv"])


def _review(visitor: Visitor, fields: Any) -> None:
    if fields["on"]:
        visitor.room.review.start(fields["movetime"])
    else:
        visitor.room.review.stop()


def _resources(visitor: Visitor, fields: Any) -> None:
    visitor.service.set_resources(fields["threads"], fields["hash"])


# --- files


async def _open(visitor: Visitor, fields: Any) -> None:
    """Games from a file or the clipboard. A single game is shown at once; several are listed to choose from."""
    try:
        data = base64.b64decode(fields["data"], validate=True)
    except (binascii.Error, ValueError):
        raise RequestError("the file is incomplete") from None
    loop = asyncio.get_running_loop()
    faults: list[RecordError] = []
    read = partial(games_from_bytes, data, fields["name"], on_fault=faults.append)
    games = await loop.run_in_executor(None, read)
    visitor.games = games[:MAX_GAMES]
    if len(games) == 1:
        _show_game(visitor, games[0])
    else:
        visitor.send({"type": "games", "total": len(games), "games": [_listed(game) for game in visitor.games]})
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        visitor.send({"type": "error", "text": f"left out: {faults[0]}{more}"})


def _listed(game: GameRecord) -> dict[str, Any]:
    names = {key: game.tags.get(key, "")[:200] for key in ("Red", "Black", "Event", "Date", "Title")}
    return {**{key.lower(): value for key, value in names.items()}, "result": game.result, "moves": len(game.moves)}


def _pick(visitor: Visitor, fields: Any) -> None:
    if fields["index"] >= len(visitor.games):
        raise RequestError("open the file again: the server no longer has that game")
    _show_game(visitor, visitor.games[fields["index"]])


def _show_game(visitor: Visitor, game: GameRecord) -> None:
    """Opens it in a new room, unless nothing has been played in this one."""
    room = visitor.room
    if len(room.tree):
        room = visitor.hall.create()
        try:
            room.load(game)
        except ValueError:
            visitor.hall.close(room.id)
            raise
        visitor.enter(room)
    else:
        room.load(game)


def _check(visitor: Visitor, fields: Any) -> None:
    """What is wrong with a position that is being set up."""
    fault = ""
    try:
        position = Position(fields["fen"])
        if not position.has_legal_moves():
            outcome = position.outcome()
            fault = outcome.text if outcome else ""
    except ValueError as error:
        fault = str(error)
    visitor.send({"type": "checked", "fen": fields["fen"], "fault": fault})


def _setup(visitor: Visitor, fields: Any) -> None:
    """Opens the position in a new room, unless nothing has been played in this one."""
    _show_game(visitor, GameRecord(Position(fields["fen"]).fen()))


def _export(visitor: Visitor, fields: Any) -> None:
    visitor.send({"type": "export", **export(visitor.room, fields["notation"])})


# --- rooms


def _rooms(visitor: Visitor, fields: Any) -> None:
    rooms = [room.summary() for room in reversed(visitor.hall.rooms.values())]
    visitor.send({"type": "rooms", "rooms": rooms})


def _enter(visitor: Visitor, fields: Any) -> None:
    visitor.enter(visitor.hall.find(fields["room"]))


def _room(visitor: Visitor, fields: Any) -> None:
    """Starts another game in a new room, between the same players."""
    visitor.enter(visitor.hall.create(replace(visitor.room.table)))


def _close(visitor: Visitor, fields: Any) -> None:
    visitor.hall.close(fields["room"])
    _rooms(visitor, fields)


def _watch(visitor: Visitor, fields: Any) -> None:
    visitor.watch(fields["game"])


HANDLERS: dict[str, Handler] = {
    "notation": _notation,
    "move": _move,
    "goto": _goto,
    "undo": lambda visitor, fields: visitor.room.undo(),
    "redo": lambda visitor, fields: visitor.room.redo(),
    "resign": lambda visitor, fields: visitor.room.resign(),
    "draw": _draw,
    "hint": _hint,
    "swap": lambda visitor, fields: visitor.room.swap(),
    "now": _now,
    "new": _new,
    "players": lambda visitor, fields: visitor.room.change_table(Table(**fields)),
    "mode": lambda visitor, fields: visitor.room.set_mode(fields["mode"]),
    "continue": lambda visitor, fields: visitor.room.continue_from(fields["node"]),
    "line": lambda visitor, fields: visitor.room.add_line(fields["node"], fields["moves"]),
    "promote": lambda visitor, fields: visitor.room.promote(fields["node"]),
    "delete": lambda visitor, fields: visitor.room.delete(fields["node"]),
    "comment": lambda visitor, fields: visitor.room.comment(fields["node"], fields["text"]),
    "analyse": _analyse,
    "review": _review,
    "resources": _resources,
    "open": _open,
    "pick": _pick,
    "check": _check,
    "setup": _setup,
    "export": _export,
    "rooms": _rooms,
    "enter": _enter,
    "room": _room,
    "close": _close,
    "watch": _watch,
}
