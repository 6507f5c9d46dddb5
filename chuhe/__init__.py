"""Chuhe, a xiangqi engine, as a library: the public face of the packages `engine`, `protocol`, `bench` and `play`.

>>> import chuhe
>>> position = chuhe.Position()
>>> position.push("炮二平五")
>>> chuhe.Engine().search(chuhe.Limits(depth=1)).depth
1

Nothing is loaded before it is used, so that `python -m chuhe` starts as fast as the engine itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import (
        ADVISOR,
        BISHOP,
        BLACK,
        CANNON,
        KING,
        KNIGHT,
        PAWN,
        RED,
        ROOK,
        START_FEN,
        BestMove,
        Engine,
        FenError,
        IllegalMoveError,
        Info,
        InvalidMoveError,
        Law,
        LimitError,
        Limits,
        Move,
        Outcome,
        Piece,
        Position,
        Probe,
        Reason,
        Score,
        Settings,
        notation,
        pgn,
        square,
        square_name,
    )
    from protocol.client import Client

    __version__: str

__all__ = [
    "ADVISOR",
    "BISHOP",
    "BLACK",
    "CANNON",
    "KING",
    "KNIGHT",
    "PAWN",
    "RED",
    "ROOK",
    "START_FEN",
    "BestMove",
    "Client",
    "Engine",
    "FenError",
    "IllegalMoveError",
    "Info",
    "InvalidMoveError",
    "Law",
    "LimitError",
    "Limits",
    "Move",
    "Outcome",
    "Piece",
    "Position",
    "Probe",
    "Reason",
    "Score",
    "Settings",
    "__version__",
    "notation",
    "pgn",
    "square",
    "square_name",
]

_HOMES = {  # export: (module, name in it; empty: the module itself); all others are in `engine`
    "Client": ("protocol.client", "Client"),
    "__version__": ("engine.version", "VERSION"),
    "notation": ("engine.notation", ""),
    "pgn": ("engine.pgn", ""),
}


def __getattr__(name: str) -> object:
    """Load an export when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module 'chuhe' has no attribute {name!r}")
    home, its_name = _HOMES.get(name, ("engine", name))
    module = import_module(home)
    return getattr(module, its_name) if its_name else module


def __dir__() -> list[str]:
    return sorted(__all__)
