"""The evaluations of S0 and S1, worked out by hand from the published weights and the tables in `style_tables`."""

import itertools

import pytest

from engine import Position
from play.styles import LOST, S0, S1, PlainSearch, Style, look, s0_depth, s0_threat

ROOK_ENDING = "3k5/9/9/9/R8/9/9/9/9/4K4 w"


def test_s0_on_a_rook_ending() -> None:
    """Red: king e0, rook a5; Black: king d9.

    Rook a5: 17 moves. Its points by the table: a6-a9 28+28+30+28 = 114, a4-a0 28+24+20+18+12 = 102,
    b5-i5 34+34+38+40+38+34+34+28 = 280. King e0: moves d0 f0 e1 worth 20+20+8 = 48. King d9: e9 and d8, 30+5.
    """
    board = look(Position(ROOK_ENDING))
    assert S0.terms(S0, board, 0) == {
        "strength": 1_000_600,
        "position": 28 + 30,
        "threat": 0,
        "mobility": 7 * 17,
        "control": 114 + 102 + 280 + 48,
    }
    assert S0.terms(S0, board, 1) == {"strength": 1_000_000, "position": 20, "threat": 0, "mobility": 0, "control": 35}
    assert S0.score(board, 0) == 6 * 600 + 4 * (58 - 20) + 0 + 119 + (544 - 35) == 4380
    assert S0.score(board, 1) == -4380


def test_s0_weighs_mobility_by_piece() -> None:
    """Knight b0 behind its own pawn c3… of the start position: 2 moves each (x13); rooks 2 each, cannons 12 each (x7:
    8 quiet, and a shot at the knight), pawns 1 each (x15)."""
    board = look(Position())
    assert S0.terms(S0, board, 0)["mobility"] == 13 * 4 + 7 * 4 + 7 * 24 + 15 * 5


def test_s0_threat_adds_up_pairs_across_the_river() -> None:
    """Rook, knight and pawn across: 50 + 20 + 15. The cannon at home and Black's lone rook across count nothing."""
    board = look(Position("3k5/9/6N2/9/R8/4P4/1C7/9/3r5/4K4 w"))
    assert s0_threat(board, 0) == 50
    board = look(Position("3k5/9/6N2/4P4/R8/9/1C7/9/3r5/4K4 w"))
    assert s0_threat(board, 0) == 50 + 20 + 15
    assert s0_threat(board, 1) == 0


def test_s1_on_a_rook_ending() -> None:
    """7 x 90 for the rook, 15 x 4 for a5, and 17 + 3 moves against 2."""
    board = look(Position(ROOK_ENDING))
    assert S1.terms(S1, board, 0) == {"piece": 10_090, "position": 4, "flexibility": 20}
    assert S1.terms(S1, board, 1) == {"piece": 10_000, "position": 0, "flexibility": 2}
    assert S1.score(board, 0) == 630 + 60 + 18


@pytest.mark.parametrize("style", [S0, S1])
def test_the_start_is_even_and_black_sees_what_red_sees(style: Style) -> None:
    assert style.score(look(Position()), 0) == 0
    position = Position("r1bakab1r/9/1cn4c1/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w")
    flipped = position.flip()
    assert style.score(look(position), 0) == style.score(look(flipped), 1) != 0


@pytest.mark.parametrize(("pieces", "depth"), [(32, 3), (31, 3), (30, 4), (20, 5), (11, 6), (2, 7)])
def test_s0_searches_deeper_as_pieces_leave(pieces: int, depth: int) -> None:
    assert s0_depth(pieces) == depth


def test_s1_searches_four_plies_and_twenty_moves() -> None:
    assert S1.depth(32) == S1.depth(5) == 4
    search = PlainSearch(S1)
    position = Position()
    assert len(search.ordered(position, position.legal_moves)) == 20


def test_s1_takes_the_dearest_with_the_cheapest_first() -> None:
    """Red can take the rook with the pawn, the knight with the pawn, or the rook with the rook."""
    position = Position("4k4/9/9/9/3rPn3/9/9/9/3R5/3K5 w")
    order = [str(move) for move in PlainSearch(S1).ordered(position, position.legal_moves)]
    assert order[:3] == ["e5d5", "e5f5", "d1d5"]


def test_s0_tries_the_strongest_victim_first() -> None:
    position = Position("4k4/9/9/9/3rPn3/9/9/9/3R5/3K5 w")
    order = [str(move) for move in PlainSearch(S0).ordered(position, position.legal_moves)]
    assert set(order[:2]) == {"e5d5", "d1d5"}
    assert order[0] == "d1d5"
    assert order[2] == "e5f5"


def minimax(style: Style, position: Position, depth: int, ply: int = 0) -> int:
    moves = position.legal_moves
    if not moves:
        return LOST + ply
    if depth == 0:
        return style.score(look(position), position.turn)
    best = LOST
    for move in moves:
        position.push(move)
        best = max(best, -minimax(style, position, depth - 1, ply + 1))
        position.pop()
    return best


@pytest.mark.parametrize(
    ("style", "fen"),
    list(
        itertools.product(
            [S0, S1],
            [
                "3k5/4a4/9/9/9/2n6/4P4/4C4/4A4/3AK4 w",
                "2bak4/4a4/4b4/6R2/9/9/4p4/4B4/3rA4/2BAK4 b",
                "5k3/1R7/9/9/9/9/9/9/2r6/3K5 w",
            ],
        )
    ),
)
def test_alpha_beta_finds_the_minimax_value(style: Style, fen: str) -> None:
    position = Position(fen)
    line = PlainSearch(style, breadth=0).search(position, depth=2)
    assert line is not None
    assert line.score == minimax(style, position, 2)
    assert position.fen() == Position(fen).fen()


def test_a_mate_is_found_and_counted() -> None:
    line = PlainSearch(S0).search(Position("3k5/9/R8/1R7/9/9/9/9/9/5K3 w"), depth=4)
    assert line is not None
    assert line.score == -LOST - 3
    assert len(line.moves) == 3


def test_no_legal_move_no_line() -> None:
    assert PlainSearch(S0).search(Position("3k5/R8/9/9/9/9/9/9/9/5K3 b"), depth=1) is not None
    assert PlainSearch(S0).search(Position("R2k5/1R7/9/9/9/9/9/9/9/4K4 b"), depth=1) is None


def test_an_interrupted_search_still_has_a_legal_move() -> None:
    position = Position()
    line = PlainSearch(S0, should_stop=lambda: True).search(position)
    assert line is not None
    assert line.moves[0] in position.legal_moves
