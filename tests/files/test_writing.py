"""Atomic file writes: a file is complete or absent."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from chuhe.files import writing as safe_files
from chuhe.files.writing import (
    OutputError,
    append_file,
    check_distinct,
    check_output,
    create_scratch,
    lock_file,
    marked,
    replacing,
    write_file,
)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes, links and devices")
def test_a_file_is_replaced_in_one_step_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_file(path, "first")
    path.chmod(0o600)
    write_file(path, "zweite Fassung: 炮")
    assert path.read_text(encoding="utf-8") == "zweite Fassung: 炮"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_name_in_no_encoding_can_be_written(tmp_path: Path) -> None:
    """Half characters come from file names of older systems."""
    write_file(tmp_path / "made", "output = '\udcb6\udcd4'")
    assert (tmp_path / "made").read_text() == "output = '??'"


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


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes, links and devices")
def test_a_link_goes_on_pointing(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    write_file(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes, links and devices")
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


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes, links and devices")
def test_a_place_that_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no directory"):
        check_output(tmp_path / "no" / "a.txt", force=True)
    with pytest.raises(OutputError, match="this is a directory"):
        check_output(tmp_path, force=True)
    with pytest.raises(OutputError):
        write_file(tmp_path / "no" / "a.txt", "x")
    with pytest.raises(OutputError):
        check_output(tmp_path / ("x" * 300))


def test_a_read_only_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write anywhere, and Windows has no modes, so the system's answer is put in its mouth."""
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    with pytest.raises(OutputError, match="is not writable"):
        check_output(tmp_path / "a.txt")


def test_what_is_appended_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    append_file(path, "one\n")
    append_file(path, "two\n")
    real = os.write

    def full_disk(file: int, data: memoryview) -> int:
        if len(data) < 6:
            raise OSError(28, "No space left on device")
        return real(file, data[:3])

    monkeypatch.setattr(os, "write", full_disk)
    for name in ("a.txt", "new.txt"):
        with pytest.raises(OutputError, match=f"{name}: No space left"):
            append_file(tmp_path / name, "three and more\n")
    assert path.read_text() == "one\ntwo\n"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes, links and devices")
def test_a_scratch_file_is_never_one_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert create_scratch(tmp_path) != create_scratch(tmp_path)
    monkeypatch.setattr(os, "urandom", bytes)
    victim = tmp_path / "victim"
    victim.write_text("kept")
    (tmp_path / f".chuhe-{bytes(8).hex()}.new").symlink_to(victim)
    with pytest.raises(OutputError, match=r"a\.txt: File exists"):
        write_file(tmp_path / "a.txt", "x")
    assert victim.read_text() == "kept"


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes")
def test_a_private_file_is_the_users_alone(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("open to all")
    path.chmod(0o644)
    write_file(path, "secret", private=True)
    assert path.stat().st_mode & 0o777 == 0o600


def test_two_outputs_are_two_files(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a")
    check_distinct(tmp_path / "a", None, tmp_path / "b", None)
    for other in (tmp_path / "a", tmp_path / "link", tmp_path / "x" / ".." / "a"):
        with pytest.raises(OutputError, match="cannot hold two outputs"):
            check_distinct(tmp_path / "a", tmp_path / "b", other)


def test_one_process_at_a_time_holds_a_lock(tmp_path: Path) -> None:
    def opened() -> int:
        return os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT)

    first, second = opened(), opened()
    assert lock_file(first)
    assert not lock_file(second)
    os.close(first)
    assert lock_file(second)
    os.close(second)


def test_the_lock_of_windows_keeps_the_place_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a stand-in for the module `msvcrt`, since the tests run on POSIX too."""
    held: set[int] = set()

    def locking(file: int, mode: int, count: int) -> None:
        place = os.lseek(file, 0, os.SEEK_CUR)
        if place in held:
            raise PermissionError(13, "Permission denied")
        held.add(place)

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    with (tmp_path / "games").open("w+b") as file:
        file.write(b"abc")
        file.flush()
        assert lock_file(file.fileno())
        assert not lock_file(file.fileno())
        assert file.tell() == 3
    assert min(held) > 1 << 30


def test_a_file_in_use_on_windows_is_moved_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows renames a file that is mapped, but does not let it be replaced; here with a stand-in for `replace`."""
    path, replace = tmp_path / "table", Path.replace
    path.write_bytes(b"old")
    (tmp_path / ".chuhe-0.old").write_bytes(b"left by an earlier run")

    def refusing(self: Path, target: Path) -> Path:
        if target.exists():
            raise PermissionError(13, "Permission denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refusing)
    monkeypatch.setattr(safe_files, "PATIENCE", (0.0,))
    monkeypatch.setattr(safe_files, "WINDOWS", False)
    with pytest.raises(OutputError, match="Permission denied"):  # elsewhere it is an error
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    monkeypatch.setattr(safe_files, "WINDOWS", True)
    write_file(path, b"new")
    assert [file.name for file in tmp_path.iterdir()] == ["table"]
    assert path.read_bytes() == b"new"
