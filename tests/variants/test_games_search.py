"""The small games' search against plain minimax: every exact feature keeps the value, on all three games."""

from __future__ import annotations

import random
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chuhe.engine.errors import IllegalMoveError
from chuhe.variants.chess._chess import Chess
from chuhe.variants.draughts._draughts import Draughts
from chuhe.variants.draughts.text import START_BOARD
from chuhe.variants.search._search import (
    ALPHA_BETA,
    DEEPER,
    EVERYTHING,
    EXACT_SEARCH,
    LONGEST_LINE,
    MINIMAX,
    ORDER,
    PRUNE,
    QUIESCE,
    SCOUT,
    SHARE,
    TABLE,
    WIN_VALUE,
    GameState,
    Search,
)
from chuhe.variants.squatter.text import position

EXACT_FEATURES = (
    ALPHA_BETA,
    TABLE,
    TABLE | SHARE,
    PRUNE | ORDER,
    PRUNE | TABLE,
    PRUNE | SCOUT,
    PRUNE | ORDER | SCOUT,
    EXACT_SEARCH & ~SHARE,
    EXACT_SEARCH,
)


def plain_minimax(game: GameState, depth: int, ply: int = 0) -> int:
    """Textbook minimax in Python, through the game's interface.

    At the horizon the search does not generate chess moves, so a mate there is not seen.
    """
    moves = game.legal_moves()
    if depth == 0 and not moves and isinstance(game, Chess):
        return game.static_value()
    final = game.final_value(ply) if ply > 0 or not moves else None
    if final is not None:
        return final
    if depth == 0:
        return game.static_value()
    values = []
    for move in moves:
        game.push(move)
        values.append(-plain_minimax(game, depth - 1, ply + 1))
        game.pop()
    return max(values)


def wander(game: GameState, source: random.Random, plies: int) -> GameState:
    for _ in range(plies):
        moves = game.legal_moves()
        if not moves or game.final_value() is not None:
            break
        game.push(source.choice(moves))
    return game


def new_game(name: str, source: random.Random) -> GameState:
    if name == "chess":
        return wander(Chess(), source, source.randint(0, 60))
    if name == "draughts":
        game = Draughts(START_BOARD, multi_jump=source.random() < 0.5, quick_wins=source.random() < 0.5)
        return wander(game, source, source.randint(0, 60))
    size = source.randint(2, 4)
    return wander(position(size, symmetries=source.choice((1, 4, 8))), source, source.randint(0, size * size - 1))


@pytest.mark.parametrize(("name", "depth"), [("chess", 2), ("draughts", 4), ("squatter", 3)])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25)
def test_every_exact_feature_keeps_minimaxs_value(name: str, depth: int, seed: int) -> None:
    game = new_game(name, random.Random(seed))
    key = game.hash
    expected = plain_minimax(game, depth)
    assert Search(game, MINIMAX).run(depth)[0] == expected
    for features in EXACT_FEATURES:
        assert Search(game, features, 1).run(depth)[0] == expected
    assert game.hash == key


@pytest.mark.parametrize("name", ["chess", "draughts", "squatter"])
def test_deeper_exact_searches_agree_with_each_other(name: str) -> None:
    source = random.Random(21)
    for _ in range(6):
        game = new_game(name, source)
        values = {Search(game, features, 2).run(4)[0] for features in (ALPHA_BETA, EXACT_SEARCH & ~SHARE, EXACT_SEARCH)}
        assert len(values) == 1


@pytest.mark.parametrize("name", ["chess", "draughts", "squatter"])
def test_the_line_leads_to_the_value(name: str) -> None:
    source = random.Random(6)
    for _ in range(15):
        game = new_game(name, source)
        if game.final_value() is not None:
            continue
        value, line, completed = Search(game, ALPHA_BETA).run(3)
        assert completed
        if abs(value) == WIN_VALUE:
            continue  # at the edge of the window no move is better than another, and the line ends
        for move in line:
            game.push(move)
        final = game.final_value(len(line))
        assert final is not None or len(line) == 3
        end = final if final is not None else game.static_value()
        assert value == (end if len(line) % 2 == 0 else -end)


