"""Training positions, expanded by the core."""

from __future__ import annotations

import pytest
from game_data import block_of, legal_games
from hypothesis import given, settings
from hypothesis import strategies as st

from chuhe.bench.learning.game_format import DataError, Game
from chuhe.bench.learning.records import (
    BY_RULE,
    CAPTURE,
    CHECK,
    GAME_ROW,
    LETTERS,
    MATED,
    NO_FEATURE,
    RECORD,
    RECURS,
    STRAY,
    expand,
    fen_of,
)
from chuhe.bench.learning.text_games import parse_game
from chuhe.bench.matches.match_values import Termination
from chuhe.engine import RED, Move, Position, _core


def test_the_record_is_the_documented_one() -> None:
    assert (RECORD.itemsize, GAME_ROW.itemsize) == (72, 16)
    offsets = {name: RECORD.fields[name][1] for name in RECORD.names or ()} if RECORD.fields else {}
    assert offsets == {
        "features": 0,
        "score": 64,
        "result": 66,
        "side": 67,
        "flags": 68,
        "half_move_clock": 69,
        "ply": 70,
    }


def test_a_known_game_has_known_features() -> None:
    """A cannon takes a knight, and the rook recaptures."""
    game = parse_game("0-1 agreed||h2h9:-120 i9h9:150 a3a4:-160", 5)
    positions, games = expand(block_of(game))
    assert games.tolist() == [(5, 0, 3, 0, 7, 0, 0)]
    first, second, third = positions
    at_start = {
        *((7 * side + kind) * 90 + (square if side == RED else 89 - square) for side in (0, 1) for kind, square in (
            (0, 4), (1, 3), (1, 5), (2, 2), (2, 6), (3, 1), (3, 7), (4, 0), (4, 8), (5, 19), (5, 25),
            (6, 27), (6, 29), (6, 31), (6, 33), (6, 35),
        )),
    }  # fmt: skip
    assert set(first["features"].tolist()) == at_start
    cannon, knight, black_rook = 5 * 90, 10 * 90, 11 * 90
    taken = at_start - {cannon + 25, knight + 88} | {cannon + 88}
    assert set(second["features"].tolist()) == taken | {NO_FEATURE}
    assert (second["features"] != NO_FEATURE).sum() == 31
    retaken = taken - {cannon + 88, black_rook + 89} | {black_rook + 88}
    assert set(third["features"].tolist()) == retaken | {NO_FEATURE}
    assert positions["score"].tolist() == [-120, 150, -160]
    assert positions["result"].tolist() == [0, 2, 0]
    assert positions["side"].tolist() == [0, 1, 0]
    assert positions["flags"].tolist() == [CAPTURE, CAPTURE, 0]
    assert positions["half_move_clock"].tolist() == [0, 0, 0]
    assert positions["ply"].tolist() == [0, 1, 2]


@given(st.lists(legal_games(), max_size=4))
@settings(max_examples=40)
def test_every_scored_position_is_there_as_the_board_has_it(games: list[Game]) -> None:
    positions, rows = expand(block_of(*games))
    assert rows["count"].tolist() == [game.positions for game in games]
    assert rows["number"].tolist() == [game.number for game in games]
    at = 0
    for game in games:
        board = game.start()
        for move in game.opening:
            board.push(move)
        strays = [index for index, (_, score) in enumerate(game.plies) if score is None]
        for index, (move, score) in enumerate(game.plies):
            if score is not None:
                record = positions[at]
                assert fen_of(record).split()[:2] == board.fen().split()[:2]
                assert record["half_move_clock"] == min(255, board.halfmove_clock)
                assert (record["score"], record["side"], record["ply"]) == (score, board.turn, board.ply)
                flags = int(record["flags"])
                assert bool(flags & CHECK) == board.is_check()
                assert bool(flags & CAPTURE) == board.is_capture(move)
                assert bool(flags & RECURS) == (board.recurrence() > 0)
                assert bool(flags & STRAY) == (bool(strays) and index < strays[-1])
                assert bool(flags & MATED) == (abs(score) >= 29_000)
                assert bool(flags & BY_RULE) == (27_744 <= abs(score) < 29_000)
                assert bool((record["features"][board_count(board) :] == NO_FEATURE).all())
                at += 1
            board.push(move)
    assert at == len(positions)


def board_count(board: Position) -> int:
    return len(board.pieces())


def test_a_recurrence_is_flagged() -> None:
    there_and_back = "b0c2:0 b9c7:0 c2b0:0 c7b9:0 b0c2:0"
    positions, _ = expand(block_of(parse_game(f"1/2-1/2 repetition||{there_and_back}", 1)))
    assert (positions["flags"] & RECURS != 0).tolist() == [False, False, False, False, True]
    assert positions["half_move_clock"].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (parse_game("1-0 agreed||h2e2:1 h2e2:1", 17), "game 17: ply 2, h2e2, is not a legal move"),
        (parse_game("1-0 agreed|e0e1 e9e8 e1e4|a3a4:1", 18), "game 18: ply 3, e1e4, is not a legal move"),
        (Game(19, "1-0", Termination.AGREED, (), ((Move(0, 9), 1),), fen="nonsense"), "game 19: its start position"),
    ],
)
def test_what_the_board_forbids_is_named(game: Game, fault: str) -> None:
    with pytest.raises(DataError, match=rf"x\.games: block 1 \(at byte 100\): {fault}"):
        expand(block_of(game))


def test_a_move_that_leaves_the_king_in_check_is_not_legal() -> None:
    pinned = Game(1, "1-0", Termination.AGREED, (), ((Move.from_iccs("e5d5"), 1),), fen="4k4/9/4r4/9/4R4/9/9/9/9/4K4 w")
    with pytest.raises(DataError, match="ply 1, e5d5"):
        expand(block_of(pinned))


@pytest.mark.parametrize(("games", "positions"), [(1, 1), (1, 3), (2, 2), (0, 0), (-1, 2), (1, 10**12)])
def test_other_numbers_than_announced_are_an_error(games: int, positions: int) -> None:
    block = block_of(parse_game("1-0 agreed||h2e2:1 h9g7:1", 1))
    wrong = type(block)(block.path, 1, 0, games, positions, block.size, block.checksum, block.stored)
    with pytest.raises(DataError, match="block 1"):
        expand(wrong)


@given(st.binary(max_size=300), st.integers(0, 5), st.integers(0, 60))
def test_no_bytes_can_do_harm(payload: bytes, games: int, positions: int) -> None:
    try:
        records, rows = _core.expand_games(payload, games, positions)
    except ValueError:
        return
    assert (len(records), len(rows)) == (72 * positions, 16 * games)


def test_the_letters_follow_the_pieces() -> None:
    assert [LETTERS.index(letter) for letter in "KABNRCPkabnrcp"] == list(range(14))
    positions, _ = expand(block_of(parse_game("1-0 agreed||h2e2:1", 1)))
    assert fen_of(positions[0]) == Position().fen()
