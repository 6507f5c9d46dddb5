"""What a user of python-chess expects of the library: names, types, and errors where the mistake is made."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import pytest

import chuhe
from chuhe import BLACK, RED, Colour, Engine, Law, LimitError, Limits, Move, Piece, Position, Settings
from chuhe.engine.endgame import Tablebases
from chuhe.engine.network import load_default
from chuhe.protocol.client import Client


def test_a_side_is_no_truth_value() -> None:
    position = Position()
    assert position.turn is RED
    position.push("h2e2")
    assert position.turn is BLACK
    for side in (RED, BLACK, position.turn):
        with pytest.raises(TypeError, match="compare it with RED or BLACK"):
            bool(side)
    assert (RED, BLACK) == (0, 1)
    assert ["r", "b"][position.turn] == "b"
    assert pickle.loads(pickle.dumps(BLACK)) is BLACK
    assert RED.opponent is BLACK
    assert BLACK.opponent is RED
    piece = position.piece_at(chuhe.square("e2"))
    assert piece is not None
    assert piece.colour is RED
    assert isinstance(piece.colour, Colour)


def test_the_last_move_and_the_pieces() -> None:
    position = Position()
    with pytest.raises(IndexError):
        position.peek()
    position.push("h2e2")
    assert position.peek() == Move.from_iccs("h2e2")
    assert position.piece_map() == position.pieces()
    assert len(position.piece_map()) == 32


def test_a_position_is_edited_piece_by_piece() -> None:
    position = Position("3k5/9/9/9/9/9/9/9/9/4K4 b - - 7 12")
    position.set_piece_at(chuhe.square("a5"), Piece(BLACK, chuhe.ROOK))
    assert position.fen() == "3k5/9/9/9/r8/9/9/9/9/4K4 b - - 0 12"
    position.set_piece_at(chuhe.square("a5"), None)
    assert position.fen() == "3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 12"
    before = position.fen()
    for square, symbol in (("e5", "K"), ("e0", "A"), ("a5", "B"), ("e4", "k")):
        with pytest.raises(chuhe.FenError):
            position.set_piece_at(chuhe.square(square), Piece.from_symbol(symbol))
    with pytest.raises(chuhe.FenError):
        position.set_piece_at(chuhe.square("e0"), None)  # the king
    with pytest.raises(ValueError, match="0 to 89"):
        position.set_piece_at(90, None)
    assert position.fen() == before


def test_an_edited_position_has_no_history() -> None:
    position = Position()
    position.push("h2e2")
    position.set_piece_at(chuhe.square("a9"), None)
    assert position.move_stack == []
    assert position.ply == 0


def test_the_result() -> None:
    assert Position().result() == "*"
    assert Position("R2k5/1R7/9/9/9/9/9/9/9/5K3 b").result() == "1-0"
    assert Position("3k5/9/9/9/9/9/9/9/9/5K3 w").result() == "1/2-1/2"
    assert Position("3k5/9/9/9/9/9/9/9/9/5K3 w").result(Law(material=False)) == "*"


def test_each_dialect_has_its_own_method() -> None:
    position = Position()
    assert position.push_uci("h3e3").iccs == "h2e2"
    assert position.push_uci("h10g8").iccs == "h9g7"
    assert position.push_iccs("h0g2").iccs == "h0g2"
    for push, text in ((position.push_uci, "h9g0"), (position.push_iccs, "a10a9"), (position.push, "a10a9")):
        with pytest.raises(chuhe.InvalidMoveError):
            push(text)
    with pytest.raises(chuhe.IllegalMoveError):
        position.push_iccs("h0g2")
    assert len(position.move_stack) == 3


@pytest.mark.parametrize("notation", [*chuhe.notation.NOTATIONS])
def test_push_reads_what_we_write(notation: Any) -> None:
    """A text without a dialect has one reading: that of the notation that wrote it."""
    position = Position("r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w")
    for move in position.legal_moves:
        text = chuhe.notation.move_text(position, move, notation)
        if notation == "rows":
            text = text if "," in text else f"{text[:2]},{text[2:]}"
        assert position.parse_move(text) == move


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"depth": "a"}, "depth"),
        ({"depth": 0}, "depth"),
        ({"depth": 3.0}, "depth"),
        ({"depth": True}, "depth"),
        ({"nodes": -1}, "nodes"),
        ({"movetime": 1.5}, "movetime"),
        ({"time": "1"}, "time"),
        ({"increment": None}, "increment"),
        ({"infinite": 1}, "infinite"),
        ({"search_moves": "h2e2"}, "search_moves"),
    ],
)
def test_a_wrong_limit_is_refused_at_once(wrong: dict[str, Any], name: str) -> None:
    with pytest.raises(LimitError, match=f"^{name} must be"):
        Limits(**wrong)


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"level": 99}, "level"),
        ({"hash_mb": "64"}, "hash_mb"),
        ({"threads": 0}, "threads"),
        ({"pruning": "huge"}, "pruning"),
        ({"ponder": "yes"}, "ponder"),
        ({"evalfile": None}, "evalfile"),
        ({"law": "wxf"}, "law"),
    ],
)
def test_a_wrong_setting_is_refused_at_once(wrong: dict[str, Any], name: str) -> None:
    with pytest.raises(LimitError, match=f"^{name} must be"):
        Settings(**wrong)


def test_an_engine_is_a_context_manager_and_takes_a_fen() -> None:
    with Engine(Settings(hash_mb=2)) as engine:
        engine.set_position("4ka3/9/9/9/9/9/9/3n3nB/3K5/9 b")
        assert engine.search(Limits(depth=8)).score == chuhe.Score(mate=2)
        with pytest.raises(chuhe.FenError):
            engine.set_position("FEN")
        with pytest.raises(TypeError, match="Position or a FEN"):
            engine.set_position(None)  # type: ignore[arg-type]
    assert engine._searcher.hash_mb == 1  # the memory is given back
    assert engine.search(Limits(depth=2)).move is not None  # and taken again


def test_every_error_and_result_is_exported() -> None:
    names = (
        "EngineError EngineStartError EngineTimeout EngineDied ReplyError OptionError UnsupportedError GoResult Report "
        "SearchResult RecordError NetworkError BookError TableError TreeError OutputError EncodingError EndgameVerdict "
        "Colour FenError InvalidMoveError IllegalMoveError AmbiguousMoveError LimitError Outcome Reason Info BestMove "
        "TableEntry"
    )
    for name in names.split():
        assert getattr(chuhe, name).__name__ == name
        assert name in dir(chuhe)


# not met by chance: who asks for one of these imports its module
INNER = {"chuhe.text.points", "chuhe.engine.search_handle"}
INNER_NAMES = {"SelfPlayGame", "SelfPlayRules"}


def test_every_class_in_the_signature_of_an_export_is_exported() -> None:
    wanted = [getattr(chuhe, name) for name in dir(chuhe)]
    seen: set[object] = set()
    while wanted:
        thing = wanted.pop()
        if not (inspect.isclass(thing) or inspect.isfunction(thing)) or thing in seen:
            continue
        seen.add(thing)
        if inspect.isclass(thing):
            if not thing.__module__.startswith("chuhe") or thing.__module__ in INNER or thing.__name__ in INNER_NAMES:
                continue
            assert getattr(chuhe, thing.__name__, None) is thing, thing
            public = [member for name, member in inspect.getmembers(thing) if not name.startswith("_")]
            wanted += [member.fget if isinstance(member, property) else member for member in public]
        try:
            hints = [*get_type_hints(thing).values()]
        except (NameError, TypeError):  # names for the checker only; a compiled class
            continue
        while hints:
            hint = hints.pop()
            hints += get_args(hint)
            wanted.append(hint)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_what_owns_compiled_memory_is_neither_copied_nor_pickled(copied: Callable[[object], object]) -> None:
    """Two engines with the same memory crashed."""
    tablebases = Tablebases([])
    network = load_default()
    things = [Engine(), tablebases, tablebases.core, network, Client.__new__(Client)]
    for thing in things:
        with pytest.raises(TypeError, match=rf"^{type(thing).__name__} cannot be copied or pickled"):
            copied(thing)
