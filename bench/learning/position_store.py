"""The trainer's positions on disk: written once, then read in chunks of bounded size, in a new order for every epoch.

    store = PositionStore(validation=0.03, seed=1)
    store.add(records, game, games)            # for each block of games
    for chunk in store.training.chunks(size, rng):
        ...                                    # valid until the next chunk is asked for

So the memory does not depend on the number of positions. The next chunk is read while the trainer works on this one.
The files have no name and disappear with the store.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt

from chuhe.bench.learning.records import RECORD, Records

Runs = list[tuple[int, int]]  # first record and number of records


class StoredRecords:
    """Records in a file, in runs of neighbours that were added together."""

    def __init__(self, directory: Path | None) -> None:
        self._file = tempfile.TemporaryFile(dir=directory)  # noqa: SIM115 - open as long as the store lives
        self._runs: Runs = []
        self._buffers: list[Records] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, records: Records) -> None:
        if len(records):
            self._file.write(records.tobytes())
            self._runs.append((self._count, len(records)))
            self._count += len(records)

    def chunks(self, size: int, rng: np.random.Generator | None = None) -> Iterator[Records]:
        """All records in arrays of `size`, the last one shorter; the runs in random order if `rng` is given.

        An array is only valid until the next is asked for.
        """
        runs = self._runs if rng is None else [self._runs[index] for index in rng.permutation(len(self._runs))]
        plan = list(_cut(runs, size))
        if not self._buffers or len(self._buffers[0]) < min(size, len(self)):
            self._buffers = [np.empty(min(size, len(self)), RECORD) for _ in range(min(2, len(plan)))]
        with ThreadPoolExecutor(1) as reader:
            coming = reader.submit(self._read, plan[0], 0) if plan else None
            for number in range(len(plan)):
                assert coming is not None
                chunk = coming.result()
                if number + 1 < len(plan):
                    coming = reader.submit(self._read, plan[number + 1], (number + 1) % 2)
                yield chunk

    def _read(self, runs: Runs, buffer: int) -> Records:
        records = self._buffers[buffer]
        raw = memoryview(records.view(np.uint8))  # type: ignore[arg-type]
        at = 0
        for first, count in runs:
            self._file.seek(first * RECORD.itemsize)
            wanted = raw[at * RECORD.itemsize : (at + count) * RECORD.itemsize]
            if self._file.readinto(wanted) != len(wanted):
                raise OSError("the scratch file of the positions is shorter than it was written")
            at += count
        return records[:at]

    def close(self) -> None:
        self._file.close()


def _cut(runs: Runs, size: int) -> Iterator[Runs]:
    """The runs in lists of `size` records; a run may be cut in two."""
    chunk: Runs = []
    left = size
    for start, length in runs:
        first, count = start, length
        while count:
            part = min(count, left)
            chunk.append((first, part))
            first, count, left = first + part, count - part, left - part
            if not left:
                yield chunk
                chunk, left = [], size
    if chunk:
        yield chunk


class PositionStore:
    """Positions, split by whole games into `training` and `validation`."""

    def __init__(self, validation: float, seed: int, directory: Path | None = None) -> None:
        self.games = 0
        self.training, self.validation = StoredRecords(directory), StoredRecords(directory)
        self._share = validation
        self._rng = np.random.default_rng([seed, 0])
        self._digest = hashlib.sha256()

    def add(self, records: Records, game: npt.NDArray[np.int64], games: int) -> None:
        """Add the positions of some games; `game` has the number of each record's game, 0 to `games` - 1."""
        assert records.dtype == RECORD
        held_out = self._rng.random(games) < self._share
        if len(records) and not len(self.validation):
            held_out[game[0]] = True
        validates = held_out[game]
        for stored, chosen in ((self.training, ~validates), (self.validation, validates)):
            part = records[chosen]
            self._digest.update(part.tobytes())
            stored.add(part)
        self.games += games

    @property
    def identity(self) -> str:
        """A checksum of all positions and their split."""
        return self._digest.hexdigest()

    def close(self) -> None:
        self.training.close()
        self.validation.close()
