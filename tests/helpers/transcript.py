"""Protocol transcripts as text files, and a runner that checks the engine against them.

A transcript (`tests/transcripts/*.txt`) is read line by line:

    # a comment
    $ --variant chess      the engine's arguments; first line only
    > ucci                 send this line (\\t, \\r, \\xNN are escapes)
    < id name Chuhe*       the engine's next line; * stands for anything
    < /bestmove [a-i].*/   the same, as a regular expression
    < ...                  any number of lines, up to the one that the next `<` describes
    ~ 50                   wait this many milliseconds
    = 0                    close stdin and wait for the process to exit with this code
    =! 0                   the same without closing stdin

Every line of output must be described, but for `currmove`, which comes after some time; only `< ...` skips lines.
"""

from __future__ import annotations

import queue
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

from paths import ROOT
from waiting import PATIENCE


class EngineProcess:
    """`chuhe` at the other end of two pipes."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "chuhe", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            bufsize=0,
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        buffer = b""
        while chunk := self.process.stdout.read(65536):
            *lines, buffer = (buffer + chunk).split(b"\n")
            for line in lines:
                self._lines.put(line.decode("utf-8", "replace"))
        self._lines.put(None)

    def send(self, line: str | bytes) -> None:
        assert self.process.stdin is not None
        data = (line if isinstance(line, bytes) else line.encode()) + b"\n"
        while data:
            data = data[self.process.stdin.write(data) or 0 :]

    def line(self) -> str:
        """The engine's next line."""
        try:
            line = self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError("the engine says nothing") from None
        assert line is not None, f"the engine has ended: {self._last_words()}"
        return line

    def until(self, start: str) -> list[str]:
        """The lines up to the first that begins with `start`."""
        lines = [self.line()]
        while not lines[-1].startswith(start):
            lines.append(self.line())
        return lines

    def end(self, close: bool = True) -> int:
        """The exit code."""
        if close:
            self.close_input()
        return self.process.wait(PATIENCE)

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def _last_words(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode("utf-8", "replace")[-2000:]

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


def matches(pattern: str, line: str) -> bool:
    """Whether a `<` line describes this line.

    >>> matches("bestmove * ponder *", "bestmove h2e2 ponder h9g7"), matches("/a+/", "aaa"), matches("a+", "aaa")
    (True, True, False)
    """
    if len(pattern) > 1 and pattern[0] == pattern[-1] == "/":
        return re.fullmatch(pattern[1:-1], line) is not None
    return re.fullmatch(".*".join(re.escape(part) for part in pattern.split("*")), line) is not None


def run_transcript(path: Path) -> None:
    """Run the transcript; an AssertionError names the line of the file that did not match."""
    lines = path.read_text(encoding="utf-8").splitlines()
    arguments = lines[0][1:].split() if lines[0].startswith("$") else []
    with EngineProcess(*arguments) as engine:
        skipping = False
        for number, line in enumerate(lines, 1):
            mark, _, text = line.partition(" ")
            where = f"{path.name}:{number}"
            try:
                if mark == ">":
                    engine.send(text.encode().decode("unicode_escape").encode("latin-1"))
                elif mark == "<" and text == "...":
                    skipping = True
                elif mark == "<":
                    _expect(engine, text, skipping, where)
                    skipping = False
                elif mark == "~":
                    time.sleep(int(text) / 1000)
                elif mark in ("=", "=!"):
                    code = engine.end(close=mark == "=")
                    assert code == int(text), f"{where}: exit code {code}, not {text}"
                else:
                    assert mark in ("", "#", "$"), f"{where}: what is {line!r}?"
            except AssertionError as error:
                raise AssertionError(f"{where}: {line!r}: {error}") from None


def _expect(engine: EngineProcess, pattern: str, skipping: bool, where: str) -> None:
    heard = engine.line()
    while not matches(pattern, heard) and (skipping or " currmove " in heard):
        heard = engine.line()
    assert matches(pattern, heard), f"heard {heard!r}"
