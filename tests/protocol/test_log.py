"""Logging the protocol to a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chuhe.protocol.log import DialogueLog


def test_lines_are_appended_with_their_time(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    log = DialogueLog()
    log.note(">", "nobody listens")
    log.open(str(path))
    log.note(">", "ucci")
    log.close()
    log.open(str(path))
    log.note("<", "楚河")
    log.close()
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line[10:] for line in lines if not line.startswith("#")] == ["> ucci", "< 楚河"]
    assert all(float(line[:9]) >= 0 for line in lines if not line.startswith("#"))


def test_a_file_that_cannot_be_written_leaves_the_former_one(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    log = DialogueLog()
    log.open(str(path))
    with pytest.raises(OSError, match="no/such"):
        log.open(str(tmp_path / "no/such/log.txt"))
    log.note(">", "still here")
    log.open("")
    assert "still here" in path.read_text()


def test_only_a_plain_file_will_do(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # opening it would block until there is a reader
    log = DialogueLog()
    for path in (pipe, tmp_path, Path("/dev/zero")):
        with pytest.raises(OSError, match=f"{path} must be a plain file"):
            log.open(str(path))


def test_a_full_disk_is_no_reason_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = DialogueLog()
    monkeypatch.setattr("os.path.isfile", lambda path: True)
    monkeypatch.setattr("chuhe.protocol.log._is_log", lambda path: True)
    with pytest.raises(OSError, match="No space"):
        log.open("/dev/full")
    log.open(str(tmp_path / "log.txt"))
    log._file = open("/dev/full", "w", buffering=1)  # noqa: SIM115
    log.note(">", "ucci")
    log.note(">", "isready")
    assert log._file is None


def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path) -> None:
    for content in ("1. h2e2 h9g7\n", "# my notes\n", "\0" * 40):
        path = tmp_path / "other.txt"
        path.write_text(content)
        with pytest.raises(OSError, match="is not a log"):
            DialogueLog().open(str(path))
        assert path.read_text() == content
