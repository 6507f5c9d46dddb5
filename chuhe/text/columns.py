"""Texts in the columns of a terminal, where a Chinese character fills two."""

from __future__ import annotations

import unicodedata


def width(text: str) -> int:
    """How many terminal columns a text occupies.

    >>> width("R"), width("車"), width("(車)")
    (1, 2, 4)
    """
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def pad(text: str, columns: int) -> str:
    """The text, padded with spaces to the given number of columns."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """The text at the right of the given number of columns."""
    return " " * (columns - width(text)) + text


def centred(text: str, columns: int) -> str:
    """The text in the middle of the given number of columns."""
    return pad(right(text, (columns + width(text)) // 2), columns)
