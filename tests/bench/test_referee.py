"""The referee against pyffish on random games, and the adjudications."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from verify_games import disagreements

from chuhe.bench.matches.match_values import Adjudication, MatchGame, MatchMove
from chuhe.bench.matches.referee import Adjudicator, Referee, decided_by_tables
from chuhe.engine import BLACK, RED, START_FEN, Law, Position, Score
from chuhe.engine.endgame import forget_tablebases


def random_game(seed: int) -> MatchGame:
    generator = random.Random(seed)
    referee = Referee(None, Law())
    moves = []
    while (ending := referee.ending()) is None:
        moves.append(generator.choice(sorted(map(str, referee.position.legal_moves))))
        referee.play(moves[-1])
    records = tuple(MatchMove(move, 0) for move in moves)
    return MatchGame(seed, seed, "a", "b", 0, START_FEN, (), records, *ending)


def test_pyffish_agrees_on_random_games() -> None:
    games = [random_game(seed) for seed in range(60)]
    assert [text for game in games for text in disagreements(game)] == []
    assert {"checkmate", "stalemate", "repetition", "move limit", "insufficient material"} <= {g.reason for g in games}


def test_the_check_of_verdicts_notices_a_wrong_one() -> None:
    game = next(game for game in map(random_game, range(60)) if game.reason == "checkmate")
    wrong = MatchGame.from_json({**game.to_json(), "result": {"1-0": "0-1", "0-1": "1-0"}[game.result]})
    assert disagreements(wrong)


def test_the_endgame_tables_decide(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUHE_TABLES", str(tables))
    forget_tablebases()
    law = Law()
    won, drawn = Position("3k5/9/R8/9/9/9/9/9/9/4K4 b"), Position("3k1a3/4a4/9/9/9/9/9/9/4P4/4K4 w")
    assert decided_by_tables(won, law) == (
        "1-0", "endgame tables", "adjudicated by the endgame tables: won in 2 for Red"
    )  # fmt: skip
    assert decided_by_tables(Position("3k5/9/R8/9/9/9/9/9/9/4K4 b - - 117 90"), law) is None
    assert decided_by_tables(Position(), law) is None
    verdict = decided_by_tables(drawn, law)
    assert verdict is None or verdict[0] == "1/2-1/2"


def adjudicate(rules: Adjudication, red: list[Score | None], black: list[Score | None], first: int = 30) -> str | None:
    """The first ending when both sides report scores in turn, from full move `first` on."""
    adjudicator = Adjudicator(rules)
    for number, (mine, other) in enumerate(zip(red, black, strict=True), first):
        for colour, score in ((RED, mine), (BLACK, other)):
            adjudicator.note(colour, score)
            if ending := adjudicator.ending(colour, number):
                return f"{ending[0]} {ending[1]} at {number}"
    return None


def cp(*values: int) -> list[Score | None]:
    return [Score(cp=value) for value in values]


def test_draws_need_both_sides_and_enough_moves() -> None:
    rules = Adjudication(draw_from=32, draw_moves=2, draw_score=10)
    assert adjudicate(rules, cp(0, 5, -9, 3), cp(1, 2, 3, 4)) == "1/2-1/2 draw adjudication at 32"
    assert adjudicate(rules, cp(0, 5, 30, 3, 40), cp(1, 2, 3, 4, 5)) is None
    assert adjudicate(rules, [None] * 5, cp(0, 0, 0, 0, 0)) is None


def test_resignation_needs_agreement_unless_alone() -> None:
    rules = Adjudication(resign_moves=2, resign_score=500)
    assert adjudicate(rules, cp(-600, -700), cp(600, 700)) == "0-1 resign adjudication at 31"
    assert adjudicate(rules, cp(600, 700), cp(-600, -700)) == "1-0 resign adjudication at 31"
    assert adjudicate(rules, cp(-600, -700), cp(100, 100)) is None
    alone = Adjudication(resign_moves=2, resign_score=500, resign_alone=True)
    assert adjudicate(alone, cp(-600, -700), cp(100, 100)) == "0-1 resign adjudication at 31"
    assert adjudicate(alone, [Score(mate=-2), Score(mate=-1)], cp(0, 0)) == "0-1 resign adjudication at 31"
    assert adjudicate(alone, cp(-600, -400, -600), cp(0, 0, 0)) is None


def test_the_longest_game() -> None:
    assert adjudicate(Adjudication(max_moves=33), cp(*[50] * 9), cp(*[0] * 9)) == "1/2-1/2 move count at 33"
