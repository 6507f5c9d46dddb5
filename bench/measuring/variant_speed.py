"""`chuhe bench --variant chess|draughts|squatter`: node counts and speed of the other games.

The node counts are the same on every machine; they change when the search or an evaluation does. For each game a table
shows how many nodes alpha-beta, the hash table and symmetries save for the same result.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from chuhe.common.progress import Bar
from chuhe.variants.chess._chess import Chess
from chuhe.variants.draughts._draughts import Draughts
from chuhe.variants.draughts.text import START_BOARD
from chuhe.variants.search._search import (
    ALPHA_BETA,
    EVERYTHING,
    EXACT_SEARCH,
    MINIMAX,
    SHARE,
    TABLE,
    GameState,
    Search,
)
from chuhe.variants.squatter.text import position

CHESS_DEPTH = 11
DEEPEST = 60  # plies; a deeper search of these positions never ends
TABLE_MB = 16
CHESS_POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "2rq1rk1/pb2bppp/1p2pn2/8/3P4/P1NB1N2/1P3PPP/R2QR1K1 b - - 1 15",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/6p1/1p1r3p/7P/1P3KP1/5P2/3R4 w - - 0 38",
    "6k1/5ppp/4p3/8/1q6/4PN2/2Q2PPP/6K1 w - - 0 30",
)


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """One line of a comparison: a name, the features of the search, and how many symmetric positions share an entry."""

    name: str
    features: int
    symmetries: int = 1


SETTINGS = (
    FeatureSet("minimax", MINIMAX),
    FeatureSet("alpha-beta", ALPHA_BETA),
    FeatureSet("+ table, order", EXACT_SEARCH & ~SHARE),
)
SHARING = (
    FeatureSet("minimax, shared", TABLE | SHARE, 4),
    FeatureSet("all, 4 rotations", EXACT_SEARCH, 4),
    FeatureSet("all, 8 symmetries", EXACT_SEARCH, 8),
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A position of a game, searched to one depth with each of the settings."""

    title: str
    depth: int
    settings: tuple[FeatureSet, ...]
    make: Callable[[FeatureSet], GameState]


COMPARISONS = {
    "chess": Comparison("chess, start position", 4, SETTINGS, lambda setting: Chess()),
    "draughts": Comparison(
        "draughts, start position, full rules", 7, SETTINGS, lambda setting: Draughts(START_BOARD, multi_jump=True)
    ),
    "squatter": Comparison(
        "Squatter, 5x5, empty board",
        4,
        (*SETTINGS, *SHARING),
        lambda setting: position(5, symmetries=setting.symmetries),
    ),
}


def measure_game(variant: str, depth: int) -> None:
    """Print how one game's engine compares; for chess, its speed and the comparisons of all games."""
    if variant == "chess":
        print_chess(depth)
    for name in COMPARISONS if variant == "chess" else (variant,):
        print()
        print("\n".join(compare(COMPARISONS[name])), flush=True)


def print_chess(depth: int) -> None:
    """Every position to the same depth: the nodes of each, their sum, and the speed."""
    found = []
    started = time.perf_counter()
    bar = Bar(len(CHESS_POSITIONS), "positions")
    for fen in CHESS_POSITIONS:
        found.append(chess_nodes(fen, depth))
        bar.step()
    bar.close()
    seconds = time.perf_counter() - started
    for fen, nodes in zip(CHESS_POSITIONS, found, strict=True):
        print(f"{nodes:>10}  {fen}")
    print(f"variant: chess\ndepth: {depth}")
    print(f"nodes: {sum(found)}\ntime: {seconds * 1000:.0f} ms\nnps: {sum(found) / max(seconds, 1e-9):.0f}")


def chess_nodes(fen: str, depth: int) -> int:
    """The nodes of an iterative search with a fresh table."""
    search = Search(Chess(fen), EVERYTHING & ~SHARE, TABLE_MB)
    for reached in range(1, depth + 1):
        search.run(reached)
    return search.nodes


def compare(comparison: Comparison) -> list[str]:
    """A comparison as a table; every setting must give the same value."""
    lines = [
        f"{comparison.title}, {comparison.depth} plies",
        f"  {'search':<20}{'value':>7}{'nodes':>12}{'of minimax':>12}{'nodes/s':>12}",
    ]
    first, values = 0, set()
    for setting in comparison.settings:
        search = Search(comparison.make(setting), setting.features, TABLE_MB)
        started = time.perf_counter()
        value, _, _ = search.run(comparison.depth)
        speed = search.nodes / max(time.perf_counter() - started, 1e-9)
        first = first or search.nodes
        values.add(value)
        lines.append(f"  {setting.name:<20}{value:>7}{search.nodes:>12}{search.nodes / first:>12.2%}{speed:>12.0f}")
    if len(values) > 1:
        lines.append("  error: the values differ; please report this")
    return lines
