"""Piece-square tables of the two older programs.

Published, and used unchanged: S0's one table for king and pawn, S1's for rook, horse, cannon and pawn. S0's tables for
the other pieces are not published: those here are ours, in the same proportions. In S1 all other pieces count 0.

A table is written from Red's side, Black's back rank on top; for Black the ranks are reversed.
"""

from __future__ import annotations

SquareTable = tuple[int, ...]  # by square, for Red


def _table(text: str) -> SquareTable:
    rows = [[int(number) for number in line.split()] for line in text.strip().splitlines()]
    assert [len(row) for row in rows] == [9] * 10
    return tuple(value for row in reversed(rows) for value in row)


def _mirrored(text: str) -> SquareTable:
    """A table given by its files a to e; f to i mirror them."""
    rows = [line.split() for line in text.strip().splitlines()]
    return _table("\n".join(" ".join(row + row[3::-1]) for row in rows))


_EMPTY: SquareTable = (0,) * 90

# --- S0

S0_KING_AND_PAWN = _table(
    """
    9 9 9 11 13 11 9 9 9
    19 24 34 42 44 42 34 24 19
    19 24 32 37 37 37 32 24 19
    19 23 27 29 30 29 27 23 19
    14 18 20 27 29 27 20 18 14
    7 0 13 0 16 0 13 0 7
    7 0 7 0 15 0 7 0 7
    0 0 0 1 1 1 0 0 0
    0 0 0 2 2 2 0 0 0
    0 0 0 11 15 11 0 0 0
    """
)

S0_TABLES: dict[str, SquareTable] = {
    "K": S0_KING_AND_PAWN,
    "P": S0_KING_AND_PAWN,
    # ours from here on
    "A": _mirrored("0 0 0 0 0\n" * 7 + "0 0 0 6 0\n0 0 0 0 14\n0 0 0 10 0"),
    "B": _mirrored("0 0 0 0 0\n" * 5 + "0 0 4 0 0\n0 0 0 0 0\n2 0 0 0 16\n0 0 0 0 0\n0 0 10 0 0"),
    "N": _mirrored(
        """
        4 8 16 12 8
        8 16 30 24 16
        14 24 32 34 30
        22 32 34 38 36
        14 28 30 34 32
        14 24 28 30 30
        8 16 24 20 26
        6 10 18 16 18
        4 8 10 14 2
        0 2 6 8 4
        """
    ),
    "R": _mirrored(
        """
        28 30 28 34 36
        30 34 32 42 44
        28 32 30 36 38
        28 36 34 40 42
        28 34 34 38 40
        28 36 34 38 40
        24 32 28 36 38
        20 28 24 34 32
        18 26 22 32 20
        12 24 18 32 18
        """
    ),
    "C": _mirrored(
        """
        22 20 14 8 6
        18 18 14 10 8
        16 16 14 8 12
        14 18 18 16 22
        14 16 18 16 22
        14 16 20 18 24
        12 14 18 18 22
        12 16 20 20 26
        12 14 16 18 18
        10 12 14 16 16
        """
    ),
}

# --- S1

S1_TABLES: dict[str, SquareTable] = {
    "K": _EMPTY,
    "A": _EMPTY,
    "B": _EMPTY,
    "R": _table(  # the published ninth row has two numbers too many: made symmetric
        """
        14 14 12 18 16 18 12 14 14
        16 20 18 24 26 24 18 20 16
        12 12 12 18 18 18 12 12 12
        12 18 16 22 22 22 16 18 12
        12 14 12 18 18 18 12 14 12
        12 16 14 20 20 20 14 16 12
        6 10 8 14 14 14 8 10 6
        4 8 6 14 12 14 6 8 4
        8 4 8 16 8 16 8 4 8
        -2 10 6 14 12 14 6 10 -2
        """
    ),
    "N": _table(
        """
        4 8 16 12 4 12 16 8 4
        4 10 28 16 8 16 28 10 4
        12 14 16 20 18 20 16 14 12
        8 24 18 24 20 24 18 24 8
        6 16 14 18 16 18 14 16 6
        4 12 16 14 12 14 16 12 4
        2 6 8 6 10 6 8 6 2
        4 2 8 8 4 8 8 2 4
        0 2 4 4 -2 4 4 2 0
        0 -4 0 0 0 0 0 -4 0
        """
    ),
    "C": _table(  # the published sixth row has one number too many: made symmetric
        """
        6 4 0 -10 -12 -10 0 4 6
        2 2 0 -4 -14 -4 0 2 2
        2 2 0 -10 -8 -10 0 2 2
        0 0 -2 4 10 4 -2 0 0
        0 0 0 2 8 2 0 0 0
        -2 0 4 2 6 2 4 0 -2
        0 0 0 2 4 2 0 0 0
        4 0 8 6 10 6 8 0 4
        0 2 4 6 6 6 4 2 0
        0 0 2 6 6 6 2 0 0
        """
    ),
    "P": _table(
        """
        0 3 6 9 12 9 6 3 0
        18 36 56 80 120 80 56 36 18
        14 26 42 60 80 60 42 26 14
        10 20 30 34 40 34 30 20 10
        6 12 18 18 20 18 18 12 6
        2 0 8 0 8 0 8 0 2
        0 0 -2 0 4 0 -2 0 0
        0 0 0 0 0 0 0 0 0
        0 0 0 0 0 0 0 0 0
        0 0 0 0 0 0 0 0 0
        """
    ),
}
