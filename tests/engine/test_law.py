"""The referee: the judged cases of tests/data/repetition.json, every other ending of a game, the referee's settings."""

from __future__ import annotations

import json

import pytest
from paths import DATA

from chuhe.engine import Law, LimitError, Position, Reason

CASES = json.loads((DATA / "repetition.json").read_text())
FIRST_RECURRENCE = Law(occurrences=2)
PERPETUAL_CHECK = ("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8".split())
# the rook follows the cannon wherever it goes, and the cannon has no protection
PERPETUAL_CHASE = ("3k5/9/9/9/c8/9/R8/9/9/4K4 b", "a5b5 a3b3 b5a5 b3a3".split())

# two rooks, two cannons: each cycle chases one cannon, so over both cycles neither is chased throughout
TWO_CANNONS = "3k5/9/9/9/c7c/9/R7R/9/9/4K4 b"
LEFT_ROUND, RIGHT_ROUND = "a5b5 a3b3 b5a5 b3a3".split(), "i5h5 i3h3 h5i5 h3i3".split()


def play(fen: str, moves: list[str]) -> Position:
    position = Position(fen)
    for move in moves:
        position.push(move)
    return position


def result(position: Position, law: Law) -> str:
    outcome = position.outcome(law)
    return outcome.result if outcome else "*"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['fen'].split()[0]}-{len(case['moves'])}")
def test_judged_cases(case: dict[str, str]) -> None:
    assert result(play(case["fen"], list(case["moves"])), FIRST_RECURRENCE) == case["result"]


def test_there_are_93_cases_with_every_result() -> None:
    assert len(CASES) == 93
    assert {case["result"] for case in CASES} == {"1-0", "0-1", "1/2-1/2", "*"}


@pytest.mark.parametrize("law", [FIRST_RECURRENCE, Law(), Law(occurrences=4)])
def test_all_moves_since_the_first_occurrence_are_judged(law: Law) -> None:
    rounds = law.occurrences - 1
    assert result(play(TWO_CANNONS, LEFT_ROUND * rounds), law) == "0-1"
    assert result(play(TWO_CANNONS, RIGHT_ROUND * rounds), law) == "0-1"
    assert result(play(TWO_CANNONS, LEFT_ROUND + RIGHT_ROUND * rounds), law) == "1/2-1/2"
    assert result(play(TWO_CANNONS, LEFT_ROUND * rounds + RIGHT_ROUND), law) == "1/2-1/2"


def test_a_capture_begins_the_count_anew() -> None:
    fen = "3k5/9/9/9/c7c/9/R7R/9/9/p3K4 b"
    moves = [*LEFT_ROUND, *"d9d8 a3a0 d8d9 a0a3".split(), *RIGHT_ROUND]
    assert result(play(fen, moves), FIRST_RECURRENCE) == "0-1"


def test_checkmate() -> None:
    outcome = Position("3k5/9/9/9/9/9/9/9/r8/1r2K4 w").outcome()
    assert outcome is not None
    assert (outcome.result, outcome.reason) == ("0-1", Reason.CHECKMATE)


def test_stalemate_loses() -> None:
    outcome = Position("3k5/9/9/9/9/9/9/9/4r4/5K3 w").outcome()
    assert outcome is not None
    assert (outcome.result, outcome.reason) == ("0-1", Reason.STALEMATE)


def test_only_defenders_left_is_a_draw_if_the_law_says_so() -> None:
    position = Position("3ak4/4a4/4b4/9/9/9/9/4B4/9/3A1K3 w")
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.result, outcome.reason) == ("1/2-1/2", Reason.MATERIAL)
    assert position.outcome(Law(material=False)) is None


def test_a_single_pawn_is_enough_to_go_on() -> None:
    assert Position("3ak4/9/9/9/9/8P/9/9/9/5K3 w").outcome() is None


def test_the_move_limit_and_its_setting() -> None:
    fen = "3ak4/9/9/9/9/8P/9/9/9/5K3 w - - {} 80"
    assert Position(fen.format(119)).outcome() is None
    outcome = Position(fen.format(120)).outcome()
    assert outcome is not None
    assert (outcome.result, outcome.reason) == ("1/2-1/2", Reason.MOVE_LIMIT)
    assert Position(fen.format(120)).outcome(Law(move_limit=0)) is None
    assert result(Position(fen.format(20)), Law(move_limit=10)) == "1/2-1/2"


