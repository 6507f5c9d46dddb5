"""The tunables table: reading, writing, and its values in the core."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chuhe.engine import Engine, LimitError, Limits, Position, Settings, tunables
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
    assert Engine().tunables == tunables.numbers(tunables.read())


def test_the_generated_room_has_every_row(table: Path, tmp_path: Path) -> None:
    target = tmp_path / "tunables.pxi"
    tunables.write_pxi(table, target)
    text = target.read_text(encoding="utf-8")
    assert "MATERIAL_MG = 0" in text
    assert "TEMPO = 3" in text
    assert "TUNABLE_COUNT = 4" in text
    assert "10, 20, 30,  # material_mg" in text


def changed(name: str, by: int) -> list[int]:
    """The numbers of the table, those of one row changed."""
    return [value + by * (row.name == name) for row in tunables.read() for value in row.values]


@pytest.mark.parametrize(("name", "by"), [("futility_base", -80), ("lmr_divisor", 400), ("pst_pawn_mg", 40)])
def test_two_engines_have_numbers_of_their_own(name: str, by: int) -> None:
    """A row of the search, one behind the reductions, and one of the hand-crafted evaluation."""
    settings = Settings(hash_mb=1, use_tables=False, evaluation="classical")
    with Engine(settings) as engine, Engine(settings) as other:

        def nodes(engine: Engine) -> int:
            engine.new_game()
            return engine.play(Position(), Limits(depth=9)).nodes

        before = nodes(engine)
        other.tunables = changed(name, by)
        assert other.tunables == changed(name, by)
        assert engine.tunables == tunables.numbers(tunables.read())
        assert nodes(engine) == before != nodes(other)
        other.tunables = engine.tunables
        assert nodes(other) == before


def test_a_wrong_number_of_numbers_is_refused() -> None:
    engine = Engine()
    before = engine.tunables
    with pytest.raises(ValueError, match=f"the core has {len(before)} tunables, not 3"):
        engine.tunables = [1, 2, 3]
    with pytest.raises(TypeError):
        engine.tunables = [*before[:-1], None]  # type: ignore[list-item]
    assert engine.tunables == before


def test_the_numbers_do_not_change_during_a_search() -> None:
    engine = Engine()
    search = engine.start(Position(), Limits(infinite=True))
    with pytest.raises(LimitError, match="during a search"):
        engine.tunables = engine.tunables
    search.stop()
    search.result()


def test_every_evaluation_row_has_its_twin() -> None:
    rows = {row.name: row for row in tunables.read()}
    for name, row in rows.items():
        if name.endswith("_mg"):
            assert len(rows[name[:-3] + "_eg"].values) == len(row.values)
        if name.endswith("_eg"):
            assert name[:-3] + "_mg" in rows


def test_every_row_is_in_one_of_the_two_sections() -> None:
    assert {row.section for row in tunables.read()} == {"evaluation", "search"}
