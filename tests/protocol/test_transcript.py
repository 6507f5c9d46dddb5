"""The transcript runner itself: it must detect every kind of mismatch."""

from __future__ import annotations

from pathlib import Path

import pytest
from transcript import matches, run_transcript


def test_patterns() -> None:
    assert matches("readyok", "readyok")
    assert not matches("readyok", "readyok!")
    assert matches("a*c", "abc")
    assert matches("/a.c/", "abc")
    assert not matches("a.c", "abc")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("> ucci\n< id name Someone else", "2: .*Chuhe"),
        ("> ucci\n< ...\n< ucciok\n> quit\n< bye\n=! 1", "exit code 0"),
        ("> ucci\n> quit\n< ...\n< nosuchline\n", "has ended"),
        ("? what", "what is"),
    ],
)
def test_faults_are_found(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "dialogue.txt"
    path.write_text(text)
    with pytest.raises(AssertionError, match=complaint):
        run_transcript(path)
