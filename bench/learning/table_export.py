"""The positions of games as a table, a row for each: for pandas, Arrow, or any program that reads CSV.

The columns are those of `COLUMNS`. Scores and results are the mover's; docs/training.md explains them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from chuhe.bench.learning.data_tools import Warn, blocks_of, count_games
from chuhe.bench.learning.game_format import GAME, Block, DataError, cut_games
from chuhe.bench.learning.records import CAPTURE, CHECK, LETTERS, MATED, NO_FEATURE, Records, expand
from chuhe.common.progress import Bar
from chuhe.engine import RED, Move, Position, Score
from chuhe.engine._core import NO_SCORE
from chuhe.engine.values import Result
from chuhe.files.writing import check_output, replacing
from chuhe.records.files import READABLE, iter_games
from chuhe.records.game_record import GameRecord

COLUMNS = ("game", "ply", "fen", "move", "score", "result", "check", "capture", "mate")
WRITABLE = (".parquet", ".csv")
GAPS = [("." * width, str(width)) for width in range(9, 0, -1)]
WORDS = ["" if word & 127 >= 90 or word >> 7 >= 90 else Move(word & 127, word >> 7).iccs for word in range(1 << 14)]
_WON: dict[Result, float | None] = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0, "*": None}  # by Red
AT_ONCE = 500  # games of a game file
MATE = 30_000  # minus the plies to it
Columns = dict[str, Any]
Write = Callable[[Columns], None]


def export(paths: list[Path], out: Path, warn: Warn | None = None) -> int:
    """Write the scored positions of self-play, and all positions of other games, by the suffix; the number of rows."""
    if out.suffix.lower() not in WRITABLE:
        raise DataError(f"{out}: a table ends in {' or '.join(WRITABLE)}")
    check_output(out)
    rows = 0
    with ExitStack() as stack:
        scratch = stack.enter_context(replacing(out))
        write = (_parquet if out.suffix.lower() == ".parquet" else _csv)(scratch, stack)
        for table in _tables(paths, warn):
            write(table)
            rows += len(table["fen"])
    return rows


def _tables(paths: list[Path], warn: Warn | None) -> Iterator[Columns]:
    packed = [path for path in paths if path.suffix.lower() not in READABLE]
    with Bar(count_games(packed)[0], "games", delay=1.0) as bar:
        for block in blocks_of(packed, warn):
            yield columns(block)
            bar.step(count=block.games)
    on_fault = None if warn is None else lambda error: warn(f"skipped: {error}")
    games = (game for path in paths if path not in packed for game in iter_games(path, on_fault=on_fault))
    numbered = enumerate(games, 1)
    while chunk := list(islice(numbered, AT_ONCE)):
        yield columns_of_games(chunk)


def columns_of_games(games: Iterable[tuple[int, GameRecord]]) -> Columns:
    """The table of numbered games; scores are those of their comments, as they stand after the move before."""
    rows: list[tuple[object, ...]] = []
    for number, game in games:
        position = Position(game.fen)
        score: Score | None = None
        for ply, recorded in enumerate(game.moves):
            mover = None if score is None else score.pov(position.turn)
            value = None if mover is None else _value(mover)
            won = _WON[game.result]
            result = won if won is None or position.turn == RED else 1 - won
            rows.append((
                number, ply, position.fen(), recorded.move.iccs, value, result, position.is_check(),
                position.is_capture(recorded.move), mover is not None and mover.is_mate,
            ))  # fmt: skip
            position.push(recorded.move)
            score = recorded.score
    return {name: [row[column] for row in rows] for column, name in enumerate(COLUMNS)}


def _value(score: Score) -> int:
    """As self-play stores it: 30000 - n for a mate in n plies."""
    if score.mate is None:
        return max(-MATE, min(MATE, score.as_centipawns()))
    return MATE + 1 - 2 * score.mate if score.mate > 0 else -MATE - 2 * score.mate


def columns(block: Block) -> Columns:
    """The table of a block, column by column."""
    positions, games = expand(block)
    flags = positions["flags"]
    return {
        "game": np.repeat(games["number"], games["count"]),
        "ply": positions["ply"],
        "fen": list(fens(positions)),
        "move": list(_moves(block.payload())),
        "score": positions["score"],
        "result": positions["result"] / 2,
        **{name: (flags & bit) != 0 for name, bit in (("check", CHECK), ("capture", CAPTURE), ("mate", MATED))},
    }


def _moves(payload: bytes) -> Iterator[str]:
    """The moves played in the scored positions of a block, in ICCS."""
    for game in cut_games(payload):
        count = GAME.unpack_from(game)[-1]
        words = np.frombuffer(game, "<u2", count, len(game) - 4 * count)
        scores = np.frombuffer(game, "<i2", count, len(game) - 2 * count)
        yield from (WORDS[word] for word in words[scores != NO_SCORE].tolist())


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
        writer.writerows(zip(*(_printable(table[name]) for name in COLUMNS), strict=True))

    return write


def _printable(values: Any) -> list[object]:
    """A column with 0 and 1 for false and true."""
    if not isinstance(values, list):
        return list((values * 1).tolist())
    return [value * 1 if isinstance(value, bool) else value for value in values]


def _parquet(path: Path, stack: ExitStack) -> Write:
    import pyarrow
    from pyarrow import parquet

    kinds = dict.fromkeys(("check", "capture", "mate"), pyarrow.bool_()) | {
        "game": pyarrow.uint32(), "ply": pyarrow.uint16(), "fen": pyarrow.string(), "move": pyarrow.string(),
        "score": pyarrow.int16(), "result": pyarrow.float64(),
    }  # fmt: skip
    schema = pyarrow.schema([(name, kinds[name]) for name in COLUMNS])
    writer = stack.enter_context(parquet.ParquetWriter(path, schema))
    return lambda table: writer.write_table(pyarrow.table(table, schema))
