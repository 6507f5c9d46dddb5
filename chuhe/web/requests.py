"""What the server does with each request of a page: one function for every line of `messages.REQUESTS`."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chuhe.engine import FenError, IllegalMoveError, Move, Position
from chuhe.engine.notation import move_text
from chuhe.files.reading import time_limit
from chuhe.records.files import games_from_bytes
from chuhe.records.game_record import GameRecord, RecordError
from chuhe.text.message import Message
from chuhe.web.export import export
from chuhe.web.messages import CHANGING, MAX_TAG, Request, RequestError
from chuhe.web.outgoing import Error, GameInFile
from chuhe.web.players import Seating
from chuhe.web.practice import RoomPractice
from chuhe.web.state import message_json

if TYPE_CHECKING:
    from chuhe.web.server import Visitor

MAX_GAMES = 2000  # listed from one file
READING_SECONDS = 20  # for one file

NOT_IN_PRACTICE = (CHANGING - {"move", "exercise", "clue", "reveal", "new", "mode", "setup"}) | {
    "analyse", "review", "hint", "threat", "now", "try"
}  # fmt: skip

Handler = Callable[["Visitor", Any], Awaitable[None] | None]


async def handle(visitor: Visitor, request: Request) -> None:
    """Does what is asked. Raises a ValueError or an OpponentError with a clear text."""
    room = visitor.room
    if room.mode == "practise" and request.name in NOT_IN_PRACTICE:
        raise RequestError(Message("web.not-in-practice"))
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
    """The page writes a click as ICCS; why it is illegal is said about the move as this tab writes moves."""
    room, node, text = visitor.room, fields["node"], fields["move"]
    try:
        room.move(node, text)
    except IllegalMoveError as error:
        with suppress(ValueError):
            position = room.tree.position(room.tree[node])
            written = move_text(position, Move.from_iccs(text), visitor.notation, legal=False)
            error.message = Message(error.message.code, **{**error.message.arguments, "move": written})
        raise


def _goto(visitor: Visitor, fields: Any) -> None:
    """If the node no longer exists, the page's tree is stale: sends the current state."""
    room = visitor.room
    if fields["node"] not in room.tree.nodes:
        room.show(visitor, stale=True)
    elif fields["node"] != room.cursor.id:
        room.go(room.tree[fields["node"]])


def _new(visitor: Visitor, fields: Any) -> None:
    """In place of the room's game; in another room if nobody plays in this one."""
    store = visitor.room_store
    seating = Seating(**{name: value for name, value in fields.items() if name != "fen"})
    room = visitor.room
    if room.study or room.mode == "practise":
        room = store.create()
    store.new_game(room, seating, fields["fen"])
    visitor.enter(room)


def _mode(visitor: Visitor, fields: Any) -> None:
    """Playing goes on in a room where somebody plays; an exercise is not analysed."""
    room, mode = visitor.room, fields["mode"]
    if room.mode == "practise" or (mode == "play" and room.study):
        room = visitor.room_store.latest(study=mode == "analyse")
        visitor.enter(room)
    if room.mode != mode:
        room.set_mode(mode)


def _practise(visitor: Visitor, fields: Any) -> None:
    """Goes on with the exercise, or begins one of another kind."""
    room = visitor.room_store.practice_room()
    visitor.enter(room)
    if room.practice is None or room.practice.over or not room.practice.is_about(**fields):
        room.show_exercise(RoomPractice(room, **fields))


def _exercise(visitor: Visitor, fields: Any) -> None:
    practice = visitor.room.practice
    if practice is None:
        raise RequestError(Message("practice.nothing"))
    visitor.room.show_exercise(practice)


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


# --- files


async def _open(visitor: Visitor, fields: Any) -> None:
    """Games from a file or the clipboard. A single game is shown at once; several are listed to choose from."""
    try:
        data = base64.b64decode(fields["data"], validate=True)
    except (binascii.Error, ValueError):
        raise RequestError(Message("web.incomplete-file")) from None
    loop = asyncio.get_running_loop()
    faults: list[RecordError] = []
    games = await loop.run_in_executor(None, _read, data, fields["name"], faults)
    visitor.games = games[:MAX_GAMES]
    if len(games) == 1:
        _show_game(visitor, games[0])
    else:
        visitor.send({"type": "games", "total": len(games), "games": [_listed(game) for game in visitor.games]})
    if faults:
        fault, more = faults[0].message, len(faults) - 1
        said = Message("web.left-out-more", fault=fault, more=more) if more else Message("web.left-out", fault=fault)
        # after the state with the game that it is about
        loop.call_soon(visitor.send, Error(type="error", message=message_json(said)))


def _read(data: bytes, name: str, faults: list[RecordError]) -> list[GameRecord]:
    with time_limit(READING_SECONDS):
        return games_from_bytes(data, name, on_fault=faults.append, keep_broken=True)


