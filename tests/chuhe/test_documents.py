"""The documents: every command is one that its parser takes, the cheap ones run as shown, and links lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_parsers import COMMANDS, parser_of
from paths import ROOT

from chuhe import cli
from chuhe.commands.engine import _read_arguments

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
PLACEHOLDER = re.compile(r"…|\bN\b|FILE|NAME|\$\w")


def lines_of(path: Path) -> list[str]:
    """What a reader would type: lines of code blocks that begin with `chuhe`, continued lines joined."""
    found = []
    for kind, block in BLOCK.findall(path.read_text(encoding="utf-8")):
        lines = block.replace("\\\n", " ").splitlines() if kind in ("", "sh", "console") else []
        if any(line.startswith("$ ") for line in lines):  # the other lines are what is printed
            lines = [line[2:] for line in lines if line.startswith("$ ")]
        found += [line.strip() for line in lines]
    return [line for line in found if re.match(r"chuhe(\s|$)", line) and not PLACEHOLDER.search(line)]


CASES = [
    pytest.param(line, id=f"{path.relative_to(ROOT)}: {line[:60]}") for path in DOCUMENTS for line in lines_of(path)
]


@pytest.mark.parametrize("line", CASES)
def test_every_command_line_is_understood(line: str) -> None:
    words = shlex.split(line, comments=True)[1:]
    for stop in ("|", ">", "<", "&&", "2>"):
        words = words[: words.index(stop)] if stop in words else words
    if not words or words[0].startswith("-"):
        if words not in (["--version"], ["--help"]):
            _read_arguments(words)
        return
    if words[0] in ("options", "help"):
        return
    command = next(
        name for name in sorted(COMMANDS, key=len, reverse=True) if words[: len(name.split())] == name.split()
    )
    parser_of(command).parse_args(words[len(command.split()) :])


def test_there_are_lines_to_read() -> None:
    assert len(CASES) > 60


def heading_anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_and_file_exists(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), link
        assert not anchor or anchor in heading_anchors(target), link
    folders = "engine|protocol|bench|play|chuhe|tests|docs|release"
    for name in re.findall(rf"`((?:{folders})/[\w./-]+)`", text):
        assert (ROOT / name).exists(), name


def prose(path: Path) -> list[str]:
    """The lines outside code blocks and tables, without what cannot be broken: links and code."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [line for line in text.splitlines() if not line.startswith(("|", "<!--")) and " " in line.strip("- ")]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_lines_of_prose_are_short(path: Path) -> None:
    assert [line for line in prose(path) if len(line) > 120] == []


def test_the_index_has_every_document_once() -> None:
    index = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    listed = re.findall(r"\]\(((?:lab/)?\w+\.md)\)", index)
    found = [path.relative_to(ROOT / "docs").as_posix() for path in DOCUMENTS if path.is_relative_to(ROOT / "docs")]
    assert sorted(listed) == [name for name in sorted(found) if name != "README.md" and not name.startswith("zh/")]


def test_the_draughts_sample_prints_what_it_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs/games.md").read_text(encoding="utf-8")
    board, shown = re.findall(r"\$ cat board\.txt\n(.*?)\$ chuhe draughts board\.txt\n(.*?)```", text, re.S)[0]
    (tmp_path / "board.txt").write_text(board, encoding="utf-8")
    assert cli.main(["draughts", str(tmp_path / "board.txt")]) == 0
    printed = capsys.readouterr().out.splitlines()
    wanted = [line for line in shown.splitlines() if line != "…"]
    rest = iter(printed)
    assert all(line in rest for line in wanted), "in this order"
    assert (printed[:4], printed[-1]) == (wanted[:4], wanted[-1])


def test_the_lines_of_training_md_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for seed, name in enumerate(("a.games", "b.games")):
        quick = f"--games 3 --seed {seed} --nodes 30 --longest 16 --hash 1 --evaluation classical"
        assert cli.main(["selfplay", "--output", name, *quick.split()]) == 0
    for line in lines_of(ROOT / "docs/training.md"):
        if re.match(r"chuhe data (join|shuffle|split)", line):
            assert cli.main(shlex.split(line, comments=True)[1:]) == 0, capsys.readouterr().err


READMES = {"README.md": "en_US.UTF-8", "README.zh-CN.md": "zh_CN.UTF-8"}
EXAMPLE = re.compile(r"^```console\n\$ (.*)\n((?:.*\n)*?)```", re.MULTILINE)
SHOWN = [
    pytest.param(*example, locale, id=f"{name}: {example[0][:40]}")
    for name, locale in READMES.items()
    for example in EXAMPLE.findall((ROOT / name).read_text(encoding="utf-8"))
]


def masked(text: str) -> str:
    """Without numbers and moves, which another network or machine changes."""
    return re.sub(r"[-+]?\d[\d,.]*", "#", re.sub(r"\b(?:(?:[a-i]\d){2}\b ?)+", "moves ", text))


@pytest.mark.parametrize(("command", "shown", "locale"), SHOWN)
def test_the_readme_shows_what_a_command_prints(command: str, shown: str, locale: str, tmp_path: Path) -> None:
    """`…` stands for any lines. Fewer and shorter games than shown: how many there are does not change the form."""
    quick = command.replace("--nodes 2000 --games 20", "--nodes 100 --games 2")
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    home = {"HOME": str(tmp_path), "PATH": tools, "LC_ALL": locale, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-c", quick], cwd=tmp_path, env={**os.environ, **home}, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    lines = ("(?:.*\n)*?" if line == "…" else re.escape(masked(line)) + "\n" for line in shown.splitlines())
    assert re.fullmatch("".join(lines), masked(done.stdout)), masked(done.stdout)


def test_the_readmes_are_short_and_have_an_example_of_every_kind() -> None:
    assert len(SHOWN) == 2 * 4
    assert max(len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in READMES) <= 150


def test_the_readme_names_every_extra() -> None:
    table = (ROOT / "pyproject.toml").read_text(encoding="utf-8").split("optional-dependencies]")[1].split("\n[")[0]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    users = [name for name in re.findall(r"^(\w+) = \[", table, re.M) if name not in ("test", "dev")]
    assert [name for name in users if f"`{name}`" not in text] == []
