"""Games in a real Chromium: nothing is lost by a key or a click, the archive, the end of a game."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser import Open, Screen, Server
from playwright.sync_api import WebSocketRoute

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
SMOTHERED = "b0c2 c9a7 h2e2 b7d7 e2e6 g6g5 b2b4 d7d6 b4e4".split()  # ends in mate


def play_to_mate(screen: Screen) -> None:
    screen.two_people()
    for count, move in enumerate(SMOTHERED, 1):
        screen.click_move(move)
        screen.wait_moves(count)


def test_what_is_typed_while_the_program_thinks_is_no_hotkey(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.new_game("level-10", movetime=10000, book=False)
    page.keyboard.press("m")
    page.wait_for_selector("#typed:focus")
    page.keyboard.type("h2e2")
    page.keyboard.press("Enter")
    screen.wait_moves(1)
    page.keyboard.type("n2+3")  # n would begin a new game, f turn the board
    assert page.input_value("#typed") == "n2+3"
    page.keyboard.press("Enter")
    page.wait_for_selector("#message:has-text('not your turn')")
    assert page.input_value("#typed") == "n2+3"
    assert len(screen.moves()) == 1


def test_moves_are_taken_back_within_one_round_trip(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.two_people("h2e2", "h7e7")
    page.evaluate("() => { for (let n = 0; n < 2; n++) document.querySelector('[data-action=undo]').click(); }")
    page.wait_for_selector("[data-action=undo]:disabled")
    assert page.inner_text("#message") == ""


def test_a_new_game_can_be_taken_back(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.two_people("h2e2")
    page.keyboard.press("n")
    page.keyboard.press("Enter")  # as the last time
    page.wait_for_selector("#discarded:has-text('archive')")
    assert screen.moves() == []
    page.click("#bring-back")
    screen.wait_moves(1)
    page.wait_for_selector("#discarded", state="hidden")


def test_games_are_archived_found_renamed_opened_and_deleted(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.two_people()
    for move in ("h2e2", "b2e2"):
        screen.click_move(move)
        screen.wait_moves(1)
        screen.new_game()
        page.wait_for_selector("#moves .move", state="detached")
    screen.mode("games")
    page.locator("#game-rename").click()
    page.wait_for_selector("#rename-field:focus")
    page.keyboard.type("my best game")
    page.keyboard.press("Enter")
    page.wait_for_selector("#games .entry-name:has-text('my best game')")
    page.fill("#games-search", "BEST")
    page.wait_for_function("() => document.querySelectorAll('#games tr[data-game]').length === 1")
    page.locator("#games .entry-name").click()
    page.wait_for_selector("#moves .move")
    screen.mode("games")
    page.fill("#games-search", "")
    page.wait_for_selector("#games tr:has(input:disabled) .entry-name:has-text('my best')")  # the one on the board
    before = page.locator("#games tr[data-game]").count()
    page.locator("#games input:enabled").first.check()
    page.click("#games-delete")
    page.click("#games-delete:has-text('Really?')")
    page.wait_for_function(
        "before => document.querySelectorAll('#games tr[data-game]').length === before - 1", arg=before
    )


def test_a_game_of_the_list_is_shown_from_its_side_and_continued_saved_or_reviewed(
    tmp_path: Path, screens: Open
) -> None:
    server = Server(tmp_path)
    try:
        screen = screens(f"{server.url}.new")
        page = screen.page
        screen.two_people("h2e2", "h9g7")
        screen.new_game("level-1", "black", movetime=100)
        screen.wait_moves(1)
        screen.mode("games")
        page.wait_for_selector("#games tr.chosen:has-text('Beginner')")
        assert screen.centre("e9")[1] > screen.centre("e0")[1]  # Black is below, as in the game
        page.locator("#games tr:has-text('Two people') td >> nth=2").click()
        page.wait_for_selector("#games tr.chosen:has-text('Two people')")
        assert screen.centre("e9")[1] < screen.centre("e0")[1]
        page.click("#game-open")
        page.wait_for_selector("body[data-screen=play]")
        screen.wait_moves(2)
        screen.click_move("b0c2")  # it goes on
        screen.wait_moves(3)
        screen.mode("games")
        page.click("#game-save")
        page.wait_for_function("() => document.getElementById('moves-text')?.value.includes('b0c2')")
        page.keyboard.press("Escape")
        screen.mode("games")
        assert page.locator("#game-review").is_disabled()  # it would give the game away
        page.click("#game-open")
        page.wait_for_selector("body[data-screen=play] #buttons [data-action=resign]")
        screen.act("resign")
        page.click("[data-action=resign]:visible:has-text('Really?')")
        page.wait_for_selector("#panel-over")
        screen.mode("games")
        page.select_option("#games-result", "*")
        page.wait_for_selector("#games tr:has-text('Two people')", state="detached")
        page.select_option("#games-result", "1-0")  # Black was to move
        page.wait_for_selector("#games tr:has-text('Beginner')", state="detached")
        page.click("#game-review")
        page.wait_for_selector("body[data-screen=analyse] #panel-review")
    finally:
        server.close()


def test_the_end_of_a_game_is_told_with_what_comes_next(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    play_to_mate(screen)
    page.wait_for_selector("#panel-over h2:has-text('Red wins: checkmate')")
    assert not page.is_visible("#rematch-other")
    page.click("#review-after")
    page.wait_for_selector("body[data-screen=analyse] #panel-review")
    screen.mode("play")
    page.click("#rematch")
    page.wait_for_selector("#moves .move", state="detached")
    page.wait_for_selector("#panel-over", state="detached")
    screen.new_game("level-1", movetime=100)
    screen.click_move("h2e2")
    screen.wait_moves(2)
    screen.act("resign")
    page.click("[data-action=resign]:visible:has-text('Really?')")
    page.wait_for_selector("#panel-over h2:has-text('You lost: resignation')")
    page.click("#rematch-other")
    screen.wait_moves(1)  # the program has Red now
    assert page.locator("#player-bottom").get_attribute("class").split()[1] == "is-black"  # type: ignore[union-attr]


def test_the_board_turns_with_the_persons_side_and_back(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.new_game("level-1", "black")
    page.wait_for_selector("#player-bottom.is-black")
    screen.wait_moves(1)  # the program has Red
    screen.new_game()
    page.wait_for_selector("#bring-back")
    screen.wait_moves(1)
    assert page.is_visible("#player-bottom.is-black")  # a new game, the same side
    assert page.is_visible("#bring-back")  # also after the program's move
    screen.act("flip")
    page.wait_for_selector("#player-bottom.is-red")
    screen.new_game("", "red")
    page.wait_for_selector("#player-bottom.is-red")
    for side in ("black", "red"):
        screen.act("swap")
        page.wait_for_selector(f"#player-bottom.is-{side}")
    screen.new_game("level-1", "black")
    page.wait_for_selector("#player-bottom.is-black")
    screen.paste("1. h2e2 h9g7 *")
    page.wait_for_selector("#player-bottom.is-red")  # the next game does not stand on its head
    screen.wait_moves(2)


def test_a_comment_is_written_where_its_editor_was_opened(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.two_people("h2e2")
    screen.mode("analyse")
    screen.act("comment")
    page.fill(".editor textarea", "first line\nsecond {line}")
    screen.act("first")
    page.click("#save-comment")
    page.wait_for_selector("#moves .aside .comment:has-text('second {line}')")
    screen.act("comment")
    screen.mode("play")
    screen.new_game()
    page.wait_for_selector("#moves .move", state="detached")
    assert not page.is_visible(".editor")


def test_a_game_that_cannot_be_saved_is_offered_as_a_file(tmp_path: Path, screens: Open) -> None:
    server = Server(tmp_path / "serve")
    try:
        screen = screens(f"{server.url}.new")
        screen.two_people()
        shutil.rmtree(server.data / "rooms")
        (server.data / "rooms").write_text("a file where the folder was")
        for count, move in enumerate(("h2e2", "h9g7"), 1):
            screen.click_move(move)
            screen.wait_moves(count)
            screen.page.wait_for_selector("#unsaved:has-text('cannot be')")
        screen.page.click("#save-unsaved")
        screen.page.wait_for_selector("dialog textarea, dialog .dialog-body")
        screen.page.keyboard.press("Escape")
        (server.data / "rooms").unlink()
        (server.data / "rooms").mkdir()
        screen.click_move("h0g2")
        screen.page.wait_for_selector("#unsaved", state="hidden")
    finally:
        server.close()


def test_a_server_that_is_gone_switches_the_buttons_off(tmp_path: Path, screens: Open) -> None:
    server = Server(tmp_path / "serve")
    screen = screens(f"{server.url}.new")
    server.kill()
    screen.wait_status("server")
    assert screen.page.evaluate("document.querySelector('#buttons .actions').inert")
    screen.errors.clear()  # the browser reports the refused connection


def test_screen_readers_hear_every_move(open_game: Open) -> None:
    screen = open_game()
    screen.new_game("level-1", movetime=100)
    screen.click_move("h2e2")
    screen.wait_moves(2)
    screen.page.wait_for_function("() => document.getElementById('spoken').textContent.startsWith('Black: ')")
    assert screen.page.locator("#spoken").get_attribute("aria-live") == "polite"


def test_players_that_change_while_the_program_moves_are_taken(server: Server, screens: Open) -> None:
    screen = screens(f"{server.url}.new")
    page = screen.page
    held: list[Callable[[], None]] = []

    def route(socket: WebSocketRoute) -> None:
        upstream = socket.connect_to_server()

        def forward(message: Any) -> None:
            if json.loads(message)["do"] == "players" and not held:
                held.append(lambda: upstream.send(message))
            else:
                upstream.send(message)

        socket.on_message(forward)

    page.route_web_socket("**/socket", route)
    page.reload()
    page.wait_for_selector(".on-board")
    screen.new_game("level-10", movetime=10000, book=False)
    screen.click_move("h2e2")
    screen.wait_engine()
    screen.act("players")
    screen.choose_players("level-9", movetime=3000)  # on its way while the program moves
    screen.act("now")
    screen.wait_moves(2)
    held.pop()()
    held.append(lambda: None)  # what is sent again may pass
    page.wait_for_selector("#player-top:has-text('Grandmaster')")
    assert page.inner_text("#message") == ""


def test_a_step_and_a_deletion_at_once_both_count(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.paste(" ".join(SMOTHERED))
    screen.wait_moves(9)
    screen.act("more")
    page.evaluate(
        "() => document.querySelectorAll('#buttons [data-action=previous], dialog [data-action=delete]')"
        ".forEach((button) => button.click())"
    )
    screen.wait_moves(7)
    assert page.inner_text("#message") == ""


def test_what_was_written_belongs_to_its_game_and_waits_for_it(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.two_people("h2e2")
    screen.mode("analyse")
    page.keyboard.press("Home")
    screen.act("comment")
    page.fill(".editor textarea", "about the first game")
    page.keyboard.press("End")  # within the text
    screen.mode("play")
    screen.new_game()
    screen.wait_moves(0)
    page.wait_for_selector(".editor", state="detached")  # the new game has a first position too
    page.click("#bring-back")
    screen.wait_moves(1)
    screen.mode("analyse")
    screen.act("first")
    screen.act("comment")
    assert page.input_value(".editor textarea") == "about the first game"
    page.click("#save-comment")
    page.wait_for_selector("#moves .comment:has-text('about the first game')")


def test_letters_typed_into_a_field_that_went_away_are_no_hotkeys(open_game: Open, screens: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.two_people("h2e2")
    screen.mode("analyse")
    screen.act("comment")
    page.wait_for_selector("#comment-text:focus")
    page.keyboard.type("a fi")
    other = screens(page.url)
    other.mode("play")
    other.new_game()
    page.wait_for_selector(".editor", state="detached")
    page.keyboard.type("nf")  # would begin a new game and turn the board
    page.wait_for_selector("#player-bottom.is-red")
    assert page.locator("#discarded").is_visible()
    page.mouse.click(*screen.centre("e5"))
    page.keyboard.press("f")
    page.wait_for_selector("#player-bottom.is-black")


def test_what_was_set_up_can_be_brought_back_but_is_no_game(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.paste("3k5/9/9/9/9/9/9/9/4P4/5K3 w")
    screen.wait_piece("e1", "red pawn")
    screen.paste("3k5/9/9/9/9/9/9/4P4/9/5K3 w")
    screen.wait_piece("e2", "red pawn")
    page.click("#bring-back")
    screen.wait_piece("e1", "red pawn")
    screen.mode("games")
    page.wait_for_selector("#panel-games")
    assert "0" not in page.locator("#games td:nth-child(4)").all_inner_texts()  # no game without a move


def test_damaged_files_are_named_on_the_page(tmp_path: Path, screens: Open) -> None:
    for folder in ("rooms", "archive"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"of-{folder}.json").write_text("[" * 100_000)
    server = Server(tmp_path)
    try:
        page = screens(server.url).page
        page.wait_for_selector("#message:has-text('of-rooms.json')")
        page.click("#place-games")
        page.wait_for_selector("#damaged:has-text('of-rooms.json and of-archive.json')")
    finally:
        server.close()


def test_a_game_without_names_is_nobodys(open_game: Open) -> None:
    screen = open_game()
    page = screen.page
    screen.paste("1. h2e2 h9g7 *")
    screen.wait_moves(2)
    assert page.locator(".player .name").all_inner_texts() == ["", ""]
    screen.mode("games")
    page.wait_for_selector("#games [aria-current]:has-text('Unnamed game')")
    screen.mode("analyse")
    screen.act("continue")
    screen.choose_players("level-5")  # from here on it is known who plays
    page.wait_for_selector("#player-top .name:has-text('Chuhe')")
    screen.two_people("h2e2")
    screen.mode("games")
    page.wait_for_selector("#games [aria-current]:has-text('Two people')")


def test_what_is_written_stays_when_the_server_is_gone(tmp_path: Path, screens: Open) -> None:
    server = Server(tmp_path / "serve")
    screen = screens(f"{server.url}.new")
    page = screen.page
    screen.mode("analyse")
    screen.act("comment")
    page.fill(".editor textarea", "not lost")
    server.kill()
    screen.wait_status("server")
    page.click("#save-comment")
    assert page.input_value(".editor textarea") == "not lost"
    assert page.evaluate(
        "() => [...document.querySelectorAll('#side .panel, #side .tabs, .actions, #places, #tools')]"
        ".every((part) => part.inert)"
    )
    server.start()
    try:
        page.wait_for_selector("#gone", state="hidden")
        page.click("#save-comment")
        page.wait_for_selector("#moves .comment:has-text('not lost')")
        screen.errors.clear()  # the browser reports the refused connection
    finally:
        server.close()
