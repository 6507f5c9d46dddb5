"""The contract between page and server: its requests, the types of its messages, and the texts that it uses."""

import re

import page_types

from chuhe.engine.languages import table
from chuhe.play.web.messages import REQUESTS
from chuhe.play.web.server import STATIC


def scripts() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js")))


def test_every_request_that_the_page_makes_is_known() -> None:
    asked = set(re.findall(r'\bask\("(\w+)"', scripts()))
    assert asked | {"hello"} <= set(REQUESTS)


def test_the_pages_types_are_those_of_the_server() -> None:
    """Otherwise: python tests/tools/page_types.py"""
    assert page_types.TARGET.read_text(encoding="utf-8") == page_types.page_types()


def test_index_html_uses_known_texts() -> None:
    used = re.findall(r'data-(?:t|label)="([\w.-]+)"', (STATIC / "index.html").read_text(encoding="utf-8"))
    assert len(used) > 10
    assert set(used) <= set(table("en"))


def test_the_page_is_light() -> None:
    """What a browser loads for one language, in bytes before compression."""
    from chuhe.engine.languages import table_text
    from chuhe.engine.message import LANGUAGES
    from chuhe.play.web.server import drawing

    files = sum(path.stat().st_size for path in STATIC.iterdir())
    assert files + len(drawing()) + max(len(table_text(name).encode()) for name in LANGUAGES) < 300 * 1024
