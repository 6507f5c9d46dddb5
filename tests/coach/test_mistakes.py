"""Remarks on mistakes: what is proven is said, in every language; what is not is left unsaid."""

from __future__ import annotations

import pytest

from chuhe.coach import PlacedPiece
from chuhe.coach.mistakes import Remark, explain_best, explain_mistake
from chuhe.coach.wording import merit_words, mistake_words
from chuhe.engine import Engine, Limits, Move, Position, Score, Settings
from chuhe.text.message import LANGUAGES, Language


def moves(text: str) -> list[Move]:
    return [Move.from_iccs(word) for word in text.split()]


def said(fen: str, played: str, reply: str, best: str, scores: tuple[Score, Score]) -> list[str]:
    position = Position(fen)
    remarks = explain_mistake(position, Move.from_iccs(played), moves(reply), moves(best), *scores)
    return [str(message) for message in mistake_words(position, remarks, "iccs")]


KNIGHT = PlacedPiece("n", 45)
ROOK_AND_KNIGHT = "3k5/9/9/9/n8/9/9/R8/9/4K4"


def test_a_piece_that_is_simply_taken() -> None:
    lines = said(f"{ROOK_AND_KNIGHT} b", "d9d8", "a2a5", "a5c6", (Score(cp=-250), Score(cp=-900)))
    assert lines == ["d9d8 loses the knight on a5: a2a5 takes it.", "Better a5c6."]


def test_a_piece_that_falls_only_later_is_no_reason() -> None:
    """In the line the knight stands still; but nothing forces it to."""
    lines = said(f"{ROOK_AND_KNIGHT} b", "d9d8", "e0e1 d8d9 a2a5", "a5c6", (Score(cp=-250), Score(cp=-900)))
    assert lines == []


def test_a_piece_that_is_lost_with_any_move_is_no_reason() -> None:
    lines = said(f"{ROOK_AND_KNIGHT} b", "d9d8", "a2a5", "a5c6 a2c2 d9d8 c2c6", (Score(cp=-900), Score(cp=-1500)))
    assert lines == []


def test_the_larger_of_two_losses_is_named_or_none() -> None:
    """Red's rook is taken, then his knight; meanwhile he takes a cannon, or a rook."""
    fen = "3k5/9/9/r8/9/9/R7c/9/9/N3K3R w"
    line, best, scores = "a6a3 i0i3 a3a0", "a3a6", (Score(cp=900), Score(cp=-900))
    assert said(fen, "e0e1", line, best, scores)[0] == "e0e1 loses the rook on a3: a6a3 takes it."
    lines = said(fen.replace("R7c", "R7r"), "e0e1", line, best, scores)
    assert not any("loses" in each for each in lines)  # a rook for a rook, and a knight: no one piece is the loss


def test_a_piece_that_a_double_attack_wins() -> None:
    fen = "3k5/9/9/2r6/9/6r2/3N5/9/9/4K4 w"
    lines = said(fen, "e0e1", "c6c3", "d3e5 d9d8 e5c6", (Score(cp=300), Score(cp=-1200)))
    assert lines == ["Better d3e5, which wins the rook on c6 (double attack)."]


def test_mates_are_counted_and_named() -> None:
    fen = "5k3/9/R8/1R7/9/9/9/9/9/3K5"
    lines = said(f"{fen} w", "d0d1", "f9e9", "b6b8 f9e9 a7a9", (Score(mate=2), Score(cp=1500)))
    assert lines == ["Better b6b8, which mates in 2 (alternating rooks)."]
    lines = said(f"{fen} b", "f9f8", "a7a8 f8f9 b6b9", "f9e9", (Score(cp=-250), Score(mate=-2)))
    assert lines == ["f9f8 allows mate in 2 (alternating rooks).", "Better f9e9."]


def test_a_shorter_mate_is_no_remark() -> None:
    fen = "5k3/9/R8/1R7/9/9/9/9/9/3K5 w"
    assert said(fen, "d0d1", "f9f8", "b6b8 f9e9 a7a9", (Score(mate=2), Score(mate=5))) == []


def test_a_threat_of_mate_and_a_draw_by_the_law() -> None:
    fen = "5k3/9/R8/1R7/9/9/9/9/9/3K5 w"
    assert said(fen, "d0d1", "f9e9", "b6b8", (Score(cp=900), Score(cp=500))) == [
        "Better b6b8, which threatens mate in 1 (alternating rooks)."
    ]
    drawn = "3k5/9/9/9/9/9/9/9/4p4/4K4 w"
    assert said(drawn, "e0f0", "e1f1", "e0e1", (Score(cp=0), Score(cp=-400))) == [
        "Better e0e1, which holds the draw by the law."
    ]


def test_no_move_is_called_better_in_a_lost_position() -> None:
    lines = said(f"{ROOK_AND_KNIGHT} b", "d9d8", "a2a5", "a5c6", (Score(cp=-350), Score(cp=-1500)))
    assert lines == ["d9d8 loses the knight on a5: a2a5 takes it."]


def test_nothing_proven_nothing_said() -> None:
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
    assert said(start, "e0e1", "h7e7", "h2e2 h9g7", (Score(cp=30), Score(cp=-200))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_is_a_whole_sentence_in_every_language(language: Language) -> None:
    position = Position(f"{ROOK_AND_KNIGHT} b")
    line = tuple(moves("d9d8 a2a5"))
    remarks = [
        Remark(code, line[: 2 if code == "loses_piece" else 1], KNIGHT, 2 if code == "loses_piece" else 1, 2, motif)
        for code in ("allows_mate", "loses_piece", "mates", "wins_piece", "threatens_mate", "holds_draw", "better")
        for motif in ("", "double_attack")
    ]
    for message in (*mistake_words(position, remarks, "wxf"), merit_words(position, remarks[4], "wxf")):
        text = message.text(language)
        assert "{" not in text
        assert not text.startswith("coach.")
        assert text.endswith("." if language == "en" else "。")


def test_the_best_move_of_a_real_search() -> None:
    engine = Engine(Settings(hash_mb=4, use_tables=False))
    position = Position("1C1a2b2/4ak3/4R4/p5pN1/2P4c1/6P2/P4r3/4B4/4A4/4K1B2 b")  # three checks
    engine.set_position(position)
    best = engine.search(Limits(nodes=20_000))
    remark = explain_best(position, best.pv, best.score)
    assert remark is not None
    assert str(merit_words(position, remark, "wxf")) == "It mates in 3 (facing king)."
