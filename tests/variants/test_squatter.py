"""Squatter: captures by definition, symmetric positions, our players."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chuhe.engine.errors import IllegalMoveError
from chuhe.variants.errors import BoardError
from chuhe.variants.search._search import ALPHA_BETA, EXACT_SEARCH, MINIMAX, SHARE, TABLE, Search
from chuhe.variants.squatter._squatter import Squatter
from chuhe.variants.squatter.players import ILLEGAL, FeaturePlayer, MinimaxPlayer, RandomPlayer
from chuhe.variants.squatter.referee import referee
from chuhe.variants.squatter.text import (
    Cell,
    StoneColour,
    Weights,
    board_text,
    cell_of,
    move_of,
    parse_board,
    position,
    winner_of,
)
from chuhe.variants.weights import WeightError


def reaches_the_edge(rows: list[str], start: Cell, colour: str) -> bool:
    """Whether a path over the four neighbours, around the colour's pieces, leads from a cell to the edge."""
    size = len(rows)
    reached, waiting = {start}, [start]
    while waiting:
        r, c = waiting.pop()
        if r in (0, size - 1) or c in (0, size - 1):
            return True
        for other in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if other not in reached and rows[other[0]][other[1]] != colour:
                reached.add(other)
                waiting.append(other)
    return False


def enclosed(rows: list[str], colour: str) -> set[Cell]:
    """By definition, cell by cell: cells not of the colour with no path to the edge."""
    cells = [(r, c) for r, row in enumerate(rows) for c, symbol in enumerate(row) if symbol != colour]
    return {cell for cell in cells if not reaches_the_edge(rows, cell, colour)}


def captured_by_definition(rows: list[str], colour: str) -> list[str]:
    """The board after everything that the colour encloses has been captured."""
    inside = enclosed(rows, colour)
    enemy = "B" if colour == "W" else "W"
    change = {"+": "-", enemy: enemy.lower()}
    return [
        "".join(change.get(symbol, symbol) if (r, c) in inside else symbol for c, symbol in enumerate(row))
        for r, row in enumerate(rows)
    ]


def rows_of(game: Squatter) -> list[str]:
    return [game.symbols[start : start + game.size] for start in range(0, game.size**2, game.size)]


def scattered(source: random.Random, size: int, colour: str) -> list[str]:
    """A board with rings of one colour, mostly open, and enemy pieces inside; nothing captured yet."""
    enemy = "B" if colour == "W" else "W"
    share = source.uniform(0.3, 0.75)
    return [
        "".join(colour if source.random() < share else source.choice("+" + enemy) for _ in range(size))
        for _ in range(size)
    ]


def test_settling_a_board_equals_the_definition() -> None:
    """A board on which only one colour has pieces, whatever it encloses."""
    source = random.Random(9)
    captures = 0
    for _ in range(600):
        size, colour = source.randint(1, 9), source.choice("WB")
        rows = scattered(source, size, colour)
        enemy = "B" if colour == "W" else "W"
        if enclosed(rows, enemy):
            continue
        expected = captured_by_definition(rows, colour)
        assert rows_of(position(size, "".join(rows))) == expected
        captures += expected != rows
    assert captures > 100


def a_capturing_move(game: Squatter) -> int | None:
    before = game.captured_counts
    for move in game.legal_moves():
        game.push(move)
        after = game.captured_counts
        game.pop()
        if after != before:
            return move
    return None


def test_captures_equal_the_definition_on_2000_boards_and_undo_restores_them() -> None:
    """Whole games up to 9x9 that favour captures: after every placement the board follows the definition."""
    source = random.Random(4)
    boards = captures = 0
    while boards < 2000:
        game = position(source.randint(2, 9))
        rows = rows_of(game)
        seen = []
        while game.legal_moves():
            colour = "W" if game.white_moves else "B"
            move = (source.random() < 0.5 and a_capturing_move(game)) or source.choice(game.legal_moves())
            row, column = cell_of(game, move)
            seen.append((game.symbols, game.hash, game.captured_counts, game.static_value()))
            game.push(move)
            rows[row] = rows[row][:column] + colour + rows[row][column + 1 :]
            rows = captured_by_definition(rows, colour)
            assert rows_of(game) == rows
            boards += 1
            captures += seen[-1][2] != game.captured_counts
        assert winner_of(game) is not None
        for symbols, key, counts, value in reversed(seen):
            game.pop()
            assert (game.symbols, game.hash, game.captured_counts, game.static_value()) == (symbols, key, counts, value)
    assert captures > 50


