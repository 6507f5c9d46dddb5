"""Progress of a long run: a bar on a terminal, plain lines anywhere else."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

LINE_SECONDS = 5.0  # minimum interval between plain lines


class Bar:
    """Steps done out of a known total, with a note. Uses tqdm if it is installed and the output is a terminal."""

    def __init__(self, total: int, unit: str, done: int = 0, stream: TextIO | None = None) -> None:
        self.total = total
        self.unit = unit
        self.done = done
        self.stream = sys.stderr if stream is None else stream
        self._last_line = 0.0
        self._shown = -1
        self._note = ""
        self._bar: Any = None
        if self.stream.isatty():
            try:
                from tqdm import tqdm
            except ImportError:
                return
            self._bar = tqdm(total=total, initial=done, unit=unit, file=self.stream, dynamic_ncols=True)

    def step(self, note: str = "", count: int = 1) -> None:
        self.done += count
        self._note = note
        if self._bar is not None:
            self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(count)
        elif time.monotonic() - self._last_line >= LINE_SECONDS:
            self._line()

    def write(self, text: str) -> None:
        """Print a line above the bar."""
        if self._bar is not None:
            self._bar.write(text, file=self.stream)
        else:
            print(text, file=self.stream, flush=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._shown != self.done and self.done:
            self._line()

    def _line(self) -> None:
        self._last_line = time.monotonic()
        self._shown = self.done
        note = f"  {self._note}" if self._note else ""
        print(f"{self.done}/{self.total} {self.unit}{note}", file=self.stream, flush=True)
