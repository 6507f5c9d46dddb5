"""Numbers that people and programs type."""

from __future__ import annotations

LONGEST_NUMBER = 20  # digits: longer ones are beyond every bound, and slow to convert
LARGEST_NUMBER = 2**63 - 1


def parse_whole(text: str, least: int = -LARGEST_NUMBER, most: int = LARGEST_NUMBER) -> int | None:
    """A whole number in ASCII digits, with or without a sign; None if the text is no such number or out of bounds.

    >>> parse_whole("12", 1, 99), parse_whole("-3", -5, 5), parse_whole("1_000", 1, 9999), parse_whole("100", 1, 99)
    (12, -3, None, None)
    """
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits.isascii() or not digits.isdigit() or len(digits.lstrip("0")) > LONGEST_NUMBER:
        return None
    value = int(text)
    return value if least <= value <= most else None


def parse_number(text: str, least: float, most: float) -> float | None:
    """A number within bounds as people type it; None for anything else.

    >>> parse_number("0.5", 0, 1), parse_number("1.5", 0, 1), parse_number("nan", 0, 1), parse_number("1_0", 0, 99)
    (0.5, None, None, None)
    """
    try:
        value = float(text)
    except ValueError:
        return None
    return value if least <= value <= most and "_" not in text else None
