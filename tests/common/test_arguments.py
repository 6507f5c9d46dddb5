"""Options that contradict each other are refused, and so are the engine's own arguments that are wrong."""

from __future__ import annotations

import pytest

from chuhe.cli import main


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("bench --variant draughts --depth 3", "--variant takes no other option"),
        ("eval --weights strength=3", "--weights needs --style"),
        ("squatter board.txt --size 3", "argument --size: not allowed with argument FILE"),
        ("play --engine gnu --level 3", "argument --level: not allowed with argument --engine"),
        ("play --load a.pgn --fen x", "argument --fen: not allowed with argument --load"),
        ("play --variant chess --depth 3 --time 2", "argument --time: not allowed with argument --depth"),
        ("play --load a.pgn --fen x --language zh-Hans", "--fen 不能与 --load 同用"),
    ],
)
def test_contradicting_options_are_refused(line: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(line.split())
    assert caught.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("--weights strength=3", "--weights needs --style"),
        ("--style s0 --variant chess", "--style plays xiangqi: it cannot be used with --variant"),
        ("--style s0 --style s1", "--style is given twice"),
        ("--style s9", "the styles are s0, s1, not 's9'"),
        ("--style s0 --quiet-order alike", "s0 orders all moves by strength"),
    ],
)
def test_the_engine_s_own_arguments(line: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert complaint in capsys.readouterr().err
