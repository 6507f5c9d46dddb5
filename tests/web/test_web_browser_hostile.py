"""In a real Chromium: markup in every text that comes from elsewhere is shown as text; other users see no key."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Open, Server

from chuhe.web.serve import open_page

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
IMAGE = "<img src=x onerror=window.caught=1>"
SCRIPT = "</title></script><script>window.caught=1</script><svg onload=window.caught=1>"
INJECTED = "window.caught || document.querySelectorAll('[onerror], [onload], img[src=x], script:not([src])').length"
PGN = f"""[Event "{SCRIPT}"]
[Red "{IMAGE}"]
[Black "{SCRIPT}"]
[Date "{IMAGE}"]
[Site "javascript:window.caught=1"]
[Annotator "{IMAGE}"]

1. h2e2 {{{IMAGE}{SCRIPT}}} (1. b2e2 {{{IMAGE}}}) h9g7 *
"""


@pytest.fixture
def hostile_server(tmp_path: Path) -> Callable[[], Server]:
    """With a damaged room, an archived game and an engine of such names."""
    engine = tmp_path / IMAGE
    engine.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -m chuhe\n")
    engine.chmod(0o755)
    rooms = tmp_path / "data" / "rooms"
    rooms.mkdir(parents=True)
    (rooms / f"{IMAGE}.json").write_text("{")
    return lambda: Server(tmp_path / "data", "--engine", shlex.quote(str(engine)))


def test_no_text_becomes_markup(hostile_server: Callable[[], Server], screens: Open) -> None:
    server = hostile_server()
    try:
        screen = screens(server.url)
        page = screen.page

        def check(shown: str) -> None:
            page.wait_for_function("text => document.body.textContent.includes(text)", arg=shown)
            assert not page.evaluate(INJECTED)

        screen.drop(f"{IMAGE}.pgn", PGN.encode())
        check(f"{IMAGE}{SCRIPT}")  # the comment
        screen.drop(f"{IMAGE}.pgn", PGN.encode() * 2)  # two games: a list of them
        page.wait_for_selector("dialog[open]")
        check(SCRIPT)
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")
        screen.drop(f"{SCRIPT.replace('/', '')}.pgn", b"1. h2e2 h2e2 *" + IMAGE.encode())  # a fault that quotes it
        page.wait_for_selector("#message:not(:empty)")
        assert not page.evaluate(INJECTED)
        screen.mode("games")
        check(f"{IMAGE}.json")  # the damaged room
        screen.mode("play")
        screen.act("new")
        check(IMAGE)  # the engine
    finally:
        server.close()


def test_the_private_file_leads_to_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, screens: Open) -> None:
    """What is on the browser's command line is the name of this file, not the address with the key."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    server = Server(tmp_path)
    try:
        open_page(tmp_path, server.url)
        assert screens(opened[0]).page.url.startswith(server.url)
    finally:
        server.close()
