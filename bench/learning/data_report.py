"""Statistics of a set of games, as a table and as a plot: positions, results, scores, pieces, duplicates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chuhe.bench.learning.game_format import REASONS, RESULTS, Block
from chuhe.bench.learning.records import BY_RULE, CAPTURE, CHECK, MATED, NO_FEATURE, RECURS, STRAY, Records, expand
from chuhe.bench.learning.score_meaning import ScoreMeaning
from chuhe.common.command_line import counted
from chuhe.common.score_plot import new_figure, save_figure
from chuhe.engine import _core
from chuhe.engine._core import CANNON, KNIGHT, PLAYED_ON, ROOK, STRAYED
from chuhe.engine.network import FEATURES

BANDS = (-2000, -1000, -500, -200, -50, 50, 200, 500, 1000, 2000)  # centipawns: the rows of the table of scores
STEP, LIMIT = 100, 2000  # centipawns: the bins of the plot; the outermost are open-ended
COLUMNS = 2 * LIMIT // STEP + 1
KEYS = 1 << 24  # positions checked for duplicates; larger sets are sampled, independently of their order
ATTACKERS = (KNIGHT, ROOK, CANNON)
ATTACKER_TOTALS = _core.NETWORK_SIZES["max_buckets"]  # both sides together have 0 to 12
FLAGS = {  # in the order of the report
    CHECK: "mover in check",
    CAPTURE: "move is a capture",
    RECURS: "repeated position",
    MATED: "mate score",
    BY_RULE: "score from the repetition law",
    STRAY: "random move later on",
}

CountArray = npt.NDArray[np.int64]
PositionKeys = npt.NDArray[np.uint64]


def _counts(size: int) -> CountArray:
    return np.zeros(size, np.int64)


def _random_words() -> PositionKeys:
    words = np.random.default_rng(1).integers(1, 2**63, FEATURES + 2, dtype=np.uint64)
    words[FEATURES] = 0  # no piece
    return words  # the last word: Black to move


WORDS = _random_words()


def position_keys(positions: Records) -> PositionKeys:
    """A key for each position from its pieces and side to move; it does not depend on the order of the pieces."""
    features = np.minimum(positions["features"], FEATURES)
    keys: PositionKeys = np.bitwise_xor.reduce(WORDS[features], axis=1)
    keys ^= np.where(positions["side"] == 1, WORDS[FEATURES + 1], np.uint64(0))
    return keys


@dataclass
class Census:
    """Counts over all blocks added so far."""

    expected: int = 0  # total positions, to decide how many to sample for duplicates
    games: int = 0
    positions: int = 0
    stored: int = 0  # bytes
    results: Counter[tuple[str, str]] = field(default_factory=Counter)  # (result, reason)
    lengths: list[npt.NDArray[Any]] = field(default_factory=list)
    played_on: int = 0
    strayed: int = 0
    flags: Counter[int] = field(default_factory=Counter)
    usable: int = 0  # positions without any flag
    bands: CountArray = field(default_factory=lambda: _counts(len(BANDS) + 1))  # scores from the mover's point of view
    band_points: CountArray = field(default_factory=lambda: _counts(len(BANDS) + 1))  # half points scored by the mover
    scores: CountArray = field(default_factory=lambda: _counts(COLUMNS))
    points: CountArray = field(default_factory=lambda: _counts(COLUMNS))
    meaning: ScoreMeaning = field(default_factory=ScoreMeaning)
    pieces: CountArray = field(default_factory=lambda: _counts(33))
    attackers: CountArray = field(default_factory=lambda: _counts(ATTACKER_TOTALS))
    plies: CountArray = field(default_factory=lambda: _counts(0x10000))
    keys: list[PositionKeys] = field(default_factory=list)
    key_plies: list[npt.NDArray[Any]] = field(default_factory=list)
    key_files: list[str] = field(default_factory=list)  # the file of each array of keys

    def add(self, block: Block, file: str = "") -> None:
        """Count a block of the named file; DataError if it is damaged."""
        positions, games = expand(block)
        self.games += len(games)
        self.positions += len(positions)
        self.stored += len(block.stored)
        self.lengths.append(games["count"].copy())
        self.played_on += int(np.count_nonzero(games["flags"] & PLAYED_ON))
        self.strayed += int(np.count_nonzero(games["flags"] & STRAYED))
        for (result, reason), count in Counter(games[["result", "reason"]].tolist()).items():
            name = REASONS[reason] if reason < len(REASONS) else f"reason {reason}"
            self.results[RESULTS[result], name] += count
        self._add_positions(positions)
        self.key_files.append(file)

    def _add_positions(self, positions: Records) -> None:
        for flag in FLAGS:
            self.flags[flag] += int(np.count_nonzero(positions["flags"] & flag))
        self.usable += int(np.count_nonzero(positions["flags"] == 0))
        result = positions["result"]
        band = np.digitize(positions["score"], BANDS)
        self.bands += np.bincount(band, minlength=len(self.bands))
        self.band_points += np.bincount(band, result, minlength=len(self.bands)).astype(np.int64)
        column = np.rint((np.clip(positions["score"], -LIMIT, LIMIT) + LIMIT) / STEP).astype(np.int64)
        self.scores += np.bincount(column, minlength=COLUMNS)
        self.points += np.bincount(column, result, minlength=COLUMNS).astype(np.int64)
        self.meaning.add(positions)
        features = positions["features"]
        self.pieces += np.bincount(np.count_nonzero(features != NO_FEATURE, axis=1), minlength=33)
        kinds = features // 90 % 7
        attackers = np.isin(kinds, ATTACKERS) & (features != NO_FEATURE)
        self.attackers += np.bincount(np.count_nonzero(attackers, axis=1), minlength=ATTACKER_TOTALS)
        self.plies += np.bincount(positions["ply"], minlength=len(self.plies))
        keys = position_keys(positions)
        chosen = keys % np.uint64(self.thinning) == 0
        self.keys.append(keys[chosen])
        self.key_plies.append(positions["ply"][chosen])

    @property
    def thinning(self) -> int:
        """One position in this many is checked for duplicates. Chosen by key, so all its copies are checked or none."""
        return max(1, -(-self.expected // KEYS))

    def duplicates(self) -> Duplicates:
        """The duplicates among the positions checked."""
        keys = np.concatenate([*self.keys, np.zeros(0, np.uint64)])
        plies = np.concatenate([*self.key_plies, np.zeros(0, np.uint16)])
        _, first, counts = np.unique(keys, return_index=True, return_counts=True)
        again = np.ones(len(keys), np.bool_)
        again[first] = False
        by_ply = np.bincount(plies[again], minlength=len(self.plies)) * self.thinning
        return Duplicates(len(keys), len(keys) - len(first), int(counts.max(initial=0)), by_ply)

    def repeats_between(self) -> list[Repeats]:
        """How much of each file stands in the other files too; empty if there is one file only."""
        arrays: dict[str, list[PositionKeys]] = {}
        for file, keys in zip(self.key_files, self.keys, strict=True):
            arrays.setdefault(file, []).append(keys)
        if len(arrays) < 2:
            return []
        distinct = {file: np.unique(np.concatenate(parts)) for file, parts in arrays.items()}
        merged, files = np.unique(np.concatenate(list(distinct.values())), return_counts=True)
        shared = merged[files > 1]
        return [
            Repeats(file, len(keys), int(np.count_nonzero(np.isin(keys, shared, assume_unique=True))))
            for file, keys in distinct.items()
        ]


@dataclass(frozen=True)
class Duplicates:
    """Positions that have occurred before in the data."""

    looked_at: int
    count: int
    most: int  # occurrences of the most frequent position
    by_ply: CountArray

    @property
    def share(self) -> str:
        return _percent(self.count, self.looked_at).strip()


@dataclass(frozen=True)
class Repeats:
    """The positions of one file that other files have too."""

    file: str
    distinct: int
    elsewhere: int


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:5.1f} %" if whole else "    –  "


def report(census: Census) -> str:
    """The census as a readable table."""
    games, positions = census.games, census.positions
    if not games:
        return "no games"
    lengths = np.concatenate(census.lengths)
    again = census.duplicates()
    middle, longest = np.median(lengths), lengths.max()
    lines = [
        f"games      {games:>12,}   positions: mean {lengths.mean():.1f}, median {middle:.0f}, at most {longest}",
        f"positions  {positions:>12,}   {census.stored / max(1, positions):.2f} bytes each",
        f"played on  {census.played_on:>12,}   {_percent(census.played_on, games)} of the games",
        f"strayed    {census.strayed:>12,}   {_percent(census.strayed, games)} of the games",
        "",
        "results",
    ]
    for result in reversed(RESULTS):
        whole = sum(count for (name, _), count in census.results.items() if name == result)
        reasons = [(count, reason) for (name, reason), count in census.results.items() if name == result]
        parts = ", ".join(f"{reason} {count:,}" for count, reason in sorted(reasons, reverse=True))
        lines.append(f"  {result:<8} {whole:>12,}   {_percent(whole, games)}   {parts}")
    lines += ["", "positions, by reason not to train on them"]
    lines += [
        f"  {text:<28} {census.flags[flag]:>12,}   {_percent(census.flags[flag], positions)}"
        for flag, text in FLAGS.items()
    ]
    lines.append(f"  {'none of these':<28} {census.usable:>12,}   {_percent(census.usable, positions)}")
    lines += ["", "scores (centipawns, for the mover) and the mover's share of the points"]
    lines += _score_lines(census)
    lines += census.meaning.report()
    lines += ["", "pieces on the board", *_columns(census.pieces, positions, 2)]
    lines += ["", "rooks, knights and cannons on the board", *_columns(census.attackers, positions, 1)]
    share = f" (one position in {census.thinning} checked)" if census.thinning > 1 else ""
    lines += ["", f"duplicates{share}"]
    lines.append(
        f"  {again.count:,} of {again.looked_at:,} positions, {again.share}, are repeats; "
        f"the most frequent position occurs {counted(again.most, 'time')}"
    )
    lines += [
        f"  {each.file}: {each.distinct:,} distinct, "
        f"{_percent(each.elsewhere, each.distinct).strip()} in other files too"
        for each in census.repeats_between()
    ]
    return "\n".join(lines)


def _score_lines(census: Census) -> list[str]:
    names = [f"below {BANDS[0]}", *(f"{low} to {high}" for low, high in pairwise(BANDS)), f"{BANDS[-1]} and above"]
    lines = []
    for name, count, points in zip(names, census.bands.tolist(), census.band_points.tolist(), strict=True):
        won = f"{points / 2 / count:.3f}" if count else "–"
        lines.append(f"  {name:<16} {count:>12,}   {_percent(count, census.positions)}   {won}")
    return lines


def _columns(counts: CountArray, whole: int, width: int) -> list[str]:
    """A text histogram, with `width` values per line."""
    first = int(np.flatnonzero(counts)[0]) // width * width
    last = int(np.flatnonzero(counts)[-1])
    lines = []
    for low in range(first, last + 1, width):
        count = int(counts[low : low + width].sum())
        high = min(low + width, len(counts)) - 1
        name = f"{low}" if low == high else f"{low}–{high}"
        lines.append(
            f"  {name:<7} {count:>12,}   {_percent(count, whole)}   {'#' * round(60 * count / whole)}".rstrip()
        )
    return lines


def plot(census: Census, path: Path, title: str) -> None:
    """Four plots in one file: scores, points by score, pieces, and positions by ply."""
    figure = new_figure(10, 7)
    (scores, points), (pieces, plies) = figure.subplots(2, 2)
    centres = (np.arange(COLUMNS) - LIMIT // STEP) * STEP
    scores.bar(centres, census.scores, STEP * 0.9)
    scores.set(xlabel="score for the mover, centipawns (outer bins are open)", ylabel="positions")
    seen = census.scores > 0
    points.plot(centres[seen], census.points[seen] / 2 / census.scores[seen], marker=".")
    points.set(xlabel="score for the mover, centipawns", ylabel="share of the points", ylim=(0, 1))
    pieces.bar(np.arange(33), census.pieces, label="all")
    pieces.bar(np.arange(ATTACKER_TOTALS), census.attackers, 0.4, label="rooks, knights, cannons")
    pieces.set(xlabel="pieces on the board", ylabel="positions")
    pieces.legend()
    last = int(np.flatnonzero(census.plies)[-1]) + 1 if census.plies.any() else 1
    again = census.duplicates()
    plies.plot(np.arange(last), census.plies[:last], label="all")
    plies.plot(np.arange(last), again.by_ply[:last], label=f"repeats ({again.share})")
    plies.set(xlabel="ply", ylabel="positions")
    plies.legend()
    figure.suptitle(title)
    save_figure(figure, path)
