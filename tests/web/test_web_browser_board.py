"""The board and its surroundings in a real Chromium: moves in advance, drawings, threats, clocks, themes, labels."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Open, Screen, Server

from chuhe.engine import Move, Position

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]


def thinking(open_game: Open) -> Screen:
    """The program thinks for as long as the test needs."""
    screen = open_game()
    screen.new_game("level-10", movetime=10000, book=False)
    screen.click_move("h2e2")
    screen.wait_moves(1)
    screen.wait_engine()
    return screen


def test_a_move_in_advance_is_played_when_the_turn_comes(open_game: Open) -> None:
    screen = thinking(open_game)
    screen.click_move("h0g2")
    screen.page.wait_for_selector(".arrow.premove")
    screen.act("now")
    screen.wait_moves(3)
    assert screen.moves()[2] == "h0g2"
    screen.page.wait_for_selector(".arrow.premove", state="detached")


def test_a_move_in_advance_that_is_illegal_then_is_dropped_and_said(open_game: Open) -> None:
    screen = thinking(open_game)
    screen.click_move("a0b1")
    screen.page.wait_for_selector(".arrow.premove")
    screen.act("now")
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
    screen.act("threat")
    screen.page.wait_for_selector(".arrow.threat")


def test_labels_and_theme_are_chosen(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    page.click("#open-settings")
    for board in ("paper", "slate"):
        screen.choose("board-theme", board)
        page.wait_for_selector(f":root[data-board={board}]")
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
    screen.act("new")
    assert page.inner_text("#level-words").startswith("Plays soundly, misses deeper tactics.")
    screen.choose("clock", "custom")
    page.wait_for_selector("#custom-clock:visible")
    page.fill("#custom-clock [name=base]", "3")
    page.fill("#custom-clock [name=byoyomi]", "20")
    page.keyboard.press("Tab")
    page.click("#start-game")
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
    screen.two_people("h2e2")
    page.keyboard.press("m")
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


LONG_GAME = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0c2 g6g5 c3c4 h7i7 h0h9 g7h9 b2a2 a9b9 a0b0 b7b3 g3g4 g5g4".split()
CURRENT_IN_VIEW = """() => {
  const current = document.querySelector("#moves .move.current");
  if (!current) return false;
  const [list, move] = [document.getElementById("moves"), current].map((part) => part.getBoundingClientRect());
  const inside = (top, left, bottom, right) =>
    move.top >= top - 1 && move.left >= left - 1 && move.bottom <= bottom + 1 && move.right <= right + 1;
  return inside(list.top, list.left, list.bottom, list.right) && inside(0, 0, innerHeight, innerWidth);
}"""
TO_THE_TOP = "() => { scrollTo(0, 0); document.getElementById('side').scrollTop = 0; }"


@pytest.mark.parametrize("size", [(1280, 720), (360, 740), (740, 360), (820, 1180), (1180, 820)])
def test_the_last_move_is_in_view_at_the_end_in_analysis_and_in_review(open_game: Open, size: tuple[int, int]) -> None:
    screen = open_game(size=size)
    page = screen.page
    screen.paste(" ".join(LONG_GAME))
    screen.wait_moves(len(LONG_GAME))
    page.wait_for_selector("#lines .line")  # they take their room from the list
    page.wait_for_function(CURRENT_IN_VIEW)
    screen.act("review")
    page.wait_for_selector("#stop-review:visible")
    page.wait_for_selector("#stop-review", state="detached")
    page.evaluate(TO_THE_TOP)
    page.wait_for_function(CURRENT_IN_VIEW)
    page.keyboard.press("End")
    screen.act("continue")
    screen.choose_players("human")
    page.wait_for_selector("body[data-screen=play]")
    screen.act("resign")
    page.click("[data-action=resign]:visible:has-text('Really?')")
    page.wait_for_selector("#panel-over:visible")
    page.evaluate(TO_THE_TOP)
    page.wait_for_function(CURRENT_IN_VIEW)


def nested(position: Position, first: Move, depth: int) -> str:
    """A variation that begins with a move, in it another one, and so on."""
    position.push(first)
    main, other = sorted(position.legal_moves, key=str)[:2]
    return f"{first} {main} ({nested(position, other, depth - 1)})" if depth else str(first)


def test_deep_variations_scroll_sideways(open_game: Open) -> None:
    screen = open_game(size=(360, 740))
    page = screen.page
    screen.paste(f"h2e2 ({nested(Position(), Move.from_iccs('b2e2'), 24)}) *")
    screen.wait_moves(1)
    deepest = page.locator("#moves .variation .variation .move").last
    deepest.evaluate("move => move.click()")
    page.wait_for_function("() => document.getElementById('moves').scrollLeft > 0")
    page.wait_for_function(CURRENT_IN_VIEW)
    assert deepest.get_attribute("aria-current") == "true"
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(CURRENT_IN_VIEW)


def test_what_can_be_brought_back_moves_nothing_aside(open_game: Open) -> None:
    screen = open_game(size=(740, 360))
    page = screen.page
    screen.two_people("h2e2")
    before = [page.locator(name).bounding_box() for name in ("#board", "#side")]
    screen.new_game()
    page.wait_for_selector("#bring-back")
    assert [page.locator(name).bounding_box() for name in ("#board", "#side")] == before


BAR = """() => {
  const [score, red] = [".bar-score", ".bar-red"].map((name) => document.querySelector(`#bar ${name}`));
  return [score?.textContent ?? "", red?.style.height ?? ""];
}"""


def test_the_bar_shows_a_mate_a_tables_verdict_or_nothing(
    tmp_path: Path, screens: Open, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUHE_TABLES", str(tables))
    server = Server(tmp_path)
    try:
        screen = screens(f"{server.url}.new")
        page = screen.page
        screen.paste("3k5/9/9/9/9/9/9/9/8R/R3K4 b")  # the rooks mate on the next move, whatever Black does
        page.wait_for_function(f"() => /^#\\d+ 100%/.test(({BAR})().join(' '))")
        page.uncheck("#engine-on")
        page.wait_for_selector("#bar.empty")
        assert page.evaluate(BAR) == ["", "0%"]
        screen.paste("3k5/9/9/9/9/9/9/9/9/4KC3 w")  # a bare cannon cannot win
        page.wait_for_function(f"() => ({BAR})()[0] === '='")
        page.wait_for_selector("#facts:has-text('Endgame table: ')")
        assert page.inner_text("#facts").startswith("Endgame table: ")  # before the engine's figures
    finally:
        server.close()


@pytest.mark.parametrize(
    ("language", "notation", "reason", "point"),
    [
        ("en", "iccs", "b0d1: the knight's leg is blocked by the red elephant on c0", "c0: red elephant"),
        ("en", "rows", "J2,I4: the knight's leg is blocked by the red elephant on J3", "J3: red elephant"),
        (
            "en",
            "wxf",
            "H8+6: the knight's leg is blocked by the red elephant on Red's file 7, rank 1",
            "Red's file 7, rank 1: red elephant",
        ),
        ("zh-Hans", "chinese", "马八进六：马腿被红方七路第一线的红相蹩住", "红方七路第一线: 红相"),
    ],
)
def test_reasons_name_moves_points_and_pieces_as_the_board_does(
    open_game: Open, language: str, notation: str, reason: str, point: str
) -> None:
    screen = open_game(preferences={"language": language, "notation": notation})
    page = screen.page
    screen.click_move("b0d1")
    page.wait_for_function("reason => document.querySelector('#message span')?.textContent === reason", arg=reason)
    assert screen.square("c0").get_attribute("aria-label") == point


def test_a_clock_without_time_is_refused_in_the_form(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.act("new")
    screen.choose("clock", "custom")
    page.wait_for_selector("#custom-clock:visible")
    page.fill("#custom-clock [name=base]", "0")
    page.keyboard.press("Tab")
    page.wait_for_selector("#custom-clock [name=base]:invalid")
    page.fill("#custom-clock [name=base]", "4")
    page.keyboard.press("Tab")
    page.click("#start-game")
    page.wait_for_selector("#player-bottom .clock:has-text('4:00')")
    assert page.inner_text("#message") == ""
