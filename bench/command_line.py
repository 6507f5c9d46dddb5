"""Shared parts of our command lines: one-line errors, number types that check their bounds, plurals."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line, without the usage text."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def whole_number(least: int, most: int = 2**31 - 1) -> Callable[[str], int]:
    """For `type=`: a whole number from `least` to `most`.

    >>> whole_number(1)("12")
    12
    >>> whole_number(1, 9)("12")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: a whole number from 1 to 9, not '12'
    """

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            bounds = f"from {least}" + (f" to {most}" if most < 2**31 - 1 else "")
            raise argparse.ArgumentTypeError(f"a whole number {bounds}, not {text[:40]!r}")
        return value

    return read


def seconds(most: float = 1e6) -> Callable[[str], float]:
    """For `type=`: a positive, finite number of seconds.

    >>> seconds()("0.5")
    0.5
    >>> seconds()("inf")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: seconds above 0 and at most 1e+06, not 'inf'
    """

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 < value <= most:
            raise argparse.ArgumentTypeError(f"seconds above 0 and at most {most:g}, not {text[:40]!r}")
        return value

    return read


def counted(count: int, noun: str) -> str:
    """A count with its noun, in the singular or plural.

    >>> counted(1, "game"), counted(1200, "game")
    ('1 game', '1,200 games')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
