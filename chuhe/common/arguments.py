"""Refuse command-line options that have no effect in combination with others, rather than ignore them."""

from __future__ import annotations

import argparse
from typing import Any

from chuhe.text.message import Language, Message


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

    def refuse(self, names: str, why: str | Message) -> None:
        """Exit with a usage error if any of the named options was given; `why` is said in the parser's language."""
        for name in names.split():
            if name in self._names:
                language: Language = getattr(self._parser, "_language", "en")
                option = f"--{name.replace('_', '-')}"
                self._parser.error(Message("cli.idle", option=option, why=why).text(language))
