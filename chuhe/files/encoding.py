"""Text of unknown encoding: UTF-8, UTF-16, and the encodings of older Chinese programs, GB18030 and Big5.

GB18030 and Big5 share nearly all their bytes, so nearly every text can be decoded as either. The resulting characters
decide: each encoding has its common characters in one block, and xiangqi has words of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from chuhe.files.reading import read_input
from chuhe.text.errors import UserError
from chuhe.text.message import Message

BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
NAMES = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32-le": "UTF-32", "utf-32-be": "UTF-32"}
XIANGQI_WORDS = frozenset(
    "帥將仕士相象馬傌車俥炮砲兵卒一二三四五六七八九進退平前後中紅黑勝負和先局賽帅将马车进后红胜负赛１２３４５６７８９"
)
WORD_WEIGHT, COMMON_WEIGHT = 3, 1
# the lead bytes of the common characters and of punctuation, in each encoding
COMMON_LEADS = {"gb18030": (range(0xA1, 0xAA), range(0xB0, 0xD8)), "big5": (range(0xA1, 0xC7),)}
MOSTLY = 4  # with this many valid characters for each invalid one, the guess is right and the text is damaged


class EncodingError(UserError):
    """Bytes that are not text, or damaged text; the message says which."""


def decode_text(data: bytes) -> str:
    """Decode with the most likely encoding."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding)
    if b"\0" in data:
        return _decoded(data, _wide_encoding(data))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if _is_damaged_utf8(data):
            raise _damaged("UTF-8", error) from None
    candidates = [(encoding, text) for encoding in COMMON_LEADS if (text := _try(data, encoding)) is not None]
    if not candidates:
        raise EncodingError(Message("file.encoding"))
    return max(candidates, key=lambda candidate: _likelihood(*candidate))[1]


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _damaged(NAMES[encoding], error) from None


def _damaged(name: str, error: UnicodeDecodeError) -> EncodingError:
    return EncodingError(Message("file.damaged-text", encoding=name, byte=error.start + 1))


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _wide_encoding(data: bytes) -> str:
    """The byte order of UTF-16 without a byte order mark: every other byte of its ASCII text is zero."""
    even, odd = data[0::2].count(0), data[1::2].count(0)
    if max(even, odd) <= MOSTLY * min(even, odd) or max(even, odd) < len(data) // 8:
        raise EncodingError(Message("file.zero-bytes"))
    return "utf-16-be" if even > odd else "utf-16-le"


def _is_damaged_utf8(data: bytes) -> bool:
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    return sum(character > "\x7f" for character in text) - broken > MOSTLY * broken


def _likelihood(encoding: str, text: str) -> float:
    """How much the text looks like a xiangqi game when decoded this way."""
    weights = list(_weights(encoding, text))
    return sum(weights) / len(weights) if weights else 0.0


def _weights(encoding: str, text: str) -> Iterator[int]:
    for character in text:
        if character in XIANGQI_WORDS:
            yield WORD_WEIGHT
        elif character > "\x7f":
            code = character.encode(encoding, "replace")
            common = any(code[0] in leads for leads in COMMON_LEADS[encoding])
            yield COMMON_WEIGHT if common and (encoding == "big5" or code[-1] >= 0xA1) else 0


def plain_text(data: bytes) -> str:
    """A text whose own characters are ASCII, such as a board: an odd letter in a heading must not lose the file."""
    try:
        text = decode_text(data)
    except EncodingError:
        if b"\0" in data:
            raise
        text = data.removeprefix(BYTE_ORDER_MARKS[0][0]).decode("latin-1")
    return text.lstrip("\ufeff").replace("\xa0", " ")


def text_of(name: str) -> str:
    """The plain text of a file; `-` is standard input."""
    if name != "-":
        return plain_text(read_input(name))
    buffer = getattr(sys.stdin, "buffer", None)
    return plain_text(sys.stdin.read().encode("utf-8", "surrogateescape") if buffer is None else buffer.read())
