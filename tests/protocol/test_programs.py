"""Command lines, how to start ourselves, and lines from other programs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import PATIENCE

from chuhe.protocol.programs import decoded_line, find_program, own_command, split_command


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"C:\engines\eye.exe", [r"C:\engines\eye.exe"]),
        (r'"C:\Program Files\象棋\eye.exe" --book D:\b.obk', [r"C:\Program Files\象棋\eye.exe", "--book", r"D:\b.obk"]),
        (r"C:\O'Neill\eye.exe", [r"C:\O'Neill\eye.exe"]),
        (r"\\server\share\eye.exe # 3", [r"\\server\share\eye.exe", "#", "3"]),
        ('eye ""', ["eye", ""]),
    ],
)
def test_a_command_line_of_windows(text: str, words: list[str]) -> None:
    assert split_command(text, windows=True) == words


def test_a_command_line_of_a_shell() -> None:
    assert split_command(r"'my engine' a\ b \"c # d", windows=False) == ["my engine", "a b", '"c', "#", "d"]


@pytest.mark.parametrize("windows", [True, False])
def test_an_open_quotation_mark_is_an_error(windows: bool) -> None:
    with pytest.raises(ValueError, match="quotation mark"):
        split_command('"eye', windows=windows)


def test_we_can_start_ourselves() -> None:
    ended = subprocess.run(own_command("--version"), capture_output=True, text=True, timeout=PATIENCE)
    assert ended.stdout.startswith("chuhe ")


def test_a_frozen_program_starts_itself_without_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert own_command("bench") == [sys.executable, "bench"]


def test_programs_are_found_as_in_a_shell_and_among_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    assert find_program("chuhe") == own_command()
    assert find_program("no-such-engine") is None
    monkeypatch.setattr("chuhe.protocol.programs.GAMES", (str(tmp_path),))
    for name in ("chuhe", "some-engine"):
        program = tmp_path / (name + (".exe" if os.name == "nt" else ""))
        program.touch(mode=0o755)
        assert find_program(name) == [str(program)]


def test_lines_of_older_programs_are_read_too() -> None:
    line = r"setoption bookfiles D:\象棋\开局库.obk"
    assert decoded_line(line.encode("utf-8")) == line
    if sys.platform != "win32":  # there it is the system's code page
        assert decoded_line(line.encode("gbk")) == line
        assert "\ufffd" in decoded_line(b"\xff\xff\xff")
    assert decoded_line(b"\xff\xff\xff")


def test_a_byte_order_mark_before_a_line_is_passed_over() -> None:
    assert decoded_line(b"\xef\xbb\xbfucci\n") == "ucci\n"
