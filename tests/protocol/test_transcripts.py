"""Every transcript in tests/transcripts, with the engine started as a GUI starts it."""

from __future__ import annotations

from pathlib import Path

import pytest
from paths import TESTS
from transcript import run_transcript

TRANSCRIPTS = sorted((TESTS / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    run_transcript(path)


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) > 10
