"""What a user of python-chess expects of the library: names, types, and errors where the mistake is made."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import pytest
from paths import ROOT

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
    with pytest.raises(ValueError, match="0 to 89"):
        position.set_piece_at(90, None)
    assert position.remove_piece_at(chuhe.square("e0")) == Piece(RED, chuhe.KING)
    assert position.remove_piece_at(chuhe.square("e0")) is None
    assert position.fen() == "3k5/9/9/9/9/9/9/9/9/9 b - - 0 12"


def codes(position: Position) -> list[str]:
    return [reason.code for reason in position.status()]


def test_a_board_is_built_piece_by_piece() -> None:
    board = Position.empty()
    assert (board.fen(), Position(None) == board) == ("9/9/9/9/9/9/9/9/9/9 w - - 0 1", True)
    assert codes(board) == ["fen.no-king", "fen.no-king"]
    for name, symbol in (("e0", "K"), ("e9", "k")):
        board.set_piece_at(chuhe.square(name), Piece.from_symbol(symbol))
    assert (codes(board), board.is_valid()) == (["fen.kings-face"], False)
    board.set_piece_at(chuhe.square("e5"), Piece.from_symbol("R"))
    assert codes(board) == ["fen.other-in-check"]
    board.turn = BLACK
    assert (codes(board), board.is_valid(), board.is_check()) == ([], True, True)
    assert Position(board.fen()) == board
    board.clear()
    assert board == Position.empty()


def test_every_reason_is_named() -> None:
    wrong = {0: "a", 9: "K", 30: "B"} | {54 + file: "p" for file in range(6)}
    board = Position.empty()
    board.set_piece_map({square: Piece.from_symbol(symbol) for square, symbol in wrong.items()})
    assert sorted(codes(board)) == [
        "fen.cannot-stand", "fen.no-king", "fen.no-king", "fen.outside-palace", "fen.outside-palace", "fen.too-many"
    ]  # fmt: skip


def test_what_needs_a_position_says_why_there_is_none() -> None:
    board = Position.empty()
    board.set_piece_at(4, Piece(RED, chuhe.KING))
    move = Move.from_iccs("e0e1")
    for use in (
        lambda: board.legal_moves, lambda: board.push(move), lambda: board.push("e0e1"), lambda: board.is_legal(move),
        board.outcome, board.has_legal_moves, lambda: board.perft(2), lambda: board.key, lambda: board.see(move),
        board.push_null, lambda: board.attacks(4), lambda: board.is_pinned(4), lambda: board.king(RED),
        lambda: Engine(Settings(hash_mb=1)).set_position(board), lambda: chuhe.endgame.probe(board),
    ):  # fmt: skip
        with pytest.raises(chuhe.FenError, match="Black has no king"):
            use()
    for same in (board.copy(), board.copy(stack=False), pickle.loads(pickle.dumps(board))):
        assert (same == board, same.piece_map(), codes(same)) == (True, {4: Piece(RED, chuhe.KING)}, ["fen.no-king"])
    assert (board.is_check(), board.move_stack, board._repr_svg_()[:4]) == (False, [], "<svg")
    with pytest.raises(ValueError, match="Piece by square"):
        board.set_piece_map({95: Piece(RED, chuhe.KING)})
    assert len(board.piece_map()) == 1


def test_a_copy_without_the_moves() -> None:
    position = Position()
    for move in "h2e2 h9g7 e2h2 g7h9".split():
        position.push(move)
    bare = position.copy(stack=False)
    assert (bare.move_stack, bare.ply, bare.fen(), bare.key) == ([], 0, position.fen(), position.key)
    assert position.is_repetition(2)
    assert not bare.is_repetition(2)
    bare.push("h2e2")
    assert bare.pop().iccs == "h2e2"


def test_a_null_move_is_a_move() -> None:
    null = Move.null()
    assert (bool(null), bool(Move(0, 1)), null.iccs, null.uci, Move.from_iccs("0000"), Move.from_uci("0000")) == (
        False, True, "0000", "0000", null, null
    )  # fmt: skip
    position = Position()
    position.push(null)
    assert (position.turn, position.move_stack, position.peek(), position.is_legal(null)) == (
        BLACK,
        [null],
        null,
        False,
    )
    assert pickle.loads(pickle.dumps(position)).move_stack == [null]
    assert "<svg" in position._repr_svg_()
    assert position.pop() == null
    assert position == Position()
    with pytest.raises(chuhe.IllegalMoveError, match="cannot pass"):
        Position("3k5/9/9/9/9/9/9/9/9/3R1K3 b").push(null)
    for text in ("--", "0000"):
        position.push(text)
    assert position.move_stack == [null, null]
    with pytest.raises(chuhe.InvalidMoveError):  # a player does not pass
        position.parse_move("--")
    with pytest.raises(chuhe.IllegalMoveError):
        position.wxf(null)
    for notation in chuhe.notation.NOTATIONS:
        assert position.variation_text([null, null], notation) == "2. -- --"


def test_a_game_file_has_no_place_for_a_null_move() -> None:
    game = chuhe.GameRecord(moves=(chuhe.RecordedMove(Move.null()),))
    for notation in chuhe.notation.NOTATIONS:
        with pytest.raises(chuhe.IllegalMoveError, match="no place"):
            chuhe.pgn.format_pgn(game, notation)

    with pytest.raises(chuhe.IllegalMoveError, match="no place"):
        chuhe.GameTree.from_record(game)  # which XQF and UBB are written from


def test_a_played_position_is_a_game() -> None:
    position = Position("3k5/9/9/9/9/9/9/9/9/4K3R w - - 4 9")
    for move in ("R1+9", "K4+1"):
        position.push(move)
    game = chuhe.GameRecord.from_position(position, {"Red": "Hu"})
    assert (game.fen, game.tags, game.result) == ("3k5/9/9/9/9/9/9/9/9/4K3R w - - 4 9", {"Red": "Hu"}, "*")
    assert game.end.fen() == position.fen()
    assert len(position.move_stack) == 2
    assert chuhe.GameRecord.from_position(Position("R2k5/1R7/9/9/9/9/9/9/9/5K3 b")).result == "1-0"


def test_an_unknown_notation_is_named() -> None:
    with pytest.raises(ValueError, match="not 'san'"):
        Position().variation_text([Move.from_iccs("h2e2")], "san")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not 'san'"):
        chuhe.pgn.format_pgn(chuhe.GameRecord(), "san")  # type: ignore[arg-type]


def test_moves_are_ordered_and_hashed() -> None:
    moves = Position().legal_moves
    ordered = sorted(moves)
    assert ordered == sorted(moves, key=lambda move: (move.from_square, move.to_square))
    assert ordered[0] < ordered[1] <= ordered[1]
    assert ordered[1] > ordered[0] >= ordered[0]
    assert len({*moves, *ordered}) == 44
    with pytest.raises(TypeError):
        ordered[0] < 5  # type: ignore[operator]  # noqa: B015


def test_attacks_pins_and_captures() -> None:
    position = Position("3k5/9/9/4r4/9/4C4/9/9/R8/4K4 w")
    for at in range(90):
        piece = position.piece_at(at)
        seen = [] if piece is None else [to for to in chuhe.SQUARES if at in position.attackers(piece.colour, to)]
        assert position.attacks(at) == seen
    assert [chuhe.square_name(at) for at in chuhe.SQUARES if position.is_pinned(at)] == ["e4"]
    assert [move.iccs for move in Position().legal_captures] == ["b2b9", "h2h9"]


def test_pins_are_the_pieces_whose_loss_exposes_the_king() -> None:
    """Compared with taking each piece off the board."""
    found = 0
    for fen in (
        "3k5/4a4/4P4/9/4r4/9/9/4R4/4C4/4K4 w",
        "3k5/9/9/4c4/9/4P4/9/4N4/9/4K4 w",
        "4k4/9/9/9/9/9/9/3n5/3RA4/4K4 w",
    ):
        position = Position(fen)
        for at, piece in position.piece_map().items():
            if piece.kind == chuhe.KING:
                continue
            king = position.king(piece.colour)
            without = position.copy()
            without.remove_piece_at(at)
            before = set(position.attackers(piece.colour.opponent, king))
            exposed = codes(without) in (["fen.kings-face"], ["fen.other-in-check"]) or bool(
                without.is_valid() and set(without.attackers(piece.colour.opponent, king)) - before
            )
            assert position.is_pinned(at) == exposed, (fen, chuhe.square_name(at))
            found += exposed
    assert found >= 3


def test_squares_by_file_and_rank() -> None:
    assert [chuhe.square(chuhe.square_file(at), chuhe.square_rank(at)) for at in chuhe.SQUARES] == [*range(90)]
    assert chuhe.square("e0") == chuhe.square(4, 0) == 4
    for wrong in ((9, 0), (0, 10), (-1, 0), (4, None), ("e0", 1), ("e10", None)):
        with pytest.raises(ValueError, match=r"files are|is not a square"):
            chuhe.square(*wrong)


def test_material_that_cannot_win() -> None:
    position = Position("3k5/9/9/9/9/9/9/9/4P4/4K4 w")
    assert (position.has_insufficient_material(RED), position.has_insufficient_material(BLACK)) == (False, True)
    assert not position.is_insufficient_material()
    position.remove_piece_at(chuhe.square("e1"))
    position.set_piece_map({3: Piece(RED, chuhe.KING), 85: Piece(BLACK, chuhe.KING)})
    assert position.is_insufficient_material()


def test_only_legal_moves_are_written() -> None:
    position = Position()
    for write in (position.wxf, position.chinese):
        for move in ("a0a9", "e5e6", "a9a8"):
            with pytest.raises(chuhe.IllegalMoveError, match=move):
                write(Move.from_iccs(move))
    line = [Move.from_iccs(text) for text in "h2e2 h9g7 h0g2".split()]
    assert position.variation_text(line) == "1. C2=5 H8+7 2. H2+3"
    position.push("h2e2")
    assert position.variation_text(line[1:], "iccs") == "1... h9g7 2. h0g2"
    with pytest.raises(chuhe.IllegalMoveError):
        position.variation_text(line)


def public_members(thing: type) -> dict[str, Any]:
    """What a class of ours and those that it comes from have to offer."""
    ours = [cls for cls in reversed(thing.__mro__) if cls.__module__.startswith("chuhe")]
    return {name: member for cls in ours for name, member in vars(cls).items() if not name.startswith("_")}


CLASSES = [thing for name in dir(chuhe) if inspect.isclass(thing := getattr(chuhe, name))]


@pytest.mark.parametrize("thing", [thing for thing in CLASSES if not issubclass(thing, Exception)])
def test_classes_have_signatures(thing: type) -> None:
    assert "\n--\n" not in (thing.__doc__ or "")
    assert inspect.signature(thing) is not None
    for name, member in public_members(thing).items():
        if callable(member):
            assert inspect.signature(member) is not None, name


def test_the_signatures_of_compiled_classes_name_the_arguments() -> None:
    signatures = [inspect.signature(thing) for thing in (Move, Piece, chuhe.Network, Position.is_legal, Move.from_uci)]
    assert [list(signature.parameters)[-1] for signature in signatures] == [
        "to_square", "kind", "output_bias", "move", "text"
    ]  # fmt: skip


def test_scores_from_a_side() -> None:
    score = chuhe.Score(cp=35, turn=BLACK)
    assert (score.red(), score.black(), score.pov(RED)) == (
        chuhe.Score(cp=-35),
        chuhe.Score(cp=35),
        chuhe.Score(cp=-35),
    )
    assert (-score).red() == score.red()
    mated = chuhe.Score(mate=0, turn=RED)
    assert mated.red() < chuhe.Score(mate=-1) < chuhe.Score(cp=-9000)
    assert mated.black() > chuhe.Score(mate=1) > chuhe.Score(cp=9000)
    assert (-mated.black()) == mated
    assert (mated.wdl(), mated.black().wdl(), sum(score.wdl())) == ((0, 0, 1000), (1000, 0, 0), 1000)
    assert len({score, chuhe.Score(cp=35)}) == 1
    with pytest.raises(ValueError, match="whose it is"):
        chuhe.Score(cp=1).red()
    for other in (3, None):
        with pytest.raises(TypeError, match="not supported between"):
            max(score, other)  # type: ignore[type-var]


def test_the_tables_verdicts_compare_with_scores() -> None:
    scores = [chuhe.EndgameVerdict(plies).score for plies in (1, 35, None, 36, 2, 0)]
    assert scores == sorted(scores, reverse=True)
    assert scores[1:4] == [chuhe.Score(mate=18), chuhe.Score(cp=0), chuhe.Score(mate=-18)]


def test_several_lines_as_a_list() -> None:
    with Engine(Settings(hash_mb=2)) as engine:
        position = Position()
        position.push("h2e2")
        lines = engine.analyse(position, Limits(depth=5), multipv=3)
        assert [info.multipv for info in lines] == [1, 2, 3]
        assert lines[0].score >= lines[1].score >= lines[2].score
        assert lines[0].score.red() == -lines[0].score
        assert engine.settings.multipv == 1
        assert len(engine.analyse(position, Limits(depth=3))) == 1


def test_an_analysis_can_be_left() -> None:
    with Engine(Settings(hash_mb=2)) as engine:
        with engine.analysis(Position()) as analysis:
            for info in analysis:
                if info.depth >= 3:
                    break
        assert analysis.wait().move in Position().legal_moves
        assert not engine.searching
        reports = [info for info in engine.analysis(Position(), Limits(depth=4)) if info.pv]
        assert reports[-1].depth == 4
        with pytest.raises(KeyError), engine.analysis(Position()) as analysis:  # the search is stopped, too
            raise KeyError
        analysis.wait()
        assert not engine.searching


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


def test_every_field_has_its_words() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", (ROOT / "docs/python.md").read_text(encoding="utf-8"), re.M))
    rows["SearchResult"] += rows["BestMove"]
    for thing in filter(dataclasses.is_dataclass, CLASSES):
        for field in dataclasses.fields(thing):
            assert field.name.startswith("_") or f"`{field.name}`" in rows[thing.__name__], (thing, field.name)


@pytest.mark.parametrize("thing", CLASSES)
def test_every_member_has_its_words(thing: type) -> None:
    """A field in the docstring of its class, or in the table of docs/python.md if it is a dataclass's."""
    fields = {field.name for field in dataclasses.fields(thing)} if dataclasses.is_dataclass(thing) else set()
    named = {word for line in re.findall(r"^ *([\w, ]+):", thing.__doc__ or "", re.M) for word in line.split(", ")}
    constants = set(getattr(thing, "__members__", ()))
    without = public_members(thing).keys() - fields - named - constants
    assert [name for name in without if not inspect.getdoc(public_members(thing)[name])] == []


# not met by chance: who asks for one of these imports its module
INNER = {"chuhe.protocol.arrivals", "chuhe.text.points", "chuhe.engine.search_handle"}
INNER_NAMES = {"Drawable", "SelfPlayGame", "SelfPlayRules"}


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
