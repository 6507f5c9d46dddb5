"""Progress of a long run: a bar on a terminal, plain lines anywhere else."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

LINE_SECONDS = 5.0  # minimum interval between plain lines


class Bar:
    """Steps done out of a known total, with a note. Uses tqdm if it is installed and the output is a terminal.

    With a delay (seconds), a short run shows nothing.
    """

    def __init__(self, total: int, unit: str, done: int = 0, stream: TextIO | None = None, delay: float = 0.0) -> None:
        self.total = total
        self.unit = unit
        self.done = done
        self.stream = sys.stderr if stream is None else stream
        self._next_line = time.monotonic() + delay
        self._shown = 0  # the steps that the last line told of
        self._is_delayed = delay > 0
        self._note = ""
        self._bar: Any = None
        if self.stream.isatty():
            try:
                from tqdm import tqdm
            except ImportError:
                return
            self._bar = tqdm(total=total, initial=done, unit=unit, file=self.stream, dynamic_ncols=True, delay=delay)

    def step(self, note: str = "", count: int = 1) -> None:
        self.done += count
        self._note = note
        if self._bar is not None:
            self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(count)
        elif time.monotonic() >= self._next_line:
            self._line()

    def write(self, text: str) -> None:
        """Print a line above the bar."""
        if self._bar is not None:
            self._bar.write(text, file=self.stream)
        else:
            print(text, file=self.stream, flush=True)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._shown != self.done and (self._shown or not self._is_delayed):
            self._line()

    def _line(self) -> None:
        self._next_line = time.monotonic() + LINE_SECONDS
        self._shown = self.done
        note = f"  {self._note}" if self._note else ""
        print(f"{self.done}/{self.total} {self.unit}{note}", file=self.stream, flush=True)
