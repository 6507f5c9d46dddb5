"""Where the endgame tables are. Imports next to nothing: an engine without tables only checks whether there are any."""

from __future__ import annotations

import os

from chuhe.files.directories import user_directory

VARIABLE = "CHUHE_TABLES"
SUFFIX = ".egt"


def default_directory() -> str:
    """The default directory for tables: CHUHE_TABLES, or the platform's cache directory."""
    named = os.environ.get(VARIABLE)
    if named:
        return os.path.expanduser(named)
    return os.path.join(user_directory("cache"), "endgames")


def directories(paths: str) -> list[str]:
    """The directories in an option's text, separated by `;`; if it is empty, the default directory.

    >>> directories(" /a ; /b;")
    ['/a', '/b']
    """
    named = [os.path.expanduser(part.strip()) for part in paths.split(";") if part.strip()]
    return named or [default_directory()]


def check_directories(named: list[str]) -> None:
    """ValueError for the first that is not a directory."""
    for directory in named:
        if not os.path.isdir(directory):
            raise ValueError(f"the endgame table directory {directory!r} does not exist")


def has_tables(paths: str) -> bool:
    """Are there any tables?"""
    for directory in directories(paths):
        try:
            if any(name.endswith(SUFFIX) for name in os.listdir(directory)):
                return True
        except OSError:
            continue
    return False
