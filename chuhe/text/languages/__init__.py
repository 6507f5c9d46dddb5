"""The tables of the languages, one JSON file each, and how a message becomes a sentence.

In a text, ``{name}`` is an argument and ``{name|one|many}`` the word for its number. The page has the same rules in
``chuhe/web/static/i18n.js``.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from chuhe.text.message import Argument, File, Language, Message, Point, PointMove
from chuhe.text.points import FILES, ICCS_POINTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chuhe.text.points import PointNames

# what no page asks for
COMMANDS = re.compile(r"([a-z]+-help|about|bar|cli|command|example|idle|serve|topic|unreadable|variant)\.")
PLACE = re.compile(r"\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}")


@cache
def table(language: Language) -> Mapping[str, str]:
    """The texts of a language by code."""
    path = files("chuhe.text.languages").joinpath(f"{language}.json")
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return found


def page_table(language: Language) -> str:
    """The texts of a language that the page may show, as JSON: without those of the terminal and the commands."""
    texts = {code: text for code, text in table(language).items() if not COMMANDS.match(code)}
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":"))


def render(message: Message, language: Language = "en", points: PointNames | None = None) -> str:
    """The message as a sentence. A code that is not in the tables is shown as it is.

    >>> render(Message("game.resigns", side=Message("side.red")), "zh-Hans")
    '红方认输'
    """
    names = points or ICCS_POINTS
    text = table(language).get(message.code)
    if text is None:
        return message.code

    def place(match: re.Match[str]) -> str:
        name, one, many = match.groups()
        value = message.arguments.get(name, match[0])
        if one is not None:
            return one if value == 1 else many
        return _said(value, language, names)

    return PLACE.sub(place, text)


def _said(value: Argument, language: Language, points: PointNames) -> str:
    if isinstance(value, Message):
        return render(value, language, points)
    if isinstance(value, Point):
        return points.point(value)
    if isinstance(value, File):
        if points.by_rows:
            return render(Message("point.column", number=value % 9 + 1), language, points)
        return render(Message("point.file", letter=FILES[value % 9]), language, points)
    if isinstance(value, PointMove):
        comma = "," if points.by_rows else ""
        return f"{points.point(value[0])}{comma}{points.point(value[1])}"
    if isinstance(value, (str, int, float)):
        return str(value)
    *first, last = (_said(part, language, points) for part in value)
    and_ = table(language)["list.and"]
    comma = table(language)["list.comma"]
    return f"{comma.join(first)}{and_}{last}" if first else last
