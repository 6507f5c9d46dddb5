"""No encoding of the standard streams ends the program."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from waiting import PATIENCE

ENCODINGS = ("latin-1", "cp1252", "cp437", "ascii", "cp936", "utf-8")
GAME = "炮二平五\n炮二平\nnonsense é 棋\nmoves\nhistory\nhint\nhelp\nnotation chinese\nboard unicode\nquit\n"
CHINESE = ("cp936", "utf-8")


def run(encoding: str, *arguments: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    return subprocess.run(
        [sys.executable, "-m", "chuhe", *arguments], input=typed, capture_output=True, timeout=PATIENCE, env=environment
    )


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_game_with_typing_errors(encoding: str) -> None:
    ended = run(encoding, "play", "--depth", "1", "--no-book", "--notation", "chinese", typed=GAME.encode())
    assert ended.returncode == 0, ended.stderr.decode(errors="replace")
    assert ended.stderr == b""
    shown = ended.stdout.decode(encoding)
    assert "nonsense" in shown  # the error names what was typed
    if encoding in CHINESE:
        assert "炮二平五" in shown
    else:
        assert "h2e2" in shown
        assert f"({encoding}) has no Chinese characters" in shown.replace("iso8859-1", "latin-1")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("arguments", [("play", "--help"), ("--help",), ("serve", "--help"), ("play", "--red", "棋…")])
def test_help_and_errors(encoding: str, arguments: tuple[str, ...]) -> None:
    ended = run(encoding, *arguments)
    assert b"Traceback" not in ended.stderr
    assert ended.returncode == (0 if "--help" in arguments else 2)


def test_typed_lines_may_be_in_the_encoding_of_older_programs() -> None:
    typed = "炮二平五\nhistory\nquit\n".encode("gbk")
    ended = run("utf-8", "play", "--red", "human", "--black", "human", typed=typed)
    assert "C2=5" in ended.stdout.decode()


def test_pipes_are_utf_8_on_windows() -> None:
    script = (
        "import sys; from chuhe.streams import prepare_streams; sys.stdout.reconfigure(encoding='cp1252');"
        "prepare_streams(windows=True); print('炮二平五')"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONIOENCODING"}
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=PATIENCE, env=environment)
    assert ended.stdout.decode("utf-8").strip() == "炮二平五"
