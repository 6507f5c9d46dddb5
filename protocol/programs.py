"""Programs that are started from here, and the lines that come from other programs."""

from __future__ import annotations

import os
import sys

GAMES = ("/usr/games", "/usr/local/games")  # Debian's folders for games, which not every PATH has


def split_command(text: str, windows: bool = os.name == "nt") -> list[str]:
    r"""The words of a command line. ValueError: a quotation mark is not closed.

    As in a shell; on Windows a backslash separates folders, and only double quotation marks quote.

    >>> split_command("'my engine' --level 3", windows=False)
    ['my engine', '--level', '3']
    >>> split_command(r'"C:\My engines\eye.exe" --level 3', windows=True)
    ['C:\\My engines\\eye.exe', '--level', '3']
    """
    import shlex

    lexer = shlex.shlex(text, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    if windows:
        lexer.escape, lexer.quotes = "", '"'
    try:
        return list(lexer)
    except ValueError:
        raise ValueError("a quotation mark or a backslash at the end has no counterpart") from None


def program_name(command: str) -> str:
    """The name of a command line's program, without its folder.

    >>> program_name("'/opt/my engines/eye' --level 3")
    'eye'
    """
    return os.path.basename(split_command(command)[0])


def find_program(name: str) -> list[str] | None:
    """The command of a program, as a shell finds it or among the games; `chuhe` may be this one. None: not found."""
    import shutil

    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(GAMES))
    if found is None:
        return own_command() if name == "chuhe" else None
    return [found]


def own_command(*arguments: str) -> list[str]:
    """The command that starts Chuhe as this process was started: its own program, or Python and the package."""
    start = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "chuhe"]
    return [*start, *arguments]


def decoded_line(raw: bytes) -> str:
    """A line of another program: UTF-8 or, from older ones, the system's code page (elsewhere GB18030).

    Some write a byte-order mark before their first line.
    """
    try:
        return raw.decode("utf-8").lstrip("\ufeff")
    except UnicodeDecodeError:
        return raw.decode("mbcs" if sys.platform == "win32" else "gb18030", "replace")
