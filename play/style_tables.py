"""Position tables of the two old programs' styles.

What they published is the shape: S0 has a table for every piece, S1 for rook, horse, cannon and pawn. The numbers were
never published, so these are our own, in the proportions that the published weights ask for.

A table is written from Red's side, Black's back rank on top, files a to e; files f to i mirror them.
"""

from __future__ import annotations

Table = tuple[int, ...]  # by square, for Red


def _table(text: str) -> Table:
    rows = [[int(number) for number in line.split()] for line in text.strip().splitlines()]
    assert len(rows) == 10
    assert all(len(row) == 5 for row in rows)
    return tuple(value for row in reversed(rows) for value in row + row[3::-1])


_EMPTY = _table("0 0 0 0 0\n" * 10)

S0_TABLES: dict[str, Table] = {
    "K": _table("0 0 0 0 0\n" * 7 + "0 0 0 1 2\n0 0 0 5 8\n0 0 0 20 30"),
    "A": _table("0 0 0 0 0\n" * 7 + "0 0 0 6 0\n0 0 0 0 14\n0 0 0 10 0"),
    "B": _table("0 0 0 0 0\n" * 5 + "0 0 4 0 0\n0 0 0 0 0\n2 0 0 0 16\n0 0 0 0 0\n0 0 10 0 0"),
    "N": _table(
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
    "R": _table(
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
    "C": _table(
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
    "P": _table(
        """
        4 4 6 8 10
        20 28 40 54 60
        18 26 36 46 50
        16 22 28 34 36
        12 18 22 26 28
        4 0 8 0 10
        2 0 6 0 6
        0 0 0 0 0
        0 0 0 0 0
        0 0 0 0 0
        """
    ),
}

S1_TABLES: dict[str, Table] = {
    "K": _EMPTY,
    "A": _EMPTY,
    "B": _EMPTY,
    "N": _table(
        """
        0 1 2 2 1
        1 2 5 4 2
        2 3 4 5 4
        3 5 5 6 5
        2 4 5 5 5
        2 3 4 5 4
        1 2 4 3 4
        1 2 3 2 3
        0 1 1 2 0
        0 0 1 1 0
        """
    ),
    "R": _table(
        """
        4 4 4 5 5
        4 5 5 6 6
        4 4 4 5 5
        4 5 5 6 6
        4 5 5 6 6
        4 5 5 6 6
        3 4 3 5 5
        2 4 3 5 4
        2 4 2 5 2
        1 3 2 4 1
        """
    ),
    "C": _table(
        """
        3 3 2 1 1
        2 2 2 1 1
        2 2 2 1 2
        2 2 2 2 3
        2 2 2 2 3
        2 2 3 2 4
        1 2 2 2 3
        1 2 3 3 4
        1 2 2 2 2
        1 1 1 2 2
        """
    ),
    "P": _table(
        """
        0 0 1 1 2
        3 4 6 8 9
        3 4 5 7 8
        2 3 4 5 6
        1 2 3 4 4
        1 0 1 0 2
        0 0 0 0 1
        0 0 0 0 0
        0 0 0 0 0
        0 0 0 0 0
        """
    ),
}
