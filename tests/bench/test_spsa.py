"""The SPSA tuner: it converges despite noise, survives interruption, and leaves the rest of the table alone."""

from __future__ import annotations

import json
import math
import os
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from command_parsers import exit_code

from chuhe.bench.learning.spsa import (
    Arena,
    SpsaRun,
    Terms,
    TuningError,
    choose_rows,
    load,
    new_table,
    parameters_of,
    starting_values,
)
from chuhe.bench.learning.spsa_math import Parameter, Schedule, moved, rounded, shift
from chuhe.bench.matches.match_values import Opening
from chuhe.bench.spread import Workers
from chuhe.commands import tune
from chuhe.engine import tunables
from chuhe.files.writing import exclusive

PARAMETERS = [
    Parameter("first", 0, 0, 200, 10),
    Parameter("second", 1, -50, 50, 4),
    Parameter("third", 2, 0, 3000, 150),
]
BEST = {"first": 140.0, "second": -20.0, "third": 900.0}
TERMS = Terms(("razor_margin", "aspiration"), 2, 0.01, 1, 60, None, 1)


def loss(point: tuple[int, ...]) -> float:
    """How far a point is from the best one, in steps."""
    return sum(((value - BEST[p.name]) / p.step) ** 2 for p, value in zip(PARAMETERS, point, strict=True))


def pair_of_games(plus: tuple[int, ...], minus: tuple[int, ...], rng: random.Random) -> int:
    """Simulates two games between engines whose strength falls with the distance from the best point."""
    chance = 1 / (1 + math.exp(-0.1 * (loss(minus) - loss(plus))))
    return sum(1 if rng.random() < chance else -1 for _ in range(2))


def test_it_finds_the_hilltop_through_noise() -> None:
    schedule = Schedule(4000, 0.02)
    rng = random.Random(1)
    values = {"first": 60.0, "second": 30.0, "third": 2400.0}
    start = loss(tuple(int(values[p.name]) for p in PARAMETERS))
    for iteration in range(schedule.iterations):
        tried = shift(PARAMETERS, values, schedule, iteration, rng)
        values = moved(PARAMETERS, values, schedule, tried, pair_of_games(tried.plus, tried.minus, rng))
    assert loss(tuple(round(values[p.name]) for p in PARAMETERS)) < start / 20


def test_a_drawn_pair_moves_nothing() -> None:
    schedule = Schedule(10, 0.1)
    tried = shift(PARAMETERS, BEST, schedule, 0, random.Random(1))
    assert moved(PARAMETERS, BEST, schedule, tried, 0) == BEST


def test_the_shifts_are_opposite_and_end_at_the_step() -> None:
    schedule = Schedule(100, 0.1)
    tried = shift(PARAMETERS, BEST, schedule, 99, random.Random(2))
    assert tried.sizes == tuple(float(p.step) for p in PARAMETERS)
    for parameter, sign, plus, minus in zip(PARAMETERS, tried.signs, tried.plus, tried.minus, strict=True):
        assert (plus, minus) == (
            BEST[parameter.name] + sign * parameter.step,
            BEST[parameter.name] - sign * parameter.step,
        )
    early = shift(PARAMETERS, BEST, schedule, 0, random.Random(2))
    assert all(first > last for first, last in zip(early.sizes, tried.sizes, strict=True))


def test_nothing_leaves_its_bounds() -> None:
    schedule = Schedule(50, 5.0)
    rng = random.Random(3)
    values = {"first": 200.0, "second": -50.0, "third": 0.0}
    for iteration in range(50):
        tried = shift(PARAMETERS, values, schedule, iteration, rng)
        values = moved(PARAMETERS, values, schedule, tried, rng.choice((-2, 2)))
        for point in (tried.plus, tried.minus, tuple(values[p.name] for p in PARAMETERS)):
            assert all(p.minimum <= value <= p.maximum for p, value in zip(PARAMETERS, point, strict=True))


def test_rounding_keeps_the_mean() -> None:
    rng = random.Random(4)
    values = [rounded(2.25, rng) for _ in range(4000)]
    assert set(values) == {2, 3}
    assert sum(values) / len(values) == pytest.approx(2.25, abs=0.03)


def test_the_rate_falls() -> None:
    schedule = Schedule(1000, 0.01)
    rates = [schedule.rate_at(at) * schedule.size(PARAMETERS[0], at) ** 2 for at in (0, 10, 100, 999)]
    assert rates == sorted(rates, reverse=True)
    assert schedule.rate_at(999) == pytest.approx(0.01)


# The table


def test_without_names_all_rows_of_the_search_are_tuned() -> None:
    table = tunables.read()
    names = [row.name for row in choose_rows(table, [])]
    assert names[0] == "aspiration"
    assert names[-1] == table[-1].name
    assert not any(name.endswith(("_mg", "_eg")) for name in names)


def test_lists_are_tuned_number_by_number() -> None:
    rows = choose_rows(tunables.read(), ["king_units", "aspiration"])
    values = starting_values(rows)
    assert list(values) == ["king_units[0]", "king_units[1]", "king_units[2]", "king_units[3]", "aspiration"]
    fresh = {row.name: row for row in new_table(tunables.read(), rows, {**values, "king_units[2]": 3.6})}
    assert fresh["king_units"].values == (*rows[0].values[:2], 4, rows[0].values[3])
    assert [p.index for p in parameters_of(rows)] == [*range(rows[0].offset, rows[0].offset + 4), rows[1].offset]


def test_a_row_that_does_not_exist_is_named() -> None:
    with pytest.raises(TuningError, match="no row 'speed'"):
        choose_rows(tunables.read(), ["speed"])


# Games


