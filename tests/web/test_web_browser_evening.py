"""A whole evening on the page: a game, its review, practice, an old game, and the phone."""

from __future__ import annotations

import pytest
from browser import Open, Screen

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]


def test_an_evening(open_game: Open, screens: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.new_game("level-1", "red", movetime=100)
    screen.click_move("h2e2")
    screen.wait_moves(2)
    screen.click_move("e2e6")  # a cannon for a pawn
    screen.wait_moves(4)
    screen.act("resign")
    page.click("[data-action=resign]:visible:has-text('Really?')")
    page.wait_for_selector("#panel-over h2:has-text('You lost: resignation')")
    assert page.locator("#panel-over h2").bounding_box()["y"] < 400  # type: ignore[index]

    page.click("#review-after")  # the review is a place
    page.wait_for_selector("body[data-screen=analyse] #panel-review")
    page.wait_for_selector("#review-progress", state="detached")
    assert "%" in page.inner_text("#accuracy")
    page.keyboard.press("Home")
    if page.locator("#next-fault:enabled").count():
        page.click("#next-fault")
        page.click("#try-again")
        page.wait_for_selector("#show-answer")
        assert not page.locator("#moves").count()  # the answer is hidden
        page.click("#show-answer")
        page.wait_for_selector("#moves .move.current")

    screen.mode("practise")
    for _ in range(5):
        page.wait_for_selector("[data-action=reveal]:enabled")
        assert not page.is_visible(".player")  # no players, no clocks
        screen.act("reveal")
        page.click("#next-exercise")

    screen.mode("games")
    page.wait_for_selector("#games tbody tr")
    assert "practise" not in page.inner_text("#games")
    page.locator("#games .entry-name").first.click()
    page.wait_for_selector("#moves .move")
    address = page.url

    phone = screens(address, size=(390, 844), has_touch=True, is_mobile=True)
    assert_phone(phone)
    phone.mode("analyse")
    phone.page.keyboard.press("Home")
    phone.act("continue")
    phone.choose_players("human")
    phone.page.wait_for_selector("body[data-screen=play]")
    phone.tap_move("c3c4")
    phone.page.wait_for_selector(".move.current:has-text('c3c4')")


def assert_phone(screen: Screen) -> None:
    """Board, bar and places fit the window; what is pressed is large enough for a finger."""
    page = screen.page
    for button in page.locator("#buttons button:visible, #places button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= 844
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_what_belongs_to_a_position_goes_with_it(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.two_people("h2e2")
    screen.click_move("b9d8")
    page.wait_for_selector("#message:has-text('leg is blocked')")
    screen.act("hint")
    page.wait_for_selector(".arrow.hint")
    assert "#" not in page.inner_text("#thinking") and "(" not in page.inner_text("#thinking")  # noqa: PT018
    screen.act("previous")
    page.wait_for_selector(".arrow.hint", state="detached")
    assert page.inner_text("#message") == ""


def test_the_keyboard_begins_at_the_own_king(open_game: Open) -> None:
    screen = open_game()
    screen.new_game("level-1", "black", movetime=100)
    screen.wait_moves(1)
    screen.page.keyboard.press("b")
    assert screen.page.evaluate("document.activeElement.dataset.square") == "e9"
    screen.page.keyboard.press("Escape")
    screen.page.keyboard.press("f")  # the own king, wherever it is
    screen.page.wait_for_selector("#player-bottom.is-red")
    screen.page.keyboard.press("b")
    assert screen.page.evaluate("document.activeElement.dataset.square") == "e9"


def test_a_position_is_set_up_by_its_fen_and_mirrored(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.mode("setup")
    page.fill("#setup-fen", "3k5/9/9/9/9/9/9/9/R8/4K4 b")
    page.keyboard.press("Tab")
    screen.wait_piece("a1", "red rook")
    page.click("#mirror")
    screen.wait_piece("i1", "red rook")
    page.select_option("#setup-turn", "0")
    page.wait_for_function("() => document.getElementById('setup-fen').value.includes(' w ')")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#copyPicture")
    page.wait_for_selector("#message:has-text('Copied')")
    assert page.evaluate("async () => (await navigator.clipboard.read())[0].types") == ["image/png"]
    page.fill("#setup-fen", "no board")
    page.keyboard.press("Tab")
    page.wait_for_selector("#setup-verdict.bad")
    assert page.locator("#use-analyse").is_disabled()
