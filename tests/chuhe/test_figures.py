"""The figures in the documents: each stands in `docs/lab/figures.json` alone, and belongs to the bundled network."""

from __future__ import annotations

import json
import re

import pytest
from figures import BLOCK, DOCUMENTS, SOURCE, checksum, filled
from paths import ROOT

DATA = json.loads(SOURCE.read_text(encoding="utf-8"))
AGAIN = "edit docs/lab/figures.json, then run: python tests/tools/figures.py"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_has_the_figures_of_the_one_place(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert BLOCK.search(text), "there is no room for figures"
    assert filled(text, DOCUMENTS[name], DATA) == text, AGAIN


def test_the_figures_are_those_of_the_bundled_network() -> None:
    assert DATA["network_crc"] == checksum(), f"the bundled network is another one ({checksum()}): {AGAIN}"


def test_the_figures_are_possible() -> None:
    for match in DATA["matches"]:
        elo, low, high = match["elo"]
        wins, _, losses = match["results"]
        assert low < elo < high
        assert (elo > 0) == (wins > losses)


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_readme_claims_no_strength_outside_the_table(name: str) -> None:
    text = BLOCK.sub("", (ROOT / name).read_text(encoding="utf-8"))
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    assert re.findall(r"[^\n]*(?:\d ?%|[+−]\d+ ?\[|Elo [+−]\d)[^\n]*", prose) == []
