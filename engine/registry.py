"""The one list of the games that Chuhe plays.

Each package finds its part of a game through the path given here (`module:name`) and imports it only when needed. To
add a game, add one entry and the parts that it names.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple


class GameEntry(NamedTuple):
    """A game and the paths of its parts; an empty path means that there is no such part."""

    name: str
    uci_names: tuple[str, ...] = ()  # its names in `UCI_Variant`
    session: str = ""  # the `protocol.variants.Variant` that a GUI talks to
    terminal: str = ""  # the `play.variant_games.VariantGame` of `chuhe play --variant`
    benchmark: str = ""  # the `bench.measuring.variant_speed.Comparison` of `chuhe bench --variant`


XIANGQI = "xiangqi"  # the default everywhere; its terminal game and benchmark are separate programs

GAMES = {
    entry.name: entry
    for entry in (
        GameEntry(XIANGQI, uci_names=("cyclone", "xiangqi"), session="protocol.variants:XiangqiVariant"),
        GameEntry(
            "chess",
            uci_names=("chess",),
            session="protocol.chess_variant:ChessVariant",
            terminal="play.variant_games:ChessGame",
            benchmark="bench.measuring.variant_speed:CHESS",
        ),
        GameEntry(
            "draughts",
            terminal="play.variant_games:DraughtsGame",
            benchmark="bench.measuring.variant_speed:DRAUGHTS",
        ),
        GameEntry(
            "squatter",
            terminal="play.variant_games:SquatterGame",
            benchmark="bench.measuring.variant_speed:SQUATTER",
        ),
    )
}


def games_with(part: str) -> tuple[str, ...]:
    """The names of the games that have this part.

    >>> games_with("session"), games_with("terminal")
    (('xiangqi', 'chess'), ('chess', 'draughts', 'squatter'))
    """
    return tuple(name for name, entry in GAMES.items() if getattr(entry, part))


def part_of(name: str, part: str) -> Any:
    """Import a part of a game."""
    module, _, attribute = getattr(GAMES[name], part).partition(":")
    return getattr(import_module(module), attribute)


def game_of_uci_name(uci_name: str) -> str:
    """
    >>> game_of_uci_name("cyclone")
    'xiangqi'
    """
    return next(name for name, entry in GAMES.items() if uci_name in entry.uci_names)
