"""The Python API and its invariants: taking back a move restores everything."""

from __future__ import annotations

import copy
import doctest
import random
from itertools import islice

import core_inspection
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_play import play_at_random

from chuhe.engine import (
    BLACK,
    CANNON,
    KING,
    RED,
    START_FEN,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    Position,
    _core,
    square,
    square_name,
)

POSITIONS = [position.fen() for position in islice(oracle.random_positions(random.Random(5)), 120)]
# which position to start from, and which of the legal moves to play, one after the other
games = st.tuples(st.sampled_from([START_FEN, *POSITIONS]), st.lists(st.integers(0, 10_000), max_size=40))


def state(position: Position) -> tuple[object, ...]:
    """Everything observable about a position."""
    return (
        position.fen(),
        position.key,
        position.turn,
        position.ply,
        position.halfmove_clock,
        position.fullmove_number,
        position.is_check(),
        [str(move) for move in position.move_stack],
        [str(move) for move in position.legal_moves],
        {place: piece.symbol for place, piece in position.pieces().items()},
    )


def play_on(position: Position, choices: list[int]) -> list[tuple[object, ...]]:
    """Play the chosen moves; returns the state before each."""
    states = []
    for choice in choices:
        moves = position.legal_moves
        if not moves:
            break
        states.append(state(position))
        position.push(moves[choice % len(moves)])
        core_inspection.consistency(position)
    return states


@settings(max_examples=150)
@given(games)
def test_make_and_undo_restore_everything(game: tuple[str, list[int]]) -> None:
    position = Position(game[0])
    for before in reversed(play_on(position, game[1])):
        position.pop()
        core_inspection.consistency(position)
        assert state(position) == before


@settings(max_examples=100)
@given(games)
def test_the_key_says_what_the_fen_says(game: tuple[str, list[int]]) -> None:
    position = Position(game[0])
    play_on(position, game[1])
    assert Position(position.fen()).key == position.key


@settings(max_examples=100)
@given(games)
def test_null_moves_are_undone_too(game: tuple[str, list[int]]) -> None:
    position = Position(game[0])
    play_on(position, game[1])
    if position.is_check():
        return
    before = state(position)
    position.push_null()
    core_inspection.consistency(position)
    assert position.turn != before[2]
    assert position.key != before[1]
    position.pop()
    core_inspection.consistency(position)
    assert state(position) == before


