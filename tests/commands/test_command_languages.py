"""`chuhe judge`, `analyze` and `endgame info` in Chinese."""

from __future__ import annotations

from pathlib import Path

import pytest

from chuhe.commands.analyze import main as analyze
from chuhe.commands.endgame import main as endgame
from chuhe.commands.judge import main as judge

CHECKS = ["--fen", "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w", "h8h9", "f9f8", "h9h8", "f8f9"]


def test_the_referee_speaks_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    assert judge([*CHECKS, "--language", "zh-Hans"]) == 0
    assert capsys.readouterr().out == "0-1  红方长将，判负\n"
    assert judge(["炮二平五", "象三進五", "--language", "zh-Hant"]) == 0
    assert judge(["炮二平五", "兵一退一", "--language", "zh-Hant"]) == 2
    assert capsys.readouterr().err == "chuhe judge: 第 2 步：兵一退一：卒只進不退\n"
    assert judge(["--language", "zh-Hans"]) == 0
    assert capsys.readouterr().out == "*  对局尚未结束\n"


def test_an_analysis_is_reported_in_chinese(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / "game.pgn"
    game.write_text("1. h2e2 h9g7 2. e2e6 *\n")
    assert analyze([str(game), "--nodes", "500", "--plot", "none", "--language", "zh-Hans"]) == 0
    out = capsys.readouterr().out
    assert "步数" in out
    assert "平均损失" in out
    assert "已写评注" in out
    written = (tmp_path / "game.annotated.pgn").read_text(encoding="utf-8")
    assert "炮二平五" in written
    assert "损失" in written
    assert analyze([str(tmp_path / "none.pgn"), "--language", "zh-Hant"]) == 2
    assert "檔案不存在" in capsys.readouterr().err


def test_an_ending_is_described_in_chinese(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert endgame(["build", "KRK", "--path", str(tmp_path)]) == 0
    capsys.readouterr()
    assert endgame(["info", "KRK", "--path", str(tmp_path), "--language", "zh-Hans"]) == 0
    out = capsys.readouterr().out
    assert "攻方先走" in out
    assert "例胜：怎样守都守不住" in out
    assert "红方" in out
    assert "Red" not in out
    assert "the " not in out
