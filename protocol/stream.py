"""A text stream for tools that print: passes on each line as soon as it is complete."""

from __future__ import annotations

import io
from collections.abc import Callable


class LineStream(io.TextIOBase):
    """Passes every line that is not blank to `emit`."""

    def __init__(self, emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._rest = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        *lines, self._rest = (self._rest + text.replace("\r", "\n")).split("\n")
        for line in lines:
            if line.strip():
                self._emit(line)
        return len(text)

    def close(self) -> None:
        """Pass on a last line without a newline."""
        if not self.closed and self._rest.strip():
            self._emit(self._rest)
            self._rest = ""
        super().close()
