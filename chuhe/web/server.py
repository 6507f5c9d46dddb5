"""The server: HTTP for the page's files, one websocket for everything else, and the access checks.

Any web page can reach a port on this machine. Hence: the loopback address only, Host and Origin from a fixed list, a
secret token as the first message, no cookies, and a Content-Security-Policy that allows nothing from elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import os
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import tornado.httpserver
import tornado.netutil
import tornado.web
import tornado.websocket
from tornado.iostream import IOStream

from chuhe.engine import Law, Settings
from chuhe.engine.levels import LEVELS
from chuhe.engine.notation import Notation
from chuhe.engine.version import VERSION
from chuhe.pictures.svg import Labels, PieceSet, definitions, edge_labels, grid
from chuhe.play.opponents import OpponentError
from chuhe.protocol.programs import program_name
from chuhe.records.books.book import Book
from chuhe.records.game_record import GameRecord
from chuhe.text.languages import page_table
from chuhe.text.message import LANGUAGES, Language, Message, message_of
from chuhe.web.engine_queue import EngineQueue
from chuhe.web.messages import CHANGING, MAX_MESSAGE, RequestError, decode, number_of, request_of
from chuhe.web.openings import OpeningResults
from chuhe.web.outgoing import About, Outgoing
from chuhe.web.players import PlayerFactory
from chuhe.web.requests import handle
from chuhe.web.room import Room, SharedServices
from chuhe.web.room_store import RoomStore
from chuhe.web.state import message_json
from chuhe.web.watch import Watch

ADDRESS = "127.0.0.1"
MAX_SOCKETS = 64
MAX_CONNECTIONS = 128  # that are no tabs
MAX_SILENT = 16  # connections that have not sent the token: one more ends the oldest
MAX_HASH_MB = 1024
GREETING_SECONDS = 10  # for the token to arrive
STATIC = Path(str(files("chuhe.web").joinpath("static")))
NEW_ROOM = "new"  # the room name in an address that asks for a new game


@dataclass
class Service:
    """Everything that runs behind the address."""

    directory: Path
    token: str
    settings: Settings = field(default_factory=Settings)
    book: Book | None = None
    engines: tuple[str, ...] = ()
    match: Path | None = None
    law: Law | None = None
    max_hash: int = MAX_HASH_MB

    def __post_init__(self) -> None:
        self.port = 0
        self.sockets: dict[Visitor, None] = {}  # the oldest first
        self.queue = EngineQueue(self.settings)
        self.room_store = RoomStore(self.directory, self.law)
        self.results = OpeningResults()
        self.player_factory = PlayerFactory(self.queue.engine, self.book, self.engines)
        self.services = SharedServices(
            self.queue, self.player_factory, self.book, self.results, self.room_store.keep, self.directory
        )
        self.watch = Watch(self.match) if self.match is not None else None

    # --- access

    @property
    def hosts(self) -> tuple[str, ...]:
        return f"{ADDRESS}:{self.port}", f"localhost:{self.port}"

    @property
    def origins(self) -> tuple[str, ...]:
        return tuple(f"http://{host}" for host in self.hosts)

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.port}/#{self.token}"

    def policy(self) -> str:
        sockets = " ".join(f"ws://{host}" for host in self.hosts)
        return (
            "default-src 'none'; script-src 'self'; style-src 'self'; "
            "img-src 'self' blob:; "  # blob: a picture that the page makes itself, to save it as PNG
            f"connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )

    # --- start and stop

    async def start(self, port: int) -> None:
        """Binds the port (0: any) and reads the rooms; OSError if the port is taken."""
        sockets = tornado.netutil.bind_sockets(port, ADDRESS)
        self.port = sockets[0].getsockname()[1]
        self.room_store.open(self.services)
        self.http = Connections(
            application(self), max_header_size=16 * 1024, max_body_size=16 * 1024, idle_connection_timeout=300
        )
        self.http.add_sockets(sockets)
        loop = asyncio.get_running_loop()
        self._loading = loop.create_task(self._load_results())
        if self.watch is not None:
            self.watch.start()

    async def _load_results(self) -> None:
        """Reads the games in the background, because it takes a moment."""
        loop = asyncio.get_running_loop()
        self.services.results = await loop.run_in_executor(None, OpeningResults.load)

    async def stop(self) -> None:
        self.http.stop()
        self._loading.cancel()
        for visitor in tuple(self.sockets):
            visitor.close(1001, "the server is shutting down")
        if self.watch is not None:
            self.watch.stop()
        self.room_store.close_all()
        await self.queue.close()
        await self.http.close_all_connections()

    # --- resources

    @property
    def max_threads(self) -> int:
        return os.cpu_count() or 1

    def set_resources(self, threads: int, hash_mb: int) -> None:
        """Takes effect when the engine is next idle; RequestError if a value is too large."""
        if threads > self.max_threads:
            raise RequestError(Message("web.too-many-threads", most=self.max_threads, threads=threads))
        if hash_mb > self.max_hash:
            raise RequestError(Message("web.hash-too-large", most=self.max_hash, hash=hash_mb))
        self.queue.configure(threads=threads, hash_mb=hash_mb)
        for visitor in self.sockets:
            visitor.send_about()

    def about(self) -> About:
        """What the page must know about the server first."""
        settings = self.queue.wanted
        return {
            "type": "about",
            "version": VERSION,
            "engines": [program_name(command) for command in self.engines],
            "threads": settings.threads,
            "hash": settings.hash_mb,
            "levels": len(LEVELS),
            "maxThreads": self.max_threads,
            "maxHash": self.max_hash,
            "match": self.watch is not None,
            "changing": sorted(CHANGING),
            "damaged": self.room_store.damaged,
        }


def application(service: Service) -> tornado.web.Application:
    routes: list[Any] = [
        (r"/", PageHandler, {"path": STATIC}),
        (r"/socket", Visitor),
        (r"/drawing.svg", Drawing),
        (rf"/language/({'|'.join(LANGUAGES)})\.json", LanguageTable),
        (r"/static/([A-Za-z0-9_-]+\.(?:js|css|svg))", FileHandler, {"path": STATIC}),
    ]
    return tornado.web.Application(
        routes,
        default_handler_class=Nothing,
        websocket_max_message_size=MAX_MESSAGE,
        websocket_ping_interval=20,
        log_function=lambda handler: None,
        service=service,
    )


class Connections(tornado.httpserver.HTTPServer):
    """Each connection takes a descriptor, so one too many ends the oldest that is no tab's."""

    def initialize(self, *arguments: Any, **options: Any) -> None:
        super().initialize(*arguments, **options)
        self._streams: list[IOStream] = []

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        self._streams = [each for each in self._streams if not each.closed()]
        if len(self._streams) >= MAX_CONNECTIONS:
            self._streams.pop(0).close()
        self._streams.append(stream)
        super().handle_stream(stream, address)

    def is_tab(self, stream: IOStream) -> None:
        """It stays, whoever else connects."""
        if stream in self._streams:
            self._streams.remove(stream)


