"""The public package: what it exports, its lazy imports, and `python -m chuhe`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import chuhe
import engine
from engine.version import VERSION

ROOT = Path(__file__).resolve().parent.parent


def run(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=60, check=True
    )
    return done.stdout.strip()


def test_every_export_is_there() -> None:
    names = dir(chuhe)
    assert {"Position", "Move", "Engine", "Limits", "notation", "pgn", "Client", "__version__"} <= set(names)
    for name in names:
        assert getattr(chuhe, name) is not None
    assert chuhe.Position is engine.Position
    assert chuhe.__version__ == VERSION


def test_a_name_that_is_not_exported_is_named() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Positoin'"):
        chuhe.Positoin  # noqa: B018


def test_importing_it_loads_nothing_of_the_engine() -> None:
    assert run("-c", "import chuhe, sys; print([name for name in sys.modules if name.startswith('engine')])") == "[]"


def test_star_import_brings_the_exports() -> None:
    assert run("-c", "from chuhe import *; print(len(Position().legal_moves), __version__)") == f"44 {VERSION}"


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_the_version_is_printed(flag: str) -> None:
    assert run("-m", "chuhe", flag) == f"chuhe {VERSION}"
