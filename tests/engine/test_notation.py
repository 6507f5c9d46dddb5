"""Reading and writing every notation: against pyffish and cchess, round trips on random positions, tandem pieces."""

from __future__ import annotations

import random
from itertools import islice

import cchess
import oracle
import pyffish
import pytest

from chuhe.engine import START_FEN, IllegalMoveError, InvalidMoveError, Move, Position
from chuhe.engine.notation import (
    NOTATIONS,
    explain_illegal,
    move_text,
    parse,
    parse_chinese,
    parse_wxf,
    to_chinese,
    to_wxf,
)
from chuhe.text.points import ROW_POINTS


def pawn_positions(rng: random.Random) -> list[Position]:
    """Positions with many pieces on few files, so that front, middle and back are needed."""
    found: list[Position] = []
    while len(found) < 150:
        board = {rng.choice((3, 4, 5)): "K", 81 + rng.choice((3, 4, 5)): "k"}
        for red in (True, False):
            files = rng.sample(range(9), rng.choice((1, 2, 2, 3)))
            for letter in "PPPPP"[: rng.randint(2, 5)] + "RRCCNN"[: rng.randint(0, 6)]:
                rank = rng.randint(4, 9) if letter == "P" else rng.randint(0, 9)
                place = 9 * (rank if red else 9 - rank) + rng.choice(files)
                board.setdefault(place, letter if red else letter.lower())
        try:
            found.append(Position(f"{board_fen(board)} {rng.choice('wb')} - - 0 1"))
        except ValueError:
            continue
    return found


def board_fen(board: dict[int, str]) -> str:
    rows = ("".join(board.get(9 * rank + file, "1") for file in range(9)) for rank in range(9, -1, -1))
    return "/".join(rows)


RANDOM = list(islice(oracle.random_positions(random.Random(7)), 150))
CROWDED = pawn_positions(random.Random(8))


@pytest.mark.parametrize("positions", [RANDOM, CROWDED], ids=["random", "crowded"])
def test_every_notation_round_trips_for_every_legal_move(positions: list[Position]) -> None:
    for position in positions:
        texts: set[str] = set()
        moves = position.legal_moves
        for move in moves:
            wxf, simplified = to_wxf(position, move), to_chinese(position, move)
            traditional = to_chinese(position, move, traditional=True)
            for text in (wxf, simplified, traditional, move.iccs, row_column(move)):
                assert parse(position, text) == move, (position.fen(), text)
            assert parse_wxf(position, wxf) == parse_wxf(position, wxf.lower()) == move
            assert parse_chinese(position, simplified) == parse_chinese(position, traditional) == move
            assert Move.from_uci(move.uci) == Move.from_iccs(move.iccs) == move
            texts |= {wxf, simplified}
        assert len(texts) == 2 * len(moves), f"two moves share a text: {position.fen()}"


def row_column(move: Move) -> str:
    return ",".join(f"{'ABCDEFGHIJ'[9 - place // 9]}{place % 9 + 1}" for place in (move.from_square, move.to_square))


def pyffish_leaves_the_order_out(position: Position, move: Move, ours: str, theirs: str) -> bool:
    """docs/lab/compared.md: of two on a file, the other would leave the board with this move, so it cannot be meant."""
    column = range(move.from_square % 9, 90, 9)
    mover = position.pieces()[move.from_square].symbol
    pieces = position.pieces()
    (other,) = (
        place for place in column if place != move.from_square and place in pieces and pieces[place].symbol == mover
    )
    same_move = ours[0] + ours[2:] == theirs[0] + theirs[2:] and theirs[1].isdigit()
    return same_move and not 0 <= other + move.to_square - move.from_square < 90


def test_wxf_is_what_pyffish_writes() -> None:
    rng = random.Random(9)
    left_out = 0
    for position in [*RANDOM[:15], *CROWDED[:60]]:
        moves = position.legal_moves
        for move in rng.sample(moves, min(len(moves), 12)):
            theirs = pyffish.get_san("xiangqi", position.fen(), move.uci, False, pyffish.NOTATION_XIANGQI_WXF)
            ours = to_wxf(position, move)
            if ours != theirs:
                assert pyffish_leaves_the_order_out(position, move, ours, theirs), (position.fen(), ours, theirs)
                left_out += 1
            assert parse(position, theirs) == move
    assert left_out, "the one known difference belongs to the sample"


