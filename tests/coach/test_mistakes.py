"""Remarks on mistakes: what is proven is said, in every language; what is not is left unsaid."""

from __future__ import annotations

import pytest

from chuhe.coach import PlacedPiece
from chuhe.coach.features import improvements
from chuhe.coach.mistakes import Remark, _lets_capture, explain_best, explain_mistake
from chuhe.coach.tactics import Variation
from chuhe.coach.wording import merit_words, mistake_words
from chuhe.engine import Engine, Limits, Move, Position, Score, Settings
from chuhe.engine.notation import move_text
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
    lines = said(f"{ROOK_AND_KNIGHT} b", "d9d8", "a2a5", "a5c6", (Score(cp=-60), Score(cp=-220)))
    assert lines == [
        "d9d8 does not save the knight on a5: a2a5 takes it.",
        "a5c6 is better: it saves the knight on a5.",
    ]
    lines = said("3k5/9/9/9/n8/9/9/1R7/9/4K4 b", "a5b7", "b2b7", "a5c6", (Score(cp=-60), Score(cp=-220)))
    assert lines == ["a5b7 loses the knight on b7: b2b7 takes it.", "a5c6 is better."]


def test_a_piece_that_falls_only_later_is_no_loss() -> None:
    """In the line the knight stands still; but nothing forces it to."""
    lines = said(f"{ROOK_AND_KNIGHT} b", "d9d8", "e0e1 d8d9 a2a5", "a5c6", (Score(cp=-60), Score(cp=-220)))
    assert not any("loses" in line or "takes" in line for line in lines)


def test_a_piece_that_is_lost_with_any_move_is_no_reason() -> None:
    lines = said(
        f"{ROOK_AND_KNIGHT} b", "d9d8", "a2a5", "a5b7 a2a5 d9d8 a5b5 d8d9 b5b7", (Score(cp=-220), Score(cp=-380))
    )
    assert not any("knight" in line for line in lines)


def explained(fen: str, played: str, reply: str, best: str) -> list[Remark]:
    scores = Score(cp=-80), Score(cp=-160)
    return explain_mistake(Position(fen), Move.from_iccs(played), moves(reply), moves(best), *scores)


def test_what_is_taken_back_is_no_loss() -> None:
    """The knight is taken, and the other one takes a cannon."""
    fen = "r2akabn1/3n4r/bc6c/2pCp1p2/p7p/3C5/P1P1P1P1P/4B1N2/9/RNBAKA1R1 b"
    remarks = explained(fen, "d8f7", "h0h9 f7d6 h9g9 e6e5 g9g6 d6f5 d4g4 b7e7", "h9g7 d6g6 d8f7 d4g4 f9e8 b0c2")
    assert not {"loses", "leaves", "saves"} & {remark.code for remark in remarks}


@pytest.mark.parametrize(
    ("fen", "played", "reply", "best"),
    [
        (  # a cannon takes an advisor that another one and a rook protect
            "3rka3/4a4/2R6/8p/7r1/8P/p3P4/2R4C1/4A4/c1BA1K3 w",
            "c2b2",
            "a0d0 f0e0 a3b3 b2e2 d0d4 c7c4",
            "f0e0 d9d3 e3e4 e8d9 e4e5 d3e3",
        ),
        ("4k4/9/9/9/9/9/6n1r/9/9/3K2B2 b", "g3i2", "g0i2 i3h3 d0d1 e9e8", "g3f5 d0d1"),  # the rook takes an elephant
    ],
)
def test_what_could_be_taken_back_is_no_loss(fen: str, played: str, reply: str, best: str) -> None:
    """The line that the search has found does not take back."""
    assert not {"loses", "leaves"} & {remark.code for remark in explained(fen, played, reply, best)}


def test_both_moves_take_the_same_rook() -> None:
    fen = "C1bak1b2/1r4R2/2n5n/p1p3p1p/4p4/9/Pcc1P1P1P/2N1C3N/4A4/1RBA1KB2 b"
    remarks = explained(fen, "b8g8", "e3e4 g8f8", "i7g8 e3e4 g8f6 e4e5 e9f9 c2e3")
    assert not {"wins", "saves"} & {remark.code for remark in remarks}


