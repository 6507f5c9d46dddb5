"""The page's texts: one table for each language, and every key that is used is in both."""

import re

import pytest

from engine import IllegalMoveError, Position
from engine._core import TERM_NAMES
from play.web.messages import REQUESTS
from play.web.server import STATIC

KEY = re.compile(r'(?:^|[{,\s])(?:"([\w-]+)"|(\w+)):\s+"')


def keys(language: str) -> list[str]:
    text = (STATIC / f"{language}.js").read_text(encoding="utf-8")
    table = text[text.index("{") : text.index("\n};")]
    return ["".join(found) for found in KEY.findall(table)]


def scripts() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js")))


def test_both_languages_have_the_same_keys_once() -> None:
    english, chinese = keys("en"), keys("zh")
    assert len(english) > 150
    assert len(set(english)) == len(english)
    assert sorted(english) == sorted(chinese)


def test_every_key_that_is_used_is_there() -> None:
    used = set(re.findall(r'\bt\("([\w-]+)"', scripts()))
    used |= set(re.findall(r'data-(?:t|label)="(\w+)"', (STATIC / "index.html").read_text(encoding="utf-8")))
    assert len(used) > 100
    assert used - set(keys("en")) == set()


def test_every_request_that_the_page_makes_is_known() -> None:
    asked = set(re.findall(r'\bask\("(\w+)"', scripts()))
    assert asked | {"hello"} == set(REQUESTS)


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("", "b0d1"), ("", "a0a3"), ("", "a0a4"), ("", "e3e2"), ("", "e3d3"), ("", "c0c2"), ("", "d0d1"), ("", "e0f1"),
        ("", "h2h8"), ("", "a5a6"), ("", "a9a8"), ("", "b0b1"), ("", "a3a5"), ("", "a0b1"),
        ("4k4/9/9/9/4p4/4P4/9/9/9/4K4 w", "e4e4"), ("4k4/9/9/9/9/4P4/9/4r4/9/3AK4 w", "e4d4"),
        ("3k5/9/9/9/9/9/9/9/9/3AK4 w", "d0c1"), ("4k4/9/9/9/9/4C4/9/9/9/4K4 w", "e4a4"),
    ],
)  # fmt: skip
def test_reasons_are_said_in_chinese_too(fen: str, move: str) -> None:
    """Each sentence of the law that the server can send fits one of the page's patterns."""
    text = (STATIC / "zh.js").read_text(encoding="utf-8")
    patterns = [re.compile(found) for found in re.findall(r"^  \[/(.*)/, \"", text, re.MULTILINE)][3:]
    position = Position(fen) if fen else Position()
    with pytest.raises(IllegalMoveError) as caught:
        position.push(move)
    reason = str(caught.value).split(": ", 1)[1]
    assert any(pattern.match(reason) for pattern in patterns), reason


def test_the_evaluations_terms_are_named_in_chinese() -> None:
    text = (STATIC / "zh.js").read_text(encoding="utf-8")
    (terms,) = re.findall(r"const TERMS = \{(.*?)\}", text, re.DOTALL)
    assert set(TERM_NAMES) <= {"".join(names) for names in re.findall(r'^  (?:"(.*?)"|(\w+)):', terms, re.MULTILINE)}
