"""Self-play as data: the same games from any number of workers, in files that survive an interruption."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from command_parsers import exit_code

from chuhe.bench.learning import selfplay
from chuhe.bench.learning.game_files import GameFile, GameWriter, read_blocks, read_games
from chuhe.bench.learning.game_format import Game
from chuhe.bench.learning.selfplay import SelfPlayRecipe, Tally, play_one
from chuhe.bench.learning.texel_data import number_games, read_samples
from chuhe.bench.spread import Workers, spread
from chuhe.commands import selfplay as selfplay_command
from chuhe.common.progress import Bar
from chuhe.engine import Engine, Settings
from chuhe.engine.values import SelfPlayRules
from chuhe.records.pgn import parse_pgn

RULES = SelfPlayRules(nodes=40, most_nodes=80)
QUICK = ["--nodes", "40", "--hash", "1"]


def test_a_fault_of_a_player_reaches_the_caller(tmp_path: Path) -> None:
    impossible = SelfPlayRules(nodes=1, most_nodes=1, balance=0, opening_least=0, opening_most=0)
    for workers in (Workers(), Workers(2)):
        with pytest.raises(ValueError, match="none of 1000 random openings"):
            selfplay.generate(SelfPlayRecipe(impossible, Settings(hash_mb=1)), 3, tmp_path / "x.games", workers)


def numbers(path: Path) -> list[int]:
    return [game.number for game in read_games([path])]


def in_order(path: Path) -> list[Game]:
    return sorted(read_games([path]), key=lambda game: game.number)


def test_a_broken_run_goes_on_to_the_same_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfplay, "BLOCK_SECONDS", -1.0)  # a block for every game
    whole, broken = tmp_path / "whole.games", tmp_path / "broken.games"
    assert selfplay_command.main(["--games", "4", "--out", str(whole), *QUICK]) == 0
    content = whole.read_bytes()
    ends = [block.end for block in read_blocks([whole])]
    assert len(ends) == 4
    for cut in (5, ends[0], ends[1] - 1, ends[1] + 3):
        broken.write_bytes(content[:cut])
        assert selfplay_command.main(["--games", "4", "--out", str(broken), *QUICK]) == 0
        assert broken.read_bytes() == content
    assert "4/4 games" in capsys.readouterr().err


def test_a_finished_run_is_left_alone_and_can_be_prolonged(tmp_path: Path) -> None:
    out = tmp_path / "x.games"
    for games in (2, 2, 3):
        assert selfplay_command.main(["--games", str(games), "--out", str(out), *QUICK]) == 0
        assert numbers(out) == list(range(1, games + 1))


def test_workers_play_the_same_games(tmp_path: Path) -> None:
    one, two, far = (tmp_path / f"{name}.games" for name in ("one", "two", "far"))
    assert selfplay_command.main(["--games", "12", "--out", str(one), *QUICK]) == 0
    assert selfplay_command.main(["--games", "12", "--out", str(two), "--concurrency", "3", *QUICK]) == 0
    assert selfplay_command.main(["--games", "5", "--out", str(far), *QUICK]) == 0
    assert selfplay_command.main(["--games", "12", "--out", str(far), "--cluster", "local", *QUICK]) == 0
    assert list(read_games([one])) == list(read_games([two])) == list(read_games([far]))


def test_ctrl_c_keeps_the_finished_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    step, out = Bar.step, tmp_path / "x.games"

    def interrupt(bar: Bar, note: str = "", count: int = 1) -> None:
        step(bar, note, count)
        if bar.done == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "step", interrupt)
    assert selfplay_command.main(["--games", "5000", "--out", str(out), "--concurrency", "2", *QUICK]) == 130
    assert len(numbers(out)) == 3
    assert "the same command resumes" in capsys.readouterr().err


def test_a_cluster_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--games", "1", "--out", str(tmp_path / "x.games"), "--cluster", "tcp://127.0.0.1:9", "--wait", "0.3"]
    assert selfplay_command.main(arguments) == 2
    assert "chuhe selfplay: there is no Dask scheduler at tcp://127.0.0.1:9" in capsys.readouterr().err


def test_the_header_tells_the_recipe(tmp_path: Path) -> None:
    out = tmp_path / "x.games"
    assert selfplay_command.main(["--games", "1", "--out", str(out), "--stray", "7.5", *QUICK]) == 0
    with GameFile(out) as file:
        assert (file.recipe["nodes"], file.recipe["most_nodes"], file.recipe["stray"]) == (40, 80, 75)
        assert file.recipe["settings"] == {"hash_mb": 1}


def test_other_settings_do_not_mix_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "x.games"
    assert selfplay_command.main(["--games", "1", "--out", str(out), *QUICK]) == 0
    before = out.read_bytes()
    assert selfplay_command.main(["--games", "2", "--out", str(out), "--balance", "77", *QUICK]) == 2
    assert "started with different settings: balance is 500 there and 77 now" in capsys.readouterr().err
    assert out.read_bytes() == before


def test_the_tuner_reads_what_selfplay_writes(tmp_path: Path) -> None:
    out, pgn = tmp_path / "x.games", tmp_path / "games.pgn"
    assert selfplay_command.main(["--games", "3", "--out", str(out), "--pgn", str(pgn), "--stray", "0", *QUICK]) == 0
    samples = list(read_samples([out]))
    assert set(number_games(samples)) == {0, 1, 2}
    assert {sample.result for sample in samples} <= {0.0, 0.5, 1.0}
    assert len(list(read_samples([out], most=len(samples) // 3))) <= len(samples) // 3
    games = parse_pgn(pgn.read_text())
    assert len(games) == 3
    assert games[0].tags["Event"] == "self-play"
    assert [str(played.move) for played in games[0].moves] == [
        str(move) for move in (*in_order(out)[0].opening, *(move for move, _ in in_order(out)[0].plies))
    ]


def pgn_numbers(path: Path) -> list[int]:
    return sorted(int(game.tags["Round"]) for game in parse_pgn(path.read_text()))


def test_the_pgn_has_the_games_of_the_file_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, pgn = tmp_path / "x.games", tmp_path / "x.pgn"
    flush = GameWriter.flush

    def killed(writer: GameWriter) -> None:
        raise SystemExit  # the games of this block reach no disk

    monkeypatch.setattr(GameWriter, "flush", killed)
    with pytest.raises(SystemExit):
        selfplay_command.main(["--games", "4", "--out", str(out), "--pgn", str(pgn), *QUICK])
    assert numbers(out) == pgn_numbers(pgn) == []
    monkeypatch.setattr(GameWriter, "flush", flush)
    for games in (2, 3):
        assert selfplay_command.main(["--games", str(games), "--out", str(out), "--pgn", str(pgn), *QUICK]) == 0
        assert numbers(out) == pgn_numbers(pgn) == list(range(1, games + 1))
    pgn.write_text(pgn.read_text() * 2)  # as a crash or a person may leave it
    assert selfplay_command.main(["--games", "3", "--out", str(out), "--pgn", str(pgn), *QUICK]) == 0
    assert pgn_numbers(pgn) == [1, 2, 3]


def test_a_foreign_file_is_not_taken_for_the_pgn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, other = tmp_path / "x.games", tmp_path / "other.games"
    assert selfplay_command.main(["--games", "1", "--out", str(other), *QUICK]) == 0
    before = other.read_bytes()
    arguments = ["--games", "1", "--out", str(out), "--pgn", str(other), *QUICK]
    assert selfplay_command.main(arguments) == 2
    assert f"{other} exists already; use --force" in capsys.readouterr().err
    assert other.read_bytes() == before
    assert not out.exists()


def test_a_huge_number_of_games_needs_no_memory() -> None:
    numbers_left = iter(range(1, selfplay.MOST_GAMES))
    with spread(partial(play_one, SelfPlayRecipe(RULES, Settings(hash_mb=1))), numbers_left) as finished:
        assert next(finished).positions > 0


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--games", "0"], "--games: a whole number from 1 to 4294967295, not '0'"),
        (["--nodes", "-1"], "nodes must be a whole number from 1"),
        (["--random", "5", "3"], "--random"),
        (["--concurrency", "0"], "--concurrency"),
        (["--most-nodes", "10"], "most_nodes must be at least 1000"),
        (["--stray", "101"], "--stray: a number from 0 to 100, not '101'"),
        (["--stray", "inf"], "--stray: a number from 0 to 100, not 'inf'"),
        (["--play-on", "nan"], "--play-on: a number from 0 to 100, not 'nan'"),
        (["--games", "4294967296"], "--games: a whole number from 1 to 4294967295"),
        (["--seed", "1_000"], "--seed: a whole number below 2^63, not '1_000'"),
    ],
)
def test_a_fault_is_one_line(
    arguments: list[str], fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(selfplay_command.main, [*arguments, "--out", str(tmp_path / "x.games")]) == 2
    assert fault in capsys.readouterr().err
    assert not (tmp_path / "x.games").exists()


def test_the_progress_tells_what_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tally, "SAMPLE", 1)  # every position is looked at
    tally = Tally()
    game = Engine(Settings(hash_mb=1)).play_itself(1, RULES)
    tally.add(game)
    first = str(tally)
    tally.add(game)
    assert first.startswith(f"{game.positions} positions (")
    assert " 100 % " in first
    assert tally.sampled == 2 * game.positions
    assert int(str(tally).split("(")[1].split()[0]) <= 50  # per cent
