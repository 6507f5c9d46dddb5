"""The schedule of a match: pairings and openings."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from toys import toy, toy_match

from chuhe.bench.matches.match_values import GamePlan
from chuhe.bench.matches.schedule import opening_order, schedule


def plans(tmp_path: Path, names: str, openings: int = 4, **fields: Any) -> list[GamePlan]:
    return list(schedule(toy_match(tmp_path, *(toy(name) for name in names), **fields), openings))


def test_pairs_share_the_opening_with_colours_reversed(tmp_path: Path) -> None:
    games = plans(tmp_path, "ab", games=12)
    assert [game.number for game in games] == list(range(1, 13))
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.pair, first.opening) == (second.pair, second.opening)
        assert (first.red, first.black) == (second.black, second.red) == ("a", "b")


def test_round_robin_and_gauntlet_meet_equally_often(tmp_path: Path) -> None:
    robin = Counter(frozenset((game.red, game.black)) for game in plans(tmp_path, "abc", games=6))
    assert set(robin.values()) == {6}
    assert len(robin) == 3
    gauntlet = plans(tmp_path, "abc", games=6, format="gauntlet")
    assert len(gauntlet) == 12
    assert all("a" in (game.red, game.black) for game in gauntlet)


def test_more_games_only_add_to_the_end(tmp_path: Path) -> None:
    settings = toy_match(tmp_path, toy("a"), toy("b"), toy("c"), games=4)
    short, long = list(schedule(settings, 7)), list(schedule(replace(settings, games=40), 7))
    assert long[: len(short)] == short


def test_every_opening_comes_once_before_any_comes_again() -> None:
    order = list(islice(opening_order(5, "random", 3), 15))
    for start in (0, 5, 10):
        assert sorted(order[start : start + 5]) == [0, 1, 2, 3, 4]
    assert order == list(islice(opening_order(5, "random", 3), 15))
    assert order != list(islice(opening_order(5, "random", 4), 15))
    assert list(islice(opening_order(3, "sequential", 9), 4)) == [0, 1, 2, 0]
