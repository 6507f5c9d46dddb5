"""Every transcript in tests/transcripts, with the engine started as a GUI starts it."""

from __future__ import annotations

from pathlib import Path

import pytest
from transcript import run_transcript

TRANSCRIPTS = sorted(Path(__file__).with_name("transcripts").glob("*.txt"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    run_transcript(path)


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) > 10
