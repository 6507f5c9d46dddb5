"""Makes the pictures of the page for the README and docs/web.md: ``python docs/images/screenshots.py``.

``python docs/images/screenshots.py --beside COMMIT FILE`` only puts those of a commit above the present ones. Needs
Chromium, Playwright and Pillow, as the tests do.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers"))

from browser import Screen, Server, context, launch
from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parent
GAME = """[Event "Example"]
[Red "Level 5"]
[Black "Level 3"]
h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 h0h4 h9h8 b0c2 g7f5 h4f4 f5g7 g3g4 g9e7 g4g5 e7g5 f4f6 h7h2 c2d4 c7e8 f6g6 h2e2
c0e2 c9e7 d0e1 a9c9 a0c0 h8h2 b2c2 c9b9 d4f5 a6a5 c0b0 b7b2 e1d0 h2h7 g2f4 h7h4 f4d5 b9b5 d5e7 g5e7 f5h4 b5h5 *"""
OPENING = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5".split()


def play(screen: Screen) -> None:
    screen.new_game("human")
    for count, move in enumerate(OPENING, 1):
        screen.click_move(move)
        screen.wait_moves(count)
    screen.act("players")
    screen.choose_players("level-5", "red")
    screen.page.wait_for_timeout(1000)
    screen.page.mouse.click(*screen.centre("b0"))
    screen.page.mouse.move(5, 5)
    screen.page.wait_for_selector(".target")


def analyse(screen: Screen) -> None:
    screen.paste(" ".join(OPENING))
    screen.wait_moves(len(OPENING))
    screen.page.check("#engine-on")
    screen.page.wait_for_function("() => Number(document.getElementById('facts').textContent.match(/\\d+/)?.[0]) >= 14")
    screen.page.wait_for_function("() => document.querySelectorAll('#lines .line').length === 3")


def review(screen: Screen) -> None:
    screen.paste(GAME)
    screen.page.wait_for_selector("#lines .line")
    screen.act("review")
    screen.page.wait_for_selector("#review-progress")
    screen.page.wait_for_selector("#review-progress", state="detached", timeout=120_000)
    screen.page.wait_for_selector("#try-again")


def picture(browser: Browser, server: Server, name: str, prepare: Callable[[Screen], None], **options: Any) -> None:
    preferences = {"notation": "wxf", **options.pop("preferences", {})}
    made = context(browser, preferences=preferences, **options)
    screen = Screen(made.new_page()).visit(f"{server.url}.new")
    if preferences.get("notation") != "iccs":
        screen.moves = lambda: screen.page.locator("#moves > .row .move").all_inner_texts()  # type: ignore[method-assign]
    prepare(screen)
    path = HERE / f"web-{name}.png"
    screen.page.screenshot(path=path)
    made.close()
    colours = Image.open(path).convert("RGB")  # with fewer of them, a small arrow is grey
    colours.quantize(255, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path}: {path.stat().st_size // 1024} KB")


def beside(commit: str, target: str) -> None:
    """The pictures of a commit above those of today."""
    columns = []
    for name in ("play", "analyse", "review", "phone"):
        path = HERE / f"web-{name}.png"
        command = ["git", "show", f"{commit}:./{path.name}"]
        before = subprocess.run(command, cwd=HERE, capture_output=True, check=True).stdout
        columns.append([Image.open(BytesIO(before)).convert("RGB"), Image.open(path).convert("RGB")])
    height = max(picture.height for column in columns for picture in column)
    made = Image.new("RGB", (sum(now.width for _, now in columns), 2 * height), "grey")
    left = 0
    for column in columns:
        for row, picture in enumerate(column):
            made.paste(picture, (left, row * height))
        left += column[1].width
    made.save(target, optimize=True)


def main() -> None:
    if sys.argv[1:2] == ["--beside"]:
        return beside(*sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = launch(playwright)
        try:
            picture(browser, server, "play", play)
            picture(browser, server, "analyse", analyse)
            picture(browser, server, "review", review, color_scheme="dark")
            chinese = {"language": "zh-Hans", "pieces": "simplified", "notation": "chinese"}
            picture(browser, server, "play-zh", play, preferences=chinese)
            picture(browser, server, "analyse-zh", analyse, preferences=chinese)
            picture(browser, server, "review-zh", review, color_scheme="dark", preferences=chinese)
            picture(browser, server, "phone", lambda screen: None, size=(390, 844))
            picture(browser, server, "phone-zh", lambda screen: None, size=(390, 844), preferences=chinese)
        finally:
            browser.close()
            server.close()


if __name__ == "__main__":
    main()
