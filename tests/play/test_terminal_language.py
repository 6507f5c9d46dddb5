"""The terminal in Chinese: a game as a transcript, help, errors, and which language is chosen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from paths import ROOT
from waiting import PATIENCE

from chuhe.commands.play import parser
from chuhe.text.system_language import system_language, take_language

TRANSCRIPT = ROOT / "tests/data/chinese_game.txt"


def play(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    return subprocess.run(
        [sys.executable, "-m", "chuhe", "play", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        cwd=ROOT,
        env={**plain, "PYTHONUTF8": "1", **environment},
    )


def test_a_chinese_game_reads_as_in_the_transcript() -> None:
    """Two people; lines that begin with > are typed."""
    lines = TRANSCRIPT.read_text(encoding="utf-8").splitlines()
    typed = "\n".join(line[2:] for line in lines if line.startswith("> "))
    done = play("--red", "human", "--black", "human", "--no-book", typed=typed, LANG="zh_CN.UTF-8")
    assert done.stderr == ""
    expected = [line for line in lines if not line.startswith("> ")]
    assert done.stdout.splitlines() == expected


def test_nothing_is_left_in_english() -> None:
    """Beyond the names of commands and options."""
    typed = "\n".join("车一进四 hint eval undo foo history clock book capture level resign h2e2 quit".split())
    done = play("--time", "0.1", "--level", "1", typed=typed, LC_ALL="zh_CN.UTF-8")
    words = set(re.findall(r"[A-Za-z]{3,}", done.stdout + done.stderr)) - {"help", "foo", "hint", "Ctrl", "next"}
    assert words == set()


@pytest.mark.parametrize(
    ("game", "typed", "said"),
    [
        ("chess", "e9 e4 hint undo save history swap quit", "“e9”不能走；请写成 e4、Nf3、O-O 或 e2e4"),
        ("draughts", "x 5,2_4,3 level_3 level hint restart undo quit", "爱丽丝>"),
        ("squatter", "9,9 2,3 hint swap swap quit", "围得：白方 0 格，黑方 0 格"),
    ],
)
def test_the_other_games_are_played_in_chinese(game: str, typed: str, said: str) -> None:
    lines = "\n".join(typed.replace("_", " ") for typed in typed.split())
    done = play("--variant", game, "--depth", "1", typed=lines, LANG="zh_CN.UTF-8")
    assert done.stderr == ""
    assert said in done.stdout
    assert set(re.findall(r"[A-Za-z]{4,}", done.stdout)) <= {"moves", "help", "save", "level", "abcdefgh"}


def test_traditional_characters_are_used_throughout() -> None:
    done = play("--time", "0.1", typed="馬二進三\nhistory\nquit\n", LC_MESSAGES="zh_TW.UTF-8")
    assert "馬二進三" in done.stdout
    assert "輪到" in done.stdout
    assert not set("马进红轮") & set(done.stdout)


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-Hans"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "zh_HK.UTF-8"}, "zh-Hant"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
    ],
)
def test_the_locale_chooses(environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(encoding="utf-8"))
    assert system_language(environment) == language


def test_an_output_without_chinese_characters_gets_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(encoding="ascii"))
    assert system_language({"LANG": "zh_CN.UTF-8"}) == "en"


def test_the_option_goes_before_the_locale() -> None:
    assert take_language(["--language", "zh-Hant", "--quiet"]) == ("zh-Hant", ["--quiet"])
    done = play("--language", "en", typed="quit\n", LANG="zh_CN.UTF-8")
    assert "Red: you." in done.stdout
    wrong = play("--language", "fr")
    assert wrong.returncode == 2
    assert "en, zh-Hans, zh-Hant" in wrong.stderr


def test_help_and_bad_options_are_in_the_language() -> None:
    text = parser("zh-Hans").format_help()
    assert text.startswith("用法：chuhe play")
    assert "谁来下" in text
    assert "show this help" not in text
    for arguments, fault in (
        (["--level", "11"], "--level：应为 1 到 10 的整数"),
        (["--board", "x"], "--board 不能是“x”"),
        (["--foo"], "不认识的参数：--foo"),
        (["--level"], "--level 后面要跟一个值"),
        (["--fen", "x"], "棋盘有 10 行"),
        (["--load", "a.pgn", "--fen", "x"], "--fen 不能与 --load 同用"),
    ):
        done = play(*arguments, "--language=zh-Hans")
        assert done.returncode == 2
        assert fault in done.stderr


def test_the_bare_engine_does_not_load_the_tables() -> None:
    """Languages cost the engine behind a GUI nothing."""
    code = (
        "import sys; import chuhe.commands.engine, chuhe.engine; from chuhe.engine import Engine; Engine();"
        "print([name for name in sys.modules if 'languages' in name or 'system_language' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize("word", ["提示", "悔棋", "认输", "認輸", "帮助", "换边", "退出"])
def test_commands_can_be_typed_in_chinese(word: str) -> None:
    from chuhe.play.typed_commands import find_command

    assert find_command(word) is not None
