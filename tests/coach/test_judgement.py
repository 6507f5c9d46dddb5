"""Judgements of moves: what is said of a mistake, next to the numbers."""

from __future__ import annotations

import pytest

from chuhe.coach.judgement import annotate, judge_game
from chuhe.engine import BestMove, Move, Position, Score
from chuhe.engine.notation import Notation
from chuhe.records.pgn import GameRecord, RecordedMove

GAME = GameRecord("3k5/9/9/9/n8/9/9/R8/9/4K4 b", (RecordedMove(Move.from_iccs("d9d8")),))


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


def test_a_good_move_gets_numbers_only() -> None:
    record = GameRecord(GAME.fen, (RecordedMove(Move.from_iccs("a5c6")),))
    judgements = judge_game(record, search)
    assert judgements[0].remarks == ()
    assert annotate(record, judgements).moves[0].comment == "+2.20/10"
