"""Match files mutated in hundreds of ways: each is accepted, or refused in one line that names the file."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_parsers import exit_code

from chuhe.bench.matches.config import ConfigError, read_matches, to_toml
from chuhe.commands.match import main

WHOLE = """\
name = "cup"
output = "out"
games = 4
control = "10+0.1"
order = "random"
seed = 3
format = "roundrobin"
concurrency = 2
ponder = false
margin = 100
hang = 60000
notation = "iccs"
report = false

[law]
occurrences = 3
move_limit = 60
repetition = "wxf"
material = true

[adjudication]
draw_from = 40
draw_moves = 8
draw_score = 10
resign_moves = 3
resign_score = 800
resign_alone = false
max_moves = 200

[sprt]
elo0 = 0
elo1 = 5
alpha = 0.05
beta = 0.05

[[engine]]
name = "a"
command = "/no/such/engine"
protocol = "ucci"
options = { Hash = 16, Style = "wild" }
odds = 0.5
control = "20+0.2"
restart = true

[[engine]]
name = "b"
command = ["/no/such/engine", "--fast"]
directory = "/tmp"
"""
VALUES = (
    '""', '"foo"', '"ICCS"', '"false"', '"a\\u0000b"', '"a\\nb"', '"../../x"', '"10+0.1"', '"9999999999999/1"',
    "0", "1", "2", "-1", "-1000", "2.0", "1.5", "1e400", "inf", "-inf", "nan", "9223372036854775808",
    "99999999999999999999999999", "true", "false", "[]", "[1]", '["a"]', '[["a"]]', "{}", "{ a = 1 }",
    "1979-05-27", "07:32:00",
)  # fmt: skip
SEEDS = 150  # seeds for random byte changes


def changed_values() -> Iterator[str]:
    """Every key with every value, and with its line removed."""
    lines = WHOLE.splitlines()
    for index, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        if equals:
            for value in VALUES:
                yield "\n".join([*lines[:index], f"{key} = {value}", *lines[index + 1 :]])
        yield "\n".join([*lines[:index], *lines[index + 1 :]])
        yield "\n".join([*lines[:index], line, *lines[index:]])
    for old, new in (("[[engine]]", "[engine]"), ("[law]", "[[law]]"), ("[sprt]", "[match]"), ("[sprt]", "[[match]]")):
        yield WHOLE.replace(old, new)
    yield WHOLE + "\n[[match]]\nplayers = [1, 2]\n"
    yield WHOLE + "\n[[match]]\nplayers = 3\n[[match]]\nname = 'x'\n"
    yield WHOLE + "\nx = " + "[" * 5000


def changed_bytes() -> Iterator[bytes]:
    whole = WHOLE.encode()
    for seed in range(SEEDS):
        generator = random.Random(seed)
        data = bytearray(whole)
        for _ in range(generator.randint(1, 4)):
            place = generator.randrange(len(data))
            data[place : place + generator.randint(0, 3)] = generator.choice(
                [b"", b'"', b"[", b"\xff", b"=", b"9", b"\n"]
            )
        yield bytes(data)
    for cut in range(0, len(whole), 7):
        yield whole[:cut]


def test_the_file_is_good_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    path.write_text(WHOLE)
    (match,) = read_matches(path)
    again = tmp_path / "again.toml"
    again.write_text(to_toml(match), encoding="utf-8")
    assert read_matches(again) == [match]


def test_changed_files_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    again = tmp_path / "again.toml"
    read = 0
    refusals: list[str] = []
    for content in (*(text.encode() for text in changed_values()), *changed_bytes()):
        path.write_bytes(content)
        try:
            matches = read_matches(path)
        except ConfigError as error:
            refusals.append(str(error))
            continue
        read += 1
        for match in matches:
            again.write_text(to_toml(match), encoding="utf-8")
            assert read_matches(again) == [match], content
    assert all(text.startswith(f"{path}: ") and "\n" not in text for text in refusals)
    assert len(refusals) > 700
    assert read > 100


def test_what_is_read_can_also_be_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The engine does not exist, so every match stops at once with one line."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "match.toml"
    for number, text in enumerate(changed_values()):
        if number % 11:
            continue
        path.write_text(text, encoding="utf-8")
        assert main([str(path), "--quiet"]) == 2, text
        assert len(capsys.readouterr().err.splitlines()) == 1, text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('order = "foo"', "order must be one of random, sequential, not 'foo'"),
        ('ponder = "false"', "ponder must be true or false, not 'false'"),
        ("margin = -1000", "margin must be a whole number from 0"),
        ("games = 2.0", "games must be a whole number, not 2.0"),
        ("games = true", "games must be a whole number, not True"),
        ('notation = "ICCS"', "notation must be one of iccs, wxf, chinese, traditional, rows, not 'ICCS'"),
        ("control = 5", "control must be a string"),
        ("name = 5", "name must be a string, not 5"),
        ("hang = 0", "hang must be a whole number from 1"),
    ],
)
def test_the_key_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "match.toml"
    key = line.partition(" = ")[0]
    lines = [line if old.startswith(f"{key} = ") else old for old in WHOLE.partition("[law]")[0].splitlines()]
    path.write_text("\n".join([*lines, "", "[law]", WHOLE.partition("[law]")[2]]))
    with pytest.raises(ConfigError, match=message):
        read_matches(path)


def test_one_pair_of_brackets_too_few(tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    path.write_text('control = "1+0"\n[engine]\nname = "a"\ncommand = "x"\n')
    with pytest.raises(ConfigError, match=r"write \[\[engine\]\], not \[engine\]"):
        read_matches(path)


def test_a_missing_reader_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "match.toml"
    path.write_text(WHOLE)
    monkeypatch.setattr(sys, "version_info", (3, 10))  # from 3.11 on, Python reads TOML itself
    monkeypatch.setitem(sys.modules, "tomli", None)
    with pytest.raises(ConfigError, match=r"needs tomli: .* -m pip install"):
        read_matches(path)


COMMAND_LINES = (
    "--sprt 0 inf", "--sprt nan 5", "--alpha inf --sprt 0 5", "--tc inf", "--tc 1e9", "--tc 1+inf",
    f"--tc {'9' * 400}", f"--movetime {'9' * 30}", f"--nodes {2**64}", "--games 0", "--games -2", "--games 3",
    "--margin -1000", "--hang 0", "--hang -5", "--concurrency 0", "--concurrency 99999", "--draw -1 2 3",
    "--resign 1 -5", "--max-moves -1", "--occurrences 1", "--move-limit -1", "--tc -5", "--tc 0", "--tc 5/0",
)  # fmt: skip


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_the_command_line_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    control = [] if "--tc" in line or "--movetime" in line or "--nodes" in line else ["--depth", "1"]
    assert exit_code(main, ["/no/such/a", "/no/such/b", "--quiet", *control, *line.split()]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "cannot run" not in error, "the engines were started"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "engine", ["a=x;odds=inf", "a=x;odds=no", "a=x;restart=maybe", "a=x;protocol=y", "a='x", "a=;x=1"]
)
def test_engines_on_the_command_line_are_checked(capsys: pytest.CaptureFixture[str], engine: str) -> None:
    assert main([engine, "b=y", "--depth", "1", "--quiet"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
