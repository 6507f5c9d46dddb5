"""The table that a tuner writes."""

from __future__ import annotations

from pathlib import Path

from engine.safe_files import MARK, write_file


def begin_table(table: Path, out: Path) -> None:
    """Copy the table for the tuned values, marked as the tuner's file; does nothing if it is tuned in place."""
    if out.resolve() == table.resolve():
        return
    text = table.read_text(encoding="utf-8")
    heading = f"# {MARK} tune\n"
    write_file(out, text if text.startswith(heading) else heading + text)
