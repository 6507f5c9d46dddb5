"""Positions for training: each scored position of a block as a 72-byte record, filled by the core.

    for block in read_blocks(paths):
        positions, games = expand(block)   # numpy arrays; releases the GIL

No position is dropped. Those unsuitable for training (checks, captures, mates …) are flagged; the trainer chooses.
The record and its flags are defined in `engine/core/net_features.h`, which the core and the trainer share.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from chuhe.bench.learning.game_format import Block, DataError
from chuhe.engine import _core

RECORD, GAME_ROW = (np.dtype(layout) for layout in _core.record_layout())  # type: ignore[call-overload]
_flags = _core.record_flags()
CHECK = _flags["check"]  # the mover is in check
CAPTURE = _flags["capture"]  # the move played is a capture
RECURS = _flags["recurs"]  # the position occurred earlier in the game
MATED = _flags["mate"]  # the score is a mate
BY_RULE = _flags["rule"]  # the score is a win or a loss by the law of repetition
STRAY = _flags["stray"]  # a random move comes later, so the result says nothing about this position
NO_FEATURE = 0xFFFF
LETTERS = "KABNRCPkabnrcp"  # by piece
Records = npt.NDArray[np.void]
Indices = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]


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
    return f"{'/'.join(rows)} {'wb'[position['side']]} - - {position['half_move_clock']} {position['ply'] // 2 + 1}"
