"""Tuning data: labelled positions, and the coefficient of each evaluation weight in them.

Positions come from games (`game_format`; only quiet positions are used) or from text. A line of text is
``FEN|result for Red|search score for Red``: the result is 1, 0.5 or 0, the score is in centipawns. The positions of a
game are consecutive: a move number that does not increase starts a new game. Lines starting with ``#`` are comments.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from chuhe.bench.learning.game_files import is_game_file, read_blocks
from chuhe.bench.learning.game_format import DataError
from chuhe.bench.learning.records import (
    BY_RULE,
    CAPTURE,
    CHECK,
    MATED,
    STRAY,
    Doubles,
    Indices,
    Records,
    expand,
    fen_of,
)
from chuhe.bench.learning.text_games import numbered_lines
from chuhe.common.progress import Bar
from chuhe.engine import RED, Position, _core
from chuhe.engine.tunables import Tunable
from chuhe.files.reading import open_input
from chuhe.text.numbers import parse_whole

QUIET_SCORE = 2000  # positions with larger scores are not used
BATCH = 1000  # positions per call to the core


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled position."""

    fen: str
    result: float
    score: int
    game: int = 0  # shared by all positions of a game; 0: unknown


@dataclass(frozen=True)
class Pairs:
    """The tunable weights of the evaluation, in pairs of middlegame and endgame."""

    rows: tuple[tuple[Tunable, Tunable], ...]
    middle: Indices  # indices into the core's array
    end: Indices

    def __len__(self) -> int:
        return len(self.middle)


@dataclass(frozen=True)
class Features:
    """A set of positions in the tuner's form: counts[position, pair], phase and scale as fractions, and the labels."""

    counts: Any  # scipy.sparse.csr_matrix
    phase: Doubles
    scale: Doubles
    result: Doubles
    score: Doubles
    game: Indices

    def __len__(self) -> int:
        return len(self.result)

    def part(self, chosen: npt.NDArray[np.bool_]) -> Features:
        return Features(
            self.counts[chosen],
            self.phase[chosen],
            self.scale[chosen],
            self.result[chosen],
            self.score[chosen],
            self.game[chosen],
        )

    def evaluate(self, values: Doubles) -> Doubles:
        """The evaluation from Red's side, in centipawns; values[pair] holds middlegame and endgame."""
        both = self.counts @ values
        blended = self.phase * both[:, 0] + (1 - self.phase) * both[:, 1]
        scores: Doubles = self.scale * blended
        return scores

    def transposed(self, errors: Doubles) -> Doubles:
        """The transpose of `evaluate`: turns a gradient by position score into a gradient by weight."""
        sides = np.stack([errors * self.scale * self.phase, errors * self.scale * (1 - self.phase)], axis=1)
        gradient: Doubles = self.counts.T @ sides
        return gradient


def parse_sample(line: str) -> Sample:
    """Read a line; ValueError says what is wrong with it."""
    parts = line.strip().split("|")
    if len(parts) != 3:
        raise ValueError("expected FEN|result|score")
    try:
        result, score = float(parts[1]), int(parts[2])
    except ValueError:
        raise ValueError(f"the result {parts[1]!r} or the score {parts[2]!r} is not a number") from None
    if result not in (0.0, 0.5, 1.0):
        raise ValueError(f"the result must be 1, 0.5 or 0, not {parts[1]}")
    return Sample(parts[0], result, score)


def read_lines(path: Path) -> Iterator[Sample]:
    """The samples of a text file. An incomplete last line is skipped."""
    with io.TextIOWrapper(open_input(path), encoding="ascii", errors="replace") as lines:
        for number, line in numbered_lines(lines, path):
            if not line.endswith("\n"):
                break
            if line.startswith("#"):
                continue
            try:
                yield parse_sample(line)
            except ValueError as error:
                raise DataError(f"{path}:{number}: {error}") from None


def is_quiet(positions: Records) -> npt.NDArray[np.bool_]:
    """Which positions are quiet enough to compare their static evaluation with the score and the result."""
    wild: npt.NDArray[np.bool_] = positions["flags"] & (CHECK | CAPTURE | MATED | BY_RULE | STRAY) != 0
    return ~wild & (np.abs(positions["score"].astype(np.int32)) <= QUIET_SCORE)