def test_a_ring_may_close_diagonally_and_the_edge_is_never_captured() -> None:
    game = position(3, "+W+" + "W++" + "+W+", "W")
    game.push(6)  # (1,2)
    assert game.symbols == "+W+" + "W-W" + "+W+"
    corner = position(3, "+W+" + "+W+" + "+++", "W")
    corner.push(4)
    assert corner.captured_counts == (0, 0)


def test_whoever_encloses_first_keeps_the_cell() -> None:
    """Black's single cell stays Black's when White encloses its ring; White then has the ring's pieces only."""
    rows = ["+WWWWW+", "W+++++W", "W++B++W", "W+B-B+W", "W++B++W", "W+++++W", "+WW+WW+"]
    game = position(7, "".join(rows), "W")
    assert game.captured_counts == (0, 1)
    game.push(7 * 6 + 3 + 1)
    assert game.captured_counts == (24, 1)
    assert rows_of(game)[3] == "W-b-b-W"
    again = position(7, game.symbols)
    assert again.captured_counts == (24, 1)


@given(st.integers(2, 5), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_rotations_and_reflections_share_a_key(size: int, source: random.Random) -> None:
    def image(cell: Cell, symmetry: int) -> Cell:
        row, column = cell if symmetry < 4 else (cell[0], size - 1 - cell[1])
        for _ in range(symmetry % 4):
            row, column = column, size - 1 - row
        return row, column

    order = [(r, c) for r in range(size) for c in range(size)]
    source.shuffle(order)
    keys: dict[int, list[int]] = {4: [], 8: []}
    for symmetries, found in keys.items():
        for symmetry in range(8):
            game = position(size, symmetries=symmetries)
            for cell in order[: size * size * 2 // 3]:
                move = move_of(game, image(cell, symmetry))
                if move is not None:
                    game.push(move)
            found.append(game.shared_hash)
    assert len(set(keys[4][:4])) == 1
    assert len(set(keys[8])) == 1


@pytest.mark.parametrize("symmetries", [1, 4, 8])
def test_solved_to_the_end_the_value_is_the_same_with_and_without_sharing(symmetries: int) -> None:
    source = random.Random(16)
    for _ in range(25):
        size = source.choice((2, 3, 3, 4, 4))
        game = position(size, symmetries=symmetries)
        while len(game.legal_moves()) > 8:
            game.push(source.choice(game.legal_moves()))
        free = len(game.legal_moves())
        shared = Search(game, EXACT_SEARCH, 4)
        alone = Search(game, EXACT_SEARCH & ~SHARE, 4)
        plain = Search(game, ALPHA_BETA)
        value = plain.run(free)[0]
        assert shared.run(free)[0] == alone.run(free)[0] == value
        assert shared.nodes <= alone.nodes or symmetries == 1 or shared.nodes < plain.nodes


@pytest.mark.parametrize(("size", "features"), [(2, MINIMAX), (3, TABLE | SHARE), (4, EXACT_SEARCH)])
def test_a_board_is_solved_from_the_start_with_fewer_nodes_when_shared(size: int, features: int) -> None:
    """Empty boards up to 4x4, searched to the end: a draw, with any sharing of symmetric positions."""
    nodes = {}
    for symmetries in (1, 4, 8):
        search = Search(position(size, symmetries=symmetries), features, 32)
        assert search.run(size * size)[0] == 0
        nodes[symmetries] = search.nodes
    assert nodes[8] < nodes[4] < nodes[1] or size == 2


def test_the_evaluation_is_the_weighted_sum_of_shares() -> None:
    rows = ["W+++", "WW++", "W-W+", "BWB+"]
    game = position(4, "".join(rows), "W", Weights(rings=0))
    # captured 1 of 16, lost 0, on the sides 4 of 12 (one of them in a corner), corners 1
    assert game.static_value() == int(100 * (100 / 16 + 10 * 4 / 12 - 2000))
    game.view_for(False)
    # for Black: lost 1 of 16, two on the sides of which one in a corner; White is to move
    assert game.static_value() == -int(100 * (-200 / 16 + 10 * 2 / 12 - 2000))


def test_weights_can_be_changed_by_name() -> None:
    assert Weights.parse("corners=5, rings=0").as_tuple() == (100, -200, 10, 5, 0)
    with pytest.raises(ValueError, match="there is no weight 'corner'"):
        Weights.parse("corner=1")
    for nonsense in ("x", "", "nan", "inf", "-inf", "1e400", "1_000", "1e9"):
        with pytest.raises(WeightError) as caught:
            Weights.parse(f"sides={nonsense}")
        assert str(caught.value) == f"the weight sides is a number from -1000000 to 1000000, not {nonsense!r}"


def test_minimax_beats_random_in_95_of_100_games() -> None:
    won = 0
    for seed in range(100):
        minimax, chance = MinimaxPlayer(table_mb=1), RandomPlayer(seed)
        result = referee(minimax, chance, 6) if seed % 2 == 0 else referee(chance, minimax, 6)
        assert result.fault == ""
        won += result.winner == minimax.colour
    assert won >= 95


def test_players_say_minus_one_to_an_illegal_move() -> None:
    player = RandomPlayer(1)
    player.init(3, "B")
    assert player.opponent_move((0, 0)) == 0
    player.game.push(2)
    assert player.opponent_move((0, 0)) == ILLEGAL
    assert player.opponent_move((9, 0)) == ILLEGAL
    assert player.winner() is None
    printed: list[str] = []
    player.print_board(printed.append)
    assert printed == ["3\nW B +\n+ + +\n+ + +"]
    with pytest.raises(IllegalMoveError):
        player.game.push(1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty file found, the board's size expected"),
        ("x\n+", "first line: 'x' found, the board's size expected (1 to 20)"),
        ("21\n+", "first line: '21' found, the board's size expected (1 to 20)"),
        ("2\n+ W\nB x", "row 1, column 1: 'x' found, one of + W B w b - expected"),
        ("2\n+ W +\nB W", "row 0: 3 symbols found, 2 expected"),
        ("2\n+ W", "1 rows found, 2 expected"),
        (
            "2\n+ -\n+ +",
            "row 0, column 1: '-' found on the edge, where no cell is ever captured; one of + W B expected",
        ),
    ],
)
def test_bad_boards_get_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse_board(text)
    assert str(caught.value) == message


def test_a_captured_cell_that_nobody_encloses_is_a_bad_board() -> None:
    with pytest.raises(BoardError, match="row 1, column 1: '-' found where neither colour encloses it, '\\+' expected"):
        position(*parse_board("3\n+ W +\nW - W\n+ + +"))


def test_boards_are_read_and_printed_in_one_format() -> None:
    text = "3\nW W +\nW - W\n+ W B"
    size, symbols = parse_board(text)
    assert board_text(size, position(size, symbols).symbols) == text


def test_plain_minimax_and_sharing_agree_before_the_end() -> None:
    source = random.Random(8)
    for _ in range(20):
        game = position(4, symmetries=8)
        for _ in range(source.randint(0, 8)):
            game.push(source.choice(game.legal_moves()))
        game.view_for(source.random() < 0.5)
        assert Search(game, EXACT_SEARCH, 2).run(3)[0] == Search(game, MINIMAX).run(3)[0]


class Rows:
    """My pieces in one row."""

    def __init__(self, row: int, weight: float) -> None:
        self.row, self.weight = row, weight

    def value(self, game: Squatter, colour: StoneColour) -> float:
        return game.symbols[self.row * game.size : (self.row + 1) * game.size].count(colour)


@pytest.mark.parametrize("colour", ["W", "B"])
def test_features_of_your_own_steer_a_player(colour: StoneColour) -> None:
    for row in (1, 3):
        player = FeaturePlayer([Rows(row, 5000.0)], depth=2)
        player.init(5, colour, "+" * 25, colour)
        assert player.make_move()[0] == row
    assert FeaturePlayer([Rows(1, -5000.0)], depth=1).weights == Weights()


def test_a_player_without_features_plays_as_minimax() -> None:
    own, compiled = FeaturePlayer(depth=2), MinimaxPlayer(depth=2, symmetries=1)
    for player in (own, compiled):
        player.init(4, "W")
    for _ in range(3):
        cell = own.make_move()
        assert cell == compiled.make_move()
        answer = next(cell_of(own.game, move) for move in own.game.legal_moves())
        assert own.opponent_move(answer) == compiled.opponent_move(answer) == 0