def test_equal_numbers_play_an_even_pair() -> None:
    """The same engine on both sides plays the same game twice: what it wins as plus, it loses as minus."""
    base = tunables.numbers(tunables.read())
    assert Arena(TERMS).pair(Opening(None, ("h2e2", "h9g7")), base, base) == 0.0


def test_a_run_writes_state_and_table_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state, out = tmp_path / "spsa.json", tmp_path / "table.txt"
    arguments = "search razor_margin aspiration --nodes 60 --hash 1 --iterations 2".split()
    arguments += ["--state", str(state), "--out", str(out)]
    assert tune.main(arguments) == 0
    assert json.loads(state.read_text())["done"] == [0, 1]
    data = json.loads(state.read_text())
    data["done"] = [0]
    state.write_text(json.dumps(data))
    assert tune.main(arguments) == 0
    assert json.loads(state.read_text())["done"] == [0, 1]
    assert tune.main([*arguments, "--seed", "2"]) == 2
    assert "started with seed 1, not 2" in capsys.readouterr().err
    old, new = tunables.read(), tunables.read(out)
    changed = {a.name for a, b in zip(old, new, strict=True) if a != b}
    assert changed <= {"razor_margin", "aspiration"}


def test_workers_take_part(tmp_path: Path) -> None:
    out = tmp_path / "table.txt"
    out.write_text(tunables.TABLE.read_text(encoding="utf-8"), encoding="utf-8")
    run = SpsaRun(tunables.read(), TERMS, tmp_path / "spsa.json", out)
    run.go(Workers(2))
    assert run.state.done == {0, 1}
    assert load(tmp_path / "spsa.json", TERMS) == run.state


def test_a_cluster_of_one_worker_tunes_the_same(tmp_path: Path) -> None:
    arguments = "search --nodes 200 --hash 1 --iterations 5 --rate 1".split()
    written = []
    for name, where in (("here", []), ("there", ["--cluster", "local"])):
        state, out = tmp_path / f"{name}.json", tmp_path / f"{name}.txt"
        assert tune.main([*arguments, "--state", str(state), "--out", str(out), *where]) == 0
        written.append((state.read_text(encoding="utf-8"), out.read_text(encoding="utf-8")))
    here, there = written
    assert here == there
    assert tunables.read(tmp_path / "here.txt") != tunables.read()


def test_a_cluster_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["search", "--state", str(tmp_path / "spsa.json"), "--out", str(tmp_path / "table.txt")]
    assert tune.main([*arguments, "--cluster", "tcp://127.0.0.1:9", "--wait", "0.3"]) == 2
    assert "chuhe tune search: there is no Dask scheduler at tcp://127.0.0.1:9" in capsys.readouterr().err


def test_a_foreign_state_is_not_overwritten(tmp_path: Path) -> None:
    state = tmp_path / "spsa.json"
    state.write_text("{}")
    with pytest.raises(TuningError, match="is not a state file of this tuner"):
        load(state, TERMS)
    assert load(tmp_path / "none.json", replace(TERMS, seed=3)) is None


SEARCH = "search razor_margin --nodes 60 --hash 1 --iterations 1".split()


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "[" * 100_000,
        lambda text: "\0" * 50,
        lambda text: re.sub(r'("razor_margin": )[0-9.]+', r"\1NaN", text),
        lambda text: re.sub(r'("points": )[-0-9.]+', r"\1Infinity", text),
        lambda text: re.sub(r'("done": )\[[^]]*\]', r'\1["all"]', text),
        lambda text: re.sub(r'("done": )\[[^]]*\]', r"\1[Infinity]", text),
        lambda text: text.replace('"judged": {}', '"judged": []'),
        lambda text: text.replace('"judged": {}', '"judged": {"a": {"b": "c"}}'),
        lambda text: re.sub('"razor_margin": ', '"other": ', text),
    ],
)
def test_a_damaged_state_is_refused_and_kept(
    damage: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state, out = tmp_path / "spsa.json", tmp_path / "table.txt"
    arguments = [*SEARCH, "--state", str(state), "--out", str(out)]
    assert tune.main(arguments) == 0
    text = state.read_text()
    state.write_text(damage(text))
    damaged, table = state.read_bytes(), out.read_bytes()
    assert damaged != text.encode()
    capsys.readouterr()
    assert tune.main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"chuhe tune search: {state} ")
    assert len(said.splitlines()) == 1
    assert (state.read_bytes(), out.read_bytes()) == (damaged, table)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes")
def test_a_state_that_is_a_pipe_is_refused_without_waiting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "spsa.json"
    os.mkfifo(state)
    assert tune.main([*SEARCH, "--state", str(state), "--out", str(tmp_path / "table.txt")]) == 2
    assert "not a plain file" in capsys.readouterr().err


def test_one_state_has_one_tuner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "spsa.json"
    with exclusive(state):
        assert tune.main([*SEARCH, "--state", str(state), "--out", str(tmp_path / "table.txt")]) == 2
    assert "spsa.json is being written by another process" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_state_and_table_in_one_file_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "x")
    for other in ("x", "./x", "link"):
        assert tune.main([*SEARCH, "--state", str(tmp_path / "x"), "--out", f"{tmp_path}/{other}"]) == 2
        assert "cannot hold two outputs" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("arguments", [["--iterations", "0"], ["--nodes", "0"], ["--rate", "0"], ["speed"]])
def test_a_fault_is_one_line(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state, out = tmp_path / "spsa.json", tmp_path / "out.txt"
    assert exit_code(tune.main, ["search", *arguments, "--state", str(state), "--out", str(out)]) == 2
    assert capsys.readouterr().err.startswith("chuhe tune search: ")
    assert not state.exists()
    assert not out.exists()
