"""`chuhe explain` and `chuhe.explain`."""

from __future__ import annotations

import pytest

import chuhe
from chuhe.commands import explain


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = explain.main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out.strip(), captured.err.strip()


def test_a_mate_is_explained_with_and_without_moves(capsys: pytest.CaptureFixture[str]) -> None:
    line = "alternating rooks (双车错): Red rook a9, rook b8; Black king f9; f8"
    assert run(capsys, "--fen", "R4k3/1R7/9/9/9/9/9/9/9/4K4 b") == (0, line, "")
    code, out, _ = run(capsys, "--fen", "5k3/1R7/R8/9/9/9/9/9/9/4K4 w", "R9+2")
    assert code == 0
    assert line in out.splitlines()


def test_facts_and_help_are_said_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--language", "zh-Hant", "--fen", "R4k3/1R7/9/9/9/9/9/9/9/4K4 b")
    assert (code, out) == (0, "雙車錯：紅方九路車、八路車；黑方６路將；f8")
    with pytest.raises(SystemExit):
        explain.main(["--language", "zh-Hans", "--help"])
    assert "说出这些着法的作用" in capsys.readouterr().out


def test_python_offers_the_same() -> None:
    facts = chuhe.explain(chuhe.Position("4k4/9/4N4/9/9/4C4/9/9/9/3K5 b"))
    assert [(fact.code, fact.motif.chinese) for fact in facts] == [("horse_cannon", "马后炮")]
    assert [piece.text() for piece in facts[0].pieces] == ["cannon e4", "knight e7", "king e9"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fen", "nonsense"], "chuhe explain: "),
        (["h2e2", "a0a5"], "chuhe explain: move 2: "),
        (["h2e2", "to the left"], "chuhe explain: move 2: "),
    ],
)
def test_bad_input_is_named_in_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(message)
    assert "\n" not in err
