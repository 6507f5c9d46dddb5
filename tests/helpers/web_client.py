"""A server in this process and tabs that speak to it without a browser, for the tests of `chuhe serve`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect
from waiting import PATIENCE

from chuhe.engine import Settings
from chuhe.records.books.book import Book
from chuhe.text.message import Message
from chuhe.web.server import Service

TOKEN = "test-token-" + "x" * 32


def said(message: Any) -> str:
    """A message of the server in English."""
    return str(Message.from_json(message))


class Tab:
    """One tab: what it has received waits in a list."""

    def __init__(self, socket: WebSocketClientConnection) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.tree: dict[str, Any] = {}

    async def send(self, name: str, /, **fields: Any) -> None:
        await self.socket.write_message(json.dumps({"do": name, **fields}))

    async def change(self, name: str, /, **fields: Any) -> None:
        """A request about the state that we have."""
        await self.send(name, revision=self.state["revision"], **fields)

    async def receive(self) -> dict[str, Any] | None:
        """The next message; None when the server has closed."""
        text = await asyncio.wait_for(self.socket.read_message(), PATIENCE)
        if text is None:
            return None
        message: dict[str, Any] = json.loads(text)
        if message.get("message"):
            message["text"] = said(message["message"])
        if message["type"] == "state":
            self.state = message
            self.tree = message.get("tree", self.tree)
        return message

    async def until(self, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The first message that is wanted."""
        while True:
            message = await self.receive()
            assert message is not None, "the server has closed the connection"
            if wanted(message):
                return message

    async def get(self, kind: str) -> dict[str, Any]:
        return await self.until(lambda message: message["type"] == kind)

    async def state_where(self, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        if self.state and wanted(self.state):
            return self.state
        return await self.until(lambda message: message["type"] == "state" and wanted(message))

    async def play(self, move: str) -> dict[str, Any]:
        """Makes a move where the game stands and waits for it to be there."""
        moves = len(self.tree["nodes"])
        await self.change("move", node=self.state["cursor"]["node"], move=move)
        return await self.state_where(lambda state: len(self.tree["nodes"]) > moves)

    def moves(self) -> str:
        """The main line."""
        rows = {row["id"]: row for row in self.tree["nodes"]}
        children: dict[int, list[int]] = {}
        for row in self.tree["nodes"]:
            children.setdefault(row["parent"], []).append(row["id"])
        node, found = 0, []
        while children.get(node):
            node = children[node][0]
            found.append(rows[node]["move"])
        return " ".join(found)


@asynccontextmanager
async def serving(directory: Path, **options: Any) -> AsyncIterator[Service]:
    settings = options.pop("settings", Settings(hash_mb=4))
    book: Book | None = options.pop("book", None)
    service = Service(directory, TOKEN, settings, book, **options)
    await service.start(0)
    try:
        yield service
    finally:
        await service.stop()


async def connect(service: Service, **headers: str) -> WebSocketClientConnection:
    """A socket with the headers that a browser would send, or those given."""
    known = {"Origin": f"http://127.0.0.1:{service.port}", **headers}
    address = f"ws://127.0.0.1:{service.port}/socket"
    request = HTTPRequest(address, headers={name: value for name, value in known.items() if value})
    return await websocket_connect(request, max_message_size=64 * 1024 * 1024)


async def open_tab(service: Service, room: str | None = None, token: str = TOKEN) -> Tab:
    tab = Tab(await connect(service))
    await tab.send("hello", token=token, room=room, notation="wxf")
    await tab.get("state")
    return tab


HUMANS = {
    "red": {"kind": "human"},
    "black": {"kind": "human"},
    "clock": None,
    "movetime": 100,
    "ponder": False,
    "book": False,
}


def against(level: int = 1, **changes: Any) -> dict[str, Any]:
    return {**HUMANS, "black": {"kind": "engine", "level": level}, **changes}


def run(directory: Path, test: Callable[[Service], Awaitable[Any]], **options: Any) -> Any:
    async def main() -> Any:
        async with serving(directory, **options) as service:
            return await test(service)

    return asyncio.run(main())


async def fresh(service: Service, table: dict[str, Any] | None = None, fen: str | None = None) -> Tab:
    tab = await open_tab(service)
    revision = tab.state["revision"]
    await tab.change("new", **(table or HUMANS), fen=fen)
    await tab.state_where(lambda state: state["revision"] > revision)
    return tab


async def analysing(service: Service) -> Tab:
    tab = await fresh(service)
    await tab.change("mode", mode="analyse")
    await tab.state_where(lambda state: state["mode"] == "analyse")
    return tab
