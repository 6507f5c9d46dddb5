"""`chuhe tune compare`: changed values against the current table."""

from __future__ import annotations

import pytest

from chuhe.bench.learning import compare
from chuhe.bench.learning.spsa import Terms, TuningError
from chuhe.bench.spread import Workers
from chuhe.engine import tunables


def test_changes_are_put_into_the_table() -> None:
    table = tunables.read()
    changed = compare.changed_table(table, ["history_bonus=0", "history_square=40"])
    different = [row.name for old, row in zip(table, changed, strict=True) if old != row]
    assert different == ["history_bonus", "history_square"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("history_bonus", "a change is written name=value"),
        ("speed=3", "there is no row 'speed'"),
        ("history_bonus=x", "history_bonus=x: "),
        ("history_bonus=99999", "99999 is not between"),
        ("history_bonus=1,2", "history_bonus has 1 numbers, not 2"),
    ],
)
def test_bad_changes_are_named(change: str, complaint: str) -> None:
    with pytest.raises(TuningError) as caught:
        compare.changed_table(tunables.read(), [change])
    assert complaint in str(caught.value)


def test_a_short_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["history_bonus=0", "history_square=40", "--pairs", "1", "--nodes", "30", "--hash", "1"]) == 0
    assert capsys.readouterr().out.startswith("history_bonus=0 history_square=40, 2 games, 30 nodes per move: Elo ")
    assert compare.main(["speed=3"]) == 2


def test_two_processes_play_the_same_pairs() -> None:
    table = tunables.numbers(tunables.read())
    terms = Terms((), 3, 0.0, 1, 30, None, 1)
    assert sum(compare.play(terms, table, table, Workers(2)).pairs) == 3
    assert compare.play(terms, table, table, Workers(2)).pairs == compare.play(terms, table, table).pairs
