import xml.etree.ElementTree as ElementTree

import pytest

from chuhe.engine import Move, Position
from chuhe.pictures.svg import (
    PIECE_SETS,
    PIECES,
    Arrow,
    PieceSet,
    board_svg,
    definitions,
    edge_labels,
    point,
    strip_svg,
    symbol_id,
)
from chuhe.records.pgn import parse_pgn
from chuhe.records.raster import PictureError, board_png, game_gif

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


@pytest.mark.parametrize("pieces", PIECE_SETS)
def test_every_piece_stands_where_the_position_has_it(pieces: PieceSet) -> None:
    position = Position()
    position.push("h2e2")
    for flipped in (False, True):
        root = drawn(board_svg(position, pieces=pieces, flipped=flipped))
        shown = {(use.get("href"), int(use.get("x", "")), int(use.get("y", ""))) for use in root.iter(f"{SVG}use")}
        assert shown == {
            (f"#{symbol_id(piece.symbol, pieces)}", *point(square, flipped))
            for square, piece in position.pieces().items()
        }
        assert {(use[0] or "")[1:] for use in shown} <= {group.get("id") for group in root.iter(f"{SVG}g")}


def test_the_last_move_check_and_arrows_are_marked() -> None:
    position = Position("4k4/4a4/9/9/4p4/4P4/9/4C4/9/3K5 w")
    plain = drawn(board_svg(position))
    assert not plain.findall(f".//{SVG}path[@class='last']")
    position.push("e2e5")
    arrows = [Arrow(Move.from_iccs("e8d9")), Arrow(Move.from_iccs("e8f9"), 0.2)]
    root = drawn(board_svg(position, arrows=arrows))
    assert len(root.findall(f".//{SVG}path[@class='last']")) == 2
    assert root.findall(f"{SVG}circle[@cx='400'][@cy='0']")  # the king in check
    opacities = [float(arrow.get("fill-opacity", "")) for arrow in root.findall(f"{SVG}path[@class='arrow']")]
    assert opacities == sorted(opacities, reverse=True)
    assert len(opacities) == 2


def test_definitions_have_every_piece_of_every_set_once() -> None:
    root = drawn(f'<svg xmlns="http://www.w3.org/2000/svg">{definitions()}</svg>')
    ids = [group.get("id") for group in root]
    assert sorted(ids) == sorted(symbol_id(letter, pieces) for pieces in PIECE_SETS for letter in PIECES)  # type: ignore[type-var]
    assert len({identity.lower() for identity in ids if identity}) == len(ids)


def test_labels_count_files_as_each_side_does() -> None:
    plain, turned = edge_labels("numbers"), edge_labels("numbers", flipped=True)
    assert plain != turned
    assert plain.count("<path") == turned.count("<path") == 18
    texts = [text.text for text in drawn(edge_labels("coordinates", flipped=True)).iter("text")]
    assert "".join(filter(None, texts)) == "ihgfedcba0123456789"
    assert edge_labels("none") == ""


def test_a_strip_has_its_boards_in_rows() -> None:
    (game,) = parse_pgn("1. h2e2 h9g7 2. h0g2 b9c7 *")
    root = ElementTree.fromstring(strip_svg(game.positions(), columns=2, size=100))
    places = [(board.get("x"), board.get("y")) for board in root]
    assert places == [("0", "0"), ("105", "0"), ("0", "115"), ("105", "115"), ("0", "230")]
    assert (root.get("width"), root.get("height")) == ("205", "340")
    with pytest.raises(ValueError, match="needs a position"):
        strip_svg([])


def test_pixels() -> None:
    pytest.importorskip("resvg_py")
    assert board_png(Position(), size=90).startswith(b"\x89PNG")
    (game,) = parse_pgn("1. h2e2 h9g7 *")
    film = game_gif(game.positions(), 0.1, size=90)
    assert (film[:3], film.count(b"\x21\xf9\x04")) == (b"GIF", 3)
    with pytest.raises(ValueError, match="needs a position"):
        game_gif([])


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.records.raster.have", lambda library: False)
    with pytest.raises(PictureError, match=r"a PNG needs resvg_py: .*pip install"):
        board_png(Position())
