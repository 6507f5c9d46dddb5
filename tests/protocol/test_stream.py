"""Tools' output is flushed line by line."""

from __future__ import annotations

from contextlib import redirect_stdout

from chuhe.protocol.stream import LineStream


def test_lines_leave_when_they_are_complete() -> None:
    lines: list[str] = []
    with LineStream(lines.append) as stream, redirect_stdout(stream):
        print("one\ntw", end="")
        assert lines == ["one"]
        print("o\n\n   \nthree", end="")
        assert lines == ["one", "two"]
    assert lines == ["one", "two", "three"]


def test_a_progress_bar_is_lines_too() -> None:
    lines: list[str] = []
    with LineStream(lines.append) as stream:
        stream.write("\r 1/2\r 2/2\n")
    assert lines == [" 1/2", " 2/2"]
