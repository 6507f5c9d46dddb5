"""Judgements of moves: what is said of a mistake, next to the numbers."""

from __future__ import annotations

import pytest

from chuhe.coach.judgement import DRAW_TIMES, Judgement, agreed_remarks, annotate, judge_game
from chuhe.engine import BestMove, Move, Position, Score
from chuhe.engine.notation import Notation
from chuhe.records.game_record import GameRecord, RecordedMove

GAME = GameRecord("3k5/9/9/9/n8/9/9/R8/9/4K4 b", (RecordedMove(Move.from_iccs("d9d8"), nags=(22,)),))


def search(position: Position, times: int = 1) -> BestMove:
    """Red takes the knight; Black should have moved it away."""
    text, score = ("a2a5", 220) if position.turn == 0 else ("a5c6", -60)
    move = Move.from_iccs(text)
    if move not in position.legal_moves:  # further on in the line
        move = position.legal_moves[0]
    return BestMove(move, None, Score(cp=score), 10, 1000, 1, (move,))


@pytest.mark.parametrize(
    ("notation", "reason"),
    [
        ("wxf", "K4+1 does not save the knight on a5: R9+3 takes it."),
        ("chinese", "走将４进１没有救１路马，被车九进三吃去。"),
        ("traditional", "走將４進１沒有救１路馬，被車九進三吃去。"),
    ],
)
def test_a_mistake_is_explained_in_the_language_of_the_notation(notation: Notation, reason: str) -> None:
    judgements = judge_game(GAME, search)
    assert judgements[0].reply_line[0].iccs == "a2a5"
    move = annotate(GAME, judgements, notation).moves[0]
    assert reason in move.comment
    assert move.mark in ("?", "??")
    assert move.nags == (22,)


def test_a_good_move_gets_numbers_only() -> None:
    record = GameRecord(GAME.fen, (RecordedMove(Move.from_iccs("a5c6")),))
    judgements = judge_game(record, search)
    assert judgements[0].remarks == ()
    assert annotate(record, judgements).moves[0].comment == "+2.20/10"


def look(best_line: str, reply_line: str, best: int = 30, after: int = -200) -> Judgement:
    """One of the judgements of a move that leaves the knight on a5 to be taken."""
    lines = (tuple(Move.from_iccs(word) for word in line.split()) for line in (best_line, reply_line))
    best_moves, reply_moves = lines
    return Judgement(1, Score(cp=best), Score(cp=after), best_moves, 9, False, reply_moves)


def test_only_what_two_looks_agree_on_is_said() -> None:
    position, move = Position(GAME.fen), GAME.moves[0].move
    loses, other = look("a5c6", "a2a5"), look("a5b7", "a2a5")
    assert [remark.code for remark in agreed_remarks([loses, loses], position, move)] == ["leaves", "saves"]
    assert [remark.code for remark in agreed_remarks([other, loses], position, move)] == ["leaves"]
    (shown,) = agreed_remarks([look("a5c6", "e0e1"), loses], position, move)
    assert (shown.code, [each.iccs for each in shown.line]) == ("answered", ["d9d8", "a2a5"])  # only the line
    assert agreed_remarks([loses, look("a5c6", "a2a5", -195)], position, move) == ()  # no mistake after all
    assert agreed_remarks([], position, move) == ()


@pytest.mark.parametrize(
    ("better", "reply_line", "said"),
    [
        ("a5c6", "b2a2", "answered"),  # the attack may cost nothing
        ("a5c6", "b2a2 d8d7 e0e1 d7d8 a2a5", "allows_attack"),
        ("a5b7", "b2a2 d8d7 e0e1 d7d8 a2a5", "allows_attack"),  # the looks differ about the better move only
        ("a5b7", "b2a2", "answered"),
    ],
)
def test_an_attack_is_spoken_of_if_it_costs_material(better: str, reply_line: str, said: str) -> None:
    position, move = Position("3k1ab2/4a4/4b4/9/n8/9/9/1R7/9/4K4 b"), Move.from_iccs("d9d8")
    looks = [look(better, reply_line), look("a5c6", reply_line)]
    assert [remark.code for remark in agreed_remarks(looks, position, move)][:1] == [said]


@pytest.mark.parametrize(("found", "said"), [(0, ["holds_draw"]), (-150, ["answered"])])
def test_a_draw_is_claimed_if_a_long_search_finds_it_too(found: int, said: list[str]) -> None:
    level = tuple(Move.from_iccs(word) for word in "d9d8 e0e1 d8d9 e1e0".split())

    def search(position: Position, times: int = 1) -> BestMove:
        if position.is_legal(level[0]):
            return BestMove(level[0], None, Score(cp=0), 10, 1000, 1, level)
        score = -found if times == DRAW_TIMES else 220
        return BestMove(None, None, Score(cp=score), 10, 1000, 1, tuple(position.legal_moves[:1]))

    record = GameRecord("3k5/9/9/9/n8/9/9/1R7/9/4K4 b", (RecordedMove(Move.from_iccs("a5c4")),))
    (judgement,) = judge_game(record, search)
    assert [remark.code for remark in judgement.remarks if remark.code != "better"] == said
