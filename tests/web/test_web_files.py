"""Files, positions and books that are opened on the page, over the socket."""

import base64
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from game_files import cbl, cbr, xqf
from web_client import HUMANS, fresh, open_tab, run

from chuhe.engine import Move, Position
from chuhe.engine.endgame import EndgameVerdict
from chuhe.engine.score_scale import shown
from chuhe.records.books.book import BookStack, default_book_path
from chuhe.records.books.editing import edit_book
from chuhe.web.openings import OpeningResults
from chuhe.web.opinions import opinions
from chuhe.web.server import Service
from chuhe.web.state import book_json

NEAR_MATE = "3k5/1R7/R8/9/9/9/9/9/9/5K3 w - - 0 1"


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


def test_a_network_and_the_endgame_tables_are_asked_where_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position("3k5/9/9/9/9/9/9/9/4P4/5K3 b")
    settings = SimpleNamespace(use_tables=True, table_paths="")
    engine: Any = SimpleNamespace(network=SimpleNamespace(evaluate=lambda position: 35), settings=settings)
    monkeypatch.setattr("chuhe.web.opinions.has_tables", lambda paths: True)
    monkeypatch.setattr("chuhe.engine.endgame.probe", lambda position, paths: EndgameVerdict(36))
    assert opinions(engine, position) == [
        {"source": "network", "message": {"code": "score.for-red", "args": {"score": f"{shown(-35) / 100:.2f}"}}},
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


def test_half_a_character_in_a_comment_does_no_harm(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await fresh(service)
        await tab.change("comment", node=0, text="half \ud800 a character, whole \U0001f600")
        state = await tab.state_where(lambda state: tab.tree["nodes"][0].get("comment"))
        assert tab.tree["nodes"][0]["comment"] == "half \ufffd a character, whole \U0001f600"
        assert not state["unsaved"]
        await tab.play("h2e2")

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


def test_the_page_shows_an_obk_and_goes_on_without_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.obk"
    edit_book(path, "add", Position(), Move.from_iccs("c3c4"), 3)
    book = BookStack.load_all(str(path))
    (row,) = book_json(book, {}, Position())
    assert (row["move"], row["weight"], row["share"]) == ("c3c4", 3, 100.0)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE bhobk")
    assert book_json(book, {}, Position()) == []
