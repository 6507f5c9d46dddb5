"""Files of games: a kill at any byte, damage, a full disk; no finished block is ever lost."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from game_data import legal_games
from hypothesis import given, settings
from hypothesis import strategies as st

from chuhe.bench.learning.game_files import GameFile, GameWriter, is_game_file, read_blocks, read_games
from chuhe.bench.learning.game_format import MAGIC, DataError, Game, pack_header
from chuhe.bench.learning.text_games import parse_game

RECIPE = {"nodes": 100, "settings": {"hash_mb": 1}}
ONE = parse_game("1-0 agreed|h2e2 h9g7|h0g2:35 i9h9:-29", 1)
GAMES = [replace(ONE, number=number) for number in range(1, 7)]


@pytest.fixture(autouse=True)
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes at which a file was synced; nothing is really synced."""
    sizes: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda file: sizes.append(os.fstat(file).st_size))
    return sizes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of three blocks with two games each."""
    path = tmp_path / "x.games"
    write_blocks(path, GAMES)
    return path


def write_blocks(path: Path, games: list[Game]) -> None:
    with GameWriter(path, RECIPE) as writer:
        for game in games:
            if game.number not in writer.numbers:
                writer.add(game)
            if game.number % 2 == 0:
                writer.flush()


@given(st.lists(legal_games(), max_size=6))
@settings(max_examples=30)
def test_what_is_written_is_read(tmp_path: Path, games: list[Game]) -> None:
    path = tmp_path / "any.games"
    path.unlink(missing_ok=True)
    with GameWriter(path, {"any": "recipe", "ü": [1, 2.5, None]}) as writer:
        for game in games:
            writer.add(game)
    assert list(read_games([path])) == games
    with GameFile(path) as file:
        assert file.recipe == {"any": "recipe", "ü": [1, 2.5, None]}
        assert not file.torn()


def test_a_kill_at_any_byte_loses_no_finished_block(path: Path) -> None:
    whole = path.read_bytes()
    ends = [block.end for block in read_blocks([path])]
    assert ends[-1] == len(whole)
    header = len(pack_header(RECIPE))
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        kept = [game for game, end in zip(GAMES, [end for end in ends for _ in range(2)], strict=True) if end <= cut]
        if cut >= header:
            assert list(read_games([path])) == kept
        write_blocks(path, GAMES)
        assert path.read_bytes() == whole


def test_every_block_is_synced_before_the_next_game(path: Path, synced: list[int]) -> None:
    assert synced == [len(pack_header(RECIPE)), *(block.end for block in read_blocks([path]))]


def test_zeros_at_the_end_are_a_torn_block(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(1000))
    with GameFile(path) as file:
        assert file.torn()
    assert list(read_games([path])) == GAMES
    GameWriter(path, RECIPE).close()
    assert path.read_bytes() == whole


def test_any_damage_is_noticed_and_nothing_is_cut(path: Path) -> None:
    whole = path.read_bytes()
    blocks = list(read_blocks([path]))
    for at in range(len(whole)):
        broken = bytearray(whole)
        broken[at] ^= 0x10
        path.write_bytes(broken)
        with pytest.raises(DataError, match=r"x\.games") as caught:
            list(read_games([path]))
        for block in blocks:
            if block.offset <= at < block.end:
                assert f"block {block.index} (at byte {block.offset}) is damaged" in str(caught.value)
        with pytest.raises(DataError, match=r"x\.games"):
            GameWriter(path, RECIPE)
        assert path.read_bytes() == broken


def test_the_sound_blocks_before_the_damage_are_read(path: Path) -> None:
    second = list(read_blocks([path]))[1]
    broken = bytearray(path.read_bytes())
    broken[second.end - 1] ^= 1
    path.write_bytes(broken)
    games = read_games([path])
    assert [next(games), next(games)] == GAMES[:2]
    with pytest.raises(DataError, match="block 2"):
        next(games)


def test_other_settings_do_not_mix_in_one_file(path: Path) -> None:
    with pytest.raises(DataError, match="started with different settings: nodes is 100 there and 200 now"):
        GameWriter(path, {**RECIPE, "nodes": 200})
    assert list(read_games([path])) == GAMES


def test_one_writer_at_a_time(path: Path) -> None:
    with GameWriter(path, RECIPE), pytest.raises(DataError, match="being written by another process"):
        GameWriter(path, RECIPE)


@pytest.mark.parametrize("content", [b"", b"FEN|1|35\n", b"CHUHEGAME" * 10, b"\0" * 100])
def test_a_foreign_file_is_refused_and_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"data\.txt is not a file of games"):
        GameFile(path)
    assert not is_game_file(path)
    if content:
        with pytest.raises(DataError, match=r"data\.txt is not a file of games"):
            GameWriter(path, RECIPE)
        assert path.read_bytes() == content


def test_a_later_version_is_named(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(MAGIC)] = 9
    path.write_bytes(content)
    with pytest.raises(DataError, match="format version 9; this program reads version 1"):
        GameFile(path)


def test_a_full_disk_leaves_whole_blocks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = path.read_bytes()
    write = os.write

    def half(file: int, data: bytes) -> int:
        if len(data) < 20:
            raise OSError(28, "No space left on device")
        return write(file, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", half)
    writer = GameWriter(path, RECIPE)
    writer.add(replace(ONE, number=7))
    with pytest.raises(OSError, match=r"No space left on device: .*x\.games"):
        writer.flush()
    assert path.read_bytes() == whole
    monkeypatch.undo()
    writer.close()  # there is space again, and the buffered game was not lost
    assert [game.number for game in read_games([path])] == [1, 2, 3, 4, 5, 6, 7]


def test_a_large_block_is_written_by_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chuhe.bench.learning.game_files.BLOCK_BYTES", 40)
    with GameWriter(path, RECIPE) as writer:
        for number in range(7, 12):
            writer.add(replace(ONE, number=number))
    assert [block.games for block in read_blocks([path])] == [2, 2, 2, 2, 2, 1]
