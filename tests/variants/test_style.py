"""The evaluations of S0 and S1, worked out by hand from the published numbers (and our own where there are none)."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
import reference_styles
from random_play import random_position

from chuhe.engine import Position
from chuhe.variants.styles import S0, S1, Style, make_style
from chuhe.variants.styles.style import s0_depth
from chuhe.variants.weights import WeightError

PAWN = "3k5/9/9/9/4P4/9/9/9/9/4K4 w"
TWO_PAWNS = "3k5/9/9/2P1P4/9/9/9/9/9/4K4 b"
ROOK = "3k5/9/9/9/R8/9/9/9/9/4K4 w"
KNIGHT = "3k5/9/9/9/9/9/4p4/4N4/9/4K4 w"
CANNON = "3k5/9/2r6/9/9/9/2P6/2C6/9/4K4 w"
GUARDS = "3ak4/9/4b4/9/9/9/9/4B4/4A4/3A1K3 b"
WORDS = ("strength", "position", "threat", "mobility", "control")

# In all of the first five: Red's king on e0 is worth 15 there, and could go to d0, f0 and e1: 11 + 11 + 2 = 24.
# Black's king on d9 stands where d0 is for Red: 11; it could go to e9 and d8: 15 + 2 = 17.
S0_BOARDS = {
    # Pawn e5, across the river: 29. It could go to e6, d5 and f5: 30 + 27 + 27 = 84, and each move counts 15.
    PAWN: ((1_000_070, 29 + 15, 0, 3 * 15, 84 + 24), (1_000_000, 11, 0, 0, 17)),
    # Pawns c6: 27, e6: 30; together a threat of 10 (ours). c7 b6 d6: 32 + 23 + 29 = 84. e7 d6 f6: 37 + 29 + 29 = 95.
    TWO_PAWNS: ((1_000_140, 27 + 30 + 15, 10, 6 * 15, 84 + 95 + 24), (1_000_000, 11, 0, 0, 17)),
    # Rook a5 (its table is ours): 28, 17 moves of 7. a6-a9: 28 + 28 + 30 + 28 = 114;
    # a4-a0: 28 + 24 + 20 + 18 + 12 = 102; b5-i5: 34 + 34 + 38 + 40 + 38 + 34 + 34 + 28 = 280.
    ROOK: ((1_000_600, 28 + 15, 0, 17 * 7, 114 + 102 + 280 + 24), (1_000_000, 11, 0, 0, 17)),
    # Knight e2 (its table is ours): 18; the pawn on e3 blocks the leg forward, so 6 moves of 13:
    # d0 f0 8 + 8, g3 c3 24 + 24, g1 c1 10 + 10 = 84.
    # Black's pawn e3 stands where e6 is for Red: 30. It could take on e2: 37, or go to d3, f3: 29 + 29.
    KNIGHT: (
        (1_000_300, 18 + 15, 0, 6 * 13, 84 + 24),
        (1_000_070, 30 + 11, 0, 3 * 15, 37 + 29 + 29 + 17),
    ),
    # Cannon c2 (its table is ours): 20. Rank 2: 12 + 16 + 20 + 26 + 20 + 20 + 16 + 12 = 142; c1 16, c0 14;
    # over the pawn it could take the rook on c7: 14. 11 moves of 7. Pawn c3: 7; c4: 13; one move of 15.
    # Black's rook c7 stands where c2 is for Red: 24. Rank 7: 20 + 28 + 34 + 32 + 34 + 24 + 28 + 20 = 220;
    # c8 22, c9 18, c6 28, c5 34, c4 34, and c3, which it could take: 34. 14 moves of 7.
    CANNON: (
        (1_000_570, 20 + 7 + 15, 0, 11 * 7 + 15, 142 + 16 + 14 + 14 + 13 + 24),
        (1_000_600, 24 + 11, 0, 14 * 7, 220 + 22 + 18 + 28 + 34 + 34 + 34 + 17),
    ),
}
S0_SCORES = {
    PAWN: 6 * 70 + 4 * (44 - 11) + 45 + (108 - 17),  # 420 + 132 + 45 + 91 = 688
    TWO_PAWNS: -(6 * 140 + 4 * (72 - 11) + 4 * 10 + 90 + (203 - 17)),  # Black moves: -(840 + 244 + 40 + 90 + 186)
    ROOK: 6 * 600 + 4 * (43 - 11) + 119 + (520 - 17),  # 3600 + 128 + 119 + 503 = 4350
    KNIGHT: 6 * 230 + 4 * (33 - 41) + (78 - 45) + (108 - 112),  # 1380 - 32 + 33 - 4 = 1377
    CANNON: 6 * -30 + 4 * (42 - 35) + (92 - 98) + (223 - 407),  # -180 + 28 - 6 - 184 = -342
}

# S1's values of the pieces are ours: rook 600, cannon = horse 300, elephant = advisor 120, pawn 60, king 10,000.
S1_BOARDS = {
    # Pawn e5: 20. It has 3 moves and the king 3, Black's king 2.
    PAWN: ((10_060, 20, 6), (10_000, 0, 2)),
    # Pawns c6: 30, e6: 40.
    TWO_PAWNS: ((10_120, 70, 9), (10_000, 0, 2)),
    # Rook a5: 12, 17 moves.
    ROOK: ((10_600, 12, 20), (10_000, 0, 2)),
    # Horse e2: 4, 6 moves. Black's pawn e3 stands where e6 is for Red: 40, 3 moves.
    KNIGHT: ((10_300, 4, 9), (10_060, 40, 5)),
    # Cannon c2: 8, 11 moves; pawn c3: -2, 1 move. Black's rook c7 stands where c2 is for Red: 6, 14 moves.
    CANNON: ((10_360, 8 - 2, 15), (10_600, 6, 16)),
    # Advisors and elephants count nothing for where they stand. Red: king f0 2 moves, advisor d0 none, advisor e1 2,
    # elephant e2 4. Black: king e9 2, advisor d9 1, elephant e7 4.
    GUARDS: ((10_360, 0, 8), (10_240, 0, 7)),
}
S1_SCORES = {
    PAWN: 7 * 60 + 15 * 20 + 4,  # 420 + 300 + 4 = 724
    TWO_PAWNS: -(7 * 120 + 15 * 70 + 7),  # Black moves: -(840 + 1050 + 7) = -1897
    ROOK: 7 * 600 + 15 * 12 + 18,  # 4200 + 180 + 18 = 4398
    KNIGHT: 7 * 240 + 15 * (4 - 40) + 4,  # 1680 - 540 + 4 = 1144
    CANNON: 7 * -240 + 15 * (6 - 6) - 1,  # -1680 + 0 - 1 = -1681
    GUARDS: 7 * -120 + 0 - 1,  # Black moves: -841
}


@pytest.mark.parametrize("fen", S0_BOARDS)
def test_s0_by_hand(fen: str) -> None:
    position = Position(fen)
    for colour, expected in enumerate(S0_BOARDS[fen]):
        assert S0.terms(position, colour) == dict(zip(WORDS, expected, strict=True))
    assert S0.score(position) == S0_SCORES[fen]


@pytest.mark.parametrize("fen", S1_BOARDS)
def test_s1_by_hand(fen: str) -> None:
    position = Position(fen)
    for colour, expected in enumerate(S1_BOARDS[fen]):
        assert S1.terms(position, colour) == dict(zip(("piece", "position", "flexibility"), expected, strict=True))
    assert S1.score(position) == S1_SCORES[fen]


def test_the_sums_in_the_comments() -> None:
    assert list(S0_SCORES.values()) == [688, -1400, 4350, 1377, -342]
    assert list(S1_SCORES.values()) == [724, -1897, 4398, 1144, -1681, -841]


def test_printed_corners_of_the_tables() -> None:
    """Squares count from Red's left on its back rank, so the last printed row comes first."""
    assert S0.tables["K"] is S0.tables["P"]
    assert S0.tables["P"][:9] == (0, 0, 0, 11, 15, 11, 0, 0, 0)
    assert S0.tables["P"][81:] == (9, 9, 9, 11, 13, 11, 9, 9, 9)
    assert S1.tables["R"][:9] == (-2, 10, 6, 14, 12, 14, 6, 10, -2)
    assert S1.tables["R"][9:18] == (8, 4, 8, 16, 8, 16, 8, 4, 8)
    assert S1.tables["C"][36:45] == (-2, 0, 4, 2, 6, 2, 4, 0, -2)
    assert S1.tables["N"][81:] == (4, 8, 16, 12, 4, 12, 16, 8, 4)
    assert S1.tables["P"][76] == 120
    assert not any(S1.tables["K"] + S1.tables["A"] + S1.tables["B"])
    for table in (*S0.tables.values(), *S1.tables.values()):
        rows = [table[start : start + 9] for start in range(0, 90, 9)]
        assert rows == [row[::-1] for row in rows]