def test_a_piece_that_is_left_to_be_taken() -> None:
    fen = "rnbakab1r/9/6nc1/p1p1p1p1p/9/9/P1P1P1P1P/1cN1C1NC1/9/R1BAKAB1R b"
    reply, best = "e2b2 b9c7 a0b0 a9b9 c3c4 h7e7 g3g4 h9i7", "b2e2 h2e2 i9h9 i0h0 g6g5 h0h6 g9e7 h6g6"
    first = explained(fen, "g7h9", reply, best)[0]
    texts = [mistake_words(Position(fen), [first], notation)[0] for notation in ("iccs", "chinese")]
    assert texts[0].text() == "g7h9 does not save the cannon on b2: e2b2 takes it."
    assert texts[1].text("zh-Hans") == "走马７退８没有救２路炮，被炮五平八吃去。"


def test_pieces_are_named_by_where_the_reader_sees_them() -> None:
    """Both elephants are taken on e7; one of them has come there only to take back."""
    fen = "2bak4/4a4/2R5c/p1C1P3p/5rb2/P8/2p6/4B4/4A4/3AK1B2 b"
    reply, best = (
        "e6e7 c9e7 c7e7 f5c5 c6b6 i7f7 e7e5 c5c9 b6b4 f7b7",
        "c9e7 c7c8 f5c5 e6d6 i7i8 c8c7 i8h8 c7b7 h8h0 e1f0",
    )
    lines = said(fen, "g5e7", reply, best, (Score(cp=-60), Score(cp=-220)))
    after = "after e6e7 c9e7 c7e7."
    assert f"g5e7 loses the elephant on e7 and the elephant on c9 for the pawn on e6 {after}" in lines


def test_equal_pieces_are_not_counted() -> None:
    """The knight is lost too, but for a cannon."""
    fen = "3k5/9/9/r8/9/9/R7c/9/9/N3K3R w"
    line, best, scores = "a6a3 i0i3 a3a0", "a3a6", (Score(cp=200), Score(cp=-200))
    lines = said(fen, "e0e1", line, best, scores)
    assert lines[0] == "e0e1 does not save the rook on a3: a6a3 takes it."
    assert lines[1] == "a3a6 is better: it wins the rook on a6."


def test_a_piece_that_a_double_attack_wins() -> None:
    fen = "3k5/9/9/2r6/9/6r2/3N5/9/9/4K4 w"
    lines = said(fen, "e0e1", "c6c3", "d3e5 d9d8 e5c6", (Score(cp=80), Score(cp=-300)))
    assert lines[-1] == "d3e5 is better: it wins the rook on c6 after d9d8 e5c6 (double attack)."


def test_an_attack_that_is_a_tactic_has_its_name() -> None:
    scores, both = (Score(cp=80), Score(cp=-300)), "the rook on c6 and the rook on g4"
    lines = said("3k5/9/9/2r6/9/6r2/3N5/9/9/4K4 w", "e0e1", "c6c3", "d3e5", scores)
    assert lines[-1] == f"d3e5 is better: it attacks {both} (double attack)."
    lines = said("3k5/9/9/2R6/9/6R2/3n5/9/9/4K4 w", "e0f0", "d3e5", "c6c7 d9d8", scores)
    assert lines[0] == f"e0f0 lets Black attack {both} with d3e5 (double attack)."


def test_mates_are_counted_and_named() -> None:
    fen = "5k3/9/R8/1R7/9/9/9/9/9/3K5"
    lines = said(f"{fen} w", "d0d1", "f9e9", "b6b8 f9e9 a7a9", (Score(mate=2), Score(cp=400)))
    assert lines == ["b6b8 is better: it mates in 2 (alternating rooks)."]
    lines = said(f"{fen} b", "f9f8", "a7a8 f8f9 b6b9", "f9e9", (Score(cp=-60), Score(mate=-2)))
    assert lines == ["f9f8 allows Red to mate in 2: a7a8 (alternating rooks).", "f9e9 is better."]


def test_a_mate_that_the_line_does_not_show_is_not_claimed() -> None:
    fen = "5k3/9/R8/1R7/9/9/9/9/9/3K5 b"
    assert not any("mate" in each for each in said(fen, "f9f8", "a7a8 f8f9", "f9e9", (Score(cp=-60), Score(mate=-2))))


def test_a_shorter_mate_is_no_remark() -> None:
    fen = "5k3/9/R8/1R7/9/9/9/9/9/3K5 w"
    assert said(fen, "d0d1", "f9f8", "b6b8 f9e9 a7a9", (Score(mate=2), Score(mate=5))) == []


