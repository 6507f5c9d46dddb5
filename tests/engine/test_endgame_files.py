"""Tables on disk: complete or absent, and refused if damaged or of another kind."""

from __future__ import annotations

import errno
import os
import random
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import PATIENCE

from chuhe.engine import Position
from chuhe.engine.endgame import DAMAGED, Tablebases
from chuhe.engine.endgame.building import NoMemoryError, build, check_memory, is_built, load, missing
from chuhe.engine.endgame.material import Material, MaterialError, all_endgames
from chuhe.engine.endgame.solving import memory_needed, solve
from chuhe.engine.endgame.table_file import HEADER, TableError, code_lengths, open_table, write_table
from chuhe.engine.table_paths import SUFFIX, default_directory, directories, has_tables
from chuhe.files.writing import OutputError


@pytest.fixture
def copy(tables: Path, tmp_path: Path) -> Path:
    """A copy of a table that a test may damage."""
    path = tmp_path / "KRKAA.egt"
    path.write_bytes((tables / "KRKAA.egt").read_bytes())
    return path


def spoil(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x10
    path.write_bytes(data)


def test_a_damaged_first_part_is_refused(copy: Path) -> None:
    good = copy.read_bytes()
    blocks_at = HEADER.unpack_from(good)[6]
    for at in sorted({8, 20, 60, *random.Random(1).sample(range(HEADER.size, blocks_at), 40)}):
        spoil(copy, at)
        with pytest.raises(TableError, match="KRKAA"):
            open_table(copy)
        copy.write_bytes(good)
    open_table(copy)


def test_a_damaged_block_is_noticed_when_it_is_read(copy: Path, tables: Path) -> None:
    good = copy.read_bytes()
    spoil(copy, HEADER.unpack_from(good)[6] + (len(good) - HEADER.unpack_from(good)[6]) // 4)
    table = open_table(copy)  # the blocks are not read yet
    with pytest.raises(TableError, match="damaged"):
        table.check_blocks()
    with pytest.raises(TableError, match="damaged"):
        load(table)
    tablebases = Tablebases([copy.parent])
    codes = {fen: tablebases.core.probe(Position(fen)) for fen in _positions(tables)}
    hit = next(fen for fen, code in codes.items() if code == DAMAGED)
    assert any(code >= 0 for code in codes.values())
    with pytest.raises(TableError, match="KRKAA"):
        tablebases.probe(Position(hit))


def _positions(tables: Path) -> list[str]:
    from chuhe.engine.endgame.survey import position_at

    solver = load(open_table(tables / "KRKAA.egt"))
    step = 37
    numbers = [index for index in range(0, solver.size, step) if solver.is_legal(0, index)]
    return [position_at(solver, 0, index).fen() for index in numbers]


@pytest.mark.parametrize(
    ("content", "text"),
    [(b"", "is empty"), (b"no table at all" * 20, "is not an endgame table"), (b"ChuheEGT", "is not an endgame table")],
)
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes, text: str) -> None:
    path = tmp_path / "KRK.egt"
    path.write_bytes(content)
    with pytest.raises(TableError, match=text):
        open_table(path)
    tablebases = Tablebases([tmp_path])
    assert len(tablebases) == 0
    assert text in str(tablebases.faults[0])


def test_another_version_and_another_name_are_refused(copy: Path) -> None:
    data = bytearray(copy.read_bytes())
    other = copy.with_name("KRKBB.egt")
    other.write_bytes(data)
    with pytest.raises(TableError, match="holds KRKAA"):
        open_table(other)
    struct.pack_into("<I", data, 8, 99)
    copy.write_bytes(data)
    with pytest.raises(TableError, match="version 99"):
        open_table(copy)
    copy.write_bytes(data[:-100])
    with pytest.raises(TableError):
        open_table(copy)


def test_a_cut_file_is_refused(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[:-100])
    with pytest.raises(TableError, match="bytes instead of"):
        open_table(copy)


def test_a_full_disk_leaves_what_was_there(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = copy.read_bytes()
    material = Material.parse("KRK")
    solver = solve(material, {}, 1)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        write_table(copy.parent, material, solver, {})
    assert [path.name for path in copy.parent.iterdir()] == ["KRKAA.egt"]
    assert copy.read_bytes() == old


def test_a_build_goes_on_where_it_was(tmp_path: Path) -> None:
    endgames = Material.parse("KPKA").with_smaller()
    assert [endgame.name for endgame in endgames] == ["KPK", "KPKA"]
    build(tmp_path, endgames[:1], 1, lambda built: None)
    assert missing(tmp_path, endgames) == endgames[1:]
    build(tmp_path, missing(tmp_path, endgames), 1, lambda built: None)
    assert missing(tmp_path, endgames) == []
    assert missing(tmp_path, endgames[1:], again=True) == endgames[1:]
    (tmp_path / "KPK.egt").write_bytes(b"broken")
    assert not is_built(tmp_path, endgames[0])
    assert missing(tmp_path, endgames) == endgames[:1]


def test_the_largest_needs_more_memory_than_allowed() -> None:
    with pytest.raises(NoMemoryError, match=r"KRNCKAABB needs [\d,.]+ MB"):
        check_memory([Material.parse("KRNCKAABB")], 1 << 30)
    assert memory_needed(Material.parse("KRKAABB")) < 10 << 20


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("KQK", "'Q' is not a piece"),
        ("", "two sides"),
        ("KR", "two sides"),
        ("RKK", "two sides"),
        ("KRKAKB", "two sides"),
        ("KRRRK", "more than 2 rooks"),
        ("KRKAAA", "more than 2 advisors"),
        ("KRNCPK", "at most 3 attackers"),
        ("KRKN", "advisors and elephants alone"),
        ("KAKB", "neither can win"),
        ("K帥K", "is not a piece"),
    ],
)
def test_a_name_that_is_no_endgame(name: str, text: str) -> None:
    with pytest.raises(MaterialError, match=text):
        Material.parse(name)


