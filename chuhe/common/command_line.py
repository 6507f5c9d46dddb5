"""Shared parts of our command lines: one-line errors, number types that check their bounds, plurals."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from chuhe.engine.bounds import bounds_of
from chuhe.engine.values import Settings
from chuhe.text.message import Language, Message, message_of, printable, shown
from chuhe.text.numbers import parse_number, parse_whole
from chuhe.text.system_language import Speaker


class Formatter(argparse.HelpFormatter):
    """Adds the default to every option's help, in one form, and names values by their type.

    A text that has "(default …" says it in words. No default is said of flags, empty texts and empty lists.
    """

    def __init__(self, prog: str, *, language: Language = "en") -> None:
        super().__init__(prog)
        self._say = Speaker(language)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        text, value = action.help, action.default
        said = self._say("cli.default", value="").rstrip(" )）")
        if not text or said in text or isinstance(value, bool) or value in (None, "", [], argparse.SUPPRESS):
            return text
        shown_value = " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        return text + self._say("cli.default", value=shown_value.replace("%", "%%").removesuffix(".0"))

    def _get_default_metavar_for_optional(self, action: argparse.Action) -> str:
        if action.type is None:
            return action.dest.upper()
        return "FILE" if action.type is Path else "X" if action.type is float else "N"


class RawFormatter(Formatter, argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of the description and the epilog."""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line, without the usage text, and speaks a language."""

    def __init__(self, *, language: Language = "en", add_help: bool = True, **settings: Any) -> None:
        settings.setdefault("formatter_class", partial(Formatter, language=language))
        super().__init__(**settings, add_help=False)
        self.register("type", int, partial(_whole, language=language))
        say = Speaker(language)
        self._language = language
        self._optionals.title, self._positionals.title = say("cli.options"), say("cli.positionals")
        if add_help:
            self.add_argument("-h", "--help", action="help", help=say("cli.help"))

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Refuse empty values: an unset variable of a script must not become a default or the current directory."""
        if "" in arg_strings and action.nargs != argparse.PARSER:
            raise argparse.ArgumentError(action, Message("cli.empty").text(self._language))
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {printable(_in(self._language, message))}\n")

    def format_help(self) -> str:
        return self._usage_in_language(super().format_help())

    def format_usage(self) -> str:
        return self._usage_in_language(super().format_usage())

    def _usage_in_language(self, text: str) -> str:
        if self._language == "en":
            return text
        return Speaker(self._language)("cli.usage") + text.removeprefix("usage: ")


# the sentences of argparse that a user meets, with the code of our own
_ARGPARSE = (
    (r"argument (?P<name>\S+): expected one argument", "cli.one-argument"),
    (r"argument (?P<name>\S+): invalid choice: '?(?P<text>.*?)'? \(choose from (?P<choices>.*)\)", "cli.choice"),
    (r"argument (?P<name>\S+): not allowed with argument (?P<other>\S+)", "cli.not-with"),
    (r"argument (?P<name>\S+): (?P<fault>.*)", "cli.argument"),
    (r"unrecognized arguments: (?P<text>.*)", "cli.unknown"),
    (r"the following arguments are required: (?P<names>.*)", "cli.required"),
)


def _in(language: Language, message: str) -> str:
    """A message of argparse in a language."""
    if language != "en":
        for pattern, code in _ARGPARSE:
            if found := re.fullmatch(pattern, message):
                return Message(code, **found.groupdict()).text(language)
    return message


def whole_number(least: int, most: int = 2**31 - 1, language: Language = "en") -> Callable[[str], int]:
    """For `type=`: a whole number from `least` to `most`.

    >>> whole_number(1)("12")
    12
    >>> whole_number(1, 9)("12")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: a whole number from 1 to 9, not '12'
    """

    def read(text: str) -> int:
        value = parse_whole(text, least, most)
        if value is None:
            fault = Message("cli.whole", least=least, most=most, text=shown(text))
            raise argparse.ArgumentTypeError(fault.text(language))
        return value

    return read


def number(least: float, most: float, language: Language = "en") -> Callable[[str], float]:
    """For `type=`: a number from `least` to `most`.

    >>> number(0, 1)("0.5")
    0.5
    >>> number(0, 1)("nan")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: a number from 0 to 1, not 'nan'
    """

    def read(text: str) -> float:
        value = parse_number(text, least, most)
        if value is None:
            fault = Message("cli.number", least=f"{least:g}", most=f"{most:g}", text=shown(text))
            raise argparse.ArgumentTypeError(fault.text(language))
        return value

    return read


def seconds(language: Language = "en") -> Callable[[str], float]:
    return number(0.001, 1e6, language)


def _whole(text: str, language: Language = "en") -> int:
    """For `type=int`: by the same reader, since Python's also takes "1_000" and digits of other scripts."""
    value = parse_whole(text)
    if value is None:
        raise argparse.ArgumentTypeError(Message("cli.int", text=shown(text)).text(language))
    return value


def setting_number(setting: str, language: Language = "en") -> Callable[[str], int]:
    """For `type=`: a number for this field of `Settings`, within its bounds."""
    return whole_number(*bounds_of(Settings)[setting], language)


def add_resource_options(parser: argparse._ActionsContainer, say: Speaker) -> None:
    """`--hash` and `--threads`, of every command in which our engine plays or judges."""
    for name, setting, metavar in (("hash", "hash_mb", "MB"), ("threads", "threads", "N")):
        parser.add_argument(
            f"--{name}",
            type=setting_number(setting, say.language),
            default=getattr(Settings(), setting),
            metavar=metavar,
            help=say(f"play-help.{name}"),
        )


def add_book_options(parser: argparse._ActionsContainer, say: Speaker) -> None:
    """The opening books, for both sides and for each."""
    for name in ("book", "red-book", "black-book"):
        parser.add_argument(f"--{name}", metavar="FILES", default="", help=say(f"play-help.{name}"))


def fault_text(error: BaseException, language: Language = "en") -> str:
    """An error in words: of an OSError, the file and the reason without its number.

    A BrokenPipeError is raised again: the reader of stdout has left, and `chuhe` ends without a word.

    >>> fault_text(FileNotFoundError(2, "No such file or directory", "x.pgn")), fault_text(ValueError("too many"))
    ('x.pgn: No such file or directory', 'too many')
    """
    if isinstance(error, BrokenPipeError):
        raise error
    said = message_of(error)
    if isinstance(error, OSError) and error.filename:
        said = Message("file.at", path=str(error.filename), fault=said)
    return printable(said.text(language))


def report_fault(command: str, error: BaseException, language: Language = "en") -> int:
    """Say in one line why a command cannot go on; returns its exit code."""
    print(f"chuhe {command}: {fault_text(error, language)}", file=sys.stderr)
    return 2


def counted(count: int, noun: str) -> str:
    """A count with its noun, in the singular or plural.

    >>> counted(1, "game"), counted(1200, "game")
    ('1 game', '1,200 games')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