def test_a_threat_of_mate() -> None:
    fen = "5k3/9/R8/1R7/9/9/9/9/9/3K5 w"
    assert said(fen, "d0d1", "f9e9", "b6b8", (Score(cp=220), Score(cp=120))) == [
        "b6b8 is better: it threatens mate in 1 (alternating rooks)."
    ]


def test_a_draw_is_held_when_the_law_counts_it() -> None:
    drawn = "3k5/9/9/9/9/9/9/9/4p4/4K4 w"  # no attackers are left
    assert said(drawn, "e0f0", "e1f1", "e0e1", (Score(cp=0), Score(cp=-100))) == [
        "e0e1 is better: it holds the draw by the law."
    ]
    game = Position("3k5/9/9/9/9/9/4r4/9/9/R4K3 b")
    cycle = moves("e3e4 f0f1 e4e3 f1f0")
    remark = explain_best(game, cycle, Score(cp=0))
    assert remark is not None
    assert (remark.code, len(remark.line)) == ("holds_draw", 8)  # the third occurrence
    assert explain_best(game, cycle[:3], Score(cp=0)) != remark


def test_a_repetition_loses_when_the_law_counts_it() -> None:
    fen, cycle = "3k5/9/9/9/9/9/9/9/4K4/r8 b", "a0a1 e1e0 a1a0 e0e1"  # Black checks for ever
    scores = (Score(cp=0), Score(cp=-900))

    def fault(played: str, reply: str) -> Remark | None:
        lines = (Move.from_iccs(played), moves(reply), moves("a0b0"))
        found = explain_mistake(Position(fen), *lines, *scores)
        return next((remark for remark in found if remark.code == "repeats"), None)

    played, reply = cycle.split(" ", 1)
    remark = fault(played, reply)
    assert remark is not None
    end = Position(fen)
    for move in remark.line[:-1]:
        end.push(move)
    assert end.outcome() is None
    end.push(remark.line[-1])
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.result == "1-0"
    assert fault(played, reply.rsplit(" ", 1)[0]) is None  # no position recurs in the line
    assert fault("a0a2", "e1e0 a2a0 e0e1 a0a2 e1e0 a2a0 e0e1") is None  # a recurrence, but no check each time


@pytest.mark.parametrize(
    ("played", "better", "named"),
    [
        ("d0e1", "h0g2", "the knight on h0"),
        ("h0g2", "b0c2", ""),  # so does the other move
        ("d0e1", "c3c4", ""),  # a pawn is no officer
        ("d0e1", "h2h6", ""),  # an attack, no development
    ],
)
def test_an_officer_is_brought_into_play(played: str, better: str, named: str) -> None:
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
    lines = said(start, played, "b9c7", f"{better} h9g7", (Score(cp=30), Score(cp=-200)))
    assert [line for line in lines if "into play" in line] == (
        [f"{better} is better: it brings {named} into play."] if named else []
    )


@pytest.mark.parametrize(
    ("fen", "played", "reply", "best", "named"),
    [
        (
            "1r1k5/9/9/9/9/9/9/9/9/1N3K3 w",
            "f0f1",
            "b9b0",
            "b0c2 d9d8",
            "f0f1 lets Black take the knight on b0 with b9b0.",
        ),
        ("1r1k5/9/9/9/9/9/9/9/9/1N3K3 w", "f0f1", "b9b0", "f0e0 b9b0", ""),  # whatever Red plays
        ("1r1k5/9/9/9/9/2p6/9/9/9/1N3K3 w", "b0c2", "c4c3", "f0f1 d9d8", ""),  # nothing is taken
    ],
)
def test_a_capture_that_the_move_allows(fen: str, played: str, reply: str, best: str, named: str) -> None:
    position = Position(fen)
    bad, good = (Variation(position, line) for line in (moves(f"{played} {reply}"), moves(best)))
    remark = _lets_capture(bad, good)
    assert (str(mistake_words(position, [remark], "iccs")[0]) if remark else "") == named


@pytest.mark.parametrize(
    ("fen", "better", "named"),
    [
        ("3k5/9/9/9/9/2p6/9/9/9/2R2K3 w", "c0c4", True),
        ("2rk5/9/9/9/9/2p6/9/9/9/2R2K3 w", "c0c4", False),  # the pawn is protected
    ],
)
def test_what_the_better_move_takes(fen: str, better: str, named: bool) -> None:
    found = improvements(Position(fen), moves(f"{better} d9d8"), moves("f0f1 d9d8"))
    assert any(feature.code == "takes" for feature in found) == named


