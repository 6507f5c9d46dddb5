"""The table that a tuner writes."""

from __future__ import annotations

import argparse
from pathlib import Path

from chuhe.common.command_line import fault_text
from chuhe.engine import tunables
from chuhe.files.reading import read_input
from chuhe.files.writing import MARK, write_file


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """`--table`, `--output` and `--force`, the same for both tuners."""
    parser.add_argument(
        "--table", type=readable_table, default=tunables.TABLE, help="start from this table (default the engine's)"
    )
    parser.add_argument("--output", dest="out", type=Path, default=Path("tuned.txt"), help="write the table here")
    parser.add_argument("--force", action="store_true", help="overwrite a table that the tuner did not write")


def readable_table(name: str) -> Path:
    """For `type=`: a file that holds text."""
    try:
        empty = not read_input(name).decode("utf-8")
    except OSError as error:
        raise argparse.ArgumentTypeError(fault_text(error)) from None
    except UnicodeDecodeError:
        empty = True
    if empty:
        raise argparse.ArgumentTypeError(f"{name} is not a table of tunables")
    return Path(name)


def begin_table(table: Path, out: Path) -> None:
    """Copy the table for the tuned values, marked as the tuner's file; does nothing if it is tuned in place."""
    if out.resolve() == table.resolve():
        return
    text = table.read_text(encoding="utf-8")
    heading = f"# {MARK} tune\n"
    write_file(out, text if text.startswith(heading) else heading + text)