class Guarded(tornado.web.RequestHandler):
    """Rejects requests with a wrong Host or Origin, and sets the security headers."""

    SUPPORTED_METHODS = ("GET", "HEAD")

    @property
    def service(self) -> Service:
        service: Service = self.settings["service"]
        return service

    def prepare(self) -> None:
        if self.request.headers.get_list("Host") not in [[host] for host in self.service.hosts]:
            raise tornado.web.HTTPError(403, reason="Wrong Host")

    def set_default_headers(self) -> None:
        headers = {
            "Content-Security-Policy": self.service.policy(),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-cache",
            "Server": "chuhe",
        }
        for name, value in headers.items():
            self.set_header(name, value)

    def write_error(self, status_code: int, **details: Any) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{status_code} {self._reason}\n")


class Nothing(Guarded):
    def prepare(self) -> None:
        super().prepare()
        raise tornado.web.HTTPError(404)


class FileHandler(Guarded, tornado.web.StaticFileHandler):
    def set_extra_headers(self, path: str) -> None:
        self.set_header("Cache-Control", "no-cache")


class PageHandler(FileHandler):
    async def get(self, path: str = "index.html", include_body: bool = True) -> None:
        await super().get("index.html", include_body)


class Drawing(Guarded):
    """The pieces and the board, drawn as in the static pictures."""

    def get(self) -> None:
        self.set_header("Content-Type", "image/svg+xml")
        self.write(drawing())

    head = get


class LanguageTable(Guarded):
    """The texts of a language, by code."""

    def get(self, language: Language) -> None:
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.write(page_table(language))

    head = get


