"""Chuhe, a xiangqi engine, as a library: the public face of the packages `engine`, `protocol`, `bench` and `play`.

>>> import chuhe
>>> position = chuhe.Position()
>>> position.push("炮二平五")
>>> chuhe.Engine().search(chuhe.Limits(depth=1)).depth
1

It exports all that `engine` does, the modules `endgame`, `notation` and `pgn`, games in files and as trees, books,
pictures, and the `Client` for any other engine; docs/python.md shows them at work. Nothing is loaded before it is
used, so that `python -m chuhe` starts as fast as the engine itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import *  # noqa: F403
    from engine import endgame as endgame
    from engine import notation as notation
    from engine import pgn as pgn
    from engine.book import Book as Book
    from engine.game_tree import GameTree as GameTree
    from engine.pgn import GameRecord as GameRecord
    from engine.svg import Arrow as Arrow
    from engine.svg import board_svg as board_svg
    from play.files import read_games as read_games
    from play.files import write_games as write_games
    from protocol.client import Client as Client

    __version__: str

_HOMES = {  # export: (module, name in it; empty: the module itself); all others are in `engine`
    "Arrow": ("engine.svg", "Arrow"),
    "Book": ("engine.book", "Book"),
    "Client": ("protocol.client", "Client"),
    "GameRecord": ("engine.pgn", "GameRecord"),
    "GameTree": ("engine.game_tree", "GameTree"),
    "__version__": ("engine.version", "VERSION"),
    "board_svg": ("engine.svg", "board_svg"),
    "endgame": ("engine.endgame", ""),
    "notation": ("engine.notation", ""),
    "pgn": ("engine.pgn", ""),
    "read_games": ("play.files", "read_games"),
    "write_games": ("play.files", "write_games"),
}


def __getattr__(name: str) -> object:
    """Load an export when it is first used."""
    if name in _HOMES:
        module, its_name = _HOMES[name]
        return getattr(import_module(module), its_name) if its_name else import_module(module)
    engine = import_module("engine")
    if name == "__all__":
        return [*engine.__all__, *_HOMES]
    if name in engine.__all__:
        return getattr(engine, name)
    raise AttributeError(f"module 'chuhe' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__getattr__("__all__"))  # type: ignore[call-overload, no-any-return]
