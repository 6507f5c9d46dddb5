"""Measures the page of `chuhe serve` in Chromium: `python tests/tools/web_figures.py`. Figures: docs/lab/page.md.

First paint on loopback, the time from a person's move to the drawn answer, memory with ten tabs, the page's weight. For
quiet machines only: most of it is time.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "helpers"))

from browser import Screen, Server, context, launch
from playwright.sync_api import Browser, sync_playwright

from chuhe.engine import Position

VISITS, TABS, MOVES = 15, 10, 30

# Counts from the press on the target point to the frame after the one in which the answer stands in the list of moves.
STOPWATCH = """() => {
    let pressed = 0;
    window.answers = [];
    addEventListener("pointerdown", (event) => (pressed = event.timeStamp), true);
    new MutationObserver(() => {
        const count = document.querySelectorAll("#moves > .row .move").length;
        if (count % 2 || !pressed) return;
        const since = pressed;
        pressed = 0;
        requestAnimationFrame(() => setTimeout(() => answers.push(performance.now() - since)));
    }).observe(document.getElementById("moves"), {childList: true, subtree: true});
}"""


def first_paint(browser: Browser, url: str) -> tuple[list[float], list[float]]:
    """Milliseconds from the beginning of the navigation: the first paint, and the board with its pieces."""
    paints, boards = [], []
    for _ in range(VISITS):
        made = context(browser)
        page = made.new_page()
        page.add_init_script(
            """new MutationObserver((_, observer) => {
                if (!document.querySelector(".on-board")) return;
                observer.disconnect();
                requestAnimationFrame(() => setTimeout(() => (window.drawn = performance.now())));
            }).observe(document, {childList: true, subtree: true})"""
        )
        page.goto(url)
        page.wait_for_function("() => window.drawn && performance.getEntriesByType('paint').length > 1")
        paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        boards.append(page.evaluate("drawn"))
        made.close()
    return paints, boards


def weight(browser: Browser, url: str) -> tuple[int, int]:
    """Bytes of all that is loaded, and how many files."""
    made = context(browser)
    sizes: list[int] = []
    page = made.new_page()
    page.on("response", lambda response: sizes.append(len(response.body())))
    page.goto(url)
    page.wait_for_selector(".on-board")
    made.close()
    return sum(sizes), len(sizes)


def answers(browser: Browser, url: str) -> list[float]:
    """Milliseconds from the press to the drawn answer, against level 1, which thinks for a millisecond or two."""
    made = context(browser, preferences={"animation": True})
    screen = Screen(made.new_page()).visit(f"{url}.new")
    screen.new_game("level-1", "red", book=False)
    screen.page.evaluate(STOPWATCH)
    rng, position = random.Random(1), Position()
    for count in range(1, MOVES + 1):
        move = rng.choice(position.legal_moves)
        screen.click_move(str(move))
        position.push(move)
        if position.outcome() is None:
            screen.page.wait_for_function("count => window.answers.length >= count", arg=count)
            position.push(screen.moves()[-1])
        if position.outcome() is not None:
            break
    found: list[float] = screen.page.evaluate("answers")
    made.close()
    return found


def memory(browser: Browser, server: Server) -> tuple[int, int, float]:
    """The server's resident megabytes alone and with ten tabs, and one page's heap."""
    before = resident(server.process.pid)
    made = context(browser)
    pages = [Screen(made.new_page()).visit(f"{server.url}.new").page for _ in range(TABS)]
    heap: Any = pages[-1].evaluate("performance.memory.usedJSHeapSize")
    after = resident(server.process.pid)
    made.close()
    return before, after, heap / 1e6


def resident(process: int) -> int:
    text = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    line = next(line for line in text.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) // 1024


def spread(values: list[float]) -> str:
    ordered = sorted(values)
    return (
        f"median {statistics.median(values):.0f} ms, 90 % within {ordered[int(0.9 * (len(ordered) - 1))]:.0f} ms, "
        f"n = {len(values)}"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = launch(playwright)
        try:
            size, count = weight(browser, server.url)
            print(f"page weight: {size / 1024:.0f} KB in {count} files")
            paints, boards = first_paint(browser, server.url)
            print(f"first paint: {spread(paints)}")
            print(f"board drawn: {spread(boards)}")
            print(f"move to drawn answer: {spread(answers(browser, server.url))}")
            before, after, heap = memory(browser, server)
            print(f"server's memory: {before} MB, with {TABS} tabs and games {after} MB; a page's heap {heap:.1f} MB")
        finally:
            browser.close()
            server.close()


if __name__ == "__main__":
    main()