def files_with_several_pawns(position: Position) -> int:
    pawns = [place % 9 for place, piece in position.pieces().items() if piece.symbol == "Pp"[position.turn]]
    return sum(pawns.count(file) > 1 for file in set(pawns))


def test_chinese_is_what_cchess_writes() -> None:
    named_by_file = 0
    for position in [*RANDOM[:60], *CROWDED]:
        board = cchess.ChessBoard(position.fen())
        for move in position.legal_moves:
            places = [(place % 9, place // 9) for place in (move.from_square, move.to_square)]
            theirs = cchess.Move(board, *places).to_text()
            ours = to_chinese(position, move)
            if ours != theirs:
                # docs/lab/compared.md: cchess writes 前兵 for two pawns on two files alike
                assert files_with_several_pawns(position) > 1, (position.fen(), ours, theirs)
                assert theirs[1] in "兵卒", (position.fen(), ours, theirs)
                assert (ours[0], ours[2:]) == (theirs[0], theirs[2:])
                named_by_file += 1
    assert named_by_file, "the one known difference belongs to the sample"


@pytest.mark.parametrize(
    ("fen", "iccs", "wxf", "simplified", "traditional"),
    [
        (START_FEN, "h2e2", "C2=5", "炮二平五", "炮二平五"),
        (START_FEN, "b0c2", "H8+7", "马八进七", "馬八進七"),
        (START_FEN, "c0e2", "E7+5", "相七进五", "相七進五"),
        (START_FEN, "e0e1", "K5+1", "帅五进一", "帥五進一"),
        (START_FEN, "i0i2", "R1+2", "车一进二", "車一進二"),
        (START_FEN.replace(" w", " b"), "h7e7", "C8=5", "炮８平５", "炮８平５"),
        (START_FEN.replace(" w", " b"), "d9e8", "A4+5", "士４进５", "士４進５"),
        (START_FEN.replace(" w", " b"), "e9e8", "K5+1", "将５进１", "將５進１"),
        (START_FEN.replace(" w", " b"), "g9e7", "E7+5", "象７进５", "象７進５"),
        (START_FEN.replace(" w", " b"), "c6c5", "P3+1", "卒３进１", "卒３進１"),
        ("4k4/9/9/2N6/9/9/2N6/9/9/5K3 w", "c6d4", "H+-6", "前马退六", "前馬退六"),
        ("4k4/9/9/2N6/9/9/2N6/9/9/5K3 w", "c3d5", "H-+6", "后马进六", "後馬進六"),
        ("4k4/9/9/2n6/9/9/2n6/9/9/5K3 b", "c6d4", "H-+4", "后马进４", "後馬進４"),
        ("4k4/9/9/2R6/9/9/2R6/9/9/5K3 w", "c6g6", "R+=3", "前车平三", "前車平三"),
        ("4k4/9/9/9/9/9/9/3A5/9/3A1K3 w", "d0e1", "A6+5", "仕六进五", "仕六進五"),
        ("4k4/9/9/9/9/2B6/9/9/9/2B2K3 w", "c4e2", "E7-5", "相七退五", "相七退五"),
        ("4k4/9/2P6/2P6/9/9/9/9/9/5K3 w", "c7c8", "P++1", "前兵进一", "前兵進一"),
        ("4k4/9/2P6/2P6/2P6/9/9/9/9/5K3 w", "c6d6", "27=6", "中兵平六", "中兵平六"),
        ("4k4/9/2P6/2P6/2P6/9/9/9/9/5K3 w", "c5d5", "37=6", "后兵平六", "後兵平六"),
        ("4k4/9/2P6/2P6/2P6/2P6/9/9/9/5K3 w", "c5d5", "37=6", "三兵平六", "三兵平六"),
        ("4k4/9/9/2p6/2p6/9/2p6/2p6/9/5K3 b", "c3d3", "23=4", "２卒平４", "２卒平４"),
        ("4k4/2P6/2P6/2P6/2P6/9/2P6/9/9/5K3 w", "c5d5", "47=6", "四兵平六", "四兵平六"),
        ("4k4/2P6/2P6/2P6/2P6/9/2P6/9/9/5K3 w", "c3c4", "57+1", "后兵进一", "後兵進一"),
        ("4k4/2P4P1/2P4P1/9/9/9/9/9/9/5K3 w", "c8c9", "17+1", "前七进一", "前七進一"),
        ("4k4/2P4P1/2P4P1/9/9/9/9/9/9/5K3 w", "h7g7", "22=3", "后二平三", "後二平三"),
        ("4k4/2P6/2P4P1/2P6/9/7P1/9/9/9/5K3 w", "c7b7", "27=8", "中七平八", "中七平八"),
        ("4k4/9/9/9/9/2p4p1/9/9/2p4p1/5K3 b", "h1i1", "18=9", "前８平９", "前８平９"),
    ],
)
def test_texts(fen: str, iccs: str, wxf: str, simplified: str, traditional: str) -> None:
    position, move = Position(fen), Move.from_iccs(iccs)
    assert to_wxf(position, move) == wxf
    assert to_chinese(position, move) == simplified
    assert to_chinese(position, move, traditional=True) == traditional
    for text in (wxf, simplified, traditional):
        assert parse(position, text) == move


@pytest.mark.parametrize(
    ("fen", "text", "iccs"),
    [
        (START_FEN, "H2-E2", "h2e2"),
        (START_FEN, " h2e2\n", "h2e2"),
        (START_FEN, "c2.5", "h2e2"),
        (START_FEN, "N8+7", "b0c2"),
        (START_FEN, "B7+5", "c0e2"),
        (START_FEN, "砲二平五", "h2e2"),
        (START_FEN, "包2平5", "h2e2"),
        (START_FEN, "炮２平５", "h2e2"),
        (START_FEN, "傌八進七", "b0c2"),
        (START_FEN, "俥一進二", "i0i2"),
        (START_FEN, "將五進一", "e0e1"),
        (START_FEN, "炮 二 平 五", "h2e2"),
        (START_FEN, "J1,I1", "a0a1"),
        (START_FEN, "h8 , h5", "h2e2"),
        (START_FEN.replace(" w", " b"), "炮八平五", "h7e7"),
        (START_FEN.replace(" w", " b"), "炮8平5", "h7e7"),
        ("4k4/9/9/2R6/9/9/2R6/9/9/5K3 w", "+R=3", "c6g6"),
        ("4k4/9/9/2R6/9/9/2R6/9/9/5K3 w", "-R.3", "c3g3"),
        ("4k4/9/9/2R6/9/9/2R6/9/9/5K3 w", "车前平三", "c6g6"),
        ("4k4/9/9/2R6/9/9/2R6/9/9/5K3 w", "R7+3", "c6c9"),  # the rear rook would land on the front one
        ("4k4/9/2P6/2P6/2P6/2P6/9/9/9/5K3 w", "一兵进一", "c7c8"),
        ("4k4/9/9/2p6/2p6/9/2p6/2p6/9/5K3 b", "二卒平4", "c3d3"),
        ("4k4/2P4P1/2P4P1/9/9/9/9/9/9/5K3 w", "前兵平八", "c8b8"),  # only one of the two front pawns can
    ],
)
def test_what_else_is_read(fen: str, text: str, iccs: str) -> None:
    assert parse(Position(fen), text).iccs == iccs


NO_MOVES = [
    *"h2 h2e h2e2e2 h2ee z2e2 a11a1 a10a9 h10g8 0000 null resign h2- -- C2 C2= C2=0 C0=5 Q2=5 C2*5 C2=55".split(),
    *"K1,A1 A0,A1 A1,A10 A1;A3".split(),
    *"炮二 炮二平 炮二平十 炮十平五 龙二平五 炮二飞五 中中中中 六七进一 ｈ２ｊ２ 🀄二平五".split(),
    *("", " ", "\0", "h2e2\0", "h2\ne2", "\ud800", "+" * 5000),
]


@pytest.mark.parametrize(
    "text",
    [
        "h2 e2",
        "h2 - e2",
        "h2–e2",
        "ｈ２ｅ２",
        "Ｈ２－Ｅ２",
        "Ｃ２＝５",
        "ｃ２．５",
        "C2 = 5",
        "炮２平5",
        "Ｈ８，Ｈ５",
        "　h2　e2　",
    ],
)
def test_spaces_and_full_width_characters_are_read(text: str) -> None:
    assert parse(Position(), text).iccs == "h2e2"


@pytest.mark.parametrize("text", NO_MOVES)
def test_what_is_no_move(text: str) -> None:
    position = Position()
    with pytest.raises(InvalidMoveError) as error:
        parse(position, text)
    assert len(str(error.value)) < 200
    for function in (parse_wxf, parse_chinese):
        with pytest.raises(InvalidMoveError):
            function(position, text)


@pytest.mark.parametrize(
    ("fen", "text"),
    [("4k4/9/9/2R6/9/9/2R6/9/9/5K3 w", "R7=3"), ("4k4/2P4P1/2P4P1/9/9/9/9/9/9/5K3 w", "前兵进一")],
)
def test_a_text_that_fits_two_moves_names_them(fen: str, text: str) -> None:
    with pytest.raises(InvalidMoveError, match=r"which piece is meant\? \(.* / .*\)"):
        parse(Position(fen), text)


OPEN = "3k5/9/9/9/4r4/9/9/9/4A4/4K4 w"  # a red advisor stands between the king and a rook


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (START_FEN, "e4e5", "there is no piece on e4"),
        (START_FEN, "a9a8", "the black rook on a9 cannot move: it is Red's turn"),
        (START_FEN.replace(" w", " b"), "a0a1", "the red rook on a0 cannot move: it is Black's turn"),
        (START_FEN, "a0a0", "a move must lead to another point"),
        (START_FEN, "a0b0", "b0 is taken by the red knight, a piece of the same side"),
        (START_FEN, "b0d1", "the knight's leg is blocked by the red elephant on c0"),
        (START_FEN, "b0c3", "c3 is taken by the red pawn, a piece of the same side"),
        (START_FEN, "b0b1", "the knight moves one point along a line and then one diagonally outward"),
        (START_FEN, "e0e2", "the king moves one point along a line at a time"),
        (START_FEN, "d0d1", "the advisor moves one point diagonally at a time"),
        (START_FEN, "d0c1", "the advisor may not leave the palace"),
        (START_FEN, "c0d1", "the elephant moves exactly two points diagonally"),
        (START_FEN, "a3a5", "the pawn moves one point at a time, forward or, across the river, sideways"),
        (START_FEN, "a3b3", "the pawn moves sideways only after it has crossed the river"),
        (START_FEN, "a3a2", "the pawn never moves back"),
        (START_FEN, "a0a5", "the rook is blocked by the red pawn on a3"),
        (START_FEN, "a0b1", "the rook moves along a line"),
        (START_FEN, "b2b8", "the cannon is blocked by the black cannon on b7"),
        (START_FEN, "b2b7", "the cannon captures over exactly one piece, not 0"),
        (START_FEN, "h2h8", "the cannon is blocked by the black cannon on h7"),
        ("3k5/9/9/9/9/2B6/9/9/9/4K4 w", "c4e6", "the elephant may not cross the river"),
        ("3k5/9/9/9/9/9/9/9/3p5/2B1K4 w", "c0e2", "the elephant's eye is blocked by the black pawn on d1"),
        ("3k5/9/9/9/9/9/9/9/9/3K5 w", "d0c0", None),
        ("5k3/9/9/9/9/9/9/9/9/3K5 w", "d0c0", "the king may not leave the palace"),
        ("5k3/9/9/9/9/9/9/9/9/4K4 w", "e0f0", "the two kings would face each other on file f"),
        (OPEN, "e1d2", "the king would be in check from the black rook on e5"),
        ("3k5/9/9/9/4r4/9/9/9/9/R3K4 w", "a0a1", "the king would still be in check from the black rook on e5"),
        (START_FEN, "C5=4", "Red has no cannon on file 5"),
        (START_FEN, "C+=4", "Red has no front one of several cannons on one file"),
        (START_FEN, "后马进四", "Red has no back one of several knights on one file"),
        (START_FEN, "27=8", "Red has no number 2 of several pawns on file 7"),
        (START_FEN, "六兵进一", "Red has no pawn on file 6"),
        (START_FEN, "C2+9", "the cannon does not move like that, or leaves the board"),
        (START_FEN, "H2=4", "the knight does not move like that, or leaves the board"),
        (START_FEN, "马二进五", "the knight does not move like that, or leaves the board"),
    ],
)
def test_an_illegal_move_is_explained(fen: str, text: str, reason: str | None) -> None:
    if reason is None:
        with pytest.raises(ValueError, match="face each other"):
            Position(fen)
        return
    with pytest.raises(IllegalMoveError) as error:
        parse(Position(fen), text)
    assert reason in str(error.value)


