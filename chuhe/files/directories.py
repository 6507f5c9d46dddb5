"""Where Chuhe keeps a user's files. Imports next to nothing: every start of the engine looks for endgame tables."""

from __future__ import annotations

import os
import sys

# kind: (variable of the XDG specification, its default, the folder on macOS)
_HOMES = {
    "cache": ("XDG_CACHE_HOME", "~/.cache", "~/Library/Caches"),
    "data": ("XDG_DATA_HOME", "~/.local/share", "~/Library/Application Support"),
    "state": ("XDG_STATE_HOME", "~/.local/state", "~/Library/Application Support"),
}


def user_directory(kind: str, platform: str = sys.platform) -> str:
    """Our directory for what can be computed again ("cache"), for games ("data") or for histories ("state").

    On Windows it is `%LOCALAPPDATA%\\chuhe` for all of them. It may not exist yet.
    """
    variable, usual, on_macos = _HOMES[kind]
    if platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif platform == "darwin":
        base = os.environ.get(variable) or on_macos
    else:
        base = os.environ.get(variable) or usual
    return os.path.join(os.path.expanduser(base), "chuhe")
