"""Rooms over the socket, without a browser: the game, the tree, the engine's share, files, what survives a kill."""

import asyncio
import base64
import gc
import json
import re
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from game_files import cbl, cbr, xqf
from paths import TOY_COMMAND
from web_client import HUMANS, TOKEN, Tab, against, connect, open_tab, said, serving

from chuhe.engine import Move, Position
from chuhe.engine.endgame import EndgameVerdict
from chuhe.records.books.book import BookStack, default_book_path
from chuhe.records.books.editing import edit_book
from chuhe.records.pgn import GameRecord, parse_pgn
from chuhe.records.ubb import parse_ubb
from chuhe.records.xqf import parse_xqf
from chuhe.web.openings import OpeningResults
from chuhe.web.opinions import opinions
from chuhe.web.requests import HANDLERS
from chuhe.web.room_store import RoomStore
from chuhe.web.server import Service
from chuhe.web.state import book_json

BLACK_RESIGNS = {"code": "game.resigns", "args": {"side": {"code": "side.black"}}}
NEAR_MATE = "3k5/1R7/R8/9/9/9/9/9/9/5K3 w - - 0 1"
TOY = TOY_COMMAND


def run(directory: Path, test: Callable[[Service], Awaitable[Any]], **options: Any) -> Any:
    async def main() -> Any:
        async with serving(directory, **options) as service:
            return await test(service)

    return asyncio.run(main())


async def fresh(service: Service, table: dict[str, Any] | None = None, fen: str | None = None) -> Tab:
    tab = await open_tab(service)
    revision = tab.state["revision"]
    await tab.change("new", **(table or HUMANS), fen=fen)
    await tab.state_where(lambda state: state["revision"] > revision)
    return tab


async def analysing(service: Service) -> Tab:
    tab = await fresh(service)
    await tab.change("mode", mode="analyse")
    await tab.state_where(lambda state: state["mode"] == "analyse")
    return tab


def test_the_program_answers_a_persons_move(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service, against(1))
        assert len(tab.state["cursor"]["moves"]) == 44
        await tab.play("炮二平五")
        state = await tab.state_where(lambda state: state["turn"] == 0 and not state["thinking"])
        assert len(tab.moves().split()) == 2
        assert state["cursor"]["node"] == state["head"] == 2

    run(tmp_path, test)


def test_an_illegal_move_is_answered_with_the_reason(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service)
        for move, reason in (("b0d1", "leg is blocked"), ("a0a3", "same side"), ("hello", "hello")):
            await tab.change("move", node=0, move=move)
            assert reason in (await tab.get("error"))["text"]
        assert tab.moves() == ""

    run(tmp_path, test)


def test_a_stale_request_gets_the_fresh_state(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service)
        old = tab.state["revision"]
        await tab.play("h2e2")
        await tab.send("move", revision=old, node=0, move="b2e2")
        state = await tab.get("state")
        assert state["stale"]
        assert state["revision"] > old
        assert tab.moves() == "h2e2"
        await tab.send("move", revision=state["revision"], number=41, node=state["head"], move="nonsense")
        answer = await tab.until(lambda message: message.get("answers") == 41)
        assert answer["revision"] == state["revision"]
        await tab.send("goto", node=77)
        assert (await tab.get("state"))["stale"]

    run(tmp_path, test)