def test_windows_give_bounds_on_the_right_side() -> None:
    """Fail-soft: a value below the window is an upper bound, one above it a lower bound."""
    source = random.Random(14)
    for _ in range(20):
        game = wander(Draughts(START_BOARD), source, source.randint(0, 40))
        exact = Search(game, MINIMAX).run(4)[0]
        for alpha in range(-3, 3):
            found = Search(game, EXACT_SEARCH, 1).run(4, alpha, alpha + 1)[0]
            assert exact <= found <= alpha if exact <= alpha else exact >= found >= alpha + 1


def test_a_search_can_be_repeated_with_the_table_it_has_filled() -> None:
    game = Chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    search = Search(game, EXACT_SEARCH & ~SHARE, 4)
    first = search.run(3)
    nodes = search.nodes
    search.begin()
    assert search.run(3)[0] == first[0]
    assert 0 < search.nodes < nodes
    assert search.lookup(game) is not None
    search.forget()
    assert search.lookup(game) is None


def test_node_limit_stop_and_deadline_end_a_search() -> None:
    search = Search(Chess(), EVERYTHING & ~SHARE, 1)
    search.node_limit = 5000
    assert search.run(40)[2] is False
    assert search.nodes <= 5002
    search.begin()
    search.stop_after(0.05)
    assert search.run(60)[2] is False
    search.begin()
    results: list[bool] = []
    thread = threading.Thread(target=lambda: results.append(search.run(100)[2]))
    thread.start()
    while thread.is_alive():
        search.stop()
        time.sleep(0.01)
    assert results == [False]


def test_root_moves_can_be_limited() -> None:
    game = Chess()
    wanted = [game.find_move("a2a3"), game.find_move("h2h4")]
    value, line, _ = Search(game, EVERYTHING & ~SHARE, 1).run(4, root_moves=wanted)  # type: ignore[arg-type]
    assert game.move_name(line[0]) in ("a2a3", "h2h4")
    assert abs(value) < 200


def test_bad_arguments_are_refused() -> None:
    search = Search(Chess(), MINIMAX)
    for depth in (-1, LONGEST_LINE):
        with pytest.raises(ValueError, match="the depth must be from 0"):
            search.run(depth)
    with pytest.raises(TypeError):
        Search(None, MINIMAX)  # type: ignore[arg-type]
    with pytest.raises(IllegalMoveError):
        Chess().push(1)


def test_wins_that_count_plies_prefer_the_sooner() -> None:
    """A mate in one is one ply away at every depth, with every feature."""
    for features in (ALPHA_BETA, EXACT_SEARCH, EVERYTHING & ~SHARE, EXACT_SEARCH | DEEPER | QUIESCE):
        game = Chess("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        search = Search(game, features, 1)
        for depth in (2, 3, 4):
            value, line, _ = search.run(depth)
            assert (value, game.move_name(line[0])) == (WIN_VALUE - 1, "a1a8")


def test_full_searches_of_draughts_end_well_in_won_positions() -> None:
    """Two kings against one man: with quiescence and deeper entries the win is found and kept."""
    cells = "+O+O+O+OO+O+O+O++O+B+O+OO+O+O+O++O+O+O+OO+O+O+O++O+k+O+Ok+O+O+O+"
    game = Draughts(cells, multi_jump=True, draws=True, quick_wins=True)
    search = Search(game, EXACT_SEARCH | DEEPER | QUIESCE, 8)
    for _ in range(60):
        if game.final_value() is not None:
            break
        search.begin()
        game.push(search.run(7)[1][0])
    assert not game.alice_moves
    assert game.final_value() == -WIN_VALUE