def test_s1_values_keep_the_printed_order() -> None:
    value = S1.strength
    assert value["R"] > value["C"] == value["N"] > value["B"] == value["A"]


def test_s0_weighs_mobility_by_piece() -> None:
    """At the start: knights 2 moves each (x13), rooks 2 each (x7), cannons 12 each (x7), pawns 1 each (x15)."""
    assert S0.terms(Position(), 0)["mobility"] == 13 * 4 + 7 * 4 + 7 * 24 + 15 * 5


def test_s0_threat_adds_up_pairs_across_the_river() -> None:
    """Rook and knight 50; with the pawn across as well 20 + 15. A cannon at home and a lone rook count nothing."""
    assert S0.terms(Position("3k5/9/6N2/9/R8/4P4/1C7/9/3r5/4K4 w"), 0)["threat"] == 50
    both = Position("3k5/9/6N2/4P4/R8/9/1C7/9/3r5/4K4 w")
    assert (S0.terms(both, 0)["threat"], S0.terms(both, 1)["threat"]) == (50 + 20 + 15, 0)


def random_positions(seed: int, count: int) -> list[Position]:
    rng = random.Random(seed)
    return [random_position(rng, rng.randrange(120), greed=0.4) for _ in range(count)]


@pytest.mark.parametrize("style", [S0, S1], ids=["s0", "s1"])
def test_compiled_and_plain_evaluation_agree(style: Style) -> None:
    for position in random_positions(5, 60):
        for colour in (0, 1):
            assert style.terms(position, colour) == reference_styles.terms(style, position, colour), position.fen()
        assert style.score(position) == reference_styles.score(style, position)


