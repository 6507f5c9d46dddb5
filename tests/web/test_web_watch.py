"""A match watched while it runs: the live file, its reader, and the page's side of it."""

import asyncio
import json
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from odd_json import wrong_versions
from paths import TOY_ENGINE
from staged_match import StagedMatch
from web_client import open_tab, serving

from chuhe.bench.matches import live
from chuhe.bench.matches.live import LIVE, LiveFile
from chuhe.bench.matches.local import MatchError
from chuhe.bench.matches.match_values import Adjudication, EngineSpec, GamePlan, MatchMove, MatchSettings
from chuhe.bench.matches.runner import run_match
from chuhe.bench.matches.store import RESULTS
from chuhe.bench.spread import Workers
from chuhe.bench.statistics import Sprt
from chuhe.common.time_control import TimeControl
from chuhe.files.writing import OutputError
from chuhe.text.languages import table
from chuhe.web.outgoing import Match
from chuhe.web.watch import Watch

TOY = (sys.executable, str(TOY_ENGINE))


def settings(output: Path, games: int = 4, longest: int = 30) -> MatchSettings:
    engines = tuple(
        EngineSpec(name, (*TOY, "--seed", str(seed)), "ucci") for seed, name in enumerate(("one", "two"), 1)
    )
    return MatchSettings(
        engines,
        TimeControl(depth=1),
        games=games,
        name="cup",
        output=str(output),
        sprt=Sprt(-400, 400),
        report=False,
        adjudication=Adjudication(max_moves=longest),
    )


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


PLAN = GamePlan(1, 1, "one", "two", 0)
OTHER = GamePlan(2, 1, "two", "one", 0)
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def seen(watch: Watch) -> Match:
    return cast(Match, watch.state())


def test_events_are_written_as_they_happen(tmp_path: Path) -> None:
    file = LiveFile(tmp_path)
    file.begins(PLAN, START, ["h2e2"])
    file.moves(PLAN, MatchMove("h9g7", 12, None, "+0.10", 5, 100))
    file.ends(PLAN)
    events = lines(tmp_path / LIVE)
    assert events[0]["opening"] == ["h2e2"]
    assert events[1]["move"] == ["h9g7", 12, None, "+0.10", 5]
    assert events[2] == {"game": 1, "over": True}


def test_a_large_file_is_written_anew_with_what_still_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LARGEST", 100)
    file = LiveFile(tmp_path)
    file.begins(PLAN, START, [])
    file.begins(OTHER, START, [])
    file.moves(OTHER, MatchMove("h2e2", 1))
    watch = Watch(tmp_path)
    watch.settings = settings(tmp_path)
    watch.poll()
    assert sorted(game["number"] for game in seen(watch)["running"]) == [1, 2]
    file.ends(PLAN)
    assert [event["game"] for event in lines(tmp_path / LIVE)] == [2, 2]
    file.moves(OTHER, MatchMove("h9g7", 1))
    watch.poll()
    (game,) = seen(watch)["running"]
    assert (game["number"], game["moves"]) == (2, 2)


def test_live_games_are_not_to_be_had_from_a_cluster(tmp_path: Path) -> None:
    with pytest.raises(MatchError, match="--live"):
        run_match(settings(tmp_path), workers=Workers(cluster="local"), live=True)


def test_a_live_file_replaces_its_like_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / LIVE
    path.write_text("a diary\n")
    with pytest.raises(OutputError, match=r"live\.jsonl exists already; use --force to replace it"):
        run_match(settings(tmp_path, games=2), live=True)
    assert path.read_text() == "a diary\n"
    run_match(settings(tmp_path, games=2), live=True, force=True, resume=True)
    run_match(settings(tmp_path, games=4), live=True, resume=True)
    assert "diary" not in path.read_text()


