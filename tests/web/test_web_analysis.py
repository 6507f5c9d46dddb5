"""Analysis, variations and review of a game, over the socket."""

import asyncio
import base64
from pathlib import Path
from typing import Any

import pytest
from web_client import against, analysing, fresh, open_tab, run, said

from chuhe.coach.judgement import Judgement
from chuhe.engine import Position
from chuhe.engine.values import Score
from chuhe.records.game_record import GameRecord
from chuhe.records.pgn import parse_pgn
from chuhe.records.ubb import parse_ubb
from chuhe.records.xqf import parse_xqf
from chuhe.web.server import Service
from chuhe.web.state import judgement_json


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


@pytest.mark.parametrize(("side", "score"), [("w", "#"), ("b", "#−")])
def test_a_delivered_mate_is_no_mate_in_one(side: str, score: str) -> None:
    position = Position(f"3k5/9/9/9/9/9/9/9/9/4K4 {side}")
    delivered = Judgement(position.turn, Score(mate=1), Score(mate=1), (), 1, was_best=True)
    assert judgement_json(delivered, position)["score"] == score
