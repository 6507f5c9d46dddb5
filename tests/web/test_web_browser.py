"""`chuhe serve` in a real Chromium, by mouse, touch and keyboard."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Open, Screen, Server, context
from game_files import cbl, cbr, xqf
from playwright.sync_api import Browser
from staged_match import StagedMatch

from chuhe.engine import Engine, Limits, Position, Settings
from chuhe.records.files import games_from_bytes
from chuhe.records.pgn import parse_pgn

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
MATE = "b0c2 c9a7 h2e2 b7d7 e2e6 g6g5 b2b4 d7d6 b4e4".split()  # a short game that ends in mate


# --- playing


def test_a_whole_game_against_the_program_by_mouse(open_game: Open) -> None:
    screen = open_game()
    screen.new_game("level-1", movetime=100)
    engine = Engine(Settings(hash_mb=4))
    position = Position()
    while position.outcome() is None:
        engine.set_position(position)
        move = engine.search(Limits(depth=6)).move
        assert move is not None
        screen.click_move(str(move))
        position.push(move)
        count = len(position.move_stack)
        screen.page.wait_for_function(
            """count => document.querySelectorAll('#moves > .row .move').length > count
                || document.getElementById('status').textContent.includes('Game over')""",
            arg=count,
        )
        played = screen.moves()
        assert played[:count] == [str(made) for made in position.move_stack]
        if len(played) > count:
            position.push(played[count])
    screen.wait_status("Game over")
    assert position.outcome() is not None


def test_a_whole_game_by_touch(open_game: Open) -> None:
    screen = open_game(size=(390, 844), has_touch=True, is_mobile=True)
    screen.two_people()
    for count, move in enumerate(MATE, 1):
        screen.tap_move(move)
        assert screen.wait_moves(count)[-1] == move
    screen.wait_status("Game over: 1-0. Black is checkmated")


def test_a_piece_is_dragged_by_mouse_and_by_touch(open_game: Open) -> None:
    screen = open_game(has_touch=True)
    screen.two_people()
    screen.drag_move("h2e2")
    assert screen.wait_moves(1) == ["h2e2"]
    touch = screen.page.context.new_cdp_session(screen.page)
    (x1, y1), (x2, y2) = screen.centre("h9"), screen.centre("g7")
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x1, "y": y1}]})
    for share in (0.3, 0.7, 1.0):
        place = {"x": x1 + share * (x2 - x1), "y": y1 + share * (y2 - y1)}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert screen.wait_moves(2) == ["h2e2", "h9g7"]
    screen.drag_move("b2i2")  # no line to there: the piece goes back
    screen.page.wait_for_selector("#message:has-text('blocked')")
    assert screen.piece("b2") == "red cannon"


def test_legal_destinations_the_last_move_and_check_are_shown(open_game: Open) -> None:
    screen = open_game()
    screen.two_people()
    screen.page.mouse.click(*screen.centre("b0"))
    assert screen.page.locator(".target").count() == 2
    assert screen.square("b0").get_attribute("aria-selected") == "true"
    screen.page.mouse.click(*screen.centre("d1"))
    screen.page.wait_for_selector('#message:has-text("the knight\'s leg is blocked by the red elephant on c0")')
    screen.click_move("h2e2")
    screen.wait_moves(1)
    assert screen.page.locator(".marks .last").count() == 2
    screen.paste("4k4/9/9/9/9/9/9/9/9/R2K5 w")
    screen.wait_piece("a0", "red rook")
    screen.wait_piece("b0", "empty")
    screen.click_move("a0a9")
    screen.wait_status("Check!")
    assert screen.page.locator(".marks .check").count() == 1


def test_undo_redo_hint_resign_and_swap(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.new_game("level-2", movetime=100)
    screen.click_move("h2e2")
    screen.wait_moves(2)
    screen.act("undo")
    page.wait_for_selector("#moves .move.current", state="detached")
    screen.act("redo")
    page.wait_for_selector("#moves .move.current")
    screen.act("hint")
    page.wait_for_selector(".arrow.hint")
    screen.act("swap")
    screen.wait_moves(3)
    screen.act("resign")
    page.click("[data-action=resign]:visible:has-text('Really?')")
    screen.wait_status("Game over: 1-0. Black resigns")
    page.wait_for_selector("#player-bottom.is-black")
    page.click("#rematch")
    screen.wait_moves(1)  # we have Black now


def test_the_board_turns_and_pieces_and_languages_change(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    high = screen.centre("e9")[1]
    page.keyboard.press("f")
    page.wait_for_function(
        "high => document.querySelector('[data-square=e0]').getBoundingClientRect().top < high", arg=high + 5
    )
    page.keyboard.press("f")
    page.click("#open-settings")
    page.check("[name=pieces][value=western]", force=True)
    page.wait_for_selector(".on-board[href='#western-red-k']")
    screen.choose("notation", "chinese")
    screen.choose("language", "zh-Hans")
    page.wait_for_selector("#place-play:has-text('对弈')")
    page.wait_for_selector("dialog h2:has-text('设置')")  # it stays open
    page.keyboard.press("Escape")
    assert screen.piece("e0") == "红帅"
    screen.new_game("human")
    screen.click_move("h2e2")
    page.wait_for_selector(".move:has-text('炮二平五')")
    page.mouse.click(*screen.centre("b9"))
    page.mouse.click(*screen.centre("d8"))
    page.wait_for_selector("#message:has-text('马腿被')")


# --- analysis


def test_analysis_with_lines_arrows_preview_and_variations(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.two_people("h2e2")
    screen.mode("analyse")
    page.wait_for_function("() => document.querySelectorAll('#lines .line').length === 3")
    page.wait_for_selector(".layer.arrows .arrow")
    page.uncheck("#arrows")
    page.wait_for_selector(".layer.arrows .arrow", state="detached")
    page.check("#arrows")
    page.wait_for_function("() => document.querySelector('#bar .bar-score').textContent.length > 0")
    assert "depth" in page.inner_text("#facts")
    page.uncheck("#engine-on")  # so that the lines stand still
    page.wait_for_function("() => document.querySelectorAll('#lines .line').length === 0")
    screen.click_move("h9g7")
    screen.wait_moves(2)
    page.keyboard.press("ArrowLeft")
    screen.wait_piece("h9", "black knight")
    screen.click_move("b9c7")
    page.wait_for_selector(".variation .move.current:has-text('b9c7')")
    screen.act("promote")
    page.wait_for_selector("#moves > .row .move.current:has-text('b9c7')")
    screen.act("comment")
    page.fill(".editor textarea", "a <b>sound</b> move")
    page.click("#save-comment")
    page.wait_for_selector(".comment:has-text('a <b>sound</b> move')")
    page.click(".variation .move:has-text('h9g7')")
    screen.act("delete")
    page.wait_for_selector(".variation", state="detached")
    assert screen.moves() == ["h2e2", "b9c7"]


def test_a_line_is_shown_when_hovered_and_played_when_clicked(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.page.keyboard.press("l")
    page.wait_for_selector("#lines .line")
    page.wait_for_function("() => Number(document.getElementById('facts').textContent.match(/\\d+/)[0]) >= 8")
    # read and hovered in one step: the analysis draws its lines anew all the time
    move = page.evaluate(
        """() => {
            const first = document.querySelector("#lines .line-move");
            first.dispatchEvent(new Event("mouseenter"));
            return first.textContent.trim();
        }"""
    )
    page.wait_for_selector(f'[data-square={move[2:4]}]:not([aria-label$="empty"])')
    page.locator("#lines").dispatch_event("mouseleave")
    page.wait_for_selector(f'[data-square={move[:2]}]:not([aria-label$="empty"])')
    page.locator("#lines .line-move").first.dispatch_event("click")
    page.wait_for_selector(".move.current")
    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelectorAll('#moves .move').length >= 1")
    page.click("#tab-evaluation")
    page.wait_for_selector("#evaluation tbody tr")
    assert "for Red" in page.inner_text("#evaluation")


def test_a_review_fills_the_graph_and_finds_the_mistake(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.paste(" ".join(MATE[:5]))
    screen.wait_moves(5)
    screen.act("review")
    page.wait_for_selector("#review-progress")
    page.wait_for_selector("#review-progress", state="detached")
    assert page.locator(".move-score").count() == 5
    assert page.locator(".graph .curve").count() == 1
    page.keyboard.press("Home")
    page.click("#next-fault")
    page.wait_for_selector("#moves > .row .move.current .mark")
    page.wait_for_selector("#verdict:has-text('Better')")
    page.click("#better")
    page.wait_for_selector(".variation .move.current")


def test_a_puzzle_is_practised(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.mode("practise")
    screen.choose("practice-difficulty", "1")
    page.wait_for_selector("#practice-goal:has-text('easy')")
    wrong = screen.wrong_answer()
    screen.click_move(wrong)
    page.wait_for_selector("#practice-verdict:has-text('Not this one')")
    page.wait_for_selector(".arrow.threat")  # the answer to it, on the board
    page.click("#retry-exercise")
    page.wait_for_selector(".arrow.threat", state="detached")
    assert screen.piece(wrong[:2]) != "empty"
    screen.act("clue")
    page.wait_for_selector("#practice-said:has-text('heme')")  # the theme, or that there is none
    screen.act("reveal")
    page.wait_for_selector("#practice-verdict:has-text('The solution')")
    page.wait_for_selector("#practice-said:has-text('The answer is ')")
    page.wait_for_selector("#practice-summary:has-text('1 to come back')")
    page.click("#next-exercise")
    page.wait_for_selector("[data-action=reveal]:enabled")
    assert page.inner_text("#practice-said") == ""


# --- files


def test_every_kind_of_file_is_opened(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    pgn = '[Red "甲"]\n[Black "<img src=x onerror=alert(1)>"]\n1. 炮二平五 (1. 兵七进一 {旁着}) 马8进7 *'
    screen.drop("game.pgn", pgn.encode("gb18030"))
    screen.wait_moves(2)
    page.wait_for_selector("#lines .line")  # the engine thinks about it at once
    page.wait_for_selector(".variation .comment:has-text('旁着')")
    page.wait_for_selector(".player .name:has-text('<img src=x onerror=alert(1)>')")
    assert page.locator("main img").count() == 0
    for name, content, count in (
        ("utf8.pgn", b"1. C2=5 H8+7 2. H2+3 *", 3),
        ("x.xqf", xqf(["h2e2", "h9g7", "h0g2", "i9h9"]), 4),
        ("y.cbr", cbr(["b2e2"]), 1),
    ):
        screen.drop(name, content)
        screen.wait_moves(count)
    screen.drop("z.cbl", cbl([cbr(["h2e2"], red="许银川"), cbr(["c3c4", "g6g5"])]))
    page.wait_for_selector("#picks li")
    assert "许银川" in page.inner_text("#picks li:first-child")
    page.click("#picks li:nth-child(2) button")
    screen.wait_moves(2)
    screen.paste("3k5/9/9/9/9/9/9/9/9/4K3R w")
    screen.wait_piece("i0", "red rook")
    screen.wait_piece("a0", "empty")
    for text, count in (("h2e2 h9g7", 2), ("炮二平五 马8进7 马二进三", 3), ("C2=5", 1)):
        page.click("#open-files")
        page.fill("#paste", text)
        page.click("#read")
        screen.wait_moves(count)
    screen.paste("this is no game")
    page.wait_for_selector("#message:has-text('this')")
    assert len(screen.moves()) == 1


def test_games_are_downloaded_and_copied(open_game: Open) -> None:
    screen = open_game(permissions=["clipboard-read", "clipboard-write"])
    page = screen.page
    screen.paste("1. h2e2 (1. c3c4) h9g7 *")
    screen.wait_moves(2)
    page.wait_for_selector("#opening:has-text('Central Cannon')")
    screen.act("save")
    page.wait_for_selector("#pgn-text")
    with page.expect_download() as download:
        page.click("#download-pgn")
    (record,) = parse_pgn(Path(download.value.path()).read_text(encoding="utf-8"))
    assert [str(move) for move in record.plain_moves] == ["h2e2", "h9g7"]
    assert [str(made.move) for made in record.moves[0].variations[0]] == ["c3c4"]
    screen.choose("export-notation", "chinese")
    page.wait_for_function("() => document.getElementById('moves-text').value.includes('炮二平五')")
    page.click("#copy-moves")
    page.wait_for_selector("[role=status]:has-text('Copied')")
    assert page.evaluate("navigator.clipboard.readText()") == "1. 炮二平五 马８进７"
    page.click("#copy-fen")
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes(' w - - 2 2')")
    with page.expect_download() as download:
        page.click("#download-fen")
    assert Position(Path(download.value.path()).read_text().strip()).turn == 0
    saved = {}
    for name in ("xqf", "ubb", "svg", "png"):
        with page.expect_download() as download:
            page.click(f"#download-{name}")
        assert download.value.suggested_filename.endswith(f".{name}")
        saved[name] = Path(download.value.path()).read_bytes()
    for name in ("xqf", "ubb"):
        (other,) = games_from_bytes(saved[name], f"game.{name}")
        assert other.moves == record.moves
    assert ElementTree.fromstring(saved["svg"]).tag.endswith("svg")
    assert saved["png"].startswith(b"\x89PNG")
    assert int.from_bytes(saved["png"][16:20], "big") == 900  # as wide as the picture
    page.click("#copy-ubb")
    page.wait_for_function("async () => (await navigator.clipboard.readText()).startsWith('[DhtmlXQ]')")


def test_a_position_is_set_up_and_the_law_is_asked(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.mode("setup")
    page.click("#clear")
    page.wait_for_selector("#setup-verdict:has-text('Red has no king')")
    assert page.locator("#use-play").is_disabled()
    for piece, square in (("K", "e0"), ("k", "e9")):
        page.click(f"[data-piece={piece}]")
        page.mouse.click(*screen.centre(square))
    page.wait_for_selector("#setup-verdict:has-text('the kings face each other')")
    page.click("[data-piece=R]")
    for square in ("a1", "e4"):
        page.mouse.click(*screen.centre(square))
    page.wait_for_selector("#setup-verdict:has-text('valid'), #setup-verdict:has-text('check')")
    page.click("[data-piece=none]")
    page.mouse.click(*screen.centre("e4"))
    page.click("[data-piece=P]")
    page.mouse.click(*screen.centre("e5"))
    page.wait_for_selector("#setup-verdict:has-text('valid')")
    page.click("#use-play")
    page.wait_for_selector("#new-game")
    screen.choose_players("level-1", "red", movetime=100)
    page.wait_for_selector("body[data-screen=play]")
    screen.click_move("a1a9")
    screen.wait_moves(2)


# --- keyboard


def test_a_game_by_keyboard_alone(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.two_people()

    def walk(start: str, end: str) -> None:
        for _ in range(abs(ord(end[0]) - ord(start[0]))):
            page.keyboard.press("ArrowRight" if end[0] > start[0] else "ArrowLeft")
        for _ in range(abs(int(end[1]) - int(start[1]))):
            page.keyboard.press("ArrowUp" if end[1] > start[1] else "ArrowDown")

    page.keyboard.press("b")
    place = "e0"
    for count, move in enumerate(MATE[:4], 1):
        for name in (move[:2], move[2:]):
            walk(place, name)
            place = name
            page.keyboard.press("Enter")
        screen.wait_moves(count)
        page.keyboard.press("b")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    for count, move in enumerate(MATE[4:], 5):
        page.wait_for_selector("#typed:enabled")
        page.focus("#typed")
        page.keyboard.type(move)
        page.keyboard.press("Enter")
        screen.wait_moves(count)
    screen.wait_status("Game over")
    page.locator("#moves").focus()
    page.keyboard.press("Home")
    screen.wait_piece("h2", "red cannon")
    page.keyboard.press("ArrowRight")
    screen.wait_piece("c2", "red knight")
    page.keyboard.press("End")
    screen.wait_piece("e4", "red cannon")
    page.keyboard.press("?")
    page.wait_for_selector("dialog kbd")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.keyboard.press("v")
    page.wait_for_selector("#review-progress")


# --- tabs, and a server that goes


def test_two_tabs_of_one_game_stay_in_step(server: Server, open_game: Open) -> None:
    one = open_game()
    one.two_people()
    two = Screen(one.page.context.new_page())
    two.visit(one.page.url)
    one.click_move("h2e2")
    two.wait_moves(1)
    two.click_move("h9g7")
    assert one.wait_moves(2) == ["h2e2", "h9g7"]
    two.visit(f"{server.url}.new")
    two.page.reload()
    two.wait_moves(0)
    assert one.moves() == ["h2e2", "h9g7"]
    assert two.errors == []


def test_a_server_that_is_killed_and_comes_back(tmp_path: Path, screens: Open) -> None:
    server = Server(tmp_path)
    try:
        screen = screens(server.url)
        screen.two_people()
        for count, move in enumerate(MATE[:3], 1):
            screen.click_move(move)
            screen.wait_moves(count)
        server.kill()
        screen.page.wait_for_selector("#gone:has-text('not reachable')")
        screen.page.keyboard.press("Home")  # the board can still be looked through
        screen.wait_piece("b0", "red knight")
        screen.page.keyboard.press("ArrowRight")
        screen.wait_piece("c2", "red knight")
        screen.page.keyboard.press("End")
        server.start()
        screen.page.wait_for_selector("#gone", state="hidden")
        screen.wait_status("Black to move")
        screen.click_move(MATE[3])
        assert screen.wait_moves(4) == MATE[:4]
        screen.page.reload()
        assert screen.wait_moves(4) == MATE[:4]
        screen.errors.clear()  # Chromium reports the sockets that nobody answered
    finally:
        server.close()


def test_a_wrong_address_is_said(server: Server, browser: Browser) -> None:
    made = context(browser)
    page = made.new_page()
    page.goto(server.url.split("#")[0])
    page.wait_for_selector("#entrance-why:has-text('key is missing')")
    assert "chuhe serve" in page.inner_text("#entrance")
    assert not page.is_visible("#table")
    page.fill("#address", server.url)
    page.keyboard.press("Enter")
    page.wait_for_selector("#board .on-board")
    page.goto("about:blank")
    page.goto(server.url[:-5] + "xxxxx")
    page.wait_for_selector("#entrance-why:has-text('no longer valid')")
    made.close()


# --- a match


def test_a_match_is_watched_in_the_page(tmp_path: Path, screens: Open) -> None:
    directory = tmp_path / "cup"
    directory.mkdir()
    server = Server(tmp_path / "data", "--match", str(directory))
    try:
        screen = screens(server.url)
        page = screen.page
        page.wait_for_selector("body[data-screen=match]")
        page.wait_for_selector("#panel-match:has-text('Waiting for the match')")
        match = StagedMatch(directory)
        match.begin(1)
        screen.wait_moves(1)  # it opens on the running game
        match.play(1, "h9g7", "h0g2")
        screen.wait_moves(3)  # it follows the game
        screen.wait_piece("g2", "red knight")
        match.end(1, "1-0")
        match.begin(2)
        match.end(2, "1/2-1/2")
        page.wait_for_selector("#panel-match:has-text('2 of 2 games')")
        page.wait_for_selector("#sprt:has-text('SPRT [-5, 5]')")
        page.wait_for_selector("#status:has-text('Game over: 1-0')")
        assert [fault["id"] for fault in Axe().run(page).response["violations"]] == []
        page.click("#panel-match h3:has-text('Finished') + ul [data-game='2']")
        page.wait_for_selector("#status:has-text('Game over: 1/2-1/2')")
        page.keyboard.press("Home")
        page.wait_for_selector("[data-action=first]:disabled")
        page.click("#place-play")
        page.wait_for_selector("body[data-screen=play]")
        match.close()
    finally:
        server.close()


def test_the_match_view_follows_the_next_game_and_says_whose_the_scores_are(tmp_path: Path, screens: Open) -> None:
    directory = tmp_path / "cup"
    directory.mkdir()
    match = StagedMatch(directory)
    server = Server(tmp_path / "data", "--match", str(directory))
    try:
        match.begin(1)
        match.play(1, "h9g7")  # the engine that plays Black says +0.12
        screen = screens(server.url)
        page = screen.page
        screen.wait_moves(2)
        assert page.locator(".move-score").all_inner_texts() == ["-0.12"]
        assert "All scores are for Red." in page.inner_text("#panel-match")
        match.end(1, "1-0")
        page.wait_for_selector("#status:has-text('Game over: 1-0')")
        match.begin(2)
        match.play(2, "b9c7")
        page.wait_for_selector("#panel-match [data-game='2'][aria-current]")
        page.wait_for_selector("#moves .move.current:has-text('b9c7')")
        match.close()
    finally:
        server.close()


# --- looks


@pytest.mark.parametrize("size", [(360, 640), (768, 1024), (1280, 720), (1920, 1080), (3840, 2160)])
def test_nothing_is_cut_off(open_game: Open, size: tuple[int, int]) -> None:
    screen = open_game(size=size)
    page = screen.page
    for mode in ("play", "analyse", "setup"):
        screen.mode(mode)
        width, scroll = page.evaluate("[document.documentElement.clientWidth, document.documentElement.scrollWidth]")
        assert scroll <= width
        box = page.locator("#board").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
        assert box["width"] / box["height"] == pytest.approx(980 / 1080, rel=0.02)
        if size[0] > size[1]:
            assert box["height"] > 0.72 * size[1]  # it fills the height
        for button in page.locator("header button:visible, #buttons button:visible").all():
            place = button.bounding_box()
            assert place is not None
            assert place["x"] >= 0
            assert place["x"] + place["width"] <= size[0] + 0.5
            assert place["y"] + place["height"] <= size[1] + 0.5
