"""Practice over the socket: exercises on the board, judged moves, progress, own mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from web_client import Tab, against, open_tab, run, said

from chuhe.coach import MOTIFS
from chuhe.coach.practice.progress import OwnMistakes, PracticeProgress
from chuhe.coach.practice.puzzles import bundled_puzzles, parse_puzzle
from chuhe.engine import Position
from chuhe.engine.endgame import forget_tablebases
from chuhe.text.languages import table
from chuhe.text.message import LANGUAGES, Language
from chuhe.web.server import Service


async def practising(service: Service, **wanted: Any) -> Tab:
    tab = await open_tab(service)
    await tab.send("practise", **{"source": "puzzles", "theme": None, "difficulty": 0, **wanted})
    await tab.state_where(lambda state: state["practice"])
    return tab


def sentences(tab: Tab, notation: str = "iccs") -> list[str]:
    return [said(message) for message in tab.state["practice"]["said"][notation]]


def puzzle_shown(tab: Tab) -> Any:
    placement = " ".join(tab.state["cursor"]["fen"].split()[:2])
    return next(puzzle for puzzle in bundled_puzzles() if puzzle.name == placement)


def test_a_puzzle_is_missed_then_solved_and_the_next_one_comes(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await practising(service, difficulty=1)
        puzzle = puzzle_shown(tab)
        assert puzzle.difficulty == 1
        wrong = next(move for move in tab.state["cursor"]["moves"] if move != puzzle.answer.iccs)
        await tab.change("move", node=0, move=wrong)
        await tab.state_where(lambda state: state["practice"]["said"])
        practice = tab.state["practice"]
        assert sentences(tab)[0].startswith(wrong)  # what is wrong with it
        assert practice["verdict"] == "wrong"
        assert practice["answers"] == 1
        assert practice["refutation"][0] == wrong
        after = Position(puzzle.fen)
        after.push(wrong)
        assert practice["refutation"][1] in {move.iccs for move in after.legal_moves}
        assert len(tab.tree["nodes"]) == 1  # the board is as it was
        await tab.change("clue")
        clue = "Theme: " if puzzle.themes else "This one has no theme."
        await tab.state_where(lambda state: sentences(tab)[0].startswith(clue))
        for index in puzzle.asked:
            assert not tab.state["practice"]["over"]
            await tab.play(puzzle.line[index].iccs)
            assert sentences(tab)[0].startswith(f"Right: {puzzle.line[index]}")
        assert tab.state["practice"]["over"]
        assert tab.state["below"] == Position(puzzle.fen).turn
        assert (tab.state["practice"]["verdict"], tab.state["practice"]["streak"]) == ("right", 0)
        assert tab.moves() == " ".join(move.iccs for move in puzzle.line[: puzzle.asked[-1] + 1])
        await tab.change("exercise")
        await tab.state_where(lambda state: not state["practice"]["over"])
        assert puzzle_shown(tab) != puzzle
        assert PracticeProgress(tmp_path / "practice.json").records[puzzle.name].missed == 1

    run(tmp_path, test)


def test_the_other_side_answers_until_the_last_move_to_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "5k3/9/R8/1R7/9/9/9/9/9/3K5 w - - 0 1 | win | 1 | alternating_rooks | a7a8! f9e9 b6b5 e9f9 b5b9!"
    monkeypatch.setattr("chuhe.web.practice.bundled_puzzles", lambda: [parse_puzzle(line)])
    monkeypatch.setattr("chuhe.web.practice.engine_comparison", lambda *engine: lambda *moves: None)  # no other

    async def test(service: Service) -> None:
        tab = await practising(service)
        await tab.play("a7a8")
        assert tab.moves() == "a7a8 f9e9 b6b5 e9f9"
        assert sentences(tab) == ["Right: a7a8 f9e9 b6b5 e9f9. And now?"]
        await tab.change("move", node=tab.state["cursor"]["node"], move="d0d1")
        await tab.state_where(lambda state: "d0d1" in sentences(tab)[0])
        assert sentences(tab) == ["d0d1 is not it."]
        await tab.change("reveal")
        await tab.state_where(lambda state: state["practice"]["over"])
        assert tab.moves() == "a7a8 f9e9 b6b5 e9f9 b5b9"

    run(tmp_path, test)


def test_the_answer_is_shown_and_an_analysis_is_elsewhere(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await practising(service)
        puzzle = puzzle_shown(tab)
        await tab.change("reveal")
        await tab.state_where(lambda state: state["practice"]["over"])
        assert sentences(tab)[0].startswith(f"The answer is {puzzle.answer}")
        assert tab.moves() == " ".join(move.iccs for move in puzzle.line[: puzzle.asked[-1] + 1])
        assert (tab.state["practice"]["verdict"], tab.state["practice"]["streak"]) == ("shown", 0)
        await tab.change("mode", mode="analyse")
        state = await tab.state_where(lambda state: state["mode"] == "analyse")
        assert state["practice"] is None
        assert state["room"] != "practise"
        await tab.send("rooms")
        assert (await tab.get("rooms"))["games"] == []  # an exercise is no game
        await tab.send("practise", source="puzzles", theme=None, difficulty=0)
        await tab.state_where(lambda state: state["practice"] and not state["practice"]["over"])  # the next one

    run(tmp_path, test)


def test_what_cannot_be_practised_is_said(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service)
        for wanted, text in (
            ({"source": "mine", "theme": None}, "No mistakes to practise yet"),
            ({"source": "endgames", "theme": None}, "There are no endgame tables"),
            ({"source": "puzzles", "theme": "magic"}, "no theme"),
        ):
            await tab.send("practise", **wanted, difficulty=0)
            assert text in (await tab.get("error"))["text"]
        assert tab.state["practice"] is None

    run(tmp_path, test)


def test_an_endgame_is_answered_by_the_table(tmp_path: Path, tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUHE_TABLES", str(tables))
    forget_tablebases()

    async def test(service: Service) -> None:
        tab = await practising(service, source="endgames")
        assert "against perfect" in said(tab.state["practice"]["goal"])
        await tab.change("clue")
        await tab.state_where(lambda state: state["practice"]["said"])
        best = sentences(tab)[0].removeprefix("The answer is ").removesuffix(".")
        await tab.play(best)
        assert len(tab.tree["nodes"]) == 3 or tab.state["practice"]["over"]

    try:
        run(tmp_path, test)
    finally:
        forget_tablebases()


def test_a_review_keeps_a_persons_mistakes(tmp_path: Path) -> None:
    async def test(service: Service) -> None:
        tab = await open_tab(service)
        fen = "2bakab2/9/9/r3p4/9/9/R3P4/9/9/2BAKAB2 w - - 0 1"
        await tab.change("new", **against(1), fen=fen)
        await tab.state_where(lambda state: state["cursor"]["fen"].startswith("2bakab2/9/9/r3p4"))
        await tab.play("e3e4")
        await tab.state_where(lambda state: state["head"] == 2)
        await tab.change("mode", mode="analyse")
        await tab.state_where(lambda state: state["mode"] == "analyse")
        await tab.send("review", on=True, movetime=60)
        await tab.get("judged")
        await tab.state_where(lambda state: state["review"] is None)
        assert [puzzle.answer.iccs for puzzle in OwnMistakes(tmp_path / "mistakes.txt").all()] == ["a3a6"]

    run(tmp_path, test)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_offers_every_theme(language: Language) -> None:
    """It lists the names that the table of its language has."""
    assert [code.removeprefix("motif.") for code in table(language) if code.startswith("motif.")] == list(MOTIFS)
