"""Positions for training: each scored position of a block as a 72-byte record, filled by the core.

    for block in read_blocks(paths):
        positions, games = expand(block)   # numpy arrays; releases the GIL

No position is dropped. Those unsuitable for training (checks, captures, mates …) are flagged; the trainer chooses.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bench.learning.game_format import Block, DataError
from engine import _core

# A record's flags
CHECK = 1  # the mover is in check
CAPTURE = 2  # the move played is a capture
RECURS = 4  # the position occurred earlier in the game
MATED = 8  # the score is a mate
BY_RULE = 16  # the score is a win or a loss by the law of repetition
STRAY = 32  # a random move comes later, so the result says nothing about this position
NO_FEATURE = 0xFFFF
LETTERS = "KABNRCPkabnrcp"  # by piece

# features: piece * 90 + square for every piece of either side, where piece is 7 * side + kind (king, advisor, bishop,
# knight, rook, cannon, pawn) and square is 9 * rank + file; NO_FEATURE after the last. score and result: the mover's.
RECORD = np.dtype(
    [
        ("features", "<u2", (32,)),
        ("score", "<i2"),  # centipawns
        ("result", "u1"),  # 0 lost, 1 drawn, 2 won
        ("side", "u1"),  # the mover: 0 Red, 1 Black
        ("flags", "u1"),
        ("since", "u1"),  # plies without a capture, as the move limit counts them (120 end the game)
        ("ply", "<u2"),  # from the start of the game, the opening included
    ]
)
GAME_ROW = np.dtype(
    [
        ("number", "<u4"),
        ("first", "<u4"),  # index of its first record in the block
        ("count", "<u4"),
        ("result", "u1"),  # for Red: 0 lost, 1 drawn, 2 won
        ("reason", "u1"),  # an index of REASONS
        ("flags", "u1"),
        ("spare", "u1"),
    ]
)
Records = npt.NDArray[np.void]


def expand(block: Block) -> tuple[Records, Records]:
    """All scored positions of a block (`RECORD`) and its games (`GAME_ROW`).

    DataError names the block, the game and the move if the block is damaged or a move is not legal.
    """
    payload = block.payload()
    try:
        records, games = _core.expand_games(payload, block.games, block.positions)
    except ValueError as error:
        raise DataError(f"{block.name}: {error}") from None
    return np.frombuffer(records, RECORD), np.frombuffer(games, GAME_ROW)


def fen_of(position: np.void) -> str:
    """A record's position as a FEN, with its counters."""
    points = [""] * 90
    for feature in position["features"].tolist():
        if feature == NO_FEATURE:
            break
        points[feature % 90] = LETTERS[feature // 90]
    rows = []
    for rank in range(9, -1, -1):
        row, empty = "", 0
        for letter in points[9 * rank : 9 * rank + 9]:
            if letter:
                row += (str(empty) if empty else "") + letter
                empty = 0
            else:
                empty += 1
        rows.append(row + (str(empty) if empty else ""))
    return f"{'/'.join(rows)} {'wb'[position['side']]} - - {position['since']} {position['ply'] // 2 + 1}"