def test_checks_beyond_ten_a_side_do_not_count_for_the_move_limit() -> None:
    fen, moves = PERPETUAL_CHECK
    position = play(fen, moves * 5)
    assert position.halfmove_clock == 20  # ten checks
    for move in moves * 2:
        position.push(move)
    assert position.halfmove_clock == 24  # four of the eight plies are checks, which do not count
    for _ in range(8):
        position.pop()
    assert position.halfmove_clock == 20


def test_mate_comes_before_the_move_limit() -> None:
    outcome = Position("3k5/9/9/9/9/9/9/9/r8/1r2K4 w - - 130 90").outcome()
    assert outcome is not None
    assert outcome.reason is Reason.CHECKMATE


@pytest.mark.parametrize(("occurrences", "rounds"), [(2, 1), (3, 2), (4, 3), (6, 5)])
def test_occurrences_say_when_a_cycle_is_judged(occurrences: int, rounds: int) -> None:
    fen, moves = PERPETUAL_CHECK
    law = Law(occurrences=occurrences)
    position = play(fen, moves * (rounds - 1) + moves[:-1])
    assert position.outcome(law) is None
    position.push(moves[-1])
    outcome = position.outcome(law)
    assert outcome is not None
    assert (outcome.result, outcome.reason) == ("0-1", Reason.PERPETUAL_CHECK)


@pytest.mark.parametrize(
    ("case", "wxf", "checks", "none"),
    [(PERPETUAL_CHECK, "0-1", "0-1", "*"), (PERPETUAL_CHASE, "0-1", "1/2-1/2", "*")],
    ids=["check", "chase"],
)
def test_which_law(case: tuple[str, list[str]], wxf: str, checks: str, none: str) -> None:
    position = play(*case)
    assert result(position, Law(occurrences=2, repetition="wxf")) == wxf
    assert result(position, Law(occurrences=2, repetition="checks")) == checks
    assert result(position, Law(occurrences=2, repetition="none")) == none


def test_the_reason_names_the_offender_and_the_victim() -> None:
    outcome = play(*PERPETUAL_CHASE).outcome(FIRST_RECURRENCE)
    assert outcome is not None
    assert outcome.text == "Red chases the cannon on a5 with every move: Red loses"
    outcome = play(*PERPETUAL_CHECK).outcome(FIRST_RECURRENCE)
    assert outcome is not None
    assert outcome.text == "Red gives check with every move: Red loses"


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("3k5/9/9/9/9/9/8r/8B/8r/4K1B2 b", "i3e3 g0e2 e3i3 e2g0"),
        ("5k3/9/9/9/9/9/1Cr1Pc3/4N4/9/4K4 b", "c3c0 e2d0 c0c3 d0e2"),
        ("9/4a4/4k4/9/4p4/9/9/1RcA1C3/4K4/9 w", "b2b7 e8d7 b7b2 d7e8"),
    ],
)
def test_check_and_chase_by_turns_is_a_draw(fen: str, moves: str) -> None:
    # the check must not make it look as if the protectors could not recapture
    assert result(play(fen, moves.split()), FIRST_RECURRENCE) == "1/2-1/2"


def test_a_capture_ends_the_history_of_repetition() -> None:
    position = play("3k5/9/9/9/r8/9/9/9/p8/R3K4 w", "a0b0 a5b5 b0a0 b5a5".split())
    assert result(position, FIRST_RECURRENCE) != "*"
    position.push("a0a1")
    assert position.outcome(FIRST_RECURRENCE) is None


@pytest.mark.parametrize(
    "settings", [{"occurrences": 1}, {"move_limit": -1}, {"repetition": "asian"}], ids=lambda value: next(iter(value))
)
def test_senseless_settings_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(LimitError):
        Law(**settings)  # type: ignore[arg-type]


def test_judging_leaves_the_position_as_it_was() -> None:
    position = play(*PERPETUAL_CHASE)
    fen, key, stack = position.fen(), position.key, position.move_stack
    position.outcome(FIRST_RECURRENCE)
    assert (position.fen(), position.key, position.move_stack) == (fen, key, stack)