def mirrored(move: Move) -> str:
    return str(Move(*(9 * (place // 9) + 8 - place % 9 for place in (move.from_square, move.to_square))))


def flipped(move: Move) -> str:
    return str(Move(*(9 * (9 - place // 9) + place % 9 for place in (move.from_square, move.to_square))))


@pytest.mark.parametrize("fen", POSITIONS[:80])
def test_mirrored_and_flipped_positions_have_mirrored_and_flipped_moves(fen: str) -> None:
    position = Position(fen)
    mirror, flip = position.mirror(), position.flip()
    assert {str(move) for move in mirror.legal_moves} == {mirrored(move) for move in position.legal_moves}
    assert {str(move) for move in flip.legal_moves} == {flipped(move) for move in position.legal_moves}
    assert mirror.is_check() == flip.is_check() == position.is_check()
    assert mirror.mirror() == flip.flip() == position
    assert flip.turn == 1 - position.turn


@pytest.mark.parametrize("fen", POSITIONS[:40])
def test_the_queries_agree_with_each_other(fen: str) -> None:
    position = Position(fen)
    enemy = 1 - position.turn
    legal = position.legal_moves
    assert len(set(legal)) == len(legal)
    assert set(legal) <= set(position.pseudo_legal_moves)
    assert position.checkers() == position.attackers(enemy, position.king(position.turn))
    assert bool(position.checkers()) == position.is_check()
    for move in position.pseudo_legal_moves:
        assert position.is_legal(move) == (move in legal)
        assert position.is_capture(move) == (position.piece_at(move.to_square) is not None)
    for move in legal:
        gives_check = position.gives_check(move)
        position.push(move)
        assert position.is_check() == gives_check, move
        position.pop()


@pytest.mark.parametrize("seed", range(20))
def test_quiet_checks_are_found_without_looking_at_the_other_moves(seed: int) -> None:
    source, position, found = random.Random(seed), Position(), 0
    for _ in play_at_random(source, 200, position):
        quiet = [move for move in position.legal_moves if not position.is_capture(move) and position.gives_check(move)]
        checks = core_inspection.quiet_checks(position)
        assert len(checks) == len(quiet)
        assert set(checks) == set(quiet), position.fen()
        found += len(quiet)
    assert found > 10


@pytest.mark.parametrize("fen", POSITIONS[:10])
def test_is_legal_on_every_pair_of_squares(fen: str) -> None:
    position = Position(fen)
    legal = {move for move in (Move(start, end) for start in range(90) for end in range(90)) if position.is_legal(move)}
    assert legal == set(position.legal_moves)


def test_reading_a_position() -> None:
    position = Position()
    piece = position.piece_at(square("h2"))
    assert piece is not None
    assert (piece.colour, piece.kind, piece.symbol) == (RED, CANNON, "C")
    assert position.piece_at(square("e5")) is None
    assert len(position.pieces()) == 32
    assert (position.king(RED), position.king(BLACK)) == (square("e0"), square("e9"))
    king = position.pieces()[square("e9")]
    assert (king.colour, king.kind, king.symbol) == (BLACK, KING, "k")
    assert [square_name(place) for place in position.attackers(RED, square("e3"))] == []
    assert [square_name(place) for place in position.attackers(RED, square("h9"))] == ["h2"]


def test_push_takes_a_move_or_any_notation() -> None:
    position = Position()
    for move in (Move.from_iccs("h2e2"), "h9g7", "H2+3", "車９平８"):
        position.push(move)
    assert [str(move) for move in position.move_stack] == ["h2e2", "h9g7", "h0g2", "i9h9"]
    assert position.fullmove_number == 3


def test_a_refused_move_changes_nothing() -> None:
    position = Position()
    before = state(position)
    for text, error in (("h2h3x", InvalidMoveError), ("h2h9x", InvalidMoveError), ("e0e2", IllegalMoveError)):
        with pytest.raises(error):
            position.push(text)
    with pytest.raises(IllegalMoveError):
        position.push(Move.from_iccs("a9a8"))
    with pytest.raises(IndexError):
        position.pop()
    assert state(position) == before


def test_copies_are_independent() -> None:
    position = Position()
    position.push("h2e2")
    for duplicate in (position.copy(), copy.copy(position), copy.deepcopy(position)):
        assert isinstance(duplicate, Position)
        assert duplicate == position
        assert duplicate.move_stack == position.move_stack
        duplicate.push("h9g7")
        assert duplicate != position
        duplicate.pop()
        duplicate.pop()
        assert duplicate.fen() == START_FEN
        assert len(position.move_stack) == 1


def test_equality() -> None:
    assert Position() == Position(START_FEN)
    assert Position() != Position(START_FEN.replace(" w ", " b "))
    assert Position() != object()
    assert Position() != Position("3k5/9/9/9/9/9/9/9/9/4K4 w")


def test_transposition_has_the_same_key() -> None:
    one, other = Position(), Position()
    for move in "c3c4 h9g7 b0c2 b9c7".split():
        one.push(move)
    for move in "b0c2 b9c7 c3c4 h9g7".split():
        other.push(move)
    assert one.key == other.key != Position().key


def test_the_keys_are_the_same_on_every_machine() -> None:
    assert Position().key == 17805142806504925133
    assert Position(START_FEN.replace(" w ", " b ")).key == 12364942535899221918


def test_moves_are_values() -> None:
    move = Move.from_iccs("h2e2")
    assert move == Move(25, 22) == Move.from_iccs("H2-E2") == Move.from_uci("h3e3")
    assert hash(move) == hash(Move(25, 22))
    assert move != Move(22, 25)
    assert move != object()
    assert (str(move), move.iccs, move.uci) == ("h2e2", "h2e2", "h3e3")
    assert eval(repr(move), {"Move": Move}) == move
    assert Move.from_uci("a10a9").iccs == "a9a8"
    with pytest.raises(AttributeError):
        move.from_square = 3  # type: ignore[misc]


@pytest.mark.parametrize("text", ["", "h2", "h2e", "h2e2e2", "j2e2", "h2ea", "h2 e2", "ｈ２ｅ２", "h２e2", "\0\0\0\0"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(InvalidMoveError):
        Move.from_iccs(text)
    with pytest.raises(InvalidMoveError):
        Move.from_uci(text)


@pytest.mark.parametrize("text", ["a0a1", "a11a1", "a1a11", "a1a0", "a01a1", "a100a1", "a10a10a"])
def test_what_is_no_uci_move(text: str) -> None:
    with pytest.raises(InvalidMoveError):
        Move.from_uci(text)


@pytest.mark.parametrize("places", [(-1, 0), (0, 90), (90, 0), (1 << 40, 0)])
def test_squares_outside_the_board(places: tuple[int, int]) -> None:
    with pytest.raises((ValueError, OverflowError)):
        Move(*places)


@pytest.mark.parametrize("place", [-1, 90, 255, 1 << 40])
def test_queries_about_squares_outside_the_board(place: int) -> None:
    position = Position()
    with pytest.raises((ValueError, OverflowError, IndexError)):
        position.piece_at(place)
    with pytest.raises((ValueError, OverflowError, IndexError)):
        position.attackers(RED, place)
    with pytest.raises((ValueError, OverflowError, IndexError)):
        position.attackers(7, 0)
    with pytest.raises((ValueError, OverflowError, IndexError)):
        position.king(7)


def test_a_game_longer_than_any_table() -> None:
    position = Position("3k5/9/9/9/9/9/9/9/9/4K3R w")
    cycle = "i0i1 d9d8 i1i0 d8d9".split()
    for _ in range(1500):
        for move in cycle:
            position.push(move)
    assert len(position.move_stack) == 6000
    core_inspection.consistency(position)
    for _ in range(6000):
        position.pop()
    assert position.ply == 0
    core_inspection.consistency(position)


@pytest.mark.parametrize(
    ("fen", "move", "worth"),
    [
        ("3k5/9/9/9/r8/9/9/9/9/R3K4 w", "a0a5", 1),  # a rook for nothing
        ("3k5/9/b8/2p6/p8/9/9/9/9/R3K4 w", "a0a5", 1),  # an unprotected pawn
        ("r2k5/9/9/9/p8/9/9/9/9/R3K4 w", "a0a5", -1),  # a rook for a pawn
    ],
)
def test_exchanges(fen: str, move: str, worth: int) -> None:
    value = Position(fen).see(Move.from_iccs(move))
    assert (value > 0) - (value < 0) == worth


def test_the_examples_in_the_compiled_docstrings() -> None:
    failed, attempted = doctest.testmod(_core)
    assert attempted > 0
    assert failed == 0


def test_a_board_is_printed() -> None:
    lines = str(Position()).splitlines()
    assert len(lines) == 11
    assert lines[0].split() == ["9", *"rnbakabnr"]
    assert lines[-1].split() == list("abcdefghi")
    assert eval(repr(Position()), {"Position": Position}) == Position()


def test_flip_twice_is_nothing_and_once_is_the_same_for_the_mover() -> None:
    position = Position("3k5/9/9/9/4c4/9/2p6/9/9/R3K3N w")
    turned = position.flip()
    assert turned.turn != position.turn
    assert turned.perft(2) == position.perft(2)
    assert turned.flip().fen() == position.fen()