def read_quiet(paths: Iterable[Path], step: int = 1) -> Iterator[Sample]:
    """Every `step`-th quiet position of files of games."""
    game = 0
    for block in read_blocks(paths):
        positions, games = expand(block)
        game_of = np.repeat(np.arange(1, len(games) + 1) + game, games["count"])
        game += len(games)
        for index in np.flatnonzero(is_quiet(positions))[::step]:
            position = positions[index]
            red = int(position["side"]) == RED  # numpy would look into the enumeration, and lose a Ctrl-C there
            result, score = int(position["result"]) / 2, int(position["score"])
            yield Sample(fen_of(position), result if red else 1 - result, score if red else -score, int(game_of[index]))


def read_samples(paths: Iterable[Path], most: int = 0) -> Iterator[Sample]:
    """All samples of the files; from files of games at most this many positions, evenly spread (0: all)."""
    games: list[Path] = []
    texts: list[Path] = []
    for path in paths:
        (games if is_game_file(path) else texts).append(path)
    total = sum(block.positions for block in read_blocks(games))
    yield from read_quiet(games, max(1, -(-total // most)) if most else 1)
    for path in texts:
        yield from read_lines(path)


def pairs_of(table: list[Tunable]) -> Pairs:
    """The evaluation's rows with middlegame and endgame values. The other rows are not linear and are not tuned."""
    by_name = {row.name: row for row in table}
    rows = tuple(
        (row, by_name[row.name[:-3] + "_eg"])
        for row in table
        if row.section == "evaluation" and row.name.endswith("_mg")
    )
    middle = np.concatenate([np.arange(len(first.values)) + first.offset for first, _ in rows])
    end = np.concatenate([np.arange(len(last.values)) + last.offset for _, last in rows])
    return Pairs(rows, middle, end)


def _move_number(fen: str) -> int:
    fields = fen.split()
    full_moves = parse_whole(fields[5], 0) if len(fields) > 5 else None
    return 0 if full_moves is None else 2 * full_moves + (fields[1] == "b")


def number_games(samples: Iterable[Sample]) -> Iterator[int]:
    """The index of the game each sample belongs to, from 0."""
    game, last, result, known = -1, 0, -1.0, 0
    for sample in samples:
        number = _move_number(sample.fen)
        begins = sample.game != known if sample.game else number <= last or sample.result != result
        if game < 0 or begins:
            game += 1
        last, result, known = number, sample.result, sample.game
        yield game


def _triples(
    samples: list[Sample], indices: list[int], numbers: list[int]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    triples, about = _core.evaluation_features([Position(sample.fen) for sample in samples], indices, numbers)
    return np.frombuffer(triples, np.int32).reshape(-1, 3), np.frombuffer(about, np.int32).reshape(-1, 4)


def extract(samples: list[Sample], pairs: Pairs, numbers: list[int]) -> Features:
    """Get the coefficients of every sample's evaluation from the core. `numbers`: the whole table's values."""
    first_asked = next(row.offset for row, _ in pairs.rows if not row.name.startswith(("material", "pst")))
    asked = [int(index) for index in pairs.middle if index >= first_asked]
    column = np.full(len(numbers), -1, np.int32)
    column[pairs.middle] = np.arange(len(pairs), dtype=np.int32)
    blocks, abouts = [], []
    bar = Bar(len(samples), "positions")
    remaining = iter(samples)
    while batch := list(islice(remaining, BATCH)):
        triples, about = _triples(batch, asked, numbers)
        shape = (len(batch), len(pairs))
        entries = (triples[:, 2].astype(np.float32), (triples[:, 0], column[triples[:, 1]]))
        blocks.append(sparse.csr_matrix(entries, shape=shape))
        abouts.append(about)
        bar.step(count=len(batch))
    bar.close()
    about = np.concatenate(abouts)
    return Features(
        sparse.vstack(blocks, format="csr"),
        about[:, 0] / _core.FULL_PHASE,
        about[:, 1] / _core.FULL_CHANCES,
        np.array([sample.result for sample in samples]),
        np.array([float(sample.score) for sample in samples]),
        np.fromiter(number_games(samples), np.int64, len(samples)),
    )


def validation_games(game: Indices, share: float) -> npt.NDArray[np.bool_]:
    """Which positions are held out for validation: whole games, chosen by number, so the same on every run."""
    chosen = [zlib.crc32(b"%d" % number) / 2**32 < share for number in range(int(game.max(initial=0)) + 1)]
    return np.array(chosen)[game]
