"""Reading and writing FEN, with one clear error for everything invalid."""

from __future__ import annotations

import random
from itertools import islice

import core_inspection
import oracle
import pytest

from chuhe.engine import BLACK, RED, START_FEN, FenError, Position

START = START_FEN.split()[0]


def test_the_start_position() -> None:
    assert Position().fen() == START_FEN == Position(START_FEN).fen()


@pytest.mark.parametrize(
    "fen",
    [
        START_FEN.replace("n", "h").replace("N", "H"),
        START_FEN.replace("b", "e").replace("B", "E"),
        START_FEN.replace(" w ", " r "),
        START,
        f"{START} w",
        f"{START} w -",
        f"{START} w - -",
        f"{START} w - - 0",
        f"  {START}   w\t-  -  0   1  ",
        START_FEN.replace("9/1c", "333/1c"),
        START_FEN.replace("/9/", "/111111111/"),
        f"{START} w - - 0 0",
    ],
)
def test_what_is_read_is_written_in_the_standard_form(fen: str) -> None:
    assert Position(fen).fen() == START_FEN


def test_side_and_counters() -> None:
    position = Position("3k5/9/9/9/9/8P/9/9/9/4K4 b - - 17 42")
    assert (position.turn, position.halfmove_clock, position.fullmove_number) == (BLACK, 17, 42)
    assert Position("3k5/9/9/9/9/8P/9/9/9/4K4").turn == RED


def test_round_trip_on_random_positions() -> None:
    for position in islice(oracle.random_positions(random.Random(3)), 300):
        again = Position(position.fen())
        assert again.fen() == position.fen()
        assert again.key == position.key
        assert again == position


# the board of a minimal legal position, row by row, to break one thing at a time
ROWS = "3k5/9/9/9/9/9/9/9/9/4K4".split("/")


def with_row(rank: int, row: str) -> str:
    rows = list(ROWS)
    rows[9 - rank] = row
    return "/".join(rows) + " w"


BAD = {
    "empty": ("", "empty"),
    "only blanks": ("   ", "empty"),
    "nine rows": ("/".join(ROWS[:9]), "10 rows.*9"),
    "eleven rows": ("/".join([*ROWS, "9"]), "10 rows.*11"),
    "an empty row": (with_row(5, ""), r"rank 5"),
    "a narrow row": (with_row(5, "8"), r"rank 5.*8"),
    "a wide row of blanks": (with_row(5, "55"), r"rank 5"),
    "a wide row of pieces": (with_row(5, "9P"), r"rank 5"),
    "ten pieces": (with_row(5, "PpPpPpPpPp"), r"rank 5"),
    "a zero": (with_row(5, "0P8"), r"rank 5.*0"),
    "an unknown letter": (with_row(5, "4q4"), r"rank 5.*'q'"),
    "a full-width digit": (with_row(5, "９"), r"rank 5"),
    "a Chinese piece": (with_row(5, "4車4"), r"rank 5.*車"),
    "a letter whose upper case is two letters": (with_row(5, "4ß4"), r"rank 5"),
    "no red king": ("3k5/9/9/9/9/9/9/9/9/9 w", "Red has no king"),
    "no black king": ("9/9/9/9/9/9/9/9/9/4K4 w", "Black has no king"),
    "two red kings": ("3k5/9/9/9/9/9/9/9/9/3KK4 w", "Red.*king.*e0"),
    "two black kings": ("3kk4/9/9/9/9/9/9/9/9/5K3 w", "Black.*king.*e9"),
    "a king outside its palace": ("3k5/9/9/9/9/9/9/9/9/2K6 w", "Red's king.*c0.*palace"),
    "a king above its palace": ("3k5/9/9/9/9/9/4K4/9/9/9 w", "Red's king.*e3.*palace"),
    "a king in the other palace": ("3kK4/9/9/9/9/9/9/9/9/9 w", "Red's king.*e9"),
    "an advisor outside the palace": (with_row(0, "A3K4"), "Red's advisor.*a0"),
    "an advisor off the diagonals": (with_row(1, "3A5"), "Red's advisor.*d1"),
    "an elephant across the river": (with_row(5, "2B6"), "Red's elephant.*c5.*river"),
    "a black elephant across the river": (with_row(4, "2b6"), "Black's elephant.*c4.*river"),
    "an elephant off its points": (with_row(0, "B3K4"), "Red's elephant.*a0"),
    "three rooks": (with_row(5, "RRR6"), "Red has more than 2 rooks.*c5"),
    "three knights": (with_row(5, "nnn6"), "Black has more than 2 knights.*c5"),
    "three cannons": (with_row(5, "CCC6"), "Red has more than 2 cannons.*c5"),
    "three advisors": ("3k5/9/9/9/9/9/9/3A1A3/9/3AK4 w", "Red has more than 2 advisors"),
    "three elephants": ("3k5/9/9/9/9/2B3B2/9/9/9/2B1K4 w", "Red has more than 2 elephants"),
    "six pawns": (with_row(6, "PPPPPP3"), "Red has more than 5 pawns.*f6"),
    "facing kings": ("4k4/9/9/9/9/9/9/9/9/4K4 w", "kings face each other.*e"),
    "the side not to move in check": ("3k5/9/9/9/9/9/9/9/9/3RK4 w", "Black is in check.*Red"),
    "the other side not to move in check": ("3k5/9/9/9/9/9/9/9/9/r3K4 b", "Red is in check.*Black"),
    "an unknown side": (f"{START} x", "side to move.*'x'"),
    "an upper-case side": (f"{START} W", "side to move.*'W'"),
    "castling rights": (f"{START} w KQkq - 0 1", "field 3.*KQkq"),
    "an en passant square": (f"{START} w - e3 0 1", "field 4.*e3"),
    "a negative clock": (f"{START} w - - -1 1", "halfmove clock.*-1"),
    "a clock in words": (f"{START} w - - zero 1", "halfmove clock.*zero"),
    "a monstrous clock": (f"{START} w - - 99999999999999999999 1", "halfmove clock"),
    "a fraction of a move": (f"{START} w - - 0 1.5", "move number.*1.5"),
    "an Arabic-Indic digit": (f"{START} w - - ١ 1", "halfmove clock"),
    "a field too many": (f"{START} w - - 0 1 moves", "at most 6 fields.*7"),
    "a NUL": (START_FEN.replace("9", "\0", 1), "rank 8"),
    "a lone surrogate": (START_FEN.replace("9", "\ud800", 1), "rank 8"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_fen_is_one_clear_error_that_names_the_place(name: str) -> None:
    fen, message = BAD[name]
    with pytest.raises(FenError, match=message) as error:
        Position(fen)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_fen_leaves_the_position_as_it_was(name: str) -> None:
    position = Position()
    position.push("h2e2")
    before = (position.fen(), position.key, position.move_stack)
    with pytest.raises(FenError):
        position.set_fen(BAD[name][0])
    assert (position.fen(), position.key, position.move_stack) == before
    core_inspection.consistency(position)


def test_the_message_stays_short_whatever_comes_in() -> None:
    for fen in ("x" * 100_000, "/" * 100_000, "9/" * 100_000, f"{START} {'w' * 100_000}"):
        with pytest.raises(FenError) as error:
            Position(fen)
        assert len(str(error.value)) < 400


@pytest.mark.parametrize("value", [5, b"9/9", ["9"]])
def test_not_even_a_text(value: object) -> None:
    with pytest.raises(TypeError):
        Position(value).fen()  # type: ignore[arg-type]