def test_every_illegal_move_has_a_specific_reason_and_every_legal_one_none() -> None:
    for position in [*RANDOM[:8], *CROWDED[:4]]:
        legal = set(position.legal_moves)
        for start in position.pieces():
            for end in range(90):
                move = Move(start, end)
                reason = explain_illegal(position, move)
                assert bool(reason) == (move not in legal)
                assert reason != "the rules forbid it", (position.fen(), move)


def test_a_notation_by_its_name() -> None:
    position = Position()
    texts = [move_text(position, Move.from_iccs("h0g2"), notation) for notation in NOTATIONS]
    assert texts == ["h0g2", "H2+3", "马二进三", "馬二進三", "J8,H7"]


def test_every_move_reads_back_by_rows() -> None:
    position = Position("r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w")
    for move in position.legal_moves:
        text = move_text(position, move, "rows")
        assert parse(position, text) == parse(position, text.lower(), ROW_POINTS) == move
        assert parse(position, text.replace(",", ""), ROW_POINTS) == parse(position, text.replace(",", "-"), ROW_POINTS)


def test_four_coordinates_mean_what_the_board_shows() -> None:
    """h8h5 is ICCS on one board; on the classic one it is the cannon's move along its row."""
    assert str(parse(Position(), "h8h5", ROW_POINTS)) == "h2e2"
    assert str(parse(Position(), "Ｈ８，　Ｈ５", ROW_POINTS)) == str(parse(Position(), "Ｈ８，Ｈ５")) == "h2e2"
    with pytest.raises(IllegalMoveError, match="there is no piece on h8"):
        parse(Position(), "h8h5")


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (START_FEN, "J2,I4", "the knight's leg is blocked by the red elephant on J3"),
        (START_FEN, "J1,J3", "J3 is taken by the red elephant, a piece of the same side"),
        (START_FEN, "F1,E1", "there is no piece on F1"),
        (START_FEN, "A1,B1", "the black rook on A1 cannot move: it is Red's turn"),
        (START_FEN, "J1,F1", "the rook is blocked by the red pawn on G1"),
        ("4k4/9/9/9/9/4N4/9/9/9/4K4 w", "F5,H4", "the two kings would face each other on column 5"),
        ("4k4/9/9/9/9/4r4/9/9/9/4K4 w", "J5,I5", "the king would still be in check from the black rook on F5"),
        ("3k5/9/9/9/9/9/9/9/3P5/2BAK4 w", "J3,H5", "the elephant's eye is blocked by the red pawn on I4"),
    ],
)
def test_reasons_by_rows(fen: str, text: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        parse(Position(fen), text, ROW_POINTS)
    assert caught.value.message.text(points=ROW_POINTS) == f"{text}: {reason}"


def test_what_cannot_be_read_gets_an_example_of_the_board() -> None:
    with pytest.raises(InvalidMoveError, match=r"'foo' is not a move: write it like H8,H5$"):
        parse(Position(), "foo", ROW_POINTS)
    with pytest.raises(IllegalMoveError, match=r"^R9\+4: the rook is blocked by the red pawn on a3$"):
        parse(Position(), "R9+4", ROW_POINTS)
