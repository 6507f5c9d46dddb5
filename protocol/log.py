"""A log of the dialogue, for bug reports."""

from __future__ import annotations

import os
import re
import time
from typing import TextIO

from chuhe.files.reading import open_input

HEADING = "# %Y-%m-%d %H:%M:%S"


class DialogueLog:
    """Writes `>` lines (from the GUI) and `<` lines (ours) with the seconds since the log was opened."""

    def __init__(self) -> None:
        self._file: TextIO | None = None
        self._began = 0.0

    def open(self, path: str) -> None:
        """Start logging to a file (an empty path stops logging). After an OSError the previous file stays in use.

        It must be a plain file: a pipe without a reader would block, and a device is probably a mistake. A log is
        continued; any other file is left alone.
        """
        if not path:
            self.close()
            return
        if os.path.exists(path) and not os.path.isfile(path):
            raise OSError(f"the log {path} must be a plain file")
        if os.path.exists(path) and not _is_log(path):
            raise OSError(f"{path} exists already and is not a log")
        file = open(path, "a", encoding="utf-8", errors="replace", buffering=1)  # noqa: SIM115
        try:
            file.write(time.strftime(HEADING) + "\n")
        except OSError:
            _close(file)
            raise
        self.close()
        self._file, self._began = file, time.monotonic()

    def note(self, mark: str, line: str) -> None:
        if self._file is None:
            return
        try:
            self._file.write(f"{time.monotonic() - self._began:9.3f} {mark} {line}\n")
        except (OSError, ValueError):
            self.close()  # a full disk must not end a game

    def line(self, text: str) -> None:
        """A line as a client logs it, `NAME > TEXT` or `NAME < TEXT`."""
        _, mark, said = re.split(r" ([<>]) ", text, maxsplit=1)
        self.note(mark, said)

    def close(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            _close(file)


def _is_log(path: str) -> bool:
    """Is the file empty, or does it begin as our logs do?"""
    with open_input(path) as file:
        head = file.readline(100).decode("utf-8", "replace")
    try:
        return not head or bool(time.strptime(head.strip(), HEADING))
    except ValueError:
        return False


def _close(file: TextIO) -> None:
    try:
        file.close()
    except OSError:
        return  # what could not be written is lost
