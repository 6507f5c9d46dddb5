"""A log of the dialogue, for bug reports."""

from __future__ import annotations

import os
import time
from typing import TextIO


class DialogueLog:
    """Writes `>` lines (from the GUI) and `<` lines (ours) with the seconds since the log was opened."""

    def __init__(self) -> None:
        self._file: TextIO | None = None
        self._began = 0.0

    def open(self, path: str) -> None:
        """Start logging to a file (an empty path stops logging). After an OSError the previous file stays in use.

        It must be a plain file: a pipe without a reader would block, and a device is probably a mistake.
        """
        if not path:
            self.close()
            return
        if os.path.exists(path) and not os.path.isfile(path):
            raise OSError(f"the log {path} must be a plain file")
        file = open(path, "a", encoding="utf-8", errors="replace", buffering=1)  # noqa: SIM115
        try:
            file.write(f"# {time.strftime('%Y-%m-%d %H:%M:%S')}\n")
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

    def close(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            _close(file)


def _close(file: TextIO) -> None:
    try:
        file.close()
    except OSError:
        return  # what could not be written is lost