def drawing() -> str:
    """All pieces, and of the boards those that differ: by their river, and by how they number the files."""
    rivers: tuple[PieceSet, ...] = ("traditional", "simplified")
    numbers: tuple[PieceSet, ...] = ("traditional", "western")
    boards = "".join(f'<g id="board-{pieces}">{grid(pieces)}</g>' for pieces in rivers)
    edges = "".join(
        f'<g id="edge-{pieces}-{side}-{labels}">{edge_labels(labels, side == "black", pieces)}</g>'
        for labels in get_args(Labels)
        for pieces in numbers
        for side in ("red", "black")
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{definitions()}{boards}{edges}</defs></svg>'


class Visitor(Guarded, tornado.websocket.WebSocketHandler):
    """One tab."""

    room: Room

    def initialize(self) -> None:
        self.notation: Notation = "wxf"
        self.seen: tuple[str, int] | None = None
        self.answers = 0
        self.games: list[GameRecord] = []
        self.greeted = False
        self._patience: asyncio.TimerHandle | None = None

    @property
    def room_store(self) -> RoomStore:
        return self.service.room_store

    # --- opening and closing

    def prepare(self) -> None:
        super().prepare()
        if self.request.headers.get_list("Origin") not in [[origin] for origin in self.service.origins]:
            raise tornado.web.HTTPError(403, reason="Wrong Origin")
        if sum(visitor.greeted for visitor in self.service.sockets) >= MAX_SOCKETS:
            raise tornado.web.HTTPError(503, reason="Too Many Tabs")

    def check_origin(self, origin: str) -> bool:
        return origin in self.service.origins

    def open(self, *args: str, **kwargs: str) -> None:
        silent = [visitor for visitor in self.service.sockets if not visitor.greeted]
        if len(silent) >= MAX_SILENT:
            silent[0].close(4401, "too many without a greeting")
            self.service.sockets.pop(silent[0], None)
        self.service.sockets[self] = None
        self.set_nodelay(True)
        loop = asyncio.get_running_loop()
        self._patience = loop.call_later(GREETING_SECONDS, self.close, 4401, "no greeting")

    def on_close(self) -> None:
        self.service.sockets.pop(self, None)
        if self._patience is not None:
            self._patience.cancel()
        if self.greeted:
            self.room.leave(self)
        if self.service.watch is not None:
            self.service.watch.leave(self)

    # --- messages

    def send(self, message: Outgoing) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        with contextlib.suppress(tornado.websocket.WebSocketClosedError):  # on_close handles it
            self.write_message(text).add_done_callback(lambda sent: sent.exception())  # a tab that closed meanwhile

    def send_about(self) -> None:
        if self.greeted:
            self.send(self.service.about())

    async def on_message(self, message: str | bytes) -> None:
        number: int | None = None
        try:
            data = decode(message)
            number = number_of(data)
            if number is not None:
                self.answers = number
            request = request_of(data)
            if not self.greeted:
                self._greet(request.name, request.fields)
            elif request.name != "hello":
                await handle(self, request)
        except (ValueError, OpponentError) as error:
            self.send({"type": "error", "message": message_json(message_of(error))})
        except Exception as error:  # our bug: the game goes on, and the server prints it
            traceback.print_exc()
            self.send({"type": "error", "message": message_json(Message("web.internal", error=repr(error)))})
        if number is not None and self.greeted:
            self.room.refresh()  # whatever was asked, a state says that it was answered

    def _greet(self, name: str, fields: Mapping[str, Any]) -> None:
        if name != "hello" or not hmac.compare_digest(fields["token"].encode(), self.service.token.encode()):
            self.close(4403, "wrong token")
            return
        if self._patience is not None:
            self._patience.cancel()
        if self.ws_connection is not None and self.ws_connection.stream is not None:
            self.service.http.is_tab(self.ws_connection.stream)
        self.notation = fields["notation"]
        self.send(self.service.about())
        wanted = fields["room"]
        self.room = self._room_named(wanted)
        self.greeted = True
        try:
            if wanted == NEW_ROOM:
                self.room = self.room_store.create()
        finally:  # a tab that asked for one game too many shows the latest, with the reason
            self.room.join(self)
        if self.service.watch is not None:
            self.service.watch.join(self)

    def _room_named(self, identity: str | None) -> Room:
        """The room of an address; the latest if it is gone."""
        with contextlib.suppress(RequestError):
            return self.room_store.find(identity or "")
        return self.room_store.latest()

    def enter(self, room: Room) -> None:
        """Switch to another room."""
        if room is not self.room:
            self.room.leave(self)
            self.room = room
        room.join(self)

    def watch(self, game: int) -> None:
        if self.service.watch is None:
            raise RequestError(Message("web.no-match"))
        self.service.watch.choose(self, game)
