"""The language in which the terminal and the commands speak: `--language`, or the system's."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from chuhe.text.message import LANGUAGES, Argument, Language, Message

SAMPLE = "楚河汉界漢"  # an encoding that has these has what we write
TRADITIONAL_PLACES = ("tw", "hk", "mo", "hant")


def language_of(name: str) -> Language:
    """The language of a locale's name.

    >>> language_of("zh_CN.UTF-8"), language_of("zh_TW"), language_of("zh-Hant-HK"), language_of("de_DE")
    ('zh-Hans', 'zh-Hant', 'zh-Hant', 'en')
    """
    parts = name.lower().split(".")[0].split("@")[0].replace("-", "_").split("_")
    if parts[0] not in ("zh", "chinese"):
        return "en"
    traditional = any(part in TRADITIONAL_PLACES for part in parts[1:])
    return "zh-Hant" if traditional else "zh-Hans"


def system_language(environment: Mapping[str, str] = os.environ) -> Language:
    """From LC_ALL, LC_MESSAGES or LANG, the first that is set; English where the output has no Chinese characters."""
    name = next((found for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (found := environment.get(name))), "")
    if not name and sys.platform == "win32":
        import locale

        name = locale.getlocale()[0] or ""
    language = language_of(name)
    try:
        SAMPLE.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return "en"
    return language


def take_language(arguments: list[str]) -> tuple[Language, list[str]]:
    """The language of a command, and its arguments without `--language`: help and errors need it before the parser.

    >>> take_language(["--level", "3", "--language", "zh-Hant"]), take_language(["--language=en"])
    (('zh-Hant', ['--level', '3']), ('en', []))
    """
    for index, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name != "--language":
            continue
        following = index + 1 + (not equals)
        wanted = value if equals else "".join(arguments[index + 1 : following])
        found = next((language for language in LANGUAGES if language == wanted), None)
        if found is None:
            fault = Message("cli.choice", name="--language", text=wanted, choices=", ".join(LANGUAGES))
            print(fault.text(system_language()), file=sys.stderr)
            raise SystemExit(2)
        return found, arguments[:index] + arguments[following:]
    return system_language(), arguments


class Speaker:
    """Says messages in one language: ``speaker("play.side")``."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def __call__(self, code: str, /, **arguments: Argument) -> str:
        return Message(code, **arguments).text(self.language)
