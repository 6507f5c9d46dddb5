"""Each screen of the page has one purpose: what it needs is seen without scrolling, and nothing else is there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Open, Screen, Server, context
from playwright.sync_api import Browser

from chuhe.coach.practice.puzzles import bundled_puzzles

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
LOST = "b0c2 c9a7 h2e2 b7d7 e2e6 g6g5 b2b4 d7d6 b4e4".split()  # Black's last move lets Red mate

# CHUHE_PICTURES=DIR: the tests look at every combination, and keep a picture of every screen
PICTURES = os.environ.get("CHUHE_PICTURES")
PC, WIDE, TABLET, PHONE = (1440, 900), (1920, 1080), (820, 1180), (390, 844)
CASES = [
    ("en", PC, "light"), ("en", PC, "dark"), ("en", PHONE, "light"), ("en", PHONE, "dark"),
    ("zh-Hans", WIDE, "dark"), ("zh-Hans", PHONE, "light"), ("zh-Hant", TABLET, "dark"), ("zh-Hant", PC, "light"),
]  # fmt: skip
if PICTURES:
    CASES = list(product(("en", "zh-Hans", "zh-Hant"), (PC, WIDE, TABLET, PHONE), ("light", "dark")))

# what is wrong with the parts named, and with all buttons: not wholly in view, covered, cut, too small for a finger
FAULTS = """needed => {
  const faults = [];
  const inside = (box, { left, top, right, bottom }) =>
    box.left >= left - 1 && box.top >= top - 1 && box.right <= right + 1 && box.bottom <= bottom + 1;
  const scrolling = (node) => /auto|scroll|hidden/.test(getComputedStyle(node).overflow);
  for (const selector of needed) {
    const part = [...document.querySelectorAll(selector)].find((found) => found.checkVisibility());
    const box = part.getBoundingClientRect();
    if (!inside(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight })) faults.push(`outside: ${selector}`);
    for (let above = part.parentElement; above; above = above.parentElement)
      if (scrolling(above) && !inside(box, above.getBoundingClientRect())) faults.push(`scrolled away: ${selector}`);
    const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!part.contains(seen) && !seen?.contains(part)) faults.push(`covered: ${selector}`);
  }
  const shown = document.querySelector("dialog[open]") ?? document.body;
  for (const part of shown.querySelectorAll("button, select, summary, .card, h2, .name, .figure, td, th")) {
    if (!part.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const name = part.id || `${part.className} ${part.textContent}`;
    const { height, width } = part.getBoundingClientRect();
    for (const text of [part, ...part.querySelectorAll("span")])
      if (text.clientWidth > 1 && text.scrollWidth > text.clientWidth + 1) faults.push(`cut: ${name}`);
    const small = part.matches(".move, .line-move, .entry-name, h2, .name, .figure, td, th");
    if (innerWidth < innerHeight && !small && (height < 44 || width < 36)) faults.push(`${width}×${height}: ${name}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the window");
  return [...new Set(faults)];
}"""


@pytest.fixture(scope="module")
def reviewed(browser: Browser, server: Server) -> str:
    """The address of a game that has been reviewed."""
    made = context(browser)
    screen = Screen(made.new_page()).visit(f"{server.url}.new")
    screen.paste(" ".join(LOST))
    screen.wait_moves(len(LOST))
    screen.act("review")
    screen.page.wait_for_selector("#accuracy")
    screen.page.wait_for_selector("#review-progress", state="detached")
    address = screen.page.url
    made.close()
    return address


def examine(screen: Screen, name: str, *needed: str) -> None:
    """What the screen needs is in view, and axe has nothing to say (asked in one language: it takes its time)."""
    for selector in needed:
        screen.page.wait_for_selector(f"{selector} >> visible=true")
    assert screen.page.evaluate(FAULTS, list(needed)) == [], name
    language = screen.page.get_attribute("html", "lang")
    if PICTURES:
        dark = screen.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        case = f"{screen.page.evaluate('`${innerWidth}x${innerHeight}`')}-{'dark' if dark else 'light'}"
        screen.page.screenshot(path=Path(PICTURES) / f"{name.replace(' ', '-')}-{case}-{language}.png")
    if language != "en":
        return
    found = Axe().run(screen.page).response["violations"]
    assert [f"{fault['id']}: {fault['nodes'][0]['html'][:120]}" for fault in found] == [], name


def in_dialog(screen: Screen, open_dialog: Callable[[], None], name: str, *needed: str) -> None:
    open_dialog()
    screen.page.wait_for_selector("dialog[open]")
    examine(screen, name, *needed)
    screen.page.keyboard.press("Escape")
    screen.page.wait_for_selector("dialog", state="detached")


@pytest.mark.parametrize(("language", "size", "scheme"), CASES)
def test_every_screen_shows_what_it_is_for(
    server: Server, screens: Open, reviewed: str, language: str, size: tuple[int, int], scheme: str
) -> None:
    phone = size[0] < size[1]
    preferences = {"language": language, "notation": None, "pieces": None, "game": None}
    options = {
        "size": size,
        "preferences": preferences,
        "color_scheme": scheme,
        "has_touch": phone,
        "is_mobile": size == PHONE,
    }
    screen = screens(f"{server.url}.new", **options)
    page = screen.page
    press = screen.tap_move if phone else screen.click_move

    page.wait_for_selector("#new-game")  # the first visit asks against whom
    cards = [f"[name=opponent][value=level-{level}] ~ .card-name" for level in range(1, 11)]
    examine(screen, "new game", *cards, "#new-game .segments", "#clock", "#start-game")
    screen.begin_game("level-1", "red", movetime=100)
    press("h2e2")
    page.wait_for_selector("#moves .move >> nth=1")
    actions = ["undo", "hint", "more", "previous", "next"] + ([] if phone else ["draw", "resign", "flip", "new"])
    bar = [f"#buttons [data-action={action}]" for action in actions]
    examine(screen, "play", "#board", "#player-top", "#player-bottom", "#status", "#moves .current", *bar)
    for name in ("more", "save", "settings", "open", "help"):
        button = f"#open-{'files' if name == 'open' else name}"
        in_dialog(screen, lambda: page.click(button) if page.is_visible(button) else screen.act(name), name)  # noqa: B023
    screen.act("resign")
    page.locator("[data-action=resign].sure:visible").click()
    card = ["#verdict-of-game", "#review-after", "#rematch", "#rematch-other", "#new-after"]
    examine(screen, "over", "#board", *card)

    screen = screens(reviewed, **options)
    page, press = screen.page, screen.tap_move if phone else screen.click_move
    page.wait_for_selector("#panel-review")
    page.keyboard.press("Home")
    examine(screen, "a review's beginning", "#board", ".graph-box", "#accuracy", "#next-fault")
    page.keyboard.press("e")
    page.wait_for_selector("#verdict .grade")
    sentence = [".graph-box", "#verdict strong", "#better", "#previous-fault", "#next-fault", "#try-again"]
    examine(screen, "review", "#board", *sentence, *([] if phone else ["#accuracy", "#moves .current"]))
    page.click("#try-again")
    examine(screen, "try again", "#board", "#verdict .retry", "#show-answer")
    assert not page.locator("#moves, #lines, .arrow").count()  # the answer
    page.click("#show-answer")
    page.locator("#engine-on").check()
    page.wait_for_selector("#lines .line >> nth=2")
    page.locator("#engine-on").uncheck()  # so that they stand still
    page.keyboard.press("Home")
    for tab in ("book", "evaluation", "moves"):
        page.click(f"#tab-{tab}")
        examine(screen, tab, "#board")

    screen.mode("setup")
    page.wait_for_selector("#setup-verdict.good")
    tools = ["[data-piece=none]", "#setup-turn", "#mirror", "#clear", "#setup-fen", "#use-play"]
    examine(screen, "set up", "#board", *tools)
    screen.mode("practise")
    page.wait_for_selector("#practice-goal")
    bar = [f"#buttons [data-action={action}]" for action in ("clue", "reveal", "exercise")]
    assert not page.locator(".player:visible, #bar:visible").count()
    examine(screen, "practise", "#board", "#practice-goal", "#practice-figures", "#practice-theme", *bar)
    press(screen.wrong_answer())
    examine(screen, "a wrong answer", "#board", "#practice-verdict", "#practice-said", "#retry-exercise")
    page.click("#retry-exercise")
    screen.act("reveal")
    answer = ["#practice-verdict", "#practice-said", "#next-exercise", "#practice-figures"]
    examine(screen, "the solution", "#board", *answer)
    screen.mode("games")
    page.wait_for_selector("#games tbody tr")
    tools = [f"#game-{tool}" for tool in ("open", "review", "save", "rename")]
    examine(screen, "games", "#board", "#games-search", "#games-new", "#games tr[data-game]", *tools)
    screen.mode("play")
    screen.paste("this is no game")
    page.wait_for_selector("#message span")
    examine(screen, "an error", "#board", "#message span", "#message button")
    page.goto(server.url.split("#")[0])
    page.wait_for_selector("#entrance-why")
    examine(screen, "without the key", "#entrance-why", "#address")


STATE = "(await import('/static/app.js')).app.state"


# --- what was seen on the page before, and must not come back


def test_opponents_have_names_and_the_last_choice_begins_at_once(server: Server, screens: Open) -> None:
    screen = screens(f"{server.url}.new", preferences={"game": None})
    page = screen.page
    page.wait_for_selector("#new-game")
    cards = page.locator("#new-game .cards >> nth=0").inner_text()
    assert "Beginner" in cards
    assert "about" in cards  # an estimated strength
    assert not re.search(r"\bS0\b|\b[Ll]evel \d", page.inner_text("#new-game"))
    assert page.locator("#more-opponents [name=opponent]:visible").count() == 0
    assert all(card.get_attribute("title") for card in page.locator(".card").all())
    page.check("[name=opponent][value=level-2]")
    page.check("[name=side][value=black]", force=True)
    page.keyboard.press("Enter")
    screen.wait_moves(1)  # the program has Red
    page.wait_for_selector("#player-bottom.is-black")
    screen.act("new")
    page.keyboard.press("Enter")
    page.wait_for_selector("#discarded:has-text('archive')")
    page.wait_for_selector("#player-top .name:has-text('Novice')")
    page.wait_for_selector("#player-bottom.is-black")


def test_what_the_program_thinks_is_shown_to_those_who_want_it(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.new_game("level-10", movetime=10000, book=False)
    screen.click_move("h2e2")
    screen.wait_engine()
    page.wait_for_function("async () => (await import('/static/app.js')).app.thought")
    assert page.inner_text("#side").find("depth") == -1
    page.click("#open-settings")
    page.check("#set-spoilers")
    page.wait_for_selector("#thinking:has-text('depth')")


def test_the_solver_of_a_puzzle_is_below(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.mode("practise")
    tops = [f"document.querySelector('[data-square={name}]').getBoundingClientRect().top" for name in ("e0", "e9")]
    for _ in range(4):
        page.wait_for_selector("[data-action=reveal]:enabled")
        fen, turn = page.evaluate(f"async () => [{STATE}.cursor.fen, {STATE}.turn]")
        page.wait_for_function(f"turn => ({' < '.join(tops)}) === (turn === 1)", arg=turn)
        screen.act("exercise")
        page.wait_for_function(f"async fen => {STATE}.cursor.fen !== fen", arg=fen)


def test_positions_and_exercises_are_no_games(tmp_path_factory: pytest.TempPathFactory, screens: Open) -> None:
    server = Server(tmp_path_factory.mktemp("own"))
    try:
        screen = screens(f"{server.url}.new")
        page = screen.page
        screen.two_people("h2e2")
        for fen in ("3k5/9/9/9/9/9/9/9/4P4/5K3 w", "3k5/9/9/9/9/9/9/4P4/9/5K3 w"):
            screen.paste(fen)
            screen.wait_moves(0)
        screen.mode("practise")
        page.wait_for_selector("[data-action=reveal]:enabled")
        screen.act("reveal")
        page.click("#next-exercise")
        page.wait_for_selector("[data-action=reveal]:enabled")
        screen.mode("games")
        page.wait_for_selector("#games tbody tr")
        assert page.locator("#games .entry-name").all_inner_texts() == ["Two people"]
    finally:
        server.close()


def test_empty_fields_of_a_file_are_empty(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    tags = '[Red "?"]\n[Black "?"]\n[Event "?"]\n[Date "????.??.??"]\n[Result "*"]\n'
    screen.paste(f"{tags}\n1. h2e2 *\n\n{tags}\n1. c3c4 g6g5 *\n")
    page.wait_for_selector("#picks li >> nth=1")
    assert "?" not in page.inner_text("#picks")
    page.click("#picks li >> nth=1 >> button")
    screen.wait_moves(2)
    assert page.locator(".player .name").all_inner_texts() == ["", ""]
    screen.mode("games")
    page.wait_for_selector("#games [aria-current]")
    assert "?" not in page.inner_text("#games")


def test_a_broken_game_always_says_why(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    for rank in ("4P4/9", "9/4P4", "3P5/9"):
        screen.paste(f"3k5/9/9/9/9/9/9/{rank}/5K3 w")
        page.wait_for_function(f"async rank => {STATE}.cursor.fen.includes(rank)", arg=rank)
        screen.paste("1. h2e2 h9g7 2. a0a5 *")
        page.wait_for_selector("#message:has-text('a0a5')")


def test_what_is_said_goes_with_the_place_and_the_game(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.two_people("h2e2")
    for leave in (lambda: screen.mode("games"), lambda: screen.new_game(), lambda: screen.act("previous")):
        screen.click_move("b9d8")  # the leg is blocked
        page.wait_for_selector("#message span")
        leave()
        page.wait_for_selector("#message span", state="detached")
        screen.mode("play")
        if not screen.moves():
            screen.click_move("h2e2")
            screen.wait_moves(1)


def test_a_delivered_mate_is_no_mate_in_one(screens: Open, reviewed: str) -> None:
    screen = screens(reviewed)
    screen.page.keyboard.press("End")
    screen.page.wait_for_selector("#moves > .row .move.current:has-text('e4')")
    assert screen.page.inner_text("#moves > .row .move.current .move-score") == "#"


def test_a_mistake_is_tried_again_and_judged(screens: Open, reviewed: str) -> None:
    screen = screens(reviewed)
    page = screen.page
    page.keyboard.press("Home")
    page.keyboard.press("e")
    page.click("#try-again")
    page.wait_for_selector("#show-answer")
    played, best = page.evaluate(
        """async () => {
            const { app } = await import("/static/app.js");
            const { move, judged } = app.tree.get(app.retry.fault);
            return [move, judged.best];
        }"""
    )
    screen.click_move(played)
    page.wait_for_selector("#verdict .bad:has-text('Try again')")
    assert "is no better" in page.inner_text("#verdict")
    assert screen.piece(played[:2]) != "empty"  # it stands where it stood
    screen.click_move(best)
    page.wait_for_selector("#verdict .good:has-text('Correct')")
    page.click("#show-answer")
    page.wait_for_selector(
        "#moves .move.current.blunder, #moves .move.current.mistake, #moves .move.current.inaccuracy"
    )


def test_nothing_moves_for_long_and_nothing_at_all_if_the_system_asks_for_it(server: Server, screens: Open) -> None:
    times = {}
    for asked in ("no-preference", "reduce"):
        screen = screens(f"{server.url}.new", reduced_motion=asked, preferences={"animation": True})
        screen.two_people("h2e2")
        screen.page.wait_for_selector(".gliding", state="attached")
        times[asked] = screen.page.evaluate(
            """() => [...document.querySelectorAll("*")].map((node) => {
                const style = getComputedStyle(node);
                return parseFloat(style.transitionDuration) + parseFloat(style.animationDuration);
            })"""
        )
    assert 0 < max(times["no-preference"]) < 0.2
    assert max(times["reduce"]) == 0


def test_type_pieces_and_sound_are_chosen(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    size = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    before = page.evaluate(size)
    page.click("#sound")
    page.wait_for_selector("#sound[aria-pressed=false]")
    page.click("#open-settings")
    assert not page.is_checked("#set-sounds")
    page.check("#set-larger")
    page.wait_for_function(f"before => ({size})() > 1.1 * before", arg=before)
    page.check("[name=pieces][value=letters]", force=True)
    page.wait_for_selector(".on-board[href='#letters-red-k']")


def test_what_is_solved_counts(open_game: Open) -> None:
    screen = open_game(preferences={"practice": {"source": "puzzles", "theme": None, "difficulty": 1}})
    page = screen.page
    screen.mode("practise")
    page.wait_for_function(f"async () => {STATE}.practice?.difficulty === 1 && !{STATE}.practice.over")
    before = [int(figure) for figure in page.locator("#practice-figures strong").all_inner_texts()]
    fen = page.evaluate(f"async () => {STATE}.cursor.fen")
    puzzle = next(puzzle for puzzle in bundled_puzzles() if puzzle.name == " ".join(fen.split()[:2]))
    given = page.evaluate(f"async () => {STATE}.practice.answers")
    for count, index in enumerate(puzzle.asked, given + 1):
        screen.click_move(puzzle.line[index].iccs)
        page.wait_for_function(f"async count => {STATE}.practice.answers === count", arg=count)
    page.wait_for_selector("#practice-verdict:has-text('Correct')")
    page.wait_for_selector("#next-exercise")
    after = [int(figure) for figure in page.locator("#practice-figures strong").all_inner_texts()]
    assert after[:2] == [before[0] + 1, before[1] + 1]  # in a row, today
