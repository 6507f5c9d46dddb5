"""The standard streams: always open, and never a reason to die, whatever their encoding."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

PLAIN = "chuhe.plain"  # the name of our error handler
# what plain text has instead; unicodedata knows the others
SUBSTITUTES = {"–": "-", "—": "-", "−": "-", "×": "x", "·": ".", "→": "->", "←": "<-", "↔": "<->", "≤": "<=", "≥": ">=",
               "±": "+-", "‘": "'", "’": "'", "“": '"', "”": '"', "√": "x", "✓": "x", "●": "*", "○": "o"}  # fmt: skip


def prepare_streams(windows: bool = os.name == "nt") -> None:
    """Open streams that are closed, and let every output stream accept any text.

    What an encoding lacks is written in plain letters or as `?`. On Windows, pipes and files are UTF-8: their code page
    could carry neither our texts nor a game in Chinese. `PYTHONIOENCODING` chooses another encoding.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent; no file that is opened may get its descriptor
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if windows and not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
            stream.reconfigure(encoding="utf-8")
        if stream is sys.stdin:
            stream.reconfigure(errors="replace")
        elif stream.encoding.lower().replace("_", "-") in ("utf-8", "utf8"):
            stream.reconfigure(errors="replace")  # half a surrogate pair, from a file name
        else:
            _register()
            stream.reconfigure(errors=PLAIN)


def _register() -> None:
    import codecs

    def replaced(error: UnicodeError) -> tuple[str | bytes, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return plain(error.object[error.start : error.end]), error.end

    codecs.register_error(PLAIN, replaced)


def plain(text: Iterable[str]) -> str:
    """The text in ASCII.

    >>> plain("½ … 炮２平５ → √é")
    '1/2 ... ?2?5 -> xe'
    """
    from unicodedata import normalize

    result = []
    for character in text:
        simple = SUBSTITUTES.get(character) or normalize("NFKD", character).replace("\u2044", "/")
        result.append(simple.encode("ascii", "ignore").decode() or "?")
    return "".join(result)
