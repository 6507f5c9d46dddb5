"""Openings from files of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from chuhe.bench.matches.match_values import Opening
from chuhe.bench.matches.opening_reader import OpeningError, parse_opening, rank_shift, read_openings

FEN = "r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 0 1"


def write(tmp_path: Path, text: str, name: str = "openings.txt") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_ranks_from_one_and_from_nought(tmp_path: Path) -> None:
    uci = read_openings(write(tmp_path, "h3e3 h10g8\nb1c3\n"))
    iccs = read_openings(write(tmp_path, "# mine\n\nh2e2 h9g7\nB0-C2   # knight first\n"))
    assert [opening.moves for opening in uci] == [opening.moves for opening in iccs] == [("h2e2", "h9g7"), ("b0c2",)]
    assert iccs[1].name == "knight first"


def test_files_without_a_telling_rank_are_settled_by_the_law() -> None:
    assert rank_shift(["h3e3", "c4c5"]) == 1
    assert rank_shift(["h2e2", "c3c4"]) == 0


@pytest.mark.parametrize(
    ("line", "opening"),
    [
        (FEN, Opening(FEN)),
        (f"{FEN} moves h9g7 i0h0", Opening(FEN, ("h9g7", "i0h0"))),
        (f"fen {FEN}", Opening(FEN)),
        ("startpos moves h2e2", Opening(None, ("h2e2",))),
        (f'{" ".join(FEN.split()[:2])} - - bm h9g7; id "x";', Opening(" ".join(FEN.split()[:2]))),
    ],
)
def test_positions(line: str, opening: Opening) -> None:
    assert parse_opening(line) == opening


def test_pgn_gives_the_beginnings_once(tmp_path: Path) -> None:
    path = write(tmp_path, '[Red "a"]\n1. h2e2 h9g7 *\n\n[Red "b"]\n1. h2e2 h9g7 *\n\n[Red "c"]\n1. b0c2 *\n', "x.pgn")
    assert [opening.moves for opening in read_openings(path)] == [("h2e2", "h9g7"), ("b0c2",)]


def test_old_chinese_pgn_gives_openings(tmp_path: Path) -> None:
    path = tmp_path / "old.pgn"
    path.write_bytes('[Opening "中炮"]\n1. 炮二平五 马８进７ *\n'.encode("gb18030"))
    assert read_openings(path) == [Opening(None, ("h2e2", "h9g7"), "中炮")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("h2e2\nh2e3\n", r"line 2.*not legal"),
        ('[Red "a"]\n1. h2e2 h9h8 *\n', "openings.txt: game 1, move 1: h9h8"),
        ("h2e2 what\n", r"line 1.*'what' is not a move"),
        ("9/9/9 w\n", "line 1"),
        ("# nothing\n", "holds no openings"),
        ("3k5/9/9/9/9/9/9/9/3R5/3RK4 b - - 0 1\n", "already over"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(OpeningError, match=message):
        read_openings(write(tmp_path, text))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(OpeningError, match=r"gone\.txt"):
        read_openings(tmp_path / "gone.txt")