def test_two_tabs_stay_in_step_and_another_room_is_another_game(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        one = await fresh(service)
        two = await open_tab(service, one.state["room"])
        await one.play("h2e2")
        await two.state_where(lambda state: state["revision"] == one.state["revision"])
        assert two.moves() == "h2e2"
        await two.play("h9g7")
        await one.state_where(lambda state: state["revision"] == two.state["revision"])
        assert one.moves() == "h2e2 h9g7"
        await two.send("goto", node=1)
        await one.state_where(lambda state: state["cursor"]["node"] == 1)
        await two.send("room")
        await two.state_where(lambda state: state["room"] != one.state["room"])
        assert two.moves() == ""
        await two.send("rooms")
        first = one.state["room"]
        assert [game["id"] for game in (await two.get("rooms"))["games"]] == [first]  # nobody has played in the other
        await two.send("forget", games=[first])
        assert "open in a tab" in (await two.get("error"))["text"]
        await one.send("enter", room=two.state["room"])
        await one.state_where(lambda state: state["room"] == two.state["room"])
        await two.send("forget", games=[first])
        assert (await two.get("rooms"))["games"] == []

    run(tmp_path, test)


def test_undo_redo_resign_draw_and_swap(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service)
        await tab.play("h2e2")
        await tab.change("undo")
        await tab.state_where(lambda state: state["head"] == 0)
        await tab.change("redo")
        await tab.state_where(lambda state: state["head"] == 1)
        await tab.change("draw")
        assert (await tab.state_where(lambda state: state["ending"]))["ending"]["result"] == "1/2-1/2"
        await tab.change("undo")  # only the agreement: the move stays, and Black is to move
        await tab.state_where(lambda state: not state["ending"])
        await tab.change("resign")
        assert (await tab.state_where(lambda state: state["ending"]))["ending"]["message"] == BLACK_RESIGNS
        await tab.change("new", **against(1), fen=None)
        await tab.state_where(lambda state: not state["ending"])
        await tab.change("swap")
        state = await tab.state_where(lambda state: state["head"] > 0)
        assert [said(player) for player in state["players"]] == ["Chuhe (level 1)", "human"]
        await tab.change("draw")
        assert (await tab.get("notice"))["message"] == {"code": "game.draw-refused"}

    run(tmp_path, test)


def test_a_hint_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.web.playing.HINT_MS", 30)

    async def test(service: Service) -> None:
        tab = await fresh(service, fen=NEAR_MATE)
        await tab.send("hint")
        hint = await tab.get("hint")
        assert hint["moves"] == ["a7a9"]
        assert hint["score"].startswith("#")

    run(tmp_path, test)


def test_pondering_is_hit_or_given_up(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service, against(10, ponder=True, movetime=250))
        await tab.play("h2e2")
        for _ in range(2):
            await tab.state_where(lambda state: state["pondering"] and state["turn"] == 0)
            expected = service.room_store.rooms[tab.state["room"]].playing._expected
            assert expected is not None
            await tab.play(str(expected))
        await tab.state_where(lambda state: state["pondering"] and state["turn"] == 0)
        expected = service.room_store.rooms[tab.state["room"]].playing._expected
        other = next(move for move in tab.state["cursor"]["moves"] if move != str(expected))
        await tab.play(other)
        await tab.state_where(lambda state: state["turn"] == 0)
        assert len(tab.moves().split()) == 8

    run(tmp_path, test)


def test_both_styles_and_a_foreign_engine_play(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service, {**HUMANS, "black": {"kind": "external", "index": 0}})
        await tab.play("h2e2")
        await tab.state_where(lambda state: state["turn"] == 0)
        ending = "3k5/9/9/9/9/9/9/9/4P4/5K3 w - - 0 1"
        for style in ("s0", "s1"):
            await tab.change("new", **{**HUMANS, "black": {"kind": style}}, fen=ending)
            await tab.state_where(lambda state: state["cursor"]["fen"] == ending and not state["canUndo"])
            await tab.play("e1e2")
            await tab.state_where(lambda state: state["turn"] == 0)

    run(tmp_path, test, engines=(TOY,))


def test_a_program_that_fails_is_named_and_nothing_is_lost(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service)
        await tab.play("h2e2")
        for index, fault in enumerate(("no-such-program", "died|ended|closed")):
            await tab.change("players", **{**HUMANS, "black": {"kind": "external", "index": index}})
            state = await tab.state_where(lambda state: state["fault"])
            assert re.search(fault, said(state["fault"]))
            assert tab.moves() == "h2e2"
            await tab.change("players", **HUMANS)
            await tab.state_where(lambda state: not state["fault"])
        await tab.play("h9g7")

    run(tmp_path, test, engines=("no-such-program-at-all", f"{TOY} crash"))


def test_the_clock_ends_a_game_that_nobody_moves_in(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service, {**HUMANS, "clock": {"base": 60, "increment": 0, "byoyomi": 0}})
        await tab.play("h2e2")
        state = await tab.state_where(lambda state: state["ending"])
        assert said(state["ending"]["message"]) == "Black loses on time"

    run(tmp_path, test)


# --- analysis


def test_lines_come_and_end_with_the_analysis(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await analysing(service)
        await tab.send("analyse", on=True, multipv=3)
        lines = await tab.until(lambda message: message["type"] == "lines" and len(message["lines"]) == 3)
        assert lines["node"] == 0
        assert len(lines["lines"][0]["texts"]["wxf"]) == len(lines["lines"][0]["moves"]) > 0
        await tab.play("h2e2")
        lines = await tab.until(lambda message: message["type"] == "lines" and message["node"] == 1)
        await tab.send("notation", notation="chinese")
        await tab.until(lambda message: message["type"] == "lines" and "chinese" in message["lines"][0]["texts"])
        await tab.send("analyse", on=False, multipv=3)
        await tab.state_where(lambda state: not state["analysis"]["on"])
        while service.queue.current is not None:
            await asyncio.sleep(0)

    run(tmp_path, test)


def test_a_game_goes_before_an_analysis_which_is_told(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        analyst = await analysing(service)
        player = await open_tab(service)
        await player.send("room")
        await player.state_where(lambda state: state["room"] != analyst.state["room"])
        await player.change("new", **against(10, movetime=300), fen=None)
        await player.state_where(lambda state: state["table"]["movetime"] == 300)
        await analyst.send("analyse", on=True, multipv=1)
        await analyst.get("lines")
        await player.play("h2e2")
        await analyst.state_where(lambda state: state["analysis"]["displaced"] == "play")
        await player.state_where(lambda state: state["turn"] == 0)
        await analyst.state_where(lambda state: state["analysis"]["displaced"] is None)
        await analyst.get("lines")

    run(tmp_path, test)


def test_variations_are_tried_promoted_commented_and_deleted(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await analysing(service)
        await tab.play("h2e2")
        await tab.play("h9g7")
        await tab.send("goto", node=0)
        await tab.state_where(lambda state: state["cursor"]["node"] == 0)
        await tab.play("c3c4")
        assert tab.moves() == "h2e2 h9g7"
        await tab.change("promote", node=3)
        await tab.state_where(lambda state: tab.moves() == "c3c4")
        await tab.change("comment", node=3, text="  <b>good</b>\n move ")
        await tab.state_where(lambda state: any("comment" in row for row in tab.tree["nodes"]))
        await tab.change("line", node=3, moves="g6g5 b0c2")
        await tab.state_where(lambda state: tab.moves() == "c3c4 g6g5 b0c2")
        await tab.send("export", notation="wxf", pieces="western", flipped=True)
        exported = await tab.get("export")
        (record,) = parse_pgn(exported["pgn"])
        for other in (parse_xqf(base64.b64decode(exported["xqf"])), *parse_ubb(exported["ubb"])):
            assert isinstance(other, GameRecord)
            assert (other.moves, other.tags["Red"]) == (record.moves, record.tags["Red"])
        assert exported["svg"].startswith("<svg ")
        assert tab.state["cursor"]["opening"] == {"code": "opening.pawn-opening-opposite-pawn"}
        assert record.tags["Opening"] == "Pawn Opening, Opposite Pawn"
        assert record.moves[0].comment == "<b>good</b>\nmove"
        assert [str(move.move) for move in record.moves[0].variations[0]] == ["h2e2", "h9g7"]
        await tab.change("delete", node=3)
        state = await tab.state_where(lambda state: tab.moves() == "h2e2 h9g7")
        assert state["cursor"]["node"] == 0
        await tab.change("continue", node=1)
        state = await tab.state_where(lambda state: state["mode"] == "play")
        assert (state["head"], state["turn"]) == (1, 1)

    run(tmp_path, test)


def test_a_game_is_reviewed_as_it_goes(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await analysing(service)
        for move in ("h2e2", "h9g7", "e2e6"):
            await tab.play(move)
        await tab.send("review", on=True, movetime=40)
        judged = [await tab.get("judged") for _ in range(3)]
        assert [message["node"] for message in judged] == [3, 2, 1]
        assert judged[0]["mark"] == "??"
        assert judged[-1]["done"] == judged[-1]["total"] == 4
        await tab.state_where(lambda state: state["review"] is None and len(tab.tree["nodes"]) > 4)
        assert tab.moves() == "h2e2 h9g7 e2e6"
        assert tab.tree["nodes"][3]["judged"]["grade"] == "blunder"
        assert service.room_store.rooms[tab.state["room"]].judged[3].loss >= 75

    run(tmp_path, test)


def test_a_review_says_why_and_says_it_again_after_a_restart(tmp_path: Path) -> None:
    taken = "2bakab2/9/9/r3p4/9/9/R3P4/9/9/2BAKAB2 w - - 0 1"  # Red may take the rook, or lose his own

    def remarks(judged: dict[str, Any]) -> list[str]:
        return [said(message) for message in judged["remarks"]["iccs"]]

    async def review(service: Service) -> dict[str, Any]:
        tab = await fresh(service, fen=taken)
        await tab.change("mode", mode="analyse")
        await tab.state_where(lambda state: state["mode"] == "analyse")
        await tab.play("e3e4")
        await tab.send("review", on=True, movetime=60)
        judged = (await tab.get("judged"))["judged"]
        await tab.state_where(lambda state: state["review"] is None)
        return dict(judged)

    async def restarted(service: Service) -> dict[str, Any]:
        tab = await open_tab(service)
        return dict(tab.tree["nodes"][1]["judged"])

    judged = run(tmp_path, review)
    assert remarks(judged)[0] == "e3e4 does not save the rook on a3: a6a3 takes it."
    assert remarks(judged)[1].startswith("a3a6 is better: it wins the rook on a6")
    assert set(judged["squares"]) >= {27, 54}
    assert run(tmp_path, restarted) == judged


def test_a_review_can_be_stopped_and_needs_a_game(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await analysing(service)
        await tab.send("review", on=True, movetime=40)
        assert "no move to review" in (await tab.get("error"))["text"]
        await tab.play("h2e2")
        await tab.send("review", on=True, movetime=20_000)
        await tab.state_where(lambda state: state["review"])
        await tab.send("review", on=False, movetime=40)
        await tab.state_where(lambda state: state["review"] is None)

    run(tmp_path, test)


# --- files


def data(content: bytes | str) -> str:
    return base64.b64encode(content if isinstance(content, bytes) else content.encode()).decode()


@pytest.mark.parametrize(
    ("name", "content", "moves"),
    [
        ("game.pgn", "1. h2e2 h9g7 *", "h2e2 h9g7"),
        ("game.pgn", '[Red "甲"]\n1. 炮二平五 马8进7 *'.encode("gb18030"), "h2e2 h9g7"),
        ("", "炮二平五 马８进７", "h2e2 h9g7"),
        ("", "3k5/9/9/9/9/9/9/9/9/4K3R w", ""),
        ("x.xqf", xqf(["h2e2", "h9g7"]), "h2e2 h9g7"),
        ("x.cbr", cbr(["h2e2"]), "h2e2"),
    ],
)
def test_files_of_every_kind_are_opened(tmp_path: Path, name: str, content: bytes | str, moves: str) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service)
        await tab.send("open", name=name, data=data(content))
        await tab.state_where(lambda state: state["mode"] == "analyse")
        assert tab.moves() == moves

    run(tmp_path, test)


def test_several_games_are_listed_and_a_played_game_is_kept(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service)
        await tab.play("c3c4")
        room = tab.state["room"]
        await tab.send("open", name="x.cbl", data=data(cbl([cbr(["h2e2"], red="许银川"), cbr(["b2e2"])])))
        games = await tab.get("games")
        assert [game["red"] for game in games["games"]] == ["许银川", ""]
        await tab.send("pick", index=1)
        await tab.state_where(lambda state: state["room"] != room)
        assert tab.moves() == "b2e2"
        await tab.send("pick", index=9)
        assert "open the file again" in (await tab.get("error"))["text"]
        await tab.send("enter", room=room)
        await tab.state_where(lambda state: state["room"] == room)
        assert tab.moves() == "c3c4"

    run(tmp_path, test)


def test_a_bad_game_is_told_and_the_others_are_listed(tmp_path: Path) -> None:
    text = '[Red "A"]\n\n1. h2e2 *\n\n[Red "B"]\n\n1. a0a9 *\n\n[Red "C"]\n\n1. c3c4 *\n'

    async def test(service: Service) -> None:
        tab = await open_tab(service)
        await tab.send("open", name="x.pgn", data=data(text))
        assert [game["red"] for game in (await tab.get("games"))["games"]] == ["A", "C"]
        assert "not read in full: game 2, move 1: a0a9" in (await tab.get("error"))["text"]

    run(tmp_path, test)


def test_a_broken_game_is_opened_up_to_its_bad_move(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service)
        for _ in range(3):  # also after a position, and after another game
            await tab.send("open", name="", data=data(NEAR_MATE))
            await tab.state_where(lambda state: state["cursor"]["fen"] == NEAR_MATE)
            await tab.send("open", name="x.pgn", data=data("1. h2e2 h9g7 2. a0a9 b9c7 *"))
            await tab.until(lambda message: message["type"] == "state" and tab.moves() == "h2e2 h9g7")
            assert "game 1, move 2: a0a9" in (await tab.get("error"))["text"]  # after the game that it is about

    run(tmp_path, test)


@pytest.mark.parametrize(("content", "fault"), [("hello", "hello"), (b"", "no game"), (b"XQ", "XQF")])
def test_what_cannot_be_read_is_named(tmp_path: Path, content: bytes | str, fault: str) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service)
        await tab.send("open", name="", data=data(content))
        assert fault in (await tab.get("error"))["text"]
        await tab.send("open", name="", data="%%%")
        assert "incomplete" in (await tab.get("error"))["text"]

    run(tmp_path, test)


def test_a_position_is_checked_and_set_up(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service)
        await tab.send("check", fen="9/9/9/9/9/9/9/9/9/9 w")
        assert (await tab.get("checked"))["fault"]["code"] == "fen.no-king"
        await tab.send("check", fen=NEAR_MATE)
        assert (await tab.get("checked"))["fault"] is None
        await tab.change("setup", fen=NEAR_MATE)
        await tab.state_where(lambda state: state["cursor"]["fen"] == NEAR_MATE)

    run(tmp_path, test)


def test_the_book_is_shown_with_results(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service)
        await service._loading
        await tab.send("goto", node=0)
        await tab.change("new", **HUMANS, fen=None)
        state = await tab.state_where(lambda state: any(row["results"] for row in state["book"]))
        assert sum(row["share"] for row in state["book"]) == pytest.approx(100, abs=1)
        assert state["book"][0]["weight"] > 0

    run(tmp_path, test, book=BookStack.load_all(default_book_path() or ""))


# --- what is kept


def test_a_game_survives_a_server_that_is_killed(tmp_path: Path) -> None:
    async def first(service: Service) -> dict[str, Any]:
        tab = await fresh(service, {**HUMANS, "clock": {"base": 600_000, "increment": 1000, "byoyomi": 0}})
        for move in ("h2e2", "h9g7", "e2e6"):
            await tab.play(move)
        await tab.change("undo")
        await tab.state_where(lambda state: state["head"] == 2)
        await tab.change("comment", node=2, text="a note")
        await tab.state_where(lambda state: any("comment" in row for row in tab.tree["nodes"]))
        (kept,) = (tmp_path / "rooms").glob("*.json")  # as it is now: the server's farewell must not matter
        saved = kept.read_bytes()
        state = tab.state
        tab.socket.close()
        (tmp_path / "copy.json").write_bytes(saved)
        return {**state, "tree": tab.tree}

    async def second(service: Service) -> dict[str, Any]:
        tab = await open_tab(service)
        return {**tab.state, "tree": tab.tree}

    before = run(tmp_path, first)
    (kept,) = (tmp_path / "rooms").glob("*.json")
    kept.write_bytes((tmp_path / "copy.json").read_bytes())
    after = run(tmp_path, second)
    assert after["tree"] == before["tree"]
    for key in ("room", "head", "mode", "table", "players", "ending"):
        assert after[key] == before[key]
    assert after["revision"] > before["revision"]
    assert abs(after["clock"]["red"] - before["clock"]["red"]) < 5000


def test_endings_and_judgements_are_kept(tmp_path: Path) -> None:
    async def first(service: Service) -> None:
        tab = await fresh(service)
        await tab.play("h2e2")
        await tab.change("resign")
        await tab.state_where(lambda state: state["ending"])
        await tab.send("review", on=True, movetime=20)
        await tab.get("judged")
        await tab.state_where(lambda state: state["review"] is None)

    async def second(service: Service) -> None:
        tab = await open_tab(service)
        assert said(tab.state["ending"]["message"]) == "Black resigns"
        assert "judged" in tab.tree["nodes"][1]

    run(tmp_path, first)
    run(tmp_path, second)


def test_a_damaged_file_is_left_alone_and_the_rest_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def first(service: Service) -> None:
        tab = await fresh(service)
        await tab.play("h2e2")

    run(tmp_path, first)
    (good,) = (tmp_path / "rooms").glob("*.json")
    wrong = json.loads(good.read_text())
    wrong["tree"]["nodes"][1][2] = "h2h9"
    wrong["tree"]["nodes"].append([9, 1, "a0a9", "", ""])
    for name, text in (("cut", good.read_text()[:50]), ("odd", json.dumps(wrong)), ("new", '{"version": 99}')):
        (tmp_path / "rooms" / f"{name}.json").write_text(text)

    async def second(service: Service) -> None:
        tab = await open_tab(service)
        assert len(service.room_store.rooms) == 1
        assert tab.moves() == "h2e2"

    run(tmp_path, second)
    errors = capsys.readouterr().err
    assert errors.count("left unchanged") == 3
    assert (tmp_path / "rooms" / "cut.json").exists()


def test_a_program_to_move_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def first(service: Service) -> None:
        tab = await fresh(service, against(10, movetime=20_000))
        await tab.play("h2e2")

    async def second(service: Service) -> None:
        tab = await open_tab(service)
        await tab.state_where(lambda state: state["thinking"])
        await tab.send("now")
        await tab.state_where(lambda state: state["turn"] == 0)

    run(tmp_path, first)
    run(tmp_path, second)


def test_an_engine_that_is_gone_gives_its_seat_to_a_person(tmp_path: Path) -> None:
    async def first(service: Service) -> None:
        await fresh(service, {**HUMANS, "black": {"kind": "external", "index": 0}})

    async def second(service: Service) -> None:
        tab = await open_tab(service)
        assert tab.state["table"]["black"] == {"kind": "human"}

    run(tmp_path, first, engines=(TOY,))
    run(tmp_path, second)


def test_a_hall_without_rooms_makes_one(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service, "no-such-room")
        assert isinstance(service.room_store, RoomStore)
        assert tab.state["room"] in service.room_store.rooms
        assert [player["code"] for player in tab.state["players"]] == ["player.human", "player.level"]

    run(tmp_path, test)


def test_a_network_and_the_endgame_tables_are_asked_where_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position("3k5/9/9/9/9/9/9/9/4P4/5K3 b")
    settings = SimpleNamespace(use_tables=True, table_paths="")
    engine: Any = SimpleNamespace(network=SimpleNamespace(evaluate=lambda position: 35), settings=settings)
    monkeypatch.setattr("chuhe.web.opinions.has_tables", lambda paths: True)
    monkeypatch.setattr("chuhe.engine.endgame.probe", lambda position, paths: EndgameVerdict(36))
    assert opinions(engine, position) == [
        {"source": "network", "message": {"code": "score.for-red", "args": {"score": "-0.09"}}},
        {"source": "table", "message": {"code": "table.won-in", "args": {"side": {"code": "side.red"}, "moves": 18}}},
    ]
    monkeypatch.setattr("chuhe.web.opinions.has_tables", lambda paths: False)
    assert opinions(SimpleNamespace(network=None, settings=settings), position) == []  # type: ignore[arg-type]


def test_results_count_a_position_and_its_mirror_image_as_one(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text("1. h2e2 h9g7 1-0\n\n1. b2e2 b9c7 0-1\n\n1. e3e4 1/2-1/2\n")
    results = OpeningResults.load(games)
    assert results.games == 3
    start = results.probe(Position())
    assert start["h2e2"] == start["b2e2"] == [1, 0, 1]
    assert start["e3e4"] == [0, 1, 0]
    position = Position()
    position.push("b2e2")
    assert results.probe(position) == {"b9c7": [1, 0, 1]}
    assert OpeningResults.load(tmp_path / "none.pgn").games == 0


def test_a_game_that_cannot_be_kept_says_so_until_a_save_succeeds(tmp_path: Path) -> None:
    rooms = tmp_path / "rooms"

    async def test(service: Service) -> None:
        tab = await fresh(service)
        for path in rooms.iterdir():
            path.unlink()
        rooms.rmdir()
        rooms.write_text("a file where the folder was")
        assert (await tab.play("h2e2"))["unsaved"]
        assert (await tab.play("h9g7"))["unsaved"]  # the next state does not clear it
        assert tab.moves() == "h2e2 h9g7"
        rooms.unlink()
        rooms.mkdir()
        assert not (await tab.play("h0g2"))["unsaved"]
        assert len(list(rooms.glob("*.json"))) == 1

    run(tmp_path, test)


def test_half_a_character_in_a_comment_does_no_harm(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service)
        await tab.change("comment", node=0, text="half \ud800 a character, whole \U0001f600")
        state = await tab.state_where(lambda state: tab.tree["nodes"][0].get("comment"))
        assert tab.tree["nodes"][0]["comment"] == "half \ufffd a character, whole \U0001f600"
        assert not state["unsaved"]
        await tab.play("h2e2")

    run(tmp_path, test)


def test_odd_things_among_the_rooms_do_not_stop_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rooms = tmp_path / "rooms"
    rooms.mkdir()
    (rooms / "gone.json").symlink_to(tmp_path / "nowhere")
    (rooms / "deep.json").write_text("[" * 100_000)
    (rooms / "folder.json").mkdir()

    async def test(service: Service) -> None:
        tab = Tab(await connect(service))
        await tab.send("hello", token=TOKEN, room=None, notation="wxf")
        about = await tab.get("about")
        assert sorted(about["damaged"]) == ["deep.json", "folder.json", "gone.json"]

    run(tmp_path, test)
    assert capsys.readouterr().err.count("left unchanged") == 3


def test_a_tab_that_asks_for_one_game_too_many_shows_the_latest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chuhe.web.room_store.MAX_ROOMS", 1)

    async def test(service: Service) -> None:
        first = await fresh(service)
        await first.play("h2e2")
        second = await open_tab(service, "new")
        assert second.moves() == "h2e2"
        assert "already 1 games" in (await second.get("error"))["text"]

    run(tmp_path, test)


def test_long_comments_and_tags_of_a_file_are_cut(tmp_path: Path) -> None:
    many = "".join(f'[Tag{number} "t"]\n' for number in range(1000))
    pgn = f'[Event "{"e" * 5000}"]\n{many}\n1. C2=5 {{{"c" * 50_000}}} *'

    async def test(service: Service) -> None:
        tab = await fresh(service)
        await tab.send("open", name="long.pgn", data=base64.b64encode(pgn.encode()).decode())
        await tab.state_where(lambda state: tab.moves() == "h2e2")
        assert len(tab.tree["tags"]["Event"]) == 200
        assert len(tab.tree["tags"]) == 102  # a hundred, and that nobody knows who played
        assert max(len(row.get("comment", "")) for row in tab.tree["nodes"]) == 4000

    run(tmp_path, test)


def test_a_new_game_and_a_deletion_can_be_undone(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service)
        await tab.play("h2e2")
        await tab.change("new", **against(3), fen=None)
        state = await tab.state_where(lambda state: tab.moves() == "")
        assert state["discarded"] == "new"
        await tab.change("restore")
        state = await tab.state_where(lambda state: tab.moves() == "h2e2")
        assert (state["discarded"], state["table"]["black"], service.room_store.archive.entries) == (
            None,
            HUMANS["black"],
            {},
        )
        await tab.change("mode", mode="analyse")
        await tab.state_where(lambda state: state["mode"] == "analyse")
        await tab.change("delete", node=1)
        await tab.state_where(lambda state: tab.moves() == "")
        await tab.change("restore")
        await tab.state_where(lambda state: tab.moves() == "h2e2")
        await tab.change("restore")
        assert "nothing to bring back" in (await tab.get("error"))["text"]

    run(tmp_path, test)


def test_what_a_program_does_leaves_what_can_be_brought_back(tmp_path: Path) -> None:
    red_program = {**HUMANS, "red": {"kind": "engine", "level": 1}}

    async def test(service: Service) -> None:
        tab = await fresh(service)
        await tab.play("h2e2")
        await tab.play("h9g7")  # two moves, which the program's one cannot repeat
        await tab.change("new", **red_program, fen=None)
        state = await tab.state_where(lambda state: state["discarded"] == "new" and len(tab.moves().split()) == 1)
        await tab.change("restore")
        await tab.state_where(lambda state: tab.moves() == "h2e2 h9g7")
        await tab.change("mode", mode="analyse")
        await tab.state_where(lambda state: state["mode"] == "analyse")
        await tab.play("h0g2")
        await tab.send("review", on=True, movetime=40)
        await tab.state_where(lambda state: state["review"])
        await tab.change("delete", node=3)
        state = await tab.state_where(lambda state: state["discarded"] == "delete")
        state = await tab.state_where(lambda state: state["review"] is None)
        assert state["discarded"] == "delete"
        await tab.change("restore")
        await tab.state_where(lambda state: tab.moves() == "h2e2 h9g7 h0g2")

    run(tmp_path, test)


def test_games_that_are_given_up_are_archived_renamed_reopened_and_deleted(tmp_path: Path) -> None:
    async def first(service: Service) -> None:
        tab = await fresh(service)
        for move in ("h2e2", "b2e2", "c3c4"):
            await tab.play(move)
            await tab.change("new", **HUMANS, fen=None)
            await tab.state_where(lambda state: tab.moves() == "")
        assert tab.state["discarded"] == "new"

    async def second(service: Service) -> None:
        tab = await open_tab(service)
        await tab.send("rooms")
        newest, _, oldest = (await tab.get("rooms"))["games"]
        assert (newest["moves"], newest["result"], newest["title"]) == (1, "*", "")
        assert newest["opening"]["code"].startswith("opening.")
        await tab.send("rename", game=oldest["id"], title=" my first \u4e2d\u6587 ")
        games = (await tab.get("rooms"))["games"]
        assert next(row["title"] for row in games if row["id"] == oldest["id"]) == "my first \u4e2d\u6587"
        await tab.send("enter", room=oldest["id"])
        await tab.state_where(lambda state: tab.moves() in ("h2e2", "b2e2", "c3c4"))
        await tab.send("rooms")
        here, *left = (await tab.get("rooms"))["games"]
        assert (here["id"], here["title"]) == (tab.state["room"], "my first \u4e2d\u6587")
        assert len(left) == 2
        await tab.send("forget", games=[row["id"] for row in left])
        assert len((await tab.get("rooms"))["games"]) == 1
        assert list((tmp_path / "archive").iterdir()) == [damaged]
        await tab.send("enter", room=oldest["id"])
        assert "no longer exists" in (await tab.get("error"))["text"]

    run(tmp_path, first)
    (damaged := tmp_path / "archive" / "damaged.json").write_text("[" * 100_000)
    run(tmp_path, second)


def test_a_fault_of_the_server_does_not_end_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(visitor: Any, fields: Any) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setitem(HANDLERS, "hint", broken)

    async def test(service: Service) -> None:
        tab = await fresh(service)
        await tab.send("hint")
        assert "a bug" in (await tab.get("error"))["text"]
        await tab.play("h2e2")

    run(tmp_path, test)
    assert "RuntimeError: a bug" in capsys.readouterr().err


def test_the_page_shows_an_obk_and_goes_on_without_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.obk"
    edit_book(path, "add", Position(), Move.from_iccs("c3c4"), 3)
    book = BookStack.load_all(str(path))
    (row,) = book_json(book, {}, Position())
    assert (row["move"], row["weight"], row["share"]) == ("c3c4", 3, 100.0)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE bhobk")
    assert book_json(book, {}, Position()) == []


def test_a_tab_that_closes_under_load_leaves_no_word(tmp_path: Path) -> None:
    said: list[Any] = []

    async def test(service: Service) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: said.append(context))
        tab = await fresh(service)
        await tab.change("comment", node=0, text="x" * 4000)
        for _ in range(300):  # more than the sockets hold
            await tab.send("export", notation="wxf", pieces="western", flipped=False)
        (visitor,) = service.sockets
        ours: Any = visitor.ws_connection
        theirs: Any = tab.socket.protocol
        while len(ours.stream._write_buffer) < 100_000:
            await asyncio.sleep(0.01)
        theirs.stream.close()
        while service.sockets:
            await asyncio.sleep(0.01)
        gc.collect()
        await asyncio.sleep(0)

    run(tmp_path, test)
    gc.collect()
    assert said == []
