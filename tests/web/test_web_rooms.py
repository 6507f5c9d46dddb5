"""Rooms over the socket, without a browser: playing, the programs, several tabs."""

import asyncio
import gc
import re
from pathlib import Path
from typing import Any

import pytest
from paths import TOY_COMMAND
from web_client import HUMANS, against, fresh, open_tab, run, said

from chuhe.engine import Limits
from chuhe.web.requests import HANDLERS
from chuhe.web.server import Service

BLACK_RESIGNS = {"code": "game.resigns", "args": {"side": {"code": "side.black"}}}
NEAR_MATE = "3k5/1R7/R8/9/9/9/9/9/9/5K3 w - - 0 1"


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


@pytest.mark.parametrize(("notation", "written"), [("wxf", "H8+6"), ("chinese", "马八进六"), ("rows", "J2,I4")])
def test_the_reason_names_the_move_as_the_tab_writes_moves(tmp_path: Path, notation: str, written: str) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service)
        await tab.send("notation", notation=notation)
        await tab.change("move", node=0, move="b0d1")
        assert (await tab.get("error"))["message"]["args"]["move"] == written

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


def test_pondering_is_hit_or_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.web.playing.Limits", lambda movetime: Limits(depth=4))  # deep enough to expect a reply

    async def test(service: Service) -> None:
        tab = await fresh(service, against(10, ponder=True))
        await tab.play("h2e2")
        for _ in range(2):
            await tab.state_where(lambda state: state["pondering"] and state["turn"] == 0)
            expected = service.room_store.rooms[tab.state["room"]].playing.expected
            assert expected is not None
            await tab.play(str(expected))
        await tab.state_where(lambda state: state["pondering"] and state["turn"] == 0)
        expected = service.room_store.rooms[tab.state["room"]].playing.expected
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

    run(tmp_path, test, engines=(TOY_COMMAND,))


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

    run(tmp_path, test, engines=("no-such-program-at-all", f"{TOY_COMMAND} crash"))


def test_the_clock_ends_a_game_that_nobody_moves_in(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service, {**HUMANS, "clock": {"base": 60, "increment": 0, "byoyomi": 0}})
        await tab.play("h2e2")
        state = await tab.state_where(lambda state: state["ending"])
        assert said(state["ending"]["message"]) == "Black loses on time"

    run(tmp_path, test)


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
