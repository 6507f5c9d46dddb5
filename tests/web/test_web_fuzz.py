"""Tabs that ask for anything at any time; `python tests/tools/fuzz_round.py --page` runs a long round."""

import asyncio
from pathlib import Path

import pytest
from page_fuzz import hostile_messages, random_requests


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_requests_never_break_the_server(tmp_path: Path, seed: int) -> None:
    asyncio.run(random_requests(tmp_path, seed, 150))


@pytest.mark.parametrize("seed", [1, 2])
def test_hostile_messages_get_a_documented_error_or_none(
    tmp_path: Path, seed: int, capfd: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(hostile_messages(tmp_path, seed, 300))
    assert "Traceback" not in capfd.readouterr().err
