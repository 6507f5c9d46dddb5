"""Rooms and archived games that are structurally wrong: they are named and left alone, and the server starts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from odd_json import wrong_versions
from web_client import Tab, fresh, run

from chuhe.coach.judgement import Judgement, answered
from chuhe.engine import FenError, Move, Score
from chuhe.play.xiangqi_game import Ending
from chuhe.text.message import Message, Point
from chuhe.web.archive import Archive
from chuhe.web.messages import RequestError
from chuhe.web.players import Seating
from chuhe.web.practice import RoomPractice
from chuhe.web.room_store import room_json
from chuhe.web.server import Service


async def begun(service: Service) -> Tab:
    """A game of two people, after its first move."""
    tab = await fresh(service)
    await tab.play("h2e2")
    return tab


def test_a_room_of_any_shape_does_not_stop_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def test(service: Service) -> None:
        await begun(service)
        room, store = service.room_store.latest(), service.room_store
        room.game._agreed = Ending("1-0", Message("move.no-piece", point=Point(4)))
        room.judged[1] = Judgement(0, Score(10), Score(None, -3), (Move.from_iccs("h2e2"),), 5, False, ())
        good = room_json(room)
        store.rooms.clear()
        for path in store.directory.iterdir():
            path.unlink()
        (store.directory / "good.json").write_text(json.dumps(good))
        count = 0
        for text in wrong_versions(good):
            count += 1
            (store.directory / "odd.json").write_text(text)
            store.open(service.services)
            assert "good" in store.rooms
            odd = store.rooms.get("odd")
            if odd is not None:
                json.dumps([room_json(odd), odd.summary()])
                assert odd.game.position.fen()
            store.rooms.clear()
        assert 300 < len(store.damaged) < count

    run(tmp_path, test)
    assert "is left unchanged: judged: " in capsys.readouterr().err


def test_an_archived_game_of_any_shape_does_not_hide_the_others(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        await begun(service)
        store, room = service.room_store, service.room_store.latest()
        good = store.archive.add(room.summary(), room_json(room))
        data = json.loads((store.archive.directory / f"{good}.json").read_text())
        count = damaged = 0
        for text in wrong_versions({"entry": data["entry"], "game": {}}):
            count += 1
            (store.archive.directory / "odd.json").write_text(text)
            archive = Archive(tmp_path)
            assert archive.entries[good] == data["entry"]
            json.dumps(list(archive.entries.values()), allow_nan=False)
            damaged += bool(archive.damaged)
            if "odd" in archive.entries:
                service.room_store.archive = archive
                with pytest.raises(RequestError, match="damaged"):
                    store.reopen("odd")
        assert 50 < damaged < count

    run(tmp_path, test)


def test_a_book_move_and_the_remarks_of_a_review_come_back(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await begun(service)
        await tab.play("e9e8")
        room, store = service.room_store.latest(), service.room_store
        line, reply = ((Move.from_iccs(word),) for word in ("h9g7", "e2e6"))
        room.judged[1] = Judgement(0, Score(10), Score(0), line, 5, False, (), book=True)
        room.judged[2] = Judgement(1, Score(-10), Score(-300), line, 5, False, reply)
        room.judged[2] = replace(room.judged[2], remarks=answered(room.judged[2], Move.from_iccs("e9e8")))
        judged = dict(room.judged)
        (store.directory / "again.json").write_text(json.dumps(room_json(room)))
        store.rooms.clear()
        store.open(service.services)
        assert store.rooms["again"].judged == judged

    run(tmp_path, test)


def test_a_refused_request_leaves_the_archive_alone(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        await begun(service)
        store, room = service.room_store, service.room_store.latest()
        for _ in range(5):
            with pytest.raises(FenError):
                store.new_game(room, Seating(), "no board")
            with pytest.raises(ValueError, match="No mistakes to practise yet"):
                room.show_exercise(RoomPractice(room, "mine", None, 0))
        assert store.archive.entries == {}
        assert list(store.archive.directory.glob("*")) == []
        store.new_game(room, Seating(), None)
        (kept,) = store.archive.directory.iterdir()
        assert kept.stat().st_mode & 0o077 == 0

    run(tmp_path, test)
