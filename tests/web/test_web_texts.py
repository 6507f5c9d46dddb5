"""The contract between page and server: its requests, the types of its messages, and the texts that it uses."""

import re

import page_types
from paths import ROOT

from chuhe.records.game_tree import GameTree
from chuhe.records.pgn import parse_pgn
from chuhe.text.languages import table
from chuhe.web.messages import REQUESTS
from chuhe.web.server import STATIC
from chuhe.web.state import Texts, tree_json


def scripts() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js")))


def test_every_request_that_the_page_makes_is_known() -> None:
    asked = set(re.findall(r'\bask\("(\w+)"', scripts()))
    assert asked | {"hello"} <= set(REQUESTS)


def test_the_pages_types_are_those_of_the_server() -> None:
    """Otherwise: python tests/tools/page_types.py"""
    assert page_types.TARGET.read_text(encoding="utf-8") == page_types.page_types()


def test_index_html_loads_every_script_ahead() -> None:
    loaded = set(re.findall(r'href="/static/(\w+\.js)"', (STATIC / "index.html").read_text(encoding="utf-8")))
    assert loaded == {path.name for path in STATIC.glob("*.js")} - {"main.js"}


def test_the_page_is_light() -> None:
    """What a browser loads for one language, in bytes before compression."""
    from chuhe.text.languages import page_table
    from chuhe.text.message import LANGUAGES
    from chuhe.web.server import drawing

    files = sum(path.stat().st_size for path in STATIC.iterdir())
    assert files + len(drawing()) + max(len(page_table(name).encode()) for name in LANGUAGES) < 300 * 1024


def test_the_page_gets_every_text_that_it_or_the_server_uses() -> None:
    """What is left out is said by commands alone: no module of the server and no script names it."""
    from chuhe.text.languages import COMMANDS

    sources = [
        *STATIC.glob("*.js"),
        STATIC / "index.html",
        *(ROOT / "chuhe/web").glob("*.py"),
        *(ROOT / "chuhe/coach/practice").glob("*.py"),
    ]
    commands = {"serve.py", "terminal.py"}
    for path in sources:
        if path.name not in commands:
            named = re.findall(r"[\"'`]([a-z]+(?:-[a-z]+)*\.[a-z][\w.-]*)", path.read_text(encoding="utf-8"))
            assert [code for code in named if code in table("en") and COMMANDS.match(code)] == [], path.name


def test_the_page_gets_every_glyph_of_a_move() -> None:
    tree = GameTree.from_record(parse_pgn("1. C2=5! $14 $200 H8+7 *")[0])
    nodes = tree_json(tree, Texts(), {})["nodes"]
    assert [(node.get("mark"), node.get("glyphs")) for node in nodes] == [(None, None), ("!", "⩲ $200"), (None, None)]
