"""docs/architecture.md lists every module of every package exactly once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("chuhe", "engine", "protocol", "bench", "play")
MODULES = (".py", ".pyx", ".pxi", ".pxd")
GENERATED = {"engine/core": {"tunables"}}  # by the build


def mapped() -> dict[str, Counter[str]]:
    """The names of each folder's table."""
    found: dict[str, Counter[str]] = {}
    folder = ""
    for line in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines():
        if header := re.match(r"\| module \(`([\w/]+)/`\)", line):
            folder = header[1]
            assert folder not in found, f"{folder} has two tables"
            found[folder] = Counter()
        elif not line.startswith("|"):
            folder = ""
        elif folder and not line.startswith("|---"):
            found[folder].update(re.findall(r"`(\w+)`", line.split("|")[1]))
    return found


def folders() -> list[str]:
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.suffix in MODULES]
    return sorted({path.parent.relative_to(ROOT).as_posix() for path in files})


@pytest.mark.parametrize("folder", folders())
def test_every_module_stands_in_the_map_once(folder: str) -> None:
    modules = {path.stem for path in (ROOT / folder).iterdir() if path.suffix in MODULES} - {"__init__"}
    names = mapped().get(folder, Counter())
    assert set(names) == modules | GENERATED.get(folder, set())
    assert max(names.values(), default=1) == 1
