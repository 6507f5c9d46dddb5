"""Where the terminal game writes: a terminal with colours, paging and a status line, or a plain pipe."""

from __future__ import annotations

import shutil
import sys
import time

from chuhe.play.keyboard import read_key
from chuhe.text.columns import width

MORE = "-- more: any key; q to quit --"


def can_show(text: str) -> bool:
    """Does the output's encoding have these characters?"""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class PipeScreen:
    """Plain lines, each flushed at once, for scripts."""

    interactive = False

    def __init__(self, colour: bool = False) -> None:
        self.colour = colour

    def say(self, text: str) -> None:
        print(text, flush=True)

    def page(self, text: str) -> None:
        self.say(text)

    def status(self, text: str) -> None:
        """Lines cannot be replaced in a pipe."""

    def wait_for_key(self, seconds: float) -> bool:
        time.sleep(seconds)
        return False


class TerminalScreen:
    """A terminal: the next output overwrites the status line."""

    interactive = True

    def __init__(self, colour: bool = True) -> None:
        self.colour = colour
        self._status_rows = 0

    def say(self, text: str) -> None:
        self._clear_status()
        print(text, flush=True)

    def page(self, text: str) -> None:
        """Shows one screenful at a time and waits for a key."""
        size = shutil.get_terminal_size()
        pages = split_pages(text, size.lines - 1, size.columns)
        for number, part in enumerate(pages, 1):
            self.say(part)
            if number < len(pages):
                self.status(MORE)
                key = self._read_key()
                self._clear_status()
                if key in ("q", "Q", "\x1b"):
                    return

    def status(self, text: str) -> None:
        self._clear_status()
        if text:
            size = shutil.get_terminal_size()
            lines = [_cut(line, size.columns - 1) for line in text.split("\n")][: size.lines - 1]
            sys.stdout.write("\n".join(lines))
            sys.stdout.flush()
            self._status_rows = len(lines)

    def wait_for_key(self, seconds: float) -> bool:
        return bool(self._read_key(seconds))

    def _read_key(self, seconds: float | None = None) -> str:
        """The key pressed within the time (None: wait for ever); empty if there is none, q for Ctrl-C."""
        try:
            return read_key(seconds)
        except KeyboardInterrupt:
            return "q"

    def _clear_status(self) -> None:
        if self._status_rows:
            up = f"\x1b[{self._status_rows - 1}A" if self._status_rows > 1 else ""
            sys.stdout.write(f"\r{up}\x1b[J")
            self._status_rows = 0


def split_pages(text: str, rows: int, columns: int) -> list[str]:
    """The text in pages of that many terminal rows; a long line counts as the rows it wraps to.

    >>> split_pages("a\\nb\\nc", 2, 80), split_pages("abcdef\\ng", 2, 4)
    (['a\\nb', 'c'], ['abcdef', 'g'])
    """
    pages: list[list[str]] = [[]]
    left = rows
    for line in text.split("\n"):
        needed = max(1, -(-width(line) // columns))
        if needed > left and pages[-1]:
            pages.append([])
            left = rows
        pages[-1].append(line)
        left -= needed
    return ["\n".join(page) for page in pages]


def _cut(text: str, columns: int) -> str:
    while width(text) > columns:
        text = text[:-1]
    return text
