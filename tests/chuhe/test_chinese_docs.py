"""The Chinese README and guides say the same as the English ones: headings, commands, options, links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from paths import ROOT

PAIRS = {
    "README.md": "README.zh-CN.md",
    "docs/play.md": "docs/zh/play.md",
    "docs/gui.md": "docs/zh/gui.md",
    "docs/books.md": "docs/zh/books.md",
    "docs/endgames.md": "docs/zh/endgames.md",
    "docs/web.md": "docs/zh/web.md",
    "docs/notation.md": "docs/zh/notation.md",
    "docs/law.md": "docs/zh/law.md",
    "docs/coach.md": "docs/zh/coach.md",
}
CHINESE_ONLY = {path for path in PAIRS.values() if path.startswith("docs/zh/")}


def english(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def chinese(path: str) -> str:
    return (ROOT / PAIRS[path]).read_text(encoding="utf-8")


def headings(text: str) -> list[str]:
    outside = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return re.findall(r"^(#+) ", outside, re.MULTILINE)


def commands(text: str) -> list[str]:
    """The lines of the shell examples without their comments. What a command prints may differ."""
    blocks = re.findall(r"```(sh|console)\n(.*?)```", text, re.DOTALL)
    lines = [(kind, re.sub(r"\s+#.*", "", line).strip()) for kind, block in blocks for line in block.splitlines()]
    return [line for kind, line in lines if line and (kind == "sh" or line.startswith("$ "))]


def options(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))


def code(text: str) -> set[str]:
    """What stands in backticks, if it is something to type: no placeholders in a human language."""
    outside = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return set(re.findall(r"`([^`\n]+)`", outside))


def links(path: Path, text: str) -> set[str]:
    found = re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", text)
    return {(path.parent / link).resolve().relative_to(ROOT).as_posix() for link in found if "://" not in link}


@pytest.mark.parametrize("path", PAIRS)
def test_the_headings_are_the_same(path: str) -> None:
    assert headings(chinese(path)) == headings(english(path))


@pytest.mark.parametrize("path", PAIRS)
def test_the_commands_are_the_same(path: str) -> None:
    assert commands(chinese(path)) == commands(english(path))


@pytest.mark.parametrize("path", PAIRS)
def test_the_options_and_words_to_type_are_the_same(path: str) -> None:
    assert options(chinese(path)) == options(english(path))
    assert code(chinese(path)) == code(english(path))


@pytest.mark.parametrize("path", PAIRS)
def test_the_links_lead_to_the_same_places(path: str) -> None:
    """Or to the Chinese version of the place; the files exist."""
    there = {PAIRS.get(link, link) for link in links(ROOT / path, english(path))}
    here = {PAIRS.get(link, link) for link in links(ROOT / PAIRS[path], chinese(path))}
    assert all((ROOT / link).exists() for link in here)
    here = {link.replace("-zh.png", ".png") for link in here}
    assert here - CHINESE_ONLY == there - CHINESE_ONLY


def test_each_language_links_to_the_other_at_the_top() -> None:
    for path in PAIRS:
        assert "](" in (ROOT / path).read_text(encoding="utf-8").split("\n")[2]
        assert "English" in chinese(path).split("\n")[2]
