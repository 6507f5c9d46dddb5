"""A fixed run of the fuzzer, and inputs that caused, or might have caused, trouble."""

from __future__ import annotations

import fuzz
import pytest

from chuhe.engine import START_FEN, Position


def test_fuzz_fen_and_moves() -> None:
    fuzzer = fuzz.Fuzzer(seed=20)
    for _ in range(120):
        fuzzer.step()
    assert fuzzer.accepted > 100, "a fuzzer whose inputs are all refused at once tests little"
    assert fuzzer.accepted < (fuzzer.fens + fuzzer.moves) / 2


INTERESTING_FENS = [
    "/////////",
    "9/9/9/9/9/9/9/9/9/9 w",
    "9" * 10_000,
    "/" * 10_000,
    "k" * 90,
    "K" + "9" * 50,
    " ".join(["w"] * 7),
    f"{START_FEN}\0",
    START_FEN.replace("w", "\0"),
    START_FEN.replace(" ", "\u2003"),
    START_FEN.replace("0", "²"),
    START_FEN.replace("0 1", "9999 99999"),
    START_FEN.replace("0 1", "000000 000001"),
    START_FEN.replace("0 1", "00000000000000000000 1"),
    START_FEN.swapcase(),
    START_FEN.replace("9", "İ"),
    "3k5/9/9/9/9/9/9/9/9/4K4 b - - 9999 99999",
    # check from every kind of piece at once
    "3k5/9/9/9/9/9/9/3r1n3/4p4/1c1cK2r1 w - - 0 1",
    # all 32 pieces in one half
    "rnbakabnr/1c5c1/p1p1p1p1p/P1P1P1P1P/RNC3CNR/9/9/4B4/4A4/2BAK4 b",
]


@pytest.mark.parametrize("text", INTERESTING_FENS)
def test_interesting_fens(text: str) -> None:
    fuzz.check_fen(text)


INTERESTING_MOVES = [
    *("a0a0", "a9i0", "i9a0", "e0e9", "e9e0", "a10i1", "i10a10", "A1,J9", "J9,A1"),
    *("K5=5", "A5+5", "E5+5", "H5+5", "R1=1", "P1-1", "P+-1", "--R1", "++11", "11+1", "59=9", "51+9"),
    *("帅五平五", "前前进一", "中兵进一", "五兵进一", "一一进一", "九九平九", "前９平９", "后后后后", "進進進進"),
    *("炮\n五平四", "\n炮\t二进\n九\n", "马\u2028二平\x85三", "h2\n-e2", "H8\n,\nH5"),  # blanks inside a refused move
    *("h２e2", "炮2平五", "炮二平⑤", "炮二平5\u200b", "\u200f炮二平五", "h2e2" * 1000, "C2=5" * 1000),
]


@pytest.mark.parametrize("text", INTERESTING_MOVES)
def test_interesting_moves(text: str) -> None:
    for fen in (START_FEN, START_FEN.replace(" w ", " b "), "4k4/2P4P1/2P4P1/9/9/9/9/9/9/5K3 w"):
        fuzz.check_move(Position(fen), text)
