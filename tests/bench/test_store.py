"""The results file: what a kill at any byte leaves behind can be continued."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

import pytest

from chuhe.bench.matches.match_values import MatchGame, MatchMove
from chuhe.bench.matches.store import RESULTS, Store, StoreError, read_results
from chuhe.engine import START_FEN, Reason


def game(number: int) -> MatchGame:
    moves = (MatchMove("h2e2", 12, 900, "+0.35", 7, 1234), MatchMove("h9g7", 9, None, "#-3", None, None))
    pair = (number + 1) // 2
    return MatchGame(
        number, pair, "甲", "b", 3, START_FEN, ("b2e2",), moves, "1-0", Reason.CHECKMATE, "mated", "2026-01-01", 1.5
    )


MATCH = {"engines": ["甲", "b"], "seed": 1}


def test_games_come_back_as_they_were(tmp_path: Path) -> None:
    with Store(tmp_path, MATCH) as store:
        assert store.append(game(1))
        assert store.append(game(2))
        assert not store.append(game(1))
    header, games = read_results(tmp_path)
    assert header == MATCH
    assert games == [game(1), game(2)]


def test_a_file_cut_at_any_byte_keeps_every_whole_game(tmp_path: Path) -> None:
    with Store(tmp_path, MATCH) as store:
        for number in (1, 2, 3):
            store.append(game(number))
    whole = (tmp_path / RESULTS).read_bytes()
    ends = [index + 1 for index, byte in enumerate(whole) if byte == ord("\n")]
    for cut in range(len(whole) + 1):
        (tmp_path / RESULTS).write_bytes(whole[:cut])
        kept = max(0, sum(end <= cut for end in ends) - 1)
        with Store(tmp_path, MATCH, resume=True) as store:
            assert sorted(store.games) == list(range(1, kept + 1))
            for number in range(kept + 1, 4):
                assert store.append(game(number))
        assert (tmp_path / RESULTS).read_bytes() == whole


def test_a_number_that_stands_there_twice_counts_once(tmp_path: Path) -> None:
    with Store(tmp_path, MATCH) as store:
        store.append(game(1))
    path = tmp_path / RESULTS
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[-1]]))
    assert len(read_results(tmp_path)[1]) == 1


def test_an_old_match_is_not_overwritten(tmp_path: Path) -> None:
    with Store(tmp_path, MATCH) as store:
        store.append(game(1))
    with pytest.raises(StoreError, match="--resume"):
        Store(tmp_path, MATCH)
    with pytest.raises(StoreError, match="its seed is 1, not 2"):
        Store(tmp_path, {**MATCH, "seed": 2}, resume=True)
    assert len(read_results(tmp_path)[1]) == 1


def test_two_runners_cannot_share_a_file(tmp_path: Path) -> None:
    with Store(tmp_path, MATCH), pytest.raises(StoreError, match="in use"):
        Store(tmp_path, MATCH, resume=True)


def test_damage_in_the_middle_is_reported_and_left_alone(tmp_path: Path) -> None:
    with Store(tmp_path, MATCH) as store:
        store.append(game(1))
        store.append(game(2))
    path = tmp_path / RESULTS
    damaged = path.read_bytes().replace(b'"number":1', b'"number":,', 1)
    path.write_bytes(damaged)
    with pytest.raises(StoreError, match="line 2"):
        Store(tmp_path, MATCH, resume=True)
    assert path.read_bytes() == damaged


def test_a_file_that_is_no_results_file_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / RESULTS
    for content in (b"my shopping list", b"my shopping list\n", b'{"my": "list"}\n', b"[1]\n", b"\x00\xff"):
        path.write_bytes(content)
        with pytest.raises(StoreError, match="results"):
            Store(tmp_path, MATCH, resume=True)
        assert path.read_bytes() == content


def test_every_damaged_byte_is_told_or_harmless(tmp_path: Path) -> None:
    with Store(tmp_path, MATCH) as store:
        store.append(game(1))
        store.append(game(2))
    whole = (tmp_path / RESULTS).read_bytes()
    for place in range(0, len(whole), 3):
        for value in b'"{[9x\n\xff':
            (tmp_path / RESULTS).write_bytes(whole[:place] + bytes([value]) + whole[place + 1 :])
            games: list[MatchGame] = []
            with suppress(StoreError):
                games = read_results(tmp_path)[1]
            assert all(found.result in ("1-0", "0-1", "1/2-1/2") for found in games)
            assert all(isinstance(found.number, int) for found in games)


def test_a_full_disk_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write

    def full_disk(file: int, data: bytes) -> int:
        if len(data) < 100:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(file, data[:100])

    with Store(tmp_path, MATCH) as store:
        store.append(game(1))
        before = (tmp_path / RESULTS).read_bytes()
        monkeypatch.setattr(os, "write", full_disk)
        with pytest.raises(StoreError, match=r"results\.jsonl: No space left on device"):
            store.append(game(2))
        monkeypatch.undo()
    assert (tmp_path / RESULTS).read_bytes() == before


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="file"):
        Store(tmp_path / "file" / "out", MATCH)
