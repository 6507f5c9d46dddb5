"""Chromium, a server and tabs for the tests in the browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from browser import Open, Screen, Server
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from browser import launch
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        made = launch(playwright)
        yield made
        made.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    from browser import Server

    made = Server(tmp_path_factory.mktemp("serve"))
    yield made
    made.close()


@pytest.fixture
def screens(browser: Browser) -> Iterator[Callable[..., Screen]]:
    """Opens tabs in browsers of their own; at the end none of them may have met a fault."""
    from browser import Screen, context

    opened: list[Screen] = []

    def open_screen(url: str, **options: Any) -> Screen:
        screen = Screen(context(browser, **options).new_page())
        opened.append(screen)
        return screen.visit(url)

    yield open_screen
    errors = [error for screen in opened for error in screen.errors]
    for screen in opened:
        screen.page.context.close()
    assert errors == []


@pytest.fixture
def open_game(server: Server, screens: Open) -> Open:
    """A fresh game in a tab of its own."""

    def opened(**options: Any) -> Screen:
        return screens(f"{server.url}.new", **options)

    return opened
