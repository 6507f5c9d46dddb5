"""Chinese moves as people type them: both scripts, any digits, and the short forms."""

from __future__ import annotations

import pytest

from chuhe.engine import Position
from chuhe.engine.notation import parse

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
KNIGHTS = "4k4/9/9/4N4/9/4N4/9/9/9/3K5 w"  # two knights on the fifth file
CANNONS = "3k5/9/9/9/2C6/9/2C6/9/9/4K4 w"  # two cannons on the seventh file
PAWNS = "3k5/2P6/2P6/2P6/9/9/9/9/9/4K4 w"  # three pawns on the seventh file
CROSSED = "3k5/9/9/9/6P2/9/2P6/9/9/4K4 w"  # a pawn across the river on the third file
BLACK = "4k4/9/9/4n4/9/4n4/9/9/9/3K5 b"


@pytest.mark.parametrize(
    ("fen", "move", "texts"),
    [
        (START, "h2e2", "炮二平五 砲二平五 炮2平5 炮２平５ 包二平五"),
        (START, "g3g4", "兵三进一 兵三進一 兵3进1"),
        (START, "h0g2", "马二进三 馬二進三 傌二進三 马2进3"),
        (START, "i0i1", "车一进一 車一進一 俥一進一"),
        (START, "g0e2", "相三进五 象三进五 相三進五"),
        (START, "f0e1", "仕四进五 士四进五 仕四進五"),
        (START, "e0e1", "帅五进一 帥五進一 将五进一 將五進一"),
        (KNIGHTS, "e6g7", "前马进三 前馬進三 马前进三 前傌進三"),
        (KNIGHTS, "e4g3", "后马退三 後馬退三 马后退三"),
        (CANNONS, "c5c4", "前炮退一 前砲退一 炮前退一"),
        (CANNONS, "c3a3", "后炮平九 後炮平九"),
        (PAWNS, "c8d8", "前兵平六 一兵平六"),
        (PAWNS, "c7d7", "中兵平六 二兵平六"),
        (PAWNS, "c6d6", "后兵平六 後兵平六 三兵平六"),
        (START, "g3g4", "三兵进一 ３兵进１"),
        (START, "c3c4", "七兵进一"),
        (CROSSED, "g5f5", "三兵平四"),
        (BLACK, "e4g3", "前马进7 前馬進７ 前马进七 馬前進7"),
    ],
)
def test_every_way_to_type_it_is_read(fen: str, move: str, texts: str) -> None:
    for text in texts.split():
        assert str(parse(Position(fen), text)) == move, text
        assert str(parse(Position(fen), " ".join(text))) == move, text
