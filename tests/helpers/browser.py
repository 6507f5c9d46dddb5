"""A real Chromium and a real `chuhe serve`, for the tests in the browser and for the screenshots."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from paths import ROOT
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Playwright
from waiting import PATIENCE

from chuhe.coach.practice.puzzles import bundled_puzzles

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
CHOICE = {"opponent": "level-5", "side": "red", "clock": None, "movetime": 1000, "ponder": False, "book": True}
PREFERENCES = {
    "language": "en", "notation": "iccs", "pieces": "traditional", "animation": False, "multipv": 3,
    "reviewTime": 100, "game": CHOICE
}  # fmt: skip


# a legal move that does not solve the puzzle on the board, given the answers of all puzzles
WRONG_ANSWER = """async answers => {
    const { app } = await import("/static/app.js");
    const { fen, moves } = app.state.cursor;
    const right = new Map(answers).get(fen.split(" ").slice(0, 2).join(" "));
    return moves.find(move => move !== right);
}"""
TREE = "() => document.body.dataset.game"  # which game is on the board


def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=chromium(), args=FLAGS)


class Server:
    """`chuhe serve` as a process that can be killed and started again at the same address."""

    def __init__(self, data: Path, *options: str) -> None:
        self.data = data
        self.options = options
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "chuhe", "serve", "--no-browser", "--data", str(self.data)]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), "--hash", "8", *self.options],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#[\w-]{40,}", self.url)
        assert match, f"the first line is no address: {self.url!r}"
        self.port = int(match[1])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


class Screen:
    """One tab, with the words of the tests."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._heard)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def visit(self, url: str) -> Screen:
        self.page.goto(url)
        self.page.wait_for_selector(".on-board")
        return self

    def square(self, name: str) -> Locator:
        return self.page.locator(f"[data-square={name}]")

    def centre(self, name: str) -> tuple[float, float]:
        box = self.square(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click_move(self, move: str) -> None:
        for name in (move[:2], move[2:]):
            self.page.mouse.click(*self.centre(name))

    def drag_move(self, move: str) -> None:
        mouse = self.page.mouse
        mouse.move(*self.centre(move[:2]))
        mouse.down()
        mouse.move(*self.centre(move[2:]), steps=4)
        mouse.up()

    def tap_move(self, move: str) -> None:
        for name in (move[:2], move[2:]):
            self.page.touchscreen.tap(*self.centre(name))

    def moves(self) -> list[str]:
        """The main line, as ICCS."""
        return [text[:4] for text in self.page.locator("#moves > .row .move").all_inner_texts()]

    def wait_moves(self, count: int) -> list[str]:
        self.page.wait_for_function(
            "count => document.querySelectorAll('#moves > .row .move').length === count", arg=count
        )
        return self.moves()

    def wait_status(self, text: str) -> None:
        self.page.wait_for_function("text => document.getElementById('status').textContent.includes(text)", arg=text)

    def status(self) -> str:
        return self.page.inner_text("#status")

    def piece(self, name: str) -> str:
        """What a screen reader says of a point."""
        return (self.square(name).get_attribute("aria-label") or "").split(": ", 1)[-1]

    def wait_piece(self, name: str, piece: str) -> None:
        self.page.wait_for_selector(f'[data-square={name}][aria-label^="{name}: {piece}"]', state="attached")

    def choose(self, field: str, value: str) -> None:
        self.page.select_option(f"#{field}", value)

    def wrong_answer(self) -> str:
        """A move that does not solve the puzzle on the board."""
        found: str = self.page.evaluate(
            WRONG_ANSWER, [[puzzle.name, puzzle.answer.iccs] for puzzle in bundled_puzzles()]
        )
        return found

    def act(self, name: str) -> None:
        """Presses a button of the bar, or what the menu has in its place."""
        button = self.page.locator(f"#buttons [data-action={name}]")
        if button.count() and button.is_visible():
            button.click()
            return
        head = name in ("new", "open", "settings", "help") and self.page.is_visible("#open-menu")
        self.page.click("#open-menu" if head else "#buttons [data-action=more]")
        self.page.locator(f"dialog [data-action={name}]:visible").click()

    def is_enabled(self, name: str) -> bool:
        return self.page.locator(f"#buttons [data-action={name}]").is_enabled()

    def new_game(self, opponent: str = "", side: str = "", **options: Any) -> Screen:
        """Begins a game by the dialog; what is not given stays as it was chosen last."""
        self.act("new")
        self.begin_game(opponent, side, **options)
        return self

    def begin_game(self, opponent: str = "", side: str = "", **options: Any) -> None:
        """Sends off the open dialog of a new game, and waits until it is there."""
        game = self.page.evaluate(TREE)
        self.choose_players(opponent, side, **options)
        self.page.wait_for_function(f"game => ({TREE})() !== game", arg=game)

    def choose_players(self, opponent: str = "", side: str = "", **options: Any) -> None:
        """Fills in the open dialog and sends it off: `movetime`, `clock`, `book`, `spoilers`."""
        page = self.page
        if opponent:
            if not opponent.startswith("level"):
                page.evaluate("document.getElementById('more-opponents').open = true")
            page.check(f"[name=opponent][value={opponent}]")
        if side:
            page.check(f"[name=side][value={side}]", force=True)
        page.evaluate("document.getElementById('game-options').open = true")
        for name, value in options.items():
            box = page.locator(f"#{'use-book' if name == 'book' else name}")
            if isinstance(value, bool):
                box.set_checked(value)
            else:
                box.select_option(str(value))
        page.click("#start-game")
        page.wait_for_selector("#new-game", state="detached")

    def wait_engine(self) -> None:
        """The program is thinking."""
        self.wait_status("is thinking")

    def two_people(self, *moves: str) -> Screen:
        """A game between two people, with these moves made."""
        self.new_game("human")
        self.wait_status("Red to move")
        for number, move in enumerate(moves, 1):
            self.click_move(move)
            self.wait_moves(number)
        return self

    def mode(self, name: str) -> None:
        if name == "setup":
            self.mode("analyse")
            self.act("setup")
        elif self.page.get_attribute("body", "data-screen") != name:
            self.page.click(f"#place-{name}")
        self.page.wait_for_selector(f"body[data-screen={name}]")

    def paste(self, text: str) -> None:
        """Ctrl-V on the page."""
        self.page.evaluate(
            """text => {
                const data = new DataTransfer();
                data.setData("text/plain", text);
                document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
            }""",
            text,
        )

    def drop(self, name: str, content: bytes) -> None:
        """A file dropped on the page."""
        self.page.evaluate(
            """([name, bytes]) => {
                const data = new DataTransfer();
                data.items.add(new File([new Uint8Array(bytes)], name));
                const about = {dataTransfer: data, bubbles: true, cancelable: true};
                for (const kind of ["dragenter", "dragover", "drop"])
                    document.body.dispatchEvent(new DragEvent(kind, about));
            }""",
            [name, list(content)],
        )


def context(
    browser: Browser, size: tuple[int, int] = (1280, 800), preferences: dict[str, Any] | None = None, **options: Any
) -> BrowserContext:
    """A browser of its own, with the preferences that a person would have set."""
    made = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
    made.set_default_timeout(1000 * PATIENCE)
    chosen = json.dumps(json.dumps({**PREFERENCES, **(preferences or {})}))
    made.add_init_script(f"localStorage.getItem('chuhe') ?? localStorage.setItem('chuhe', {chosen})")
    return made


Open = Callable[..., Screen]
