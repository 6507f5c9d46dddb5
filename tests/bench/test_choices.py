"""`chuhe tune choices`: the moves that changed values choose, judged by a longer search."""

from __future__ import annotations

from pathlib import Path

import pytest

from chuhe.bench.learning import choices
from chuhe.bench.learning.choices import Gain, Trial, gain_of, undecided, worth
from chuhe.bench.learning.compare import changed_table, numbers
from chuhe.bench.learning.game_files import GameWriter
from chuhe.bench.learning.spsa import TuningError
from chuhe.bench.learning.text_games import parse_game
from chuhe.engine import Engine, Move, Position, Settings, _core, tunables

OPEN = "1-0 agreed|b2e2 b9c7 b0c2 a9b9 a0b0 h9g7 g3g4 g6g5 h0g2 h7h3 b0b6 c6c5|g4g5:40 c7d5:20 g5g6:30"
DECIDED = "1-0 agreed|b2e2 b9c7 b0c2 a9b9 a0b0 h9g7 g3g4 g6g5 h0g2 h7h3 b0b6 c6c5|g4g5:900 c7d5:-900 g5g6:900"


def games(path: Path, *lines: str) -> Path:
    with GameWriter(path, {"made": "by hand"}) as writer:
        for number, line in enumerate(lines, 1):
            writer.add(parse_game(line, number))
    return path


def test_a_better_move_is_worth_more() -> None:
    fen = "3ak4/4a4/4b4/9/r8/9/9/4B4/4A4/R2AK4 w"
    with Engine(Settings(hash_mb=1, use_tables=False)) as engine:
        good, bad = (worth(engine, fen, Move.from_iccs(move), 3000) for move in ("a0a5", "a0a2"))
        mate = worth(engine, "3k5/R8/9/9/9/9/9/9/9/1R2K4 w", Move.from_iccs("b0b9"), 1000)
    assert 0 <= bad < 0.5 < good <= 1 == mate


def test_the_same_table_gains_nothing_and_the_core_keeps_its_own() -> None:
    before = _core.get_tunables()
    base = numbers(tunables.read())
    changed = numbers(changed_table(tunables.read(), ["aspiration=60"]))
    assert gain_of(Trial(base, base, 300, 300, 1), Position().fen()) is None
    gain_of(Trial(base, changed, 300, 300, 1), Position().fen())
    assert _core.get_tunables() == before


def test_the_gain_counts_equal_moves_as_zero() -> None:
    gain = Gain()
    for each in (None, 0.1, None, -0.02):
        gain.add(each)
    assert str(gain) == "+2.000 [-2.597, +6.597] points in a hundred moves, 2 of 4 moves differ"


def test_one_undecided_position_of_each_game(tmp_path: Path) -> None:
    path = games(tmp_path / "x.games", OPEN, DECIDED, OPEN)
    assert len(undecided([path], 10, 1)) == 2
    assert len(undecided([path], 1, 1)) == 1
    with pytest.raises(TuningError, match="no undecided position"):
        undecided([games(tmp_path / "y.games", DECIDED)], 10, 1)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = games(tmp_path / "x.games", OPEN, OPEN)
    few = ["--games", str(path), "--nodes", "200", "--judge", "200", "--hash", "1", "--concurrency", "2"]
    assert choices.main(["narrow=0", *few]) == 0
    assert " of 2 moves differ" in capsys.readouterr().out
    assert choices.main(["speed=3", *few]) == 2
    assert choices.main(["narrow=0", "--games", str(tmp_path / "none.games")]) == 2
    assert "none.games" in capsys.readouterr().err
