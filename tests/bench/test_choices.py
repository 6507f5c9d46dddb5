"""`chuhe tune choices`: the moves that changed values choose, judged by a longer search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chuhe.bench.learning import choices
from chuhe.bench.learning.choices import Gain, Trial, Worths, gain_of, gains_of, undecided, weights_of, worth
from chuhe.bench.learning.compare import changed_table
from chuhe.bench.learning.game_files import GameWriter
from chuhe.bench.learning.spsa import TuningError
from chuhe.bench.learning.text_games import parse_game
from chuhe.commands import tune
from chuhe.engine import Engine, Limits, Move, Position, Settings, tunables
from chuhe.engine.tunables import numbers

OPEN = "1-0 agreed|b2e2 b9c7 b0c2 a9b9 a0b0 h9g7 g3g4 g6g5 h0g2 h7h3 b0b6 c6c5|g4g5:40 c7d5:20 g5g6:30"
QUIET = "1-0 agreed|h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 c3c4 b9c7 b0c2 c9e7 a0a1 d9e8|a1d1:20 b7a7:-20 d1d5:30"
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


def trial(plus: list[int], minus: list[int], nodes: int = 300) -> Trial:
    return Trial(plus, minus, numbers(tunables.read()), nodes, nodes, 1)


def test_the_same_table_gains_nothing() -> None:
    base = numbers(tunables.read())
    changed = numbers(changed_table(tunables.read(), ["aspiration=60"]))
    assert gain_of(trial(base, base), Position().fen()) is None
    gain_of(trial(base, changed), Position().fen())


def test_the_last_move_counts_half_and_its_rivals_by_their_time() -> None:
    base = numbers(tunables.read())
    with Engine(Settings(hash_mb=1, use_tables=False)) as engine:
        weights = weights_of(engine, Position().fen(), base, 2000)
        engine.set_position(Position())
        engine.new_game()
        last = engine.search(Limits(nodes=2000)).move
        forced = weights_of(engine, "3k5/R8/9/9/9/9/9/9/9/1R2K4 w", base, 100_000)
    assert last is not None
    assert weights.total() == 2000
    assert weights[last.iccs] >= 1000
    assert forced == {"b0b9": 100_000}


def test_a_judged_move_is_not_judged_again() -> None:
    base = numbers(tunables.read())
    changed = numbers(changed_table(tunables.read(), ["aspiration=60", "narrow=0", "late_base=30"]))
    positions = [Position()]
    for move in OPEN.split("|")[1].split():
        positions.append(positions[-1].copy())
        positions[-1].push(move)
    known: Worths = {position.fen(): {} for position in positions}
    gains = gains_of(trial(changed, base, 1000), known)
    judged = {fen: worths for fen, worths in known.items() if worths}
    assert 0 < len(judged) == len(gains) - gains.count(None)
    assert min(len(worths) for worths in judged.values()) >= 2
    known = {fen: dict.fromkeys(worths, 0.5) for fen, worths in judged.items()}
    assert gains_of(trial(changed, base, 1000), known) == pytest.approx([0.0] * len(judged))


def test_the_tuner_moves_by_choices_and_remembers_the_judged_moves(tmp_path: Path) -> None:
    path = games(tmp_path / "x.games", QUIET, QUIET, QUIET)
    state, out = tmp_path / "spsa.json", tmp_path / "table.txt"
    arguments = f"search --choices {path} --batch 2 --nodes 1000 --judge 200 --hash 1".split()
    arguments += ["--rate", "100", "--iterations", "8", "--state", str(state), "--output", str(out)]
    assert tune.main(arguments) == 0
    data = json.loads(state.read_text())
    assert data["done"] == list(range(8))
    assert data["judged"]
    assert data["points"]
    tuned = [old for old, new in zip(tunables.read(), tunables.read(out), strict=True) if old != new]
    assert {row.section for row in tuned} == {"search"}
    judged = {fen: dict.fromkeys(worths, 0.5) for fen, worths in data["judged"].items()}
    state.write_text(json.dumps({**data, "judged": judged, "done": list(range(7))}))
    assert tune.main(arguments) == 0  # goes on with what was judged
    again = json.loads(state.read_text())
    assert all(again["judged"][fen].items() >= worths.items() for fen, worths in judged.items())
    assert tune.main([*arguments, "--judge", "300"]) == 2
    assert tune.main([*arguments, "--movetime", "10"]) == 2


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
