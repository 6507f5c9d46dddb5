"""The scored positions of games as a table, a row for each: for pandas, Arrow, or any program that reads CSV.

The columns are those of `COLUMNS`. Scores and results are the mover's; docs/training.md explains them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from chuhe.bench.learning.data_tools import Warn, blocks_of, count_games
from chuhe.bench.learning.game_format import Block, DataError
from chuhe.bench.learning.records import CAPTURE, CHECK, LETTERS, MATED, NO_FEATURE, Records, expand
from chuhe.common.progress import Bar
from chuhe.files.writing import check_output, replacing

COLUMNS = ("game", "ply", "fen", "score", "result", "check", "capture", "mate")
WRITABLE = (".parquet", ".csv")
GAPS = [("." * width, str(width)) for width in range(9, 0, -1)]
Columns = dict[str, Any]
Write = Callable[[Columns], None]


def export(paths: list[Path], out: Path, warn: Warn | None = None) -> int:
    """Write all scored positions; the suffix tells the format. The number of rows."""
    if out.suffix.lower() not in WRITABLE:
        raise DataError(f"{out}: a table ends in {' or '.join(WRITABLE)}")
    check_output(out)
    bar = Bar(count_games(paths)[0], "games")
    rows = 0
    with ExitStack() as stack:
        scratch = stack.enter_context(replacing(out))
        write = (_parquet if out.suffix.lower() == ".parquet" else _csv)(scratch, stack)
        for block in blocks_of(paths, warn):
            table = columns(block)
            write(table)
            rows += len(table["fen"])
            bar.step(count=block.games)
    bar.close()
    return rows


def columns(block: Block) -> Columns:
    """The table of a block, column by column."""
    positions, games = expand(block)
    flags = positions["flags"]
    return {
        "game": np.repeat(games["number"], games["count"]),
        "ply": positions["ply"],
        "fen": list(fens(positions)),
        "score": positions["score"],
        "result": positions["result"] / 2,
        **{name: (flags & bit) != 0 for name, bit in (("check", CHECK), ("capture", CAPTURE), ("mate", MATED))},
    }


def fens(positions: Records) -> Iterator[str]:
    """The positions as FENs, with their counters; as `fen_of`, for many at a time."""
    count = len(positions)
    points = np.full((count, 90), ord("."), np.uint8)
    row, slot = np.nonzero(positions["features"] != NO_FEATURE)
    features = positions["features"][row, slot]
    points[row, features % 90] = np.frombuffer(LETTERS.encode(), np.uint8)[features // 90]
    lines = np.full((count, 10, 10), ord("/"), np.uint8)
    lines[:, :, :9] = points.reshape(count, 10, 9)[:, ::-1]
    text = lines.tobytes().decode("ascii")
    rest = zip(
        positions["side"].tolist(), positions["half_move_clock"].tolist(), positions["ply"].tolist(), strict=True
    )
    for index, (side, clock, ply) in enumerate(rest):
        board = text[100 * index : 100 * index + 99]
        for gap, width in GAPS:
            board = board.replace(gap, width)
        yield f"{board} {'wb'[side]} - - {clock} {ply // 2 + 1}"


def _csv(path: Path, stack: ExitStack) -> Write:
    file = stack.enter_context(path.open("w", encoding="utf-8", newline=""))
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)

    def write(table: Columns) -> None:
        lists = (table["fen"] if name == "fen" else (table[name] * 1).tolist() for name in COLUMNS)
        writer.writerows(zip(*lists, strict=True))

    return write


def _parquet(path: Path, stack: ExitStack) -> Write:
    import pyarrow
    from pyarrow import parquet

    writers: list[Any] = []

    def write(table: Columns) -> None:
        rows = pyarrow.table({name: pyarrow.array(table[name]) for name in COLUMNS})
        if not writers:
            writers.append(stack.enter_context(parquet.ParquetWriter(path, rows.schema)))
        writers[0].write_table(rows)

    return write
