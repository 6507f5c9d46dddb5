"""Every reader of a text takes time in proportion to its length, whatever the text."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from itertools import product

import pytest

from chuhe.coach.practice.puzzles import parse_puzzle
from chuhe.common.time_control import parse_control
from chuhe.engine import Position
from chuhe.engine.notation import parse
from chuhe.files.encoding import decode_text
from chuhe.files.reading import SlowTextError, time_limit
from chuhe.records.files import games_from_bytes
from chuhe.records.pgn import parse_pgn
from chuhe.variants.draughts.text import read_cases
from chuhe.variants.squatter.text import parse_board

SHORT, LONG = 8_192, 65_536  # characters
NEGLIGIBLE = 0.5  # seconds of processor time for the longer text
GROWTH = 24  # eight times the text: 8 is linear, 64 quadratic
FEN = "4k4/9/9/9/9/9/9/9/9/3K5"

READERS: dict[str, Callable[[str], object]] = {
    "pgn": lambda text: games_from_bytes(text.encode(), "x.pgn", on_fault=lambda fault: None, keep_broken=True),
    "pasted": lambda text: games_from_bytes(text.encode(), "", on_fault=lambda fault: None, keep_broken=True),
    "ubb": lambda text: games_from_bytes(text.encode(), "x.ubb", on_fault=lambda fault: None, keep_broken=True),
    "fen file": lambda text: games_from_bytes(text.encode(), "x.fen"),
    "cbf": lambda text: games_from_bytes(b"<?xml" + text.encode(), "x.cbf"),
    "fen": Position,
    "move": lambda text: parse(Position(), text),
    "clock": parse_control,
    "puzzle": parse_puzzle,
    "draughts": read_cases,
    "squatter": parse_board,
    "encoding": lambda text: decode_text(text.encode("gb18030")),
}
TOKENS = {
    "pgn": (
        "{", "{a", "{a}", "[", "[a", '[a "', '[a "\\"', "(", "()", ";", ";a\n",
        "$1", "1.", "1. h2e2 {", "*", "x *", "\n",
    ),
    "pasted": ("\n", "\n ", "[a", "\n[a", "\n[a ", f"{FEN} ", f"{FEN}\n", "炮二平五", "1、", "{"),
    "ubb": (
        "[DhtmlXQ]", "[DhtmlXQ_a]", "[/DhtmlXQ_a]", "[DhtmlXQ_a", "[DhtmlXQ_a][/DhtmlXQ_a]", "[0_1_0]", "[0_1_0]1",
        "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", "<br", "<br ", "||", "\\u",
    ),
    "fen": (FEN, "r", "/", "9/"),
    "clock": ("1", "1/", "+", "1."),
}  # fmt: skip
BEGINNINGS = {
    "pgn": ("", "1. h2e2 ", "{", '[a "', "1. h2e2 (b2e2) "),
    "pasted": ("", f"{FEN} w ", "[a"),
    "ubb": ("", "[DhtmlXQ_a]", "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"),
    "fen": ("", FEN),
}
PAIRS = ["".join(pair) for pair in product(' \n{["\\a1', repeat=2)]


def cost(read: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    with suppress(ValueError):
        read(text)
    return time.process_time() - began


@pytest.mark.parametrize("reader", READERS)
def test_the_time_is_proportional_to_the_text(reader: str) -> None:
    read = READERS[reader]
    slow = []
    for beginning in BEGINNINGS.get(reader, ("",)):
        units = TOKENS.get(reader, ()) if beginning else (*TOKENS.get(reader, ()), *PAIRS)
        for unit in units:
            long = cost(read, beginning + unit * (LONG // len(unit)))
            if long > NEGLIGIBLE and long > GROWTH * cost(read, beginning + unit * (SHORT // len(unit))):
                slow.append((beginning, unit, long))
    assert slow == []


def test_reading_ends_when_its_time_is_over() -> None:
    with pytest.raises(SlowTextError, match="more than 0 seconds"), time_limit(0):
        parse_pgn("1. h2e2 " * 10)
    assert len(parse_pgn("1. h2e2 *")) == 1
