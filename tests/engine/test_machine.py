"""What this process may use: affinity and cgroup quota, memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chuhe.engine import machine
from chuhe.engine.machine import machine_memory, usable_processors
from chuhe.protocol.options import default_values, settings_from_options


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A fake machine with eight processors and a cgroup directory; this process is two groups deep."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    monkeypatch.setattr(machine, "CGROUPS", str(tmp_path))
    monkeypatch.setattr(machine, "_groups", lambda: iter([f"{tmp_path}/a/b", f"{tmp_path}/a", str(tmp_path)]))
    (tmp_path / "a" / "b").mkdir(parents=True)
    return tmp_path


def test_affinity_counts(monkeypatch: pytest.MonkeyPatch, groups: Path) -> None:
    assert usable_processors() == 8
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3, 5})
    assert usable_processors() == 2


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("200000 100000", 2),
        ("150000 100000", 2),
        ("10000 100000", 1),
        ("max 100000", 8),
        ("1600000 100000", 8),
        ("x", 8),
    ],
)
def test_a_quota_counts(groups: Path, text: str, count: int) -> None:
    (groups / "a" / "cpu.max").write_text(text + "\n")
    assert usable_processors() == count


def test_the_smallest_quota_around_us_counts(groups: Path) -> None:
    (groups / "a" / "b" / "cpu.max").write_text("600000 100000\n")
    (groups / "cpu.max").write_text("300000 100000\n")
    assert usable_processors() == 3


@pytest.mark.parametrize(("quota", "count"), [("250000", 3), ("-1", 8)])
def test_a_quota_of_the_old_kind_counts(groups: Path, quota: str, count: int) -> None:
    (groups / "cpu").mkdir()
    (groups / "cpu" / "cpu.cfs_quota_us").write_text(quota)
    (groups / "cpu" / "cpu.cfs_period_us").write_text("100000")
    assert usable_processors() == count


def test_a_system_without_affinity(monkeypatch: pytest.MonkeyPatch, groups: Path) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_processors() == 1


def test_this_process_has_at_least_one() -> None:
    assert 1 <= usable_processors() <= (os.cpu_count() or 1)


def test_threads_0_is_one_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    for found, threads in ((3, 3), (500, 256)):
        monkeypatch.setattr("chuhe.protocol.options.usable_processors", lambda found=found: found)
        assert settings_from_options({**default_values(), "threads": 0}).threads == threads


def test_the_memory_is_the_machine_s_or_what_the_container_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "CGROUPS", str(tmp_path))
    whole = machine_memory()
    listed = next(line for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemTotal:"))
    assert abs(whole - (int(listed.split()[1]) << 10)) < 1 << 20  # Windows counts a page less
    (tmp_path / "memory.max").write_text("max\n")
    assert machine_memory() == whole
    (tmp_path / "memory.max").write_text("1000000\n")
    assert machine_memory() == 1_000_000
