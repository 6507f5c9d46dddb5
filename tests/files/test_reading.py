"""Files that a user names: pipes, devices and endless files are refused without waiting for them."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from command_parsers import exit_code

from chuhe import cli
from chuhe.files.reading import open_input, read_input

NAME = "{}"  # in a command: where the file's name goes
COMMANDS = [
    "--log {}", "analyze {}", "bench --fens {}", "book build {} --output new.bin", "book convert {} new.bin",
    "book edit {} add h2e2 5", "book show --book {}", "data {}", "data import {} --output new.games",
    "data join {} --output new.games", "data shuffle {} --output new.games",
    "data split {} --output new.games --rest rest.games", "draughts {}", "endgame list --path {}",
    "endgame probe --path {} --fen 4k4/9/9/9/9/9/9/9/3K5/R8", "endgame verify --path {}", "match {}",
    "match a b --nodes 1 --games 2 --openings {}", "match a b --nodes 1 --games 2 --output {}",
    "play --black-book {}", "play --book {}", "play --load {}",
    "play --red-book {}", "play --variant draughts --board {}", "play --variant squatter --board {}",
    "puzzle --file {}", "puzzles check {}", "puzzles choose {} --output new.txt", "puzzles make {} --output new.txt",
    "puzzles mend --pool {} --output new.txt", "puzzles mend {} --pool {} --output new.txt",
    "selfplay --output {} --games 1", "selfplay --output new.games --games 1 --evalfile {}",
    "serve --data {}", "serve --match {}", "squatter {}", "train {} --output new.net",
    "train {} --start {} --output new.net", "tune choices futility_base=150 --games {}", "tune eval {}",
    "tune eval x --table {}", "tune search --table {}",
]  # fmt: skip
WRITING = ["--log {}", "selfplay --output {} --games 1"]  # they may write to a file that looks empty
ODD = [
    (command, kind)
    for command in COMMANDS
    for kind in ("pipe", "huge", "kmsg")
    if kind != "kmsg" or command not in WRITING
]
# those for which an empty name means no file at all are left out
NAMED = [line for line in COMMANDS if not re.search("ook|--evalfile|--log|--load|--board|match a|squatter", line)]
SUFFIXES = {"analyze": ".pgn", "build": ".pgn", "--load": ".pgn", "make": ".pgn", "match {}": ".toml"}


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


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_a_file_of_proc_is_empty() -> None:
    assert Path("/proc/kmsg").stat().st_size == 0
    if os.access("/proc/kmsg", os.R_OK):
        try:
            assert read_input("/proc/kmsg") == b""
        except PermissionError:
            return  # in a container


def make_odd(kind: str, path: str) -> None:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "huge":
        with open(path, "wb") as file:
            file.truncate(1 << 40)  # no disk has room for it, nor a memory
    else:
        os.symlink("/proc/kmsg", path)  # it is endless, and says that it is empty


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
@pytest.mark.parametrize(("command", "kind"), ODD)
def test_odd_files_are_refused_at_once(
    command: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "odd" + next((suffix for words, suffix in SUFFIXES.items() if words in command), ".txt")
    make_odd(kind, name)
    code = exit_code(cli.main, command.replace(NAME, name).split())
    errors = capsys.readouterr().err
    assert code in (1, 2), errors
    assert name in errors or kind == "kmsg"  # and not another fault of the command line
    assert len(errors.splitlines()) == 1
    assert kind == "kmsg" or "no such file" not in errors.lower()  # it is there
    assert "[Errno" not in errors
    assert "codec" not in errors
    assert sorted(os.listdir()) == [name]


@pytest.mark.parametrize("command", [*COMMANDS, "nonsense {}", "play {}"])
def test_control_characters_of_a_name_do_not_reach_the_terminal(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file\x1b[31m\x07").touch()
    name = "file\x1b[31m\x07/x" + next((suffix for words, suffix in SUFFIXES.items() if words in command), ".txt")
    exit_code(cli.main, [word.replace(NAME, name) for word in command.split()])
    said = capsys.readouterr()
    assert said.out or said.err
    assert (said.out + said.err).replace("\n", "").isprintable()


@pytest.mark.parametrize("command", NAMED)
def test_an_empty_name_is_no_file(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a script gives it when a variable is not set."""
    monkeypatch.chdir(tmp_path)
    assert exit_code(cli.main, [word.replace(NAME, "") for word in command.split()]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert os.listdir() == []
