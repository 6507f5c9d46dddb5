"""Refuse command-line options that have no effect in combination with others, rather than ignore them."""

from __future__ import annotations

import argparse
from typing import Any


class Given:
    """The options present on the command line, even when set to their default value.

    >>> parser = argparse.ArgumentParser()
    >>> _ = parser.add_argument("--size", type=int, default=6)
    >>> "size" in Given(parser, []), "size" in Given(parser, ["--size", "6"])
    (False, True)
    """

    def __init__(self, parser: argparse.ArgumentParser, arguments: list[str]) -> None:
        unset: Any = object()
        found = argparse.Namespace(**{action.dest: unset for action in parser._actions})
        parser.parse_args(arguments, found)
        self._parser = parser
        self._names = {name for name, value in vars(found).items() if value is not unset}

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def refuse(self, names: str, why: str) -> None:
        """Exit with a usage error if any of the named options was given."""
        for name in names.split():
            if name in self._names:
                self._parser.error(f"--{name.replace('_', '-')} does nothing {why}")
