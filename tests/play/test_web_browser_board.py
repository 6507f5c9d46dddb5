"""The board and its surroundings in a real Chromium: moves in advance, drawings, threats, clocks, themes, labels."""

from __future__ import annotations

import pytest
from browser import Open, Screen

pytestmark = pytest.mark.browser


def thinking(open_game: Open) -> Screen:
    """The program thinks for as long as the test needs."""
    screen = open_game()
    screen.page.uncheck("#use-book")
    screen.choose("opponent", "level-10")
    screen.choose("movetime", "10000")
    screen.click_move("h2e2")
    screen.wait_moves(1)
    screen.page.wait_for_selector("#now:visible")
    return screen


def test_a_move_in_advance_is_played_when_the_turn_comes(open_game: Open) -> None:
    screen = thinking(open_game)
    screen.click_move("h0g2")
    screen.page.wait_for_selector(".arrow.premove")
    screen.page.click("#now")
    screen.wait_moves(3)
    assert screen.moves()[2] == "h0g2"
    screen.page.wait_for_selector(".arrow.premove", state="detached")


def test_a_move_in_advance_that_is_illegal_then_is_dropped_and_said(open_game: Open) -> None:
    screen = thinking(open_game)
    screen.click_move("a0b1")
    screen.page.wait_for_selector(".arrow.premove")
    screen.page.click("#now")
    screen.page.wait_for_selector("#message:has-text('a0b1 is not possible')")
    assert len(screen.moves()) == 2


def test_a_click_while_the_program_thinks_is_answered(open_game: Open) -> None:
    screen = thinking(open_game)
    screen.page.mouse.click(*screen.centre("e9"))
    screen.page.wait_for_selector("#message:has-text('The program is thinking')")


def test_arrows_and_marks_are_drawn_with_the_right_button(open_game: Open) -> None:
    screen = open_game()
    mouse = screen.page.mouse
    mouse.click(*screen.centre("e4"), button="right")
    mouse.move(*screen.centre("b0"))
    mouse.down(button="right")
    mouse.move(*screen.centre("c2"), steps=3)
    mouse.up(button="right")
    screen.page.wait_for_selector(".arrow.own")
    assert screen.page.locator(".own-mark").count() == 1
    mouse.click(*screen.centre("e4"), button="right")
    screen.page.wait_for_selector(".own-mark", state="detached")
    mouse.click(*screen.centre("e5"))
    screen.page.wait_for_selector(".arrow.own", state="detached")
    assert screen.moves() == []


def test_the_threat_is_shown_as_an_arrow(open_game: Open) -> None:
    screen = open_game()
    screen.two_people()
    screen.page.click("#threat")
    screen.page.wait_for_selector(".arrow.threat")


def test_labels_and_theme_are_chosen(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    page.click("#open-settings")
    for labels in ("coordinates", "none", "numbers"):
        screen.choose("labels", labels)
        page.wait_for_selector(f".layer.grid use[href$='-{labels}']", state="attached")
    papers = set()
    for theme in ("light", "dark"):
        screen.choose("theme", theme)
        page.wait_for_selector(f":root[data-theme={theme}]")
        papers.add(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
    assert len(papers) == 2


def test_a_clock_of_ones_own_and_what_a_level_means(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    assert page.inner_text("#level-words") == "Plays soundly, misses deeper tactics."
    screen.choose("clock", "custom")
    page.wait_for_selector("#custom-clock:visible")
    page.fill("#custom-clock [name=base]", "3")
    page.fill("#custom-clock [name=byoyomi]", "20")
    page.keyboard.press("Tab")
    page.wait_for_selector("#player-bottom .clock:has-text('3:00')")


def test_a_piece_is_dragged_while_setting_up(open_game: Open) -> None:
    screen = open_game()
    screen.mode("setup")
    screen.drag_move("h2h5")
    screen.wait_piece("h5", "red cannon")
    screen.wait_piece("h2", "empty")
    screen.drag_move("h5h2")
    screen.wait_piece("h2", "red cannon")


def test_long_names_do_not_break_the_layout(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    name = "N" * 100
    text = f'[Red "{name}"]\n[Black "{name}"]\n\n1. C2=5 *'
    page.click("#open-files")
    page.fill("dialog textarea", text)
    page.click("dialog #read")
    screen.wait_moves(1)
    wide = page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert wide
    page.wait_for_selector("#panel-analysis .line")  # a file that is opened is analysed at once


@pytest.mark.parametrize("size", [(360, 740), (740, 360), (820, 1180), (1180, 820)])
def test_board_and_moves_are_seen_together_and_no_message_covers_the_board(
    open_game: Open, size: tuple[int, int]
) -> None:
    screen = open_game(size=size)
    page = screen.page
    screen.two_people()
    screen.click_move("h2e2")
    screen.wait_moves(1)
    page.fill("#typed", "nonsense")
    page.press("#typed", "Enter")
    page.wait_for_selector("#message:has-text('nonsense')")
    board, moves, message = (page.locator(name).bounding_box() for name in ("#board", "#moves .move", "#message"))
    assert board
    assert moves
    assert message
    for box in (board, moves):
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
    beside = message["x"] >= board["x"] + board["width"] or message["x"] + message["width"] <= board["x"]
    assert beside or message["y"] >= board["y"] + board["height"]
    screen.mode("analyse")
    assert page.inner_text("#message") == ""
