"""The registry of games: every path in it exists, and every game is reachable through it."""

from __future__ import annotations

import pytest

from bench.measuring.variant_speed import Comparison
from engine.registry import GAMES, GameEntry, game_of_uci_name, games_with, part_of
from play.variant_games import VariantGame
from protocol.options import BY_KEY
from protocol.variants import Variant

PARTS = tuple(name for name in GameEntry._fields if name not in ("name", "uci_names"))


@pytest.mark.parametrize(("part", "kind"), [("session", Variant), ("terminal", VariantGame)])
def test_parts_are_classes_of_their_kind(part: str, kind: type) -> None:
    for name in games_with(part):
        assert issubclass(part_of(name, part), kind)


def test_benchmarks_are_comparisons() -> None:
    assert all(isinstance(part_of(name, "benchmark"), Comparison) for name in games_with("benchmark"))


def test_every_game_has_a_part_and_every_uci_name_one_game() -> None:
    assert all(any(getattr(entry, part) for part in PARTS) for entry in GAMES.values())
    names = BY_KEY["variant"].choices
    assert len(set(names)) == len(names)
    for uci_name in names:
        variant = part_of(game_of_uci_name(uci_name), "session")
        assert variant.name == game_of_uci_name(uci_name)
        assert variant.uci_name in names