def test_all_endgames_come_after_what_they_need() -> None:
    endgames = all_endgames()
    assert len(endgames) == len(set(endgames)) == 2511
    place = {endgame: number for number, endgame in enumerate(endgames)}
    for endgame in endgames:
        assert all(place[smaller] < place[endgame] for _, _, smaller in endgame.captures())


def test_code_lengths_fill_the_code_space() -> None:
    rng = random.Random(5)
    for _ in range(20):
        lengths = code_lengths({symbol: rng.randrange(1, 10**6) for symbol in range(rng.randrange(2, 300))})
        assert sum(2.0**-length for length in lengths.values()) == 1.0


def test_where_tables_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tables: Path) -> None:
    assert has_tables(str(tables))
    assert not has_tables(str(tmp_path))
    assert not has_tables(str(tmp_path / "nowhere"))
    monkeypatch.setenv("CHUHE_TABLES", str(tmp_path))
    assert directories("") == [str(tmp_path)]
    monkeypatch.delenv("CHUHE_TABLES")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_directory().endswith(os.path.join("chuhe", "endgames"))


def test_the_first_directory_counts(tables: Path, copy: Path) -> None:
    tablebases = Tablebases([copy.parent, tables])
    assert tablebases.names["KRKAA"] == copy
    assert tablebases.names["KRK"].parent == tables
    assert len(tablebases) == len(list(tables.glob(f"*{SUFFIX}")))


OVERWRITE = """
import sys
from pathlib import Path
from chuhe.protocol.session import Session
path, fen, how = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
session = Session(print)
session.handle("ucci")
session.handle(f"setoption egtbpaths {path.parent}")
data = path.read_bytes()
with path.open("r+b" if how == "swap" else "wb") as file:  # in place: the same inode, as `cp` does it
    if how == "swap":
        file.write(bytes(reversed(data)))
session.handle(f"position fen {fen}")
session.handle("go depth 6")
session.finish()
path.write_bytes(data)
print("restored")
session.handle("setoption newgame")
session.handle(f"position fen {fen}")
session.handle("go depth 6")
session.finish()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows does not let others write to a mapped file")
@pytest.mark.parametrize("how", ["truncate", "swap"])
@pytest.mark.parametrize("fen", ["3aka3/9/9/9/9/9/9/9/3K5/R8 w", "3aka3/9/9/9/9/9/p8/9/3K5/R8 w"], ids=["root", "tree"])
def test_a_table_overwritten_while_it_is_mapped_is_left_out(copy: Path, how: str, fen: str) -> None:
    command = [sys.executable, "-c", OVERWRITE, str(copy), fen, how]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 0, ended.stderr
    lines, later = (part.splitlines() for part in ended.stdout.split("restored\n"))
    assert "info message 1 endgame table" in lines
    assert any("KRKAA.egt is damaged or was changed" in line for line in lines)
    assert lines[-1].startswith("bestmove ")
    assert any("tbhits" in line for line in later)  # opened again for the new game
