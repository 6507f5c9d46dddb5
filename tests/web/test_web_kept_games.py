"""What a server keeps: games that survive a kill, damaged files, deletions undone, the archive."""

import json
from pathlib import Path
from typing import Any

import pytest
from paths import TOY_COMMAND
from web_client import HUMANS, TOKEN, Tab, against, connect, fresh, open_tab, run, said

from chuhe.files.writing import OutputError
from chuhe.text.message import Message
from chuhe.web.room_store import RoomStore
from chuhe.web.server import Service


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

    run(tmp_path, first, engines=(TOY_COMMAND,))
    run(tmp_path, second)


def test_a_hall_without_rooms_makes_one(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service, "no-such-room")
        assert isinstance(service.room_store, RoomStore)
        assert tab.state["room"] in service.room_store.rooms
        assert [player["code"] for player in tab.state["players"]] == ["player.human", "player.level"]

    run(tmp_path, test)


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


@pytest.mark.parametrize("request_name", ["enter", "restore"])
def test_the_archive_keeps_a_game_that_cannot_be_kept_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request_name: str
) -> None:
    def full_disk(path: Path, text: str, private: bool) -> None:
        raise OutputError(Message("os.ENOSPC"))

    async def test(service: Service) -> None:
        tab = await fresh(service)
        await tab.play("h2e2")
        await tab.change("new", **HUMANS, fen=None)
        await tab.state_where(lambda state: tab.moves() == "")
        (kept,) = (tmp_path / "archive").iterdir()
        monkeypatch.setattr("chuhe.web.room_store.write_file", full_disk)
        await (tab.send("enter", room=kept.stem) if request_name == "enter" else tab.change("restore"))
        assert (await tab.state_where(lambda state: tab.moves() == "h2e2"))["unsaved"]
        assert kept.exists()

    run(tmp_path, test)


def test_what_a_killed_server_was_writing_is_removed(tmp_path: Path) -> None:
    rests = [tmp_path / folder / ".chuhe-0123456789abcdef.new" for folder in ("rooms", "archive")]
    for rest in rests:
        rest.parent.mkdir()
        rest.write_text('{"version":1,')
    run(tmp_path, fresh)
    assert not any(rest.exists() for rest in rests)


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