def test_a_match_is_watched_to_its_end(tmp_path: Path) -> None:
    directory = tmp_path / "cup"
    directory.mkdir()

    async def main() -> None:
        async with serving(tmp_path / "data", match=directory) as service:
            tab = await open_tab(service)
            assert (await tab.get("match"))["waiting"]
            match = StagedMatch(directory)
            match.begin(1)
            state = await tab.until(lambda message: message["type"] == "match" and message.get("running"))
            assert [game["number"] for game in state["running"]] == [1]
            await tab.send("watch", game=1)
            game = await tab.get("matchGame")
            assert [node.get("move") for node in game["nodes"]] == [None, "h2e2"]
            match.play(1, "h9g7", "h0g2")
            game = await tab.until(lambda message: message["type"] == "matchGame" and len(message["nodes"]) == 4)
            assert game["running"]
            assert game["nodes"][3]["texts"] == ["h0g2", "H2+3", "马二进三", "馬二進三", "J8,H7"]
            assert game["nodes"][3]["score"] == "+0.12"
            match.end(1, "1-0")
            game = await tab.until(lambda message: message["type"] == "matchGame" and not message["running"])
            assert (game["result"], game["message"]) == ("1-0", {"code": "reason.resignation"})
            match.begin(2)
            match.end(2, "1/2-1/2")
            state = await tab.until(lambda message: message["type"] == "match" and message["games"] == 2)
            assert state["running"] == []
            assert [game["number"] for game in state["finished"]] == [2, 1]
            (pairing,) = state["pairings"]
            assert (pairing["wins"], pairing["draws"], pairing["losses"]) == (1, 1, 0)
            assert state["bounds"]["lower"] < 0 < state["bounds"]["upper"]
            assert set(state["bounds"]) == set(re.findall(r"{(\w+)", table("en")["sprt"]))  # the page says all of it
            match.close()

    asyncio.run(main())


def test_a_damaged_line_is_left_out_and_the_watching_goes_on(tmp_path: Path) -> None:
    event = {"game": 2, "red": "one", "black": "two", "fen": START, "opening": ["h2e2"]}
    move = {"game": 2, "move": ["h9g7", 1, None, "+0.10", 5]}
    for good in (event, move):
        for text in wrong_versions(good):
            (tmp_path / LIVE).write_text("\n".join((json.dumps(event), text, json.dumps(move), "")), encoding="utf-8")
            watch = Watch(tmp_path)
            watch.settings = settings(tmp_path)
            assert watch.poll()
            with suppress(ValueError):  # the page is told
                watch.game(2)
            json.dumps(watch.state(), allow_nan=False)
            watch._watchers = {Nowhere(): 2}
            watch._tell()


def test_a_damaged_result_is_left_out_and_the_watching_goes_on(tmp_path: Path) -> None:
    run_match(settings(tmp_path, games=2, longest=2))
    head, good, _ = (tmp_path / RESULTS).read_text(encoding="utf-8").splitlines()
    for text in wrong_versions(json.loads(good)):
        (tmp_path / RESULTS).write_text(f"{head}\n{text}\n", encoding="utf-8")
        watch = Watch(tmp_path)
        assert watch.poll()
        json.dumps(watch.state(), allow_nan=False)
        watch._watchers = {Nowhere(): 1}
        watch._tell()


class Nowhere:
    def send(self, message: object) -> None:
        json.dumps(message, allow_nan=False)


def test_a_real_match_writes_what_is_watched(tmp_path: Path) -> None:
    run_match(settings(tmp_path, games=2), live=True)
    events = lines(tmp_path / LIVE)
    assert [event["game"] for event in events if "over" in event] == [1, 2]
    assert sum("move" in event for event in events) > 10


def test_a_finished_match_is_shown_too(tmp_path: Path) -> None:
    run_match(settings(tmp_path, games=2))
    watch = Watch(tmp_path)
    assert watch.poll()
    state = seen(watch)
    assert (state["games"], state["total"], state["name"]) == (2, 2, "cup")
    assert watch.game(1) is not None
    assert watch.game(99) is None


def test_without_a_match_nothing_is_watched(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path) as service:
            tab = await open_tab(service)
            await tab.send("watch", game=1)
            assert "--match" in (await tab.get("error"))["text"]

    asyncio.run(main())