@pytest.mark.parametrize("style", [S0, S1], ids=["s0", "s1"])
def test_the_start_is_even_and_black_sees_what_red_sees(style: Style) -> None:
    assert style.score(Position()) == 0
    position = Position("r1bakab1r/9/1cn4c1/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w")
    assert style.score(position) == style.score(position.flip()) != 0


@pytest.mark.parametrize(("pieces", "depth"), [(32, 3), (31, 3), (30, 4), (20, 5), (11, 6), (2, 7)])
def test_s0_searches_deeper_as_pieces_leave(pieces: int, depth: int) -> None:
    assert s0_depth(pieces) == depth


def order_of(style: Style, fen: str, breadth: int = 0) -> list[str]:
    position = Position(fen)
    return [str(move) for move in style.searcher().prepare(position, position.legal_moves, breadth=breadth)]


EXCHANGES = "4k4/9/9/9/3rPn3/9/9/9/3R5/3K5 w"


def test_s0_tries_the_strongest_victim_first_with_the_strongest_piece() -> None:
    assert order_of(S0, EXCHANGES)[:3] == ["d1d5", "e5d5", "e5f5"]


def test_s1_takes_the_dearest_with_the_cheapest_first() -> None:
    """600/60, 300/60, 600/600."""
    assert order_of(S1, EXCHANGES)[:3] == ["e5d5", "e5f5", "d1d5"]


def test_s1_has_two_orders_for_quiet_moves() -> None:
    """By power: rook, then cannon and horse as they come, elephant and advisor, pawn, king. Alike: as they come."""
    fen = "3k5/9/9/9/9/9/P8/R3B4/3CN4/4KA3 w"
    position = Position(fen)
    moves = [str(move) for move in position.legal_moves]
    assert order_of(replace(S1, quiet_order="alike"), fen) == moves
    kinds = [position.piece_at(move.from_square) for move in map(position.parse_move, order_of(S1, fen))]
    values = [0 if piece and piece.symbol == "K" else S1.strength[piece.symbol] for piece in kinds if piece]
    assert values == sorted(values, reverse=True)
    assert values[0] == S1.strength["R"] != values[-1]


def test_the_breadth_cuts_the_list() -> None:
    start = Position().fen()
    assert order_of(S1, start, S1.breadth) == order_of(S1, start)[:20]


def test_weights_are_changed_by_name() -> None:
    changed = make_style("s0", "strength=8, threat=0")
    assert changed.weights == {"strength": 8, "position": 4, "threat": 0, "mobility": 1, "control": 1}
    assert changed.score(Position(ROOK)) == S0_SCORES[ROOK] + 2 * 600
    assert make_style("s1", quiet_order="alike").quiet_order == "alike"


def test_tables_and_values_are_data() -> None:
    heavier = replace(S1, strength={**S1.strength, "P": 100}, tables={**S1.tables, "P": (0,) * 90})
    assert heavier.score(Position(PAWN)) == 7 * 100 + 4


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("speed=3", "there is no weight 'speed'; the weights are strength, position, threat, mobility, control"),
        ("strength", "weights are written name=number,name=number, not 'strength'"),
        ("strength=nan", "the weight strength is a whole number from -1000 to 1000, not 'nan'"),
        ("strength=1e3", "the weight strength is a whole number from -1000 to 1000, not '1e3'"),
        ("strength=1001", "the weight strength is a whole number from -1000 to 1000, not '1001'"),
        ("strength=", "the weight strength is a whole number from -1000 to 1000, not ''"),
        ("strength=1,strength=2", "the weight strength is given twice"),
        ("strength=1,,threat=2", "weights are written name=number,name=number, not 'strength=1,,threat=2'"),
    ],
)
def test_nonsense_weights_are_named(text: str, complaint: str) -> None:
    with pytest.raises(WeightError) as caught:
        S0.with_weights(text)
    assert str(caught.value) == complaint


def test_an_order_for_quiet_moves_is_s1_alone() -> None:
    with pytest.raises(ValueError, match="s0 orders all moves by strength"):
        make_style("s0", quiet_order="alike")
    with pytest.raises(ValueError, match="power or alike, not 'random'"):
        make_style("s1", quiet_order="random")
    with pytest.raises(ValueError, match="the styles are s0, s1, not 's2'"):
        make_style("s2")


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
    core = style.searcher()
    core.prepare(position, position.legal_moves)
    found = core.run(2)
    assert found is not None
    assert found[0] == reference_styles.minimax(style, position, 2)
    assert position.fen() == Position(fen).fen()
