"""Files that a user names: pipes, devices and endless files are refused without waiting for them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from chuhe import cli
from chuhe.engine.input_files import open_input, read_input

COMMANDS = [
    "analyze {}", "bench --positions {}", "book info {}", "data stats {}", "draughts {}", "match {}",
    "openings --from {}", "peers x --problems {}", "perft 1 --file {}", "play --load {}", "play --book {}",
    "play --variant draughts --board {}", "puzzles check {}", "squatter {}", "train {} --output x.net",
    "tune eval {}", "endgame verify --path {}", "selfplay --output {} --games 1",
]  # fmt: skip


def test_only_plain_files_are_read(tmp_path: Path) -> None:
    (plain := tmp_path / "plain").write_bytes(b"abc")
    assert read_input(plain) == b"abc"
    with open_input(plain) as file:
        assert file.read(2) == b"ab"
    os.mkfifo(pipe := tmp_path / "pipe")
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(OSError, match="this is not a plain file"):
            read_input(path)
    with pytest.raises(IsADirectoryError):
        read_input(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_input(tmp_path / "none")


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc elsewhere")
def test_a_file_of_proc_is_empty() -> None:
    assert Path("/proc/kmsg").stat().st_size == 0
    if os.access("/proc/kmsg", os.R_OK):
        try:
            assert read_input("/proc/kmsg") == b""
        except PermissionError:
            return  # in a container


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_waits_for_a_pipe(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("pipe", "pipe.pgn", "pipe.games", "pipe.toml"):
        os.mkfifo(name)
    name = "pipe.pgn" if "analyze" in command or "--load" in command else "pipe.toml" if "match" in command else "pipe"
    try:
        code = cli.main(command.format(name).split())
    except SystemExit as exit:
        code = exit.code if isinstance(exit.code, int) else 1
    errors = capsys.readouterr().err
    assert code in (1, 2), errors
    assert "Traceback" not in errors
    assert "[Errno" not in errors
