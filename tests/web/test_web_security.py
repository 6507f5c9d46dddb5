"""Each guard of the server, and an attempt to get past it."""

import asyncio
import os
import re
import socket
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest, HTTPResponse
from tornado.websocket import WebSocketClosedError, websocket_connect
from waiting import PATIENCE
from web_client import HUMANS, TOKEN, connect, open_tab, run

from chuhe.web import messages, room_store, server
from chuhe.web.serve import keep_token, take_lock
from chuhe.web.server import Service


async def _left(service: Service) -> None:
    while service.sockets:
        await asyncio.sleep(0)


async def fetch(service: Service, path: str, method: str = "GET", **headers: str) -> HTTPResponse:
    request = HTTPRequest(
        f"http://127.0.0.1:{service.port}{path}",
        method=method,
        headers=headers,
        body=b"" if method == "POST" else None,
        allow_nonstandard_methods=True,
    )
    return await AsyncHTTPClient().fetch(request, raise_error=False)


def test_it_listens_on_the_loopback_address_alone(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        bound = [handle.getsockname() for handle in service.http._sockets.values()]
        assert bound == [("127.0.0.1", service.port)]
        with pytest.raises(OSError, match="refused"), socket.socket() as other:
            other.connect(("127.0.0.2", service.port))

    run(tmp_path, test)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "localhost:1", "127.0.0.1:{port}.evil.example", ""]
)
def test_another_host_is_refused(tmp_path: Path, host: str) -> None:
    """A site that points its own name at this machine (DNS rebinding) sends its own name."""

    async def test(service: Service) -> None:
        text = host.format(port=service.port)
        for path in ("/", "/static/main.js", "/drawing.svg", "/nothing"):
            assert (await fetch(service, path, Host=text)).code in (400, 403)
        with pytest.raises(HTTPClientError, match=r"40[03]"):
            await connect(service, Host=text or "-")

    run(tmp_path, test)


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:1", "file://"],
)
def test_another_origin_is_refused(tmp_path: Path, origin: str) -> None:
    async def test(service: Service) -> None:
        with pytest.raises(HTTPClientError, match="403"):
            await connect(service, Origin=origin.format(port=service.port))

    run(tmp_path, test)


def test_an_origin_must_be_there_and_equal_to_host_is_not_enough(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        with pytest.raises(HTTPClientError, match="403"):
            await connect(service, Origin="")
        with pytest.raises(HTTPClientError, match="403"):
            await connect(service, Origin="http://evil.example", Host="evil.example")
        two = HTTPRequest(f"ws://127.0.0.1:{service.port}/socket")
        two.headers.add("Origin", f"http://127.0.0.1:{service.port}")
        two.headers.add("Origin", "http://evil.example")
        with pytest.raises(HTTPClientError, match="403"):
            await websocket_connect(two)

    run(tmp_path, test)


@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "x", "é" * 40])
def test_a_wrong_token_ends_the_connection(tmp_path: Path, token: str) -> None:
    async def test(service: Service) -> None:
        client = await connect(service)
        text = f'{{"do":"hello","token":"{token}","room":null,"notation":"wxf"}}'
        await client.write_message(text)
        assert await client.read_message() is None
        assert client.close_code == 4403

    run(tmp_path, test)


def test_nothing_is_done_before_the_token(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        client = await connect(service)
        await client.write_message('{"do":"rooms"}')
        assert await client.read_message() is None
        assert client.close_code == 4403
        assert not service.room_store.rooms

    run(tmp_path, test)


def test_whoever_stays_silent_is_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "GREETING_SECONDS", 0.01)

    async def test(service: Service) -> None:
        client = await connect(service)
        assert await client.read_message() is None
        assert client.close_code == 4401

    run(tmp_path, test)


def test_what_a_browser_may_do_is_said_with_every_answer(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        for path, code in (("/", 200), ("/static/main.js", 200), ("/drawing.svg", 200), ("/nothing", 404)):
            answer = await fetch(service, path)
            assert answer.code == code
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert "*" not in policy
            for directive in ("script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"):
                assert directive in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert "Set-Cookie" not in answer.headers
            assert "Access-Control-Allow-Origin" not in answer.headers

    run(tmp_path, test)


@pytest.mark.parametrize("path", ["/static/../server.py", "/static/..%2fserver.py", "/static//etc/passwd", "/token"])
def test_no_other_file_is_served(tmp_path: Path, path: str) -> None:
    async def test(service: Service) -> None:
        assert (await fetch(service, path)).code == 404
        assert (await fetch(service, "/", "POST")).code == 405
        assert TOKEN.encode() not in (await fetch(service, "/")).body

    run(tmp_path, test)


def test_the_page_holds_no_inline_script_style_or_foreign_address() -> None:
    for path in server.STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        addresses = set(re.findall(r"https?://[^\s\"'`)<]+", text))
        assert addresses <= {"http://www.w3.org/2000/svg"}, path
        markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
        assert not re.search(markup, text), path
        if path.suffix == ".html":
            assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?![^>]*\ssrc=)", text)


