"""Text in the encodings used by game files."""

from __future__ import annotations

import pytest

from chuhe.files.encoding import EncodingError, decode_text, plain_text
from chuhe.records.game_record import RecordError
from chuhe.records.pgn import decode, parse_pgn

SIMPLIFIED = '[Event "全国象棋个人赛"]\n[Red "胡荣华"]\n[Black "许银川"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0\n'
TRADITIONAL = (
    '[Event "臺灣象棋公開賽"]\n[Red "吳貴臨"]\n[Black "趙國榮"]\n\n1. 炮二平五 馬8進7 2. 馬二進三 車9平8 1-0\n'
)
NAMES_ONLY = ('[Red "吳貴臨"]\n\n1. H2-E2 H9-G7 *\n', '[Red "胡荣华"]\n\n1. H2-E2 H9-G7 *\n')
ENGLISH = '[Red "Hu"]\n\n1. H2-E2 H9-G7 *\n'


@pytest.mark.parametrize("text", [SIMPLIFIED, TRADITIONAL, *NAMES_ONLY, ENGLISH])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode(text: str, encoding: str) -> None:
    assert decode_text(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (SIMPLIFIED, "gb18030"),
        (SIMPLIFIED, "gb2312"),
        (NAMES_ONLY[1], "gb18030"),
        (TRADITIONAL, "big5"),
        (TRADITIONAL, "cp950"),
        (NAMES_ONLY[0], "big5"),
        (TRADITIONAL, "gb18030"),
        (ENGLISH, "ascii"),
    ],
)
def test_older_encodings(text: str, encoding: str) -> None:
    assert decode_text(text.encode(encoding)) == text


def test_the_games_of_a_big5_file() -> None:
    (game,) = parse_pgn(decode(TRADITIONAL.encode("big5")))
    assert game.tags["Red"] == "吳貴臨"
    assert [str(move) for move in game.plain_moves] == ["h2e2", "h9g7", "h0g2", "i9h9"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe\x00\xd8x", "UTF-16, but it is damaged at byte"),
        (SIMPLIFIED.encode().replace("荣".encode(), b"\x8d\xa3"), "UTF-8, but it is damaged at byte 42"),
        (b"\x00\x01\x02\x00\x00\x03\x04\x00", "not text"),
        (b"\xff" * 10, "not UTF-8, UTF-16, GB18030 or Big5"),
    ],
)
def test_what_cannot_be_read_names_the_encoding(data: bytes, message: str) -> None:
    with pytest.raises(EncodingError, match=message):
        decode_text(data)
    with pytest.raises(RecordError, match=message):
        decode(data)


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbfcas\xc3\xa9 5\n", "casé 5\n".encode("latin-1"), "casé\xa05\n".encode(), "casé 5\n".encode("utf-16")],
)
def test_a_heading_in_any_encoding_does_not_lose_a_board(data: bytes) -> None:
    assert plain_text(data) == "casé 5\n"


def test_what_is_no_text_is_still_refused() -> None:
    with pytest.raises(EncodingError, match="zero bytes"):
        plain_text(b"+B\0\0\0A")
