"""Atomic file writes: a file is complete or absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.safe_files import OutputError, append_file, check_output, marked, replacing, write_file


def test_a_file_is_replaced_in_one_step_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_file(path, "first")
    path.chmod(0o600)
    write_file(path, "zweite Fassung: 炮")
    assert path.read_text(encoding="utf-8") == "zweite Fassung: 炮"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_failure_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail_half_way(error: Exception) -> None:
        with replacing(path) as scratch:
            scratch.write_text("half")
            raise error

    with pytest.raises(RuntimeError):
        fail_half_way(RuntimeError())
    with pytest.raises(OutputError, match=r"a\.txt: No space left"):
        fail_half_way(OSError(28, "No space left on device"))
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_link_goes_on_pointing(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    write_file(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_device_is_written_to_and_a_full_one_is_told() -> None:
    write_file("/dev/null", "gone")
    check_output("/dev/null")
    with pytest.raises(OutputError, match="/dev/full: No space left"):
        write_file("/dev/full", "x" * 100)


def test_what_is_not_ours_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    check_output(path)
    path.write_text("")
    check_output(path)
    path.write_text("somebody's work")
    with pytest.raises(OutputError, match=r"a\.txt exists already; use --force to replace it"):
        check_output(path)
    with pytest.raises(OutputError, match="exists already"):
        check_output(path, ours=marked("made by chuhe"))
    check_output(path, force=True)
    path.write_text("# made by chuhe\n")
    check_output(path, ours=marked("made by chuhe"))


def test_a_place_that_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no directory"):
        check_output(tmp_path / "no" / "a.txt", force=True)
    with pytest.raises(OutputError, match="this is a directory"):
        check_output(tmp_path, force=True)
    with pytest.raises(OutputError):
        write_file(tmp_path / "no" / "a.txt", "x")
    with pytest.raises(OutputError):
        check_output(tmp_path / ("x" * 300))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="is not writable"):
        check_output(tmp_path / "a.txt")


def test_what_is_appended_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    append_file(path, "one\n")
    append_file(path, "two\n")
    real = os.write

    def full_disk(file: int, data: bytes) -> int:
        if len(data) < 6:
            raise OSError(28, "No space left on device")
        return real(file, data[:3])

    monkeypatch.setattr(os, "write", full_disk)
    for name in ("a.txt", "new.txt"):
        with pytest.raises(OutputError, match=f"{name}: No space left"):
            append_file(tmp_path / name, "three and more\n")
    assert path.read_text() == "one\ntwo\n"
    assert os.listdir(tmp_path) == ["a.txt"]