@pytest.mark.parametrize(("answer", "named"), [("d9d8", True), ("b9b1", False)])
def test_a_rook_is_freed_if_it_still_is_after_the_answer(answer: str, named: bool) -> None:
    fen = "1r1k5/9/9/9/9/9/9/P8/9/RN3K3 w"
    lines = said(fen, "f0f1", "d9d8", f"a0a1 {answer}", (Score(cp=30), Score(cp=-200)))
    assert ("a0a1 is better: it gives the rook on a0 9 moves instead of 1." in lines) == named


def test_a_rook_that_has_room_is_not_freed() -> None:
    lines = said("1r1k5/9/9/9/9/9/9/P8/R8/1N3K3 w", "f0e0", "d9d8", "a1i1 d9d8", (Score(cp=30), Score(cp=-200)))
    assert not any("gives the rook" in line for line in lines)  # 17 moves instead of 9


def test_what_changes_on_the_board_is_said_of_real_mistakes_only() -> None:
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
    scores = (Score(cp=30), Score(cp=-200))
    better = "a0a1 is better: it gives the rook on a0 10 moves instead of 2."
    assert said(start, "e0e1", "b9c7", "a0a1 h9g7", scores) == ["e0e1 takes the king off its back rank.", better]
    assert said(start, "d0e1", "b9c7", "a0a1 h9g7", scores) == [better]
    arguments = (Position(start), Move.from_iccs("e0e1"), moves("b9c7"), moves("a0a1 h9g7"), *scores)
    assert explain_mistake(*arguments, details=False) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_is_a_whole_sentence_in_every_language(language: Language) -> None:
    position = Position(f"{ROOK_AND_KNIGHT} b")
    line = tuple(moves("d9d8 a2a5"))
    faults = (
        "allows_mate",
        "loses",
        "leaves",
        "allows_threat",
        "allows_attack",
        "allows_capture",
        "king_out",
        "answered",
        "repeats",
    )
    merits = (
        "takes",
        "mates",
        "wins",
        "threatens_mate",
        "holds_draw",
        "better",
        "attacks",
        "saves",
        "frees",
        "confines",
        "develops",
    )
    named = ("allows_mate", "allows_threat", "allows_attack", "attacks", "mates", "threatens_mate", "holds_draw")
    remarks = [
        Remark(code, line, (KNIGHT,), (), 2 if code in faults else 1, 2, 1, motif)
        for code in (*faults, *merits)
        for motif in ("", "double_attack")
        if not motif or code in named
    ]
    long = (*line, *moves("d8d9 a5a6"))
    remarks += [
        Remark(code, long, (KNIGHT, KNIGHT), given, 4, 0, 0, motif)
        for code in ("loses", "wins")
        for given in ((), (KNIGHT,))
        for motif in ("", "double_attack")
    ]
    for notation in ("wxf", "traditional"):
        for message in (*mistake_words(position, remarks, notation), merit_words(position, remarks[6], notation)):
            text = message.text(language)
            assert "{" not in text
            assert "coach." not in text
            assert text.endswith("." if language == "en" else "。")


def test_the_best_move_of_a_real_search() -> None:
    engine = Engine(Settings(hash_mb=4, use_tables=False))
    position = Position("1C1a2b2/4ak3/4R4/p5pN1/2P4c1/6P2/P4r3/4B4/4A4/4K1B2 b")  # three checks
    engine.set_position(position)
    best = engine.search(Limits(nodes=20_000))
    remark = explain_best(position, best.pv, best.score)
    assert remark is not None
    assert (
        str(merit_words(position, remark, "wxf"))
        == f"{move_text(position, best.pv[0], 'wxf')} mates in 3 (facing king)."
    )


def test_a_stalemate_is_no_mate() -> None:
    position = Position()
    line = (Move.from_iccs("h2e2"), Move.from_iccs("h9g7"))
    won = Remark("mates", line[:1], moves=16, motif="stalemate")
    assert str(merit_words(position, won, "iccs")) == "h2e2 wins in 16 by stalemate."
    lost = Remark("allows_mate", line, shown=2, moves=3, motif="stalemate")
    assert [str(each) for each in mistake_words(position, [lost], "iccs")] == [
        "h2e2 allows Black to win in 3 by stalemate: h9g7."
    ]
