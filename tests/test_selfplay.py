"""Self-play as tuning data: games in this process, labels, files that survive a break."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench.inprocess import DEFAULT_ADJUDICATION, balanced_opening, is_quiet, play_game, random_opening
from bench.learning import selfplay
from bench.learning.selfplay import DataFiles, SelfplayError, SelfPlayRecipe, play_numbered
from bench.learning.texel_data import number_games, read_samples
from bench.matches.match_values import Adjudication
from engine import BLACK, RED, Engine, Limits, Position, Settings
from engine.pgn import parse_pgn

RECIPE = SelfPlayRecipe(nodes=150, hash_mb=1)
NODES = ["--nodes", "150", "--hash", "1"]


@pytest.fixture
def engine() -> Engine:
    return Engine(Settings(hash_mb=1))


# Games


def test_a_game_is_played_to_an_end_by_the_law(engine: Engine) -> None:
    game = play_game((engine, engine), Position("3k5/9/9/9/9/9/9/9/R8/1R2K4 w"), Limits(depth=4))
    assert (game.result, game.reason) == ("1-0", "checkmate")
    position = Position("3k5/9/9/9/9/9/9/9/R8/1R2K4 w")
    for ply in game.plies:
        assert ply.fen == position.fen()
        assert ply.turn == position.turn
        assert ply.answer.move is not None
        position.push(ply.answer.move)
    assert position.is_checkmate()


def test_a_finished_opening_is_a_finished_game(engine: Engine) -> None:
    game = play_game((engine, engine), Position("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b"), Limits(depth=1))
    assert (game.result, game.plies) == ("1-0", ())


def test_a_game_can_be_adjudicated(engine: Engine) -> None:
    short = Adjudication(max_moves=3)
    game = play_game((engine, engine), Position(), Limits(nodes=50), short)
    assert (game.result, game.reason, len(game.plies)) == ("1/2-1/2", "move count", 6)
    assert DEFAULT_ADJUDICATION.max_moves


def test_the_sides_are_announced_before_they_move(engine: Engine) -> None:
    turns: list[int] = []
    play_game((engine, engine), Position(), Limits(nodes=50), Adjudication(max_moves=2), turns.append)
    assert turns == [RED, BLACK, RED, BLACK]


def test_scores_are_seen_from_red(engine: Engine) -> None:
    ahead = Position("3akab2/9/4b4/9/9/9/9/4B4/4A4/R1BAK4 b")
    game = play_game((engine, engine), ahead, Limits(nodes=200), Adjudication(max_moves=2))
    assert all(ply.red_score > 100 for ply in game.plies)


def test_only_quiet_positions_teach(engine: Engine) -> None:
    def quiet(fen: str) -> bool:
        engine.set_position(Position(fen))
        return is_quiet(Position(fen), engine.search(Limits(depth=4)))

    assert quiet(Position().fen())
    assert not quiet("3k5/9/9/9/9/9/9/9/R8/1R2K4 w")  # mate
    assert not quiet("3k5/4a4/9/9/9/3R5/9/9/9/4K4 b")  # in check
    assert not quiet("3k5/4a4/9/4p4/r8/9/9/4B4/4A4/R3KA3 w")  # a rook hangs


def test_random_openings_are_seeded() -> None:
    first, second, other = (random_opening(random.Random(seed), (6, 6)) for seed in (1, 1, 2))
    assert first is not None
    assert second is not None
    assert other is not None
    assert first.fen() == second.fen() != other.fen()
    assert first.ply == 6


def test_a_balance_that_nobody_meets_is_given_up(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.inprocess.MAX_ATTEMPTS", 3)
    with pytest.raises(ValueError, match="none of 3 random openings"):
        balanced_opening(random.Random(1), engine, (6, 8), Limits(nodes=50), -1)


# Files


def test_a_game_depends_on_its_number_alone(engine: Engine) -> None:
    first = play_numbered(RECIPE, 3, engine)
    play_numbered(RECIPE, 4, engine)
    again = play_numbered(RECIPE, 3, engine)
    assert (first.lines, first.result) == (again.lines, again.result)
    assert first.lines


def test_a_broken_run_goes_on_to_the_same_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, broken = tmp_path / "whole.txt", tmp_path / "broken.txt"
    assert selfplay.main(["--games", "3", "--out", str(whole), *NODES]) == 0
    text = whole.read_text(encoding="ascii")
    middle = text.index("# game 2")
    for cut in (middle - 30, middle, text.index("\n") + 1):
        broken.write_text(text[:cut], encoding="ascii")
        assert selfplay.main(["--games", "3", "--out", str(broken), *NODES]) == 0
        assert broken.read_text(encoding="ascii") == text
    assert "3/3 games" in capsys.readouterr().err


def test_a_finished_run_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "data.txt"
    for _ in range(2):
        assert selfplay.main(["--games", "1", "--out", str(out), *NODES]) == 0
    assert out.read_text(encoding="ascii").count("# game") == 1


def test_workers_play_the_same_games(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    assert selfplay.main(["--games", "2", "--out", str(one), *NODES]) == 0
    assert selfplay.main(["--games", "2", "--out", str(two), "--concurrency", "2", *NODES]) == 0
    assert sorted(one.read_text(encoding="ascii").splitlines()) == sorted(two.read_text(encoding="ascii").splitlines())


def test_a_cluster_goes_on_with_a_broken_run_to_the_same_file(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.txt", tmp_path / "broken.txt"
    assert selfplay.main(["--games", "4", "--out", str(whole), *NODES]) == 0
    text = whole.read_text(encoding="ascii")
    broken.write_text(text[: text.index("# game 2") - 30], encoding="ascii")
    assert selfplay.main(["--games", "4", "--out", str(broken), "--cluster", "local", *NODES]) == 0
    assert broken.read_text(encoding="ascii") == text


def test_a_cluster_that_is_not_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bench.cluster.PATIENCE", 0.3)
    assert selfplay.main(["--games", "1", "--out", str(tmp_path / "data.txt"), "--cluster", "tcp://127.0.0.1:9"]) == 2
    assert "chuhe selfplay: there is no Dask scheduler at tcp://127.0.0.1:9" in capsys.readouterr().err


def test_the_tuner_reads_what_selfplay_writes(tmp_path: Path) -> None:
    out, pgn = tmp_path / "data.txt", tmp_path / "games.pgn"
    assert selfplay.main(["--games", "2", "--out", str(out), "--pgn", str(pgn), *NODES]) == 0
    samples = list(read_samples([out]))
    assert set(number_games(samples)) == {0, 1}
    assert {sample.result for sample in samples} <= {0.0, 0.5, 1.0}
    games = parse_pgn(pgn.read_text())
    assert len(games) == 2
    assert games[0].tags["Event"] == "self-play"


def test_other_settings_do_not_mix_in_one_file(tmp_path: Path) -> None:
    out = tmp_path / "data.txt"
    DataFiles(out, RECIPE).resume()
    with pytest.raises(SelfplayError, match="other settings"):
        DataFiles(out, SelfPlayRecipe(nodes=151, hash_mb=1)).resume()


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--games", "0"], "--games must be 1 or more"),
        (["--nodes", "-1"], "--nodes"),
        (["--random", "5", "3"], "--random"),
        (["--concurrency", "0"], "--concurrency"),
    ],
)
def test_a_fault_is_one_line(
    arguments: list[str], fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert selfplay.main([*arguments, "--out", str(tmp_path / "data.txt")]) == 2
    assert fault in capsys.readouterr().err
    assert not (tmp_path / "data.txt").exists()
