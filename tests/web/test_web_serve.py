"""The command `chuhe serve`: what it prints, what it refuses, how it ends."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from paths import ROOT
from waiting import PATIENCE

from chuhe.cli import usage
from chuhe.commands.serve import main
from chuhe.web.serve import open_page

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/#[\w-]{43}\n")


@contextmanager
def served(data: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The server's process and its first line."""
    process = subprocess.Popen(
        [sys.executable, "-m", "chuhe", "serve", "--no-browser", "--data", str(data), "--hash", "4", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline()
    finally:
        process.kill()
        process.communicate()


def test_the_address_is_the_first_line_and_stays_after_a_restart(tmp_path: Path) -> None:
    with served(tmp_path, "--port", "0") as (process, line):
        match = ADDRESS.fullmatch(line)
        assert match
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    with served(tmp_path, "--port", match[1]) as (process, again):
        assert again == line
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_a_second_server_says_where_the_first_one_is(tmp_path: Path) -> None:
    with served(tmp_path, "--port", "0") as (_, line), served(tmp_path, "--port", "0") as (second, again):
        assert again == line
        assert second.wait(PATIENCE) == 0
        assert second.stderr is not None
        said = second.stderr.read()
        assert "already running" in said
        assert "--hash, --port had no effect" in said


def test_a_port_that_is_taken_is_named_or_avoided(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with served(tmp_path, "--port", str(port)) as (process, line):
            assert line == ""
            assert process.wait(PATIENCE) == 2
            assert process.stderr is not None
            assert f"port {port} cannot be used" in process.stderr.read()


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--match", "no/such/folder"], "not a directory"),
        (["--book", "no-such-book"], "no-such-book"),
    ],
)
def test_bad_arguments_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], fault: str
) -> None:
    assert main(["--no-browser", "--port", "0", "--data", str(tmp_path), *arguments]) == 2
    assert fault in capsys.readouterr().err


@pytest.mark.parametrize("arguments", ["--port 70000", "--threads 0", "--port x", "--hash 999999999"])
def test_numbers_out_of_range_are_refused(tmp_path: Path, arguments: str) -> None:
    with pytest.raises(SystemExit):
        main(["--data", str(tmp_path), *arguments.split()])


def test_a_missing_library_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "tornado", None)
    assert main(["--data", str(tmp_path)]) == 2
    assert "chuhe serve needs tornado: " in capsys.readouterr().err


def test_the_command_is_listed() -> None:
    assert "serve" in usage()


def test_an_engine_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("nosuch", "nosuch --level 3", " "):
        assert main(["--no-browser", "--data", str(tmp_path), "--engine", command]) == 2
        assert f"there is no program {command!r}" in capsys.readouterr().err


def test_the_key_is_not_on_the_browsers_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    open_page(tmp_path, "http://127.0.0.1:8907/#secret")
    assert opened == [(tmp_path / "open.html").as_uri()]
    assert "url=http://127.0.0.1:8907/#secret" in (tmp_path / "open.html").read_text()
    assert (tmp_path / "open.html").stat().st_mode & 0o077 == 0
