"""Chuhe, a xiangqi engine, as a library: the public face of the packages `engine`, `protocol`, `bench` and `play`.

>>> import chuhe
>>> position = chuhe.Position()
>>> position.push("炮二平五")
>>> chuhe.Engine().search(chuhe.Limits(depth=1)).depth
1

It exports all that `engine` does, the modules `endgame`, `notation` and `pgn`, games in files and as trees, books,
pictures, the `Client` for any other engine, and every error and result of these; docs/python.md shows them at work.
Nothing is loaded before it is used, so that `python -m chuhe` starts as fast as the engine itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chuhe.coach import explain as explain
    from chuhe.coach.facts import Fact as Fact
    from chuhe.coach.facts import PlacedPiece as PlacedPiece
    from chuhe.coach.motifs import Motif as Motif
    from chuhe.engine import *  # noqa: F403
    from chuhe.engine import endgame as endgame
    from chuhe.engine import notation as notation
    from chuhe.engine._core import Network as Network
    from chuhe.engine.analysis import Analysis as Analysis
    from chuhe.engine.endgame import EndgameVerdict as EndgameVerdict
    from chuhe.engine.endgame import MaterialError as MaterialError
    from chuhe.engine.endgame import Tablebases as Tablebases
    from chuhe.engine.endgame.table_file import TableError as TableError
    from chuhe.files.encoding import EncodingError as EncodingError
    from chuhe.files.writing import OutputError as OutputError
    from chuhe.pictures.svg import Arrow as Arrow
    from chuhe.pictures.svg import board_svg as board_svg
    from chuhe.pictures.svg import strip_svg as strip_svg
    from chuhe.protocol.blocking import ExternalEngine as ExternalEngine
    from chuhe.protocol.blocking import open_engine as open_engine
    from chuhe.protocol.client import Client as Client
    from chuhe.protocol.errors import EngineDied as EngineDied
    from chuhe.protocol.errors import EngineError as EngineError
    from chuhe.protocol.errors import EngineStartError as EngineStartError
    from chuhe.protocol.errors import EngineTimeout as EngineTimeout
    from chuhe.protocol.errors import OptionError as OptionError
    from chuhe.protocol.errors import ReplyError as ReplyError
    from chuhe.protocol.errors import UnsupportedError as UnsupportedError
    from chuhe.protocol.replies import AnnouncedOption as AnnouncedOption
    from chuhe.protocol.replies import GoResult as GoResult
    from chuhe.protocol.replies import Report as Report
    from chuhe.protocol.search_result import SearchResult as SearchResult
    from chuhe.records import pgn as pgn
    from chuhe.records.books.book import Book as Book
    from chuhe.records.books.book import BookError as BookError
    from chuhe.records.files import iter_games as iter_games
    from chuhe.records.files import read_games as read_games
    from chuhe.records.files import write_games as write_games
    from chuhe.records.game_record import GameRecord as GameRecord
    from chuhe.records.game_record import RecordedMove as RecordedMove
    from chuhe.records.game_record import RecordError as RecordError
    from chuhe.records.game_tree import GameTree as GameTree
    from chuhe.records.game_tree import Node as Node
    from chuhe.records.game_tree import TreeError as TreeError
    from chuhe.records.notebook import Lines as Lines
    from chuhe.records.raster import PictureError as PictureError
    from chuhe.records.raster import board_png as board_png
    from chuhe.records.raster import game_gif as game_gif
    from chuhe.text.message import Message as Message

    __version__: str

_HOMES = {  # export: (module, name in it; empty: the module itself); all others are in `engine`
    "Analysis": ("chuhe.engine.analysis", "Analysis"),
    "AnnouncedOption": ("chuhe.protocol.replies", "AnnouncedOption"),
    "Arrow": ("chuhe.pictures.svg", "Arrow"),
    "Book": ("chuhe.records.books.book", "Book"),
    "BookError": ("chuhe.records.books.book", "BookError"),
    "Client": ("chuhe.protocol.client", "Client"),
    "EncodingError": ("chuhe.files.encoding", "EncodingError"),
    "EndgameVerdict": ("chuhe.engine.endgame", "EndgameVerdict"),
    "EngineDied": ("chuhe.protocol.errors", "EngineDied"),
    "EngineError": ("chuhe.protocol.errors", "EngineError"),
    "EngineStartError": ("chuhe.protocol.errors", "EngineStartError"),
    "EngineTimeout": ("chuhe.protocol.errors", "EngineTimeout"),
    "ExternalEngine": ("chuhe.protocol.blocking", "ExternalEngine"),
    "Fact": ("chuhe.coach.facts", "Fact"),
    "SearchResult": ("chuhe.protocol.search_result", "SearchResult"),
    "GameRecord": ("chuhe.records.game_record", "GameRecord"),
    "GameTree": ("chuhe.records.game_tree", "GameTree"),
    "MaterialError": ("chuhe.engine.endgame", "MaterialError"),
    "Message": ("chuhe.text.message", "Message"),
    "Motif": ("chuhe.coach.motifs", "Motif"),
    "Network": ("chuhe.engine._core", "Network"),
    "Node": ("chuhe.records.game_tree", "Node"),
    "OptionError": ("chuhe.protocol.errors", "OptionError"),
    "OutputError": ("chuhe.files.writing", "OutputError"),
    "PlacedPiece": ("chuhe.coach.facts", "PlacedPiece"),
    "GoResult": ("chuhe.protocol.replies", "GoResult"),
    "RecordError": ("chuhe.records.game_record", "RecordError"),
    "RecordedMove": ("chuhe.records.game_record", "RecordedMove"),
    "ReplyError": ("chuhe.protocol.errors", "ReplyError"),
    "Report": ("chuhe.protocol.replies", "Report"),
    "TableError": ("chuhe.engine.endgame.table_file", "TableError"),
    "Tablebases": ("chuhe.engine.endgame", "Tablebases"),
    "TreeError": ("chuhe.records.game_tree", "TreeError"),
    "UnsupportedError": ("chuhe.protocol.errors", "UnsupportedError"),
    "__version__": ("chuhe.engine.version", "VERSION"),
    "Lines": ("chuhe.records.notebook", "Lines"),
    "PictureError": ("chuhe.records.raster", "PictureError"),
    "board_png": ("chuhe.records.raster", "board_png"),
    "board_svg": ("chuhe.pictures.svg", "board_svg"),
    "game_gif": ("chuhe.records.raster", "game_gif"),
    "strip_svg": ("chuhe.pictures.svg", "strip_svg"),
    "endgame": ("chuhe.engine.endgame", ""),
    "explain": ("chuhe.coach", "explain"),
    "iter_games": ("chuhe.records.files", "iter_games"),
    "notation": ("chuhe.engine.notation", ""),
    "open_engine": ("chuhe.protocol.blocking", "open_engine"),
    "pgn": ("chuhe.records.pgn", ""),
    "read_games": ("chuhe.records.files", "read_games"),
    "write_games": ("chuhe.records.files", "write_games"),
}

if not TYPE_CHECKING:  # a checker that saw `__getattr__` would take every name for an export

    def __getattr__(name: str) -> object:
        """Load an export when it is first used."""
        if name in _HOMES:
            module, its_name = _HOMES[name]
            return getattr(import_module(module), its_name) if its_name else import_module(module)
        engine = import_module("chuhe.engine")
        if name == "__all__":
            return [*engine.__all__, *_HOMES]
        if name in engine.__all__:
            return getattr(engine, name)
        raise AttributeError(f"module 'chuhe' has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted(__getattr__("__all__"))
