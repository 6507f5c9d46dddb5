"""The parsers of all commands, built without running a command."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module

import pytest

from chuhe import cli
from chuhe.commands.bench import MEASURES
from chuhe.commands.data import ACTIONS
from chuhe.commands.tune import TUNERS
from chuhe.common.command_line import Parser
from chuhe.engine.values import OTHER_GAMES

WITHOUT_PARSER = {"options", "tune"}  # they read their few words themselves; tested by themselves
COMMANDS = [
    *(name for name in cli.COMMANDS if name not in WITHOUT_PARSER),
    *(f"data {name}" for name in ACTIONS),
    *(f"tune {name}" for name in TUNERS),
    *(f"bench {name}" for name in MEASURES),
    *(f"play --variant {name}" for name in OTHER_GAMES),
    *(f"bench --variant {name}" for name in OTHER_GAMES),
    "python -m chuhe.bench.matches.chess_match",
]


class ParserBuilt(Exception):
    """A command has made its parser and would now read its arguments."""


def exit_code(main: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Of a command, whether it returns the code or its parser exits with it."""
    try:
        return main(arguments)
    except SystemExit as exit:
        return exit.code if isinstance(exit.code, int) else -1


def run(command: str, *arguments: str) -> int:
    words = [*command.split(), *arguments]
    if words[0] == "python":
        return int(import_module(words[2]).main(words[3:]))
    return cli.main(words)


def parser_of(command: str, *arguments: str) -> Parser:
    with pytest.MonkeyPatch.context() as patch:

        def stop(parser: argparse.ArgumentParser, *_: object) -> argparse.Namespace:
            raise ParserBuilt(parser)

        patch.setattr(argparse.ArgumentParser, "parse_args", stop)
        with pytest.raises(ParserBuilt) as built:
            run(command, *arguments)
    parser = built.value.args[0]
    assert isinstance(parser, Parser)
    return parser
