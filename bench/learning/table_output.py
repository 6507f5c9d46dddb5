"""The table that a tuner writes."""

from __future__ import annotations

from pathlib import Path

from engine.safe_files import MARK, write_file


def begin_table(table: Path, out: Path) -> None:
    """A copy of the table to put tuned numbers into, marked as the tuner's; nothing when it is tuned in its place."""
    if out.resolve() == table.resolve():
        return
    text = table.read_text(encoding="utf-8")
    heading = f"# {MARK} tune\n"
    write_file(out, text if text.startswith(heading) else heading + text)
