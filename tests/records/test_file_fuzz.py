"""A short, fixed run of the fuzzer of files and lines; `python tests/tools/fuzz_round.py` runs a long one."""

from __future__ import annotations

from pathlib import Path

import pytest
from file_fuzz import FileFuzzer


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory: pytest.TempPathFactory) -> FileFuzzer:
    return FileFuzzer(tmp_path_factory.mktemp("fuzz"), 22)


@pytest.mark.parametrize("kind", ["protocol", "networks", "tables", "games", "checkpoints", "records"])
def test_damage_is_an_error_or_does_no_harm(
    fuzzer: FileFuzzer, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(60):
        fuzzer.step(kind)
    tried, worked = fuzzer.counts[kind]
    assert 0 <= worked < tried
