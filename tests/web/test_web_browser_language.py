"""The page in Chinese, in a real browser: no English text is left on it, in either script."""

from __future__ import annotations

import json
import re

import pytest
from browser import Open, Screen
from paths import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]

# names, units and what is typed; everything else on the page must be Chinese
KNOWN = set(
    "Chuhe PGN FEN XQF UBB CBL CBR CBF ICCS WXF Elo LOS HomeEnd Home End Space Enter Esc MB SVG PNG English".split()
)
SEEN = """() => {
  const texts = [document.body.innerText];
  for (const node of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    texts.push(node.getAttribute('aria-label'), node.title, node.getAttribute('placeholder'));
  return texts.filter(Boolean).join('\\n');
}"""


def english(screen: Screen) -> set[str]:
    return set(re.findall(r"[A-Za-z]{3,}", screen.page.evaluate(SEEN))) - KNOWN


@pytest.mark.parametrize(("language", "word"), [("zh-Hans", "对弈"), ("zh-Hant", "對弈")])
def test_nothing_is_left_in_english(open_game: Open, language: str, word: str) -> None:
    screen = open_game(preferences={"language": "en", "notation": None, "pieces": None})
    page = screen.page
    page.click("#open-settings")
    screen.choose("language", language)
    page.wait_for_selector(f"#place-play:has-text('{word}')")
    page.keyboard.press("Escape")
    screen.act("new")
    assert english(screen) == set()
    screen.begin_game("human")
    screen.click_move("h2e2")
    page.wait_for_selector(".move:has-text('炮二平五')")  # notation and pieces follow the language
    page.wait_for_selector(
        f"use[href='#{'simplified' if language == 'zh-Hans' else 'traditional'}-red-k']", state="attached"
    )
    assert page.title() == page.inner_text("h1").strip() == "楚河"
    assert english(screen) == set()
    for button in ("#open-settings", "#open-help", "#open-files", "more"):
        if button == "more":
            screen.act(button)
        else:
            page.click(button)
        page.wait_for_selector("dialog[open]")
        assert english(screen) == set(), button
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
    screen.mode("analyse")
    page.wait_for_selector("#lines .line")
    page.click("#tab-evaluation")
    page.wait_for_selector("#evaluation td")
    assert english(screen) == set()
    screen.mode("practise")
    page.wait_for_selector("#practice-goal")
    assert english(screen) == set()
    screen.mode("games")
    page.wait_for_selector("#games")
    assert english(screen) == set()
    screen.mode("setup")
    page.click("#clear")
    page.wait_for_selector("#setup-verdict.bad")
    assert english(screen) == set()


WORDED = """async cases => {
  const [{ loadLanguage, said }, { CHOICES, change }] =
    await Promise.all([import("/static/i18n.js"), import("/static/settings.js")]);
  const found = cases.map(() => ({}));
  for (const language of CHOICES.language) {
    change({ language });
    await loadLanguage();
    cases.forEach(({ notation, message }, index) => {
      change({ notation });
      found[index][language] = said(message);
    });
  }
  return found;
}"""


def test_messages_are_worded_as_in_the_terminal(open_game: Open) -> None:
    """The terminal does the same cases: tests/text/test_languages.py."""
    cases = json.loads((ROOT / "tests/data/messages.json").read_text(encoding="utf-8"))
    assert open_game().page.evaluate(WORDED, cases) == [case["texts"] for case in cases]


def test_shares_of_results_add_up_to_a_hundred(open_game: Open) -> None:
    """Regression: 47 + 40 + 13 % were shown."""
    shares = [[475, 395, 130], [334, 333, 333], [1000, 0, 0], [5, 5, 990]]
    found = open_game().page.evaluate(
        "async shares => shares.map((await import('/static/place_analyse.js')).percentages)",
        shares,
    )
    assert [sum(each) for each in found] == [100] * len(shares)
    assert found[:2] == [[48, 39, 13], [34, 33, 33]]
