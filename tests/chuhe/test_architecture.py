"""Every import points in one direction: the rooms have an order, and none imports from a later one."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from paths import PACKAGES, ROOT

from chuhe.bench.measuring.variant_speed import COMPARISONS
from chuhe.engine.values import OTHER_GAMES, XIANGQI
from chuhe.protocol.options import UCI_VARIANTS
from chuhe.variants.session import make_variant
from chuhe.variants.terminal import GAMES

MODULES = (".py", ".pyx", ".pxi", ".pxd")
# Each room may import itself and what stands before it: the engine reads no game file and asks no coach.
ORDER = (
    "text", "files", "pictures", "engine", "common", "records", "protocol", "variants", "coach", "bench", "play", "web",
    "commands",
)  # fmt: skip
TOP = len(ORDER)  # `chuhe` itself
CYTHON_IMPORT = re.compile(r"^\s*(?:from|import|cimport)\s+(chuhe[\w.]*)(?:\s+c?import\s+(\w+))?", re.MULTILINE)


def rank(module: str) -> int:
    """The place of `chuhe.…` in the order."""
    part = [*module.split("."), ""][1]
    return ORDER.index(part) if part in ORDER else TOP


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, anywhere in it, and every string that is the name of one."""
    text = path.read_text(encoding="utf-8")
    if path.suffix not in (".py", ".pyi"):
        for module, name in CYTHON_IMPORT.findall(text):
            yield f"{module}.{name}"
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"^chuhe\.\w[\w.:]*$", node.value)


def sources() -> list[Path]:
    """The files of all packages; `rglob` does not follow the links in `chuhe/`."""
    found = [path for package in PACKAGES for path in (ROOT / package).rglob("*")]
    return sorted(path for path in found if path.suffix in (*MODULES, ".pyi"))


def wrong_imports(path: Path, own: int) -> list[str]:
    return [name for name in imports(path) if re.match(r"chuhe\b", name) and rank(name) > own]


def test_imports_point_one_way() -> None:
    files = sources()
    assert len(files) > 250
    wrong = []
    for path in files:
        inside = path.relative_to(ROOT).as_posix().removeprefix("chuhe/")
        wrong += [f"{inside} imports {name}" for name in wrong_imports(path, rank(f"chuhe.{inside.split('/')[0]}"))]
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "def f():\n    from chuhe.bench.matches import match"),
        ("a.py", "import chuhe.play.terminal"),
        ("a.py", "from chuhe import play"),
        ("a.py", 'import_module("chuhe.bench.measuring.speed").main()'),
        ("a.pyx", "from chuhe.bench.learning._trainer cimport step"),
    ],
)
def test_an_import_upwards_is_found(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert len(wrong_imports(path, rank("chuhe.protocol.session"))) == 1


def test_the_map_shows_the_rooms_in_this_order_and_all_their_folders() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `([\w/]+)` \|", text, re.MULTILINE)
    rooms = [name.removeprefix("chuhe/") for name in named if name.count("/") == name.startswith("chuhe/")]
    assert rooms == [*ORDER, "tests", "docs", "examples", "release"]
    outside = [ROOT / room for room in ORDER if (ROOT / room).is_dir()]
    folders = {path for room in outside for path in room.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert {path.relative_to(ROOT).as_posix() for path in folders} <= set(named)


def test_every_package_has_its_part_of_every_game() -> None:
    assert set(COMPARISONS) == set(GAMES) == set(OTHER_GAMES)
    assert set(UCI_VARIANTS.values()) <= {XIANGQI, *OTHER_GAMES}
    for uci_name, game in UCI_VARIANTS.items():
        variant = make_variant(game)
        assert variant.name == game
        assert UCI_VARIANTS[variant.uci_name] == UCI_VARIANTS[uci_name]


def test_every_test_file_has_a_name_of_its_own() -> None:
    """pytest imports them by their bare name."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