def _listed(game: GameRecord) -> GameInFile:
    red, black, event, date, title = (
        game.tags.get(key, "")[:MAX_TAG] for key in ("Red", "Black", "Event", "Date", "Title")
    )
    return {
        "red": red, "black": black, "event": event, "date": date, "title": title,
        "result": game.result, "moves": len(game.moves),
    }  # fmt: skip


def _pick(visitor: Visitor, fields: Any) -> None:
    if fields["index"] >= len(visitor.games):
        raise RequestError(Message("web.open-again"))
    _show_game(visitor, visitor.games[fields["index"]])


def _show_game(visitor: Visitor, game: GameRecord) -> None:
    """Opens it in a new room, unless nothing has been played in this one."""
    room = visitor.room
    if room.is_game or room.mode == "practise":
        room = visitor.room_store.create()
        try:
            room.load(game)
        except ValueError:
            visitor.room_store.forget([room.id])
            raise
        visitor.enter(room)
    else:
        visitor.room_store.load(room, game)


def _check(visitor: Visitor, fields: Any) -> None:
    """What is wrong with a position that is being set up."""
    fault: Message | None = None
    try:
        position = Position(fields["fen"])
        outcome = None if position.has_legal_moves() else position.outcome()
        fault = outcome.message if outcome else None
    except FenError as error:
        fault = error.message
    visitor.send({"type": "checked", "fen": fields["fen"], "fault": message_json(fault) if fault else None})


def _setup(visitor: Visitor, fields: Any) -> None:
    """Opens the position in a new room, unless nothing has been played in this one."""
    _show_game(visitor, GameRecord(Position(fields["fen"]).fen()))


def _export(visitor: Visitor, fields: Any) -> None:
    visitor.send(export(visitor.room, fields["notation"], fields["pieces"], fields["flipped"]))


# --- rooms


def _rooms(visitor: Visitor, fields: Any) -> None:
    store = visitor.room_store
    games = store.games()
    visitor.send({"type": "rooms", "games": games, "damaged": [*store.damaged, *store.archive.damaged]})


def _room(visitor: Visitor, fields: Any) -> None:
    """Starts another game in a new room, between the same players."""
    visitor.enter(visitor.room_store.create(replace(visitor.room.seating)))


def _enter(visitor: Visitor, fields: Any) -> None:
    """Opens a game, also one of the archive."""
    store, identity = visitor.room_store, fields["room"]
    visitor.enter(store.reopen(identity) if identity in store.archive.entries else store.find(identity))


def _rename(visitor: Visitor, fields: Any) -> None:
    visitor.room_store.rename(fields["game"], fields["title"].strip())
    _rooms(visitor, fields)


def _forget(visitor: Visitor, fields: Any) -> None:
    visitor.room_store.forget(fields["games"])
    _rooms(visitor, fields)


HANDLERS: dict[str, Handler] = {
    "notation": _notation,
    "move": _move,
    "goto": _goto,
    "undo": lambda visitor, fields: visitor.room.undo(),
    "redo": lambda visitor, fields: visitor.room.redo(),
    "resign": lambda visitor, fields: visitor.room.resign(),
    "draw": lambda visitor, fields: visitor.room.playing.offer_draw(),
    "hint": lambda visitor, fields: visitor.room.playing.hint(),
    "threat": lambda visitor, fields: visitor.room.playing.threat(),
    "swap": lambda visitor, fields: visitor.room.swap(),
    "now": lambda visitor, fields: visitor.room.playing.now(),
    "practise": _practise,
    "exercise": _exercise,
    "clue": lambda visitor, fields: visitor.room.clue(),
    "reveal": lambda visitor, fields: visitor.room.reveal(),
    "new": _new,
    "players": lambda visitor, fields: visitor.room.change_seating(Seating(**fields)),
    "mode": _mode,
    "continue": lambda visitor, fields: visitor.room.continue_from(fields["node"]),
    "line": lambda visitor, fields: visitor.room.add_line(fields["node"], fields["moves"]),
    "promote": lambda visitor, fields: visitor.room.promote(fields["node"]),
    "delete": lambda visitor, fields: visitor.room_store.delete_moves(visitor.room, fields["node"]),
    "restore": lambda visitor, fields: visitor.room_store.bring_back(visitor.room),
    "comment": lambda visitor, fields: visitor.room.comment(fields["node"], fields["text"]),
    "analyse": _analyse,
    "review": _review,
    "try": lambda visitor, fields: visitor.room.review.judge(fields["node"], fields["move"]),
    "resources": lambda visitor, fields: visitor.service.set_resources(fields["threads"], fields["hash"]),
    "open": _open,
    "pick": _pick,
    "check": _check,
    "setup": _setup,
    "export": _export,
    "rooms": _rooms,
    "enter": _enter,
    "room": _room,
    "rename": _rename,
    "forget": _forget,
    "watch": lambda visitor, fields: visitor.watch(fields["game"]),
}
