"""The tunables table: reading, writing, and its values in the core."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chuhe.engine import Position, _core, tunables
from chuhe.engine.tunables import Tunable, parse_row

TABLE = """# Two rows.
[first]
material_mg 0 100 5 : 10 20 30
[second]
tempo -5 60 2 : 16
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.txt"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_rows_are_read_with_their_offsets(table: Path) -> None:
    assert tunables.read(table) == [
        Tunable("material_mg", 0, 100, 5, (10, 20, 30), 0, "first"),
        Tunable("tempo", -5, 60, 2, (16,), 3, "second"),
    ]


def test_writing_back_changes_values_and_nothing_else(table: Path) -> None:
    first, second = tunables.read(table)
    tunables.write([first, second], table)
    assert table.read_text(encoding="utf-8") == TABLE
    tunables.write([replace(first, values=(11, 20, 33)), second], table)
    assert table.read_text(encoding="utf-8") == TABLE.replace("10 20 30", "11 20 33")


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("tempo 0 60 : 16", "not of the form"),
        ("tempo 0 60 2 16", "not of the form"),
        ("tempo 0 60 2 : x", "not a whole number"),
        ("tempo 0 60 2 :", "no value"),
        ("tempo 0 60 2 : 61", "61 is not between 0 and 60"),
        ("Tempo 0 60 2 : 6", "lower-case"),
    ],
)
def test_a_bad_row_is_named(row: str, fault: str, table: Path) -> None:
    with pytest.raises(ValueError, match=fault):
        parse_row(row)
    table.write_text(TABLE + row + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"table\.txt:6: .*" + fault):
        tunables.read(table)


def test_a_name_stands_once(table: Path) -> None:
    table.write_text(TABLE + "tempo 0 60 2 : 1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="tempo is listed twice"):
        tunables.read(table)


def test_the_core_was_built_from_the_table() -> None:
    assert _core.get_tunables() == [value for row in tunables.read() for value in row.values]


def test_the_generated_room_has_every_row(table: Path, tmp_path: Path) -> None:
    target = tmp_path / "tunables.pxi"
    tunables.write_pxi(table, target)
    text = target.read_text(encoding="utf-8")
    assert "MATERIAL_MG = 0" in text
    assert "TEMPO = 3" in text
    assert "TUNABLE_COUNT = 4" in text
    assert "10, 20, 30,  # material_mg" in text


def test_the_core_takes_new_numbers_and_gives_them_back() -> None:
    before = _core.get_tunables()
    rows = {row.name: row for row in tunables.read()}
    changed = list(before)
    for phase in ("mg", "eg"):
        changed[rows[f"tempo_{phase}"].offset] += 7
    try:
        base = _core.static_evaluation(Position())
        _core.set_tunables(changed)
        assert _core.get_tunables() == changed
        assert _core.static_evaluation(Position()) == base + 7
    finally:
        _core.set_tunables(before)
    assert _core.static_evaluation(Position()) == base


def test_a_wrong_number_of_numbers_is_refused() -> None:
    before = _core.get_tunables()
    with pytest.raises(ValueError, match=f"the core has {len(before)} tunables, not 3"):
        _core.set_tunables([1, 2, 3])
    assert _core.get_tunables() == before


def test_every_evaluation_row_has_its_twin() -> None:
    rows = {row.name: row for row in tunables.read()}
    for name, row in rows.items():
        if name.endswith("_mg"):
            assert len(rows[name[:-3] + "_eg"].values) == len(row.values)
        if name.endswith("_eg"):
            assert name[:-3] + "_mg" in rows


def test_every_row_is_in_one_of_the_two_sections() -> None:
    assert {row.section for row in tunables.read()} == {"evaluation", "search"}
