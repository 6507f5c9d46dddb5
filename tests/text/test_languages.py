"""The tables of the languages: nothing is missing, nothing is left over, and every argument fits."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import traditional
from paths import PACKAGES, ROOT

from chuhe.engine import Position
from chuhe.engine._core import TERM_NAMES
from chuhe.engine.values import Reason
from chuhe.play.typed_commands import COMMANDS, TOPICS
from chuhe.text.languages import PLACE, render, table
from chuhe.text.message import LANGUAGES, File, Message, Point, PointMove, os_message
from chuhe.text.points import ICCS_POINTS, ROW_POINTS

STATIC = ROOT / "chuhe/web/static"
# whoever reads these may read Chinese: no plain text is raised or said here
TRANSLATED = [
    *(ROOT / "engine" / f"{name}.py" for name in ("position", "legality", "notation")),
    *(
        ROOT / "engine/endgame" / f"{name}.py"
        for name in ("__init__", "building", "material", "practice", "table_file")
    ),
    *sorted((ROOT / "chuhe/records").rglob("*.py")),
    *sorted((ROOT / "chuhe/web").glob("*.py")),
    ROOT / "chuhe/files/writing.py",
    *sorted((ROOT / "play").glob("*.py")),
    *(ROOT / "chuhe/commands" / f"{name}.py" for name in ("analyze", "book", "endgame", "judge")),
    ROOT / "chuhe/common/time_control.py",
]
CODE = re.compile(r"verbatim|[a-z]+(-[a-z]+)*\.[\w.-]+")
FOREIGN = ("ValueError", "TypeError", "OpponentError")  # for programmers; the words of another program
SAYING = ("Message", "tell", "say", "_say", "said")  # what takes a code first
DEVELOPERS = {"chuhe/web/messages.py", "chuhe/web/stored_room.py"}  # faults of the page's own code


class Use(NamedTuple):
    """A code in the source; `code` ends in * if only its beginning is known."""

    code: str
    arguments: frozenset[str] | None  # None: not known here
    where: str


def python_files() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def python_uses() -> Iterator[Use]:
    for path in python_files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name not in SAYING or not node.args:
                continue
            given = (
                None
                if any(word.arg is None for word in node.keywords)
                else frozenset(str(word.arg) for word in node.keywords)
            )
            yield from (Use(code, given, f"{path.name}:{node.lineno}") for code in _codes(node.args[0]))


def _codes(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value] if CODE.fullmatch(node.value) else []
    if isinstance(node, ast.JoinedStr):
        first = node.values[0]
        beginning = str(first.value) if isinstance(first, ast.Constant) else ""
        return [f"{beginning}*"] if re.fullmatch(r"[a-z.-]+\.", beginning) else []
    if isinstance(node, ast.IfExp):
        return _codes(node.body) + _codes(node.orelse)
    return []


def cython_uses() -> Iterator[Use]:
    for path in sorted((ROOT / "engine").rglob("*.p[xy][xi]")):
        if path.suffix not in (".pyx", ".pxi"):
            continue
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r'Message\("([\w.-]+)"', text):
            if match[1].endswith("."):
                yield Use(f"{match[1]}*", None, path.name)
                continue
            depth, end = 1, match.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            inner = re.sub(r"\([^()]*\)", "", text[match.end() : end - 1])
            yield Use(match[1], frozenset(re.findall(r"(\w+)=", inner)), path.name)


def page_uses() -> Iterator[Use]:
    """What is given to `t`; and every literal that is a code, because some are kept in tables."""
    for path in sorted(STATIC.glob("*.js")):
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r"\bt\((?:\w+(?:\(\))? \? )?([\"`])([\w.-]+)(\$\{)?", text):
            yield Use(match[2] + "*" * bool(match[3]), None, path.name)
        yield from (Use(code, None, path.name) for code in re.findall(r'"([\w.-]+)"', text) if code in table("en"))


# built from names of the program; the tests below find each of them
FAMILIES = {
    "term.": [f"term.{name.replace(' ', '-')}" for name in (*TERM_NAMES, "move")],
    "command.": [f"command.{name}" for name in COMMANDS],
    "topic.": [f"topic.{name}" for name in TOPICS],
    "reason.": [f"reason.{reason.value.replace(' ', '-')}" for reason in Reason],
}


def all_uses() -> list[Use]:
    return [*python_uses(), *cython_uses(), *page_uses()]


def places(text: str) -> set[str]:
    return {match[1] for match in PLACE.finditer(text)}


def test_every_language_has_every_text_and_no_other() -> None:
    english = set(table("en"))
    assert len(english) > 300
    for language in LANGUAGES:
        assert set(table(language)) == english, language
        assert all(text for text in table(language).values()), language


def test_the_traditional_texts_are_made_from_the_simplified_ones() -> None:
    """Otherwise: python tests/tools/traditional.py"""
    assert traditional.TARGET.read_text(encoding="utf-8") == traditional.traditional()


def test_every_code_that_is_used_has_a_text_and_the_rest_is_not_kept() -> None:
    uses = all_uses()
    known = set(table("en"))
    exact = {use.code for use in uses if not use.code.endswith("*")}
    families = {use.code[:-1] for use in uses if use.code.endswith("*")} | {"os.", "cli."}
    assert {use for use in uses if not use.code.endswith("*") and use.code not in known} == set()
    assert {family for family in families if not any(code.startswith(family) for code in known)} == set()
    unused = {code for code in known - exact if not any(code.startswith(family) for family in families)}
    assert unused == set()
    for family, members in FAMILIES.items():
        assert set(members) <= known
        assert family == "reason." or {code for code in known if code.startswith(family)} == set(members)


def test_arguments_fit_the_texts() -> None:
    """A place without an argument would stay in the sentence; an argument that no language uses is a mistake."""
    for use in all_uses():
        if use.arguments is None or use.code.endswith("*"):
            continue
        wanted = set.union(*(places(table(language)[use.code]) for language in LANGUAGES))
        assert wanted == use.arguments, use


def test_the_languages_use_the_same_arguments() -> None:
    """A language may leave an argument out, if its sentence says it otherwise; none may add one."""
    given: dict[str, frozenset[str]] = {use.code: use.arguments for use in all_uses() if use.arguments is not None}
    for code, english in table("en").items():
        for language in LANGUAGES:
            extra = places(table(language)[code]) - places(english) - given.get(code, frozenset())
            assert not extra, f"{language} {code}"


def test_chinese_is_chinese_in_the_right_script() -> None:
    """No English sentence stays in a Chinese table, and no character of the other script."""
    simplified, traditional = table("zh-Hans"), table("zh-Hant")
    for texts in (simplified, traditional):
        english = {code for code, text in texts.items() if re.search("[a-z]{2}", PLACE.sub("", text))}
        plain = {code for code in english if not re.search("[一-鿿]", texts[code])}
        assert plain == {"command.players", "elo"}  # words that are typed, a name
    # the national character sets hold one script each
    assert {code for code, text in simplified.items() if _foreign(text, "gb2312")} == {"notation.traditional"}
    assert {code for code, text in traditional.items() if _foreign(text, "big5")} == {"notation.chinese"}


def _foreign(text: str, encoding: str) -> str:
    """The Chinese characters that an encoding does not have."""
    return "".join(char for char in re.findall("[一-鿿]", text) if not char.encode(encoding, "ignore"))


def test_no_plain_text_is_raised_where_people_read_it() -> None:
    """An error gets a `Message`, not a text: `raise GameError(Message("game.over", …))`."""
    for path in TRANSLATED:
        if path.relative_to(ROOT).as_posix() in DEVELOPERS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call) or not node.exc.args:
                continue
            name = getattr(node.exc.func, "id", "")
            first = node.exc.args[0]
            plain = isinstance(first, ast.JoinedStr) or (
                isinstance(first, ast.Constant) and isinstance(first.value, str)
            )
            assert not (plain and name.endswith("Error") and name not in FOREIGN), (
                f"{path.name}:{node.lineno}: {ast.unparse(node)}"
            )


# --- sentences


def test_a_message_is_said_in_every_language_and_notation() -> None:
    with pytest.raises(ValueError, match="c0") as caught:
        Position().push("b0d1")
    message = caught.value.message  # type: ignore[attr-defined]
    assert message.text("zh-Hans") == "b0d1：马腿被 c0 的红相蹩住"
    assert message.text("zh-Hant", ROW_POINTS) == "b0d1：馬腿被 J3 的紅相蹩住"
    assert Message.from_json(message.to_json()) == message


def test_numbers_choose_their_word() -> None:
    assert [render(Message("outcome.move-limit", count=count)) for count in (1, 60)] == [
        "1 move without a capture: draw",
        "60 moves without a capture: draw",
    ]


def test_lists_files_and_moves_are_worded() -> None:
    pieces = [Message("outcome.piece-on", kind=Message("kind.n"), point=Point(square)) for square in (20, 64)]
    message = Message("outcome.perpetual-chase", side=Message("side.red"), pieces=pieces)
    assert str(message) == "Red chases the knight on c2 and the knight on b7 with every move: Red loses"
    assert message.text("zh-Hans") == "红方长捉 c2 的马和 b7 的马，判负"
    assert str(Message("move.kings-would-face", file=File(4))) == "the two kings would face each other on file e"
    assert "H8,H5" in Message("game.perpetual", move=PointMove((25, 22)), reason="x").text(points=ROW_POINTS)


def test_the_systems_errors_are_said_in_the_readers_language() -> None:
    assert os_message(OSError(28, "No space left on device")).text("zh-Hans") == "磁盘已满"
    assert str(os_message(OSError(28, "No space left on device"))) == "No space left on device"
    assert str(os_message(OSError(9999, "odd"))) == "odd"


def test_an_unknown_code_is_shown_as_it_is() -> None:
    assert str(Message("no.such-code")) == "no.such-code"


@pytest.mark.parametrize("case", json.loads((ROOT / "tests/data/messages.json").read_text(encoding="utf-8")))
def test_messages_are_worded_as_the_page_words_them(case: dict[str, Any]) -> None:
    """The page does the same cases: tests/web/test_web_browser_language.py."""
    points = ROW_POINTS if case["notation"] == "rows" else ICCS_POINTS
    message = Message.from_json(case["message"])
    assert {language: message.text(language, points) for language in LANGUAGES} == case["texts"]