def test_sizes_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service)
        await tab.send("comment", node=0, text="x" * (messages.MAX_TEXT + 1), revision=1)
        assert "at most 4000 characters" in (await tab.get("error"))["text"]
        with suppress(WebSocketClosedError):
            await tab.socket.write_message("x" * (messages.MAX_MESSAGE + 1))
        while await tab.socket.read_message() is not None:
            pass
        await asyncio.wait_for(_left(service), PATIENCE)

    run(tmp_path, test)


def test_sockets_and_rooms_are_capped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_SOCKETS", 3)
    monkeypatch.setattr(room_store, "MAX_ROOMS", 2)

    async def test(service: Service) -> None:
        tabs = [await open_tab(service) for _ in range(3)]
        await tabs[0].change("players", **HUMANS)
        await tabs[0].state_where(lambda state: state["table"]["black"]["kind"] == "human")
        await tabs[0].play("h2e2")
        with pytest.raises(HTTPClientError, match="503"):
            await connect(service)
        await tabs[0].send("room")
        await tabs[0].state_where(lambda state: state["room"] != tabs[1].state["room"])
        await tabs[0].send("room")
        assert "close one first" in (await tabs[0].get("error"))["text"]

    run(tmp_path, test)


def test_silent_connections_do_not_lock_the_owner_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_SILENT", 3)

    async def test(service: Service) -> None:
        silent = [await connect(service) for _ in range(2 * server.MAX_SILENT)]
        tab = await open_tab(service)
        assert tab.state
        assert await asyncio.wait_for(silent[0].read_message(), PATIENCE) is None
        assert len(service.sockets) <= server.MAX_SILENT + 1

    run(tmp_path, test)


def test_connections_that_ask_nothing_take_no_more_than_their_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MAX_CONNECTIONS", 3)

    async def test(service: Service) -> None:
        tab = await open_tab(service)
        silent = [await asyncio.open_connection("127.0.0.1", service.port) for _ in range(2 * server.MAX_CONNECTIONS)]
        assert await asyncio.wait_for(silent[0][0].read(), PATIENCE) == b""
        assert (await open_tab(service)).state
        await tab.play("h2e2")  # the older one is still there
        for _, writer in silent:
            writer.close()

    run(tmp_path, test)


def test_threads_and_hash_are_capped(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service)
        await tab.send("resources", threads=256, hash=16)
        assert "processors" in (await tab.get("error"))["text"]
        await tab.send("resources", threads=1, hash=100_000)
        assert "may have at most 1024 MB" in (await tab.get("error"))["text"]
        await tab.send("resources", threads=1, hash=16)
        assert (await tab.get("about"))["hash"] == 16

    run(tmp_path, test)


def test_no_command_and_no_path_comes_from_the_page(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service)
        for seat in ({"kind": "external", "command": "touch x"}, {"kind": "external", "index": 0}):
            await tab.change("players", **{**HUMANS, "black": seat})
            assert (await tab.get("error"))["text"]
        for room in ("../token", "/etc/passwd", "..", "%2e%2e"):
            await tab.send("enter", room=room)
            assert "no longer exists" in (await tab.get("error"))["text"]
            await tab.send("forget", games=[room])
            assert "no longer exists" in (await tab.get("error"))["text"]
        await tab.send("open", name="../../evil.pgn", data="MS4gaDJlMiAq")
        await tab.state_where(lambda state: state["mode"] == "analyse")
        assert {path.name for path in tmp_path.rglob("*")} == {"rooms", f"{tab.state['room']}.json"}

    run(tmp_path, test)


def test_bad_messages_cost_nothing(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service)
        for text in ("", "null", "[1]", '{"do":"__init__"}', '{"do":"move"}', "{" * 1000):
            await tab.socket.write_message(text)
            assert (await tab.get("error"))["text"]
        await tab.socket.write_message(b"\x00\x01", binary=True)
        assert "text" in (await tab.get("error"))["text"]
        await tab.change("new", **HUMANS, fen=None)
        await tab.state_where(lambda state: state["table"]["black"]["kind"] == "human")
        await tab.play("h2e2")

    run(tmp_path, test)


def test_what_is_kept_is_the_users_alone(tmp_path: Path) -> None:
    token = keep_token(tmp_path)
    assert keep_token(tmp_path) == token
    assert len(token) >= 40
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600

    async def test(service: Service) -> None:
        await open_tab(service)

    run(tmp_path / "data", test)
    (kept,) = (tmp_path / "data" / "rooms").glob("*.json")
    if os.name == "posix":
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_two_servers_do_not_share_their_games(tmp_path: Path) -> None:
    first = take_lock(tmp_path)
    assert first is not None
    assert take_lock(tmp_path) is None
    os.close(first)
    assert take_lock(tmp_path) is not None
