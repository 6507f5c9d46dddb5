"""Games as bytes: round trips, and errors that name what is wrong."""

from __future__ import annotations

import struct

import pytest
from game_data import block_of, legal_games
from hypothesis import given, settings
from hypothesis import strategies as st

from chuhe.bench.learning.game_format import (
    GAME,
    REASONS,
    Block,
    DataError,
    Game,
    cut_games,
    game_numbers,
    pack_game,
    renumbered,
    scored_plies,
    unpack_games,
)
from chuhe.bench.learning.text_games import parse_game
from chuhe.bench.matches.match_values import Termination
from chuhe.engine import Move
from chuhe.engine.values import Reason

GAME_ONE = parse_game("1-0 agreed|h2e2 h9g7|h0g2:35 i9h9:-29", 1)


@given(st.lists(legal_games(), max_size=5))
@settings(max_examples=40)
def test_what_is_packed_is_unpacked(games: list[Game]) -> None:
    payload = b"".join(map(pack_game, games))
    assert list(unpack_games(payload)) == games
    assert list(game_numbers(payload)) == [game.number for game in games]
    assert [scored_plies(game) for game in cut_games(payload)] == [game.positions for game in games]
    assert list(block_of(*games).unpack()) == games


def test_the_layout_is_the_documented_one() -> None:
    head = bytes.fromhex("01000000 02 07 00 00 0200 0200")
    moves = struct.pack("<4H", 25 | 22 << 7, 88 | 69 << 7, 7 | 24 << 7, 89 | 88 << 7)
    assert pack_game(GAME_ONE) == head + moves + struct.pack("<2h", 35, -29)
    assert GAME.size == 12


def test_the_reasons_keep_their_numbers() -> None:
    """The numbers are stored in files and must not change."""
    assert REASONS == (
        "checkmate",
        "stalemate",
        "perpetual check",
        "perpetual chase",
        "repetition",
        "move limit",
        "insufficient material",
        "agreed",
        "length",
    )
    assert {reason.value for reason in Reason} <= set(REASONS)


def test_a_position_costs_three_to_five_bytes() -> None:
    opening = tuple(move for move, _ in GAME_ONE.plies)
    long = Game(1, "1-0", Termination.AGREED, opening, tuple((move, 100) for move in opening * 60))
    assert len(pack_game(long)) / long.positions < 5


def test_a_game_can_be_renumbered() -> None:
    assert next(unpack_games(renumbered(pack_game(GAME_ONE), 77))) == Game(
        77, "1-0", Termination.AGREED, GAME_ONE.opening, GAME_ONE.plies
    )


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (Game(1, "1-0", Termination.CRASH), "an ending that files do not have: 1-0, crash"),
        (Game(2**32, "1-0", Termination.AGREED), "does not fit"),
        (Game(1, "1-0", Termination.AGREED, plies=((Move(0, 1), 40_000),)), "does not fit"),
    ],
)
def test_what_has_no_place_is_refused(game: Game, fault: str) -> None:
    with pytest.raises(DataError, match=fault):
        pack_game(game)


def test_a_cut_payload_is_an_error_and_not_a_shorter_game() -> None:
    payload = pack_game(GAME_ONE)
    for length in range(1, len(payload)):
        for read in (unpack_games, cut_games):
            with pytest.raises(DataError, match="a game cannot be read"):
                list(read(payload[:length]))


def test_damage_names_the_block() -> None:
    block = block_of(GAME_ONE)
    stored = bytearray(block.stored)
    stored[3] ^= 1
    broken = Block(block.path, 7, 4711, block.games, block.positions, block.size, block.checksum, bytes(stored))
    with pytest.raises(DataError, match=r"x\.games: block 7 \(at byte 4711\) is damaged: the checksum differs"):
        broken.payload()


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("", "expected RESULT REASON"),
        ("1-0|h2e2|h9g7:1", "expected RESULT REASON"),
        ("2-0 agreed||h2e2:1", "not a result"),
        ("1-0 boredom||h2e2:1", "not a result with a known reason"),
        ("1-0 agreed||h2e2", "not a move with its score"),
        ("1-0 agreed||h2e2:99999", "not a move with its score"),
        ("1-0 agreed||h2e2:x", "not a move with its score"),
        ("1-0 agreed||h2z2:1", "not a move"),
    ],
)
def test_a_bad_line_says_why(line: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        parse_game(line, 1)


def test_a_reason_may_have_hyphens() -> None:
    assert parse_game("0-1 perpetual-check||h2e2:1", 1).reason == "perpetual check"
