"""Games against itself inside the core: by the law, by the rules, by number alone, in files that survive a break."""

from __future__ import annotations

import threading
from dataclasses import asdict, fields, replace
from pathlib import Path

import pytest

from bench.learning import selfplay
from bench.learning.game_files import GameFile, read_blocks, read_games
from bench.learning.game_format import REASONS, Game, unpack_games
from bench.learning.selfplay import Players, SelfPlayRecipe
from bench.learning.texel_data import number_games, read_samples
from bench.progress import Bar
from engine import RED, Engine, Law, Settings, _core
from engine.errors import LimitError
from engine.pgn import parse_pgn
from engine.values import SelfPlayRules

RULES = SelfPlayRules(nodes=40, most_nodes=80)
QUICK = ["--nodes", "40", "--hash", "1"]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(Settings(hash_mb=1))


@pytest.fixture(scope="module")
def games(engine: Engine) -> list[Game]:
    """Enough games to meet most ends."""
    rules = replace(RULES, stray=300, play_on=500)
    return [game for number in range(60) for game in unpack_games(engine.play_itself(number, rules).packed)]


# Games


def test_a_game_ends_as_the_law_has_it(games: list[Game]) -> None:
    ends = set()
    for game in games:
        board = game.start()
        law = Law(occurrences=2)
        for move in game.opening:
            board.push(move)
        for move, _ in game.plies:
            assert board.outcome(law) is None
            board.push(move)
        outcome = board.outcome(law)
        if outcome is None:
            assert game.reason in ("agreed", "length")
        else:
            assert (game.result, game.reason) == (outcome.result, outcome.reason.value)
        ends.add(game.reason)
    assert {"checkmate", "repetition", "agreed"} <= ends


def test_openings_are_random_and_of_the_length_asked_for(games: list[Game]) -> None:
    assert {len(game.opening) for game in games} == set(range(RULES.opening_least, RULES.opening_most + 1))
    assert len({game.opening for game in games}) == len(games)


def test_openings_are_balanced(engine: Engine) -> None:
    rules = replace(RULES, balance=30, stray=0)
    firsts = [next(unpack_games(engine.play_itself(number, rules).packed)).plies[0][1] for number in range(10)]
    wild = [
        next(unpack_games(engine.play_itself(number, replace(rules, balance=30_000)).packed)).plies[0][1]
        for number in range(10)
    ]
    assert max(abs(score or 0) for score in firsts) < 300 < max(abs(score or 0) for score in wild)


def test_games_are_given_up_when_both_have_seen_it(games: list[Game]) -> None:
    given_up = [game for game in games if game.reason == "agreed" and game.result != "1/2-1/2"]
    assert given_up
    for game in given_up:
        assert not game.played_on
        turn = (len(game.opening) + len(game.plies)) % 2  # whose move it would be; the first score is the last mover's
        for back, (_, score) in enumerate(reversed(game.plies[-RULES.give_up_plies :])):
            assert score is not None
            red = score if (turn + 1 + back) % 2 == RED else -score
            assert (red if game.result == "1-0" else -red) >= RULES.give_up_score


def test_some_games_go_on_to_the_mate(engine: Engine, games: list[Game]) -> None:
    assert 10 < sum(game.played_on for game in games) < 50
    for share, expected in ((0, False), (1000, True)):
        rules = replace(RULES, play_on=share)
        assert all(next(unpack_games(engine.play_itself(n, rules).packed)).played_on is expected for n in range(5))


def test_some_games_stray_once(engine: Engine, games: list[Game]) -> None:
    strayed = [game for game in games if game.strayed]
    assert 5 < len(strayed) < 40
    assert all(len(game.plies) - game.positions == 1 for game in strayed)
    never = replace(RULES, stray=0)
    assert not any(next(unpack_games(engine.play_itself(n, never).packed)).strayed for n in range(5))


def test_a_game_has_a_longest_length(engine: Engine) -> None:
    rules = replace(RULES, longest=20, give_up_plies=0)
    for number in range(5):
        game = next(unpack_games(engine.play_itself(number, rules).packed))
        assert len(game.opening) + len(game.plies) <= 20
        if len(game.opening) + len(game.plies) == 20 and game.reason == "length":
            assert game.result == "1/2-1/2"


def test_a_game_depends_on_its_number_alone(engine: Engine) -> None:
    first = engine.play_itself(3, RULES)
    assert engine.play_itself(4, RULES).packed != first.packed
    assert engine.play_itself(3, RULES) == first == Engine(Settings(hash_mb=1)).play_itself(3, RULES)
    assert engine.play_itself(3, replace(RULES, seed=2)).packed[4:] != first.packed[4:]


def test_nodes_are_a_goal_and_a_bound(engine: Engine) -> None:
    game = engine.play_itself(1, SelfPlayRules(nodes=300, most_nodes=600, stray=0))
    assert 300 <= game.nodes / (game.positions + 1) <= 600 * 1.2  # and a search or more for the opening
    exact = engine.play_itself(1, SelfPlayRules(nodes=300, most_nodes=300, stray=0))
    assert exact.nodes / (exact.positions + 1) < 330


def test_a_mate_is_counted_as_the_format_has_it(games: list[Game]) -> None:
    for game in games:
        if game.reason == "checkmate" and game.plies[-1][1] is not None:
            assert game.plies[-1][1] == 29_999


def test_the_core_and_the_rules_have_the_same_fields(engine: Engine) -> None:
    rules = asdict(RULES)
    for field in fields(SelfPlayRules):
        missing = {name: value for name, value in rules.items() if name != field.name}
        with pytest.raises(ValueError, match=field.name):
            _core.Searcher(1).play_game(1, missing)


def test_a_balance_that_nobody_meets_is_given_up() -> None:
    rules = SelfPlayRules(nodes=1, most_nodes=1, balance=0, opening_least=0, opening_most=0)
    with pytest.raises(ValueError, match="none of 1000 random openings is within ±0 centipawns"):
        Engine(Settings(hash_mb=1)).play_itself(1, rules)


@pytest.mark.parametrize(
    "change", [{"nodes": 0}, {"most_nodes": 39}, {"opening_most": 3}, {"longest": 9}, {"stray": 1001}]
)
def test_rules_that_make_no_sense_are_refused(change: dict[str, int]) -> None:
    with pytest.raises(LimitError, match=next(iter(change))):
        replace(RULES, **change)


def test_a_game_can_be_stopped() -> None:
    engine = Engine(Settings(hash_mb=1))
    rules = SelfPlayRules(nodes=10**9, most_nodes=10**9)
    found = []
    player = threading.Thread(target=lambda: found.append(engine.play_itself(1, rules)))
    player.start()
    while player.is_alive():
        engine.stop()
        player.join(0.01)
    assert [game.packed for game in found] == [b""]


def test_players_can_be_stopped_between_and_in_games() -> None:
    players = Players(SelfPlayRecipe(RULES, Settings(hash_mb=1)), list(range(1, 10_000)), 2)
    games = players.games()
    assert next(games).packed
    players.stop()
    assert len(list(games)) < 9_000


def test_a_fault_of_a_player_reaches_the_caller() -> None:
    impossible = SelfPlayRules(nodes=1, most_nodes=1, balance=0, opening_least=0, opening_most=0)
    players = Players(SelfPlayRecipe(impossible, Settings(hash_mb=1)), [1, 2, 3], 2)
    with pytest.raises(ValueError, match="none of 1000 random openings"):
        list(players.games())
    players.stop()


# Files


def numbers(path: Path) -> list[int]:
    return [game.number for game in read_games([path])]


def in_order(path: Path) -> list[Game]:
    return sorted(read_games([path]), key=lambda game: game.number)


def test_a_broken_run_goes_on_to_the_same_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfplay, "BLOCK_SECONDS", -1.0)  # a block for every game
    whole, broken = tmp_path / "whole.games", tmp_path / "broken.games"
    assert selfplay.main(["--games", "4", "--out", str(whole), *QUICK]) == 0
    content = whole.read_bytes()
    ends = [block.end for block in read_blocks([whole])]
    assert len(ends) == 4
    for cut in (5, ends[0], ends[1] - 1, ends[1] + 3):
        broken.write_bytes(content[:cut])
        assert selfplay.main(["--games", "4", "--out", str(broken), *QUICK]) == 0
        assert broken.read_bytes() == content
    assert "4/4 games" in capsys.readouterr().err


def test_a_finished_run_is_left_alone_and_can_be_prolonged(tmp_path: Path) -> None:
    out = tmp_path / "x.games"
    for games in (2, 2, 3):
        assert selfplay.main(["--games", str(games), "--out", str(out), *QUICK]) == 0
        assert numbers(out) == list(range(1, games + 1))


def test_workers_play_the_same_games(tmp_path: Path) -> None:
    one, two, far = (tmp_path / f"{name}.games" for name in ("one", "two", "far"))
    assert selfplay.main(["--games", "12", "--out", str(one), *QUICK]) == 0
    assert selfplay.main(["--games", "12", "--out", str(two), "--concurrency", "3", *QUICK]) == 0
    assert selfplay.main(["--games", "5", "--out", str(far), *QUICK]) == 0
    assert selfplay.main(["--games", "12", "--out", str(far), "--cluster", "local", *QUICK]) == 0
    assert in_order(one) == in_order(two) == in_order(far)


def test_ctrl_c_keeps_the_finished_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    step, out = Bar.step, tmp_path / "x.games"

    def interrupt(bar: Bar, note: str = "", count: int = 1) -> None:
        step(bar, note, count)
        if bar.done == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "step", interrupt)
    assert selfplay.main(["--games", "5000", "--out", str(out), "--concurrency", "2", *QUICK]) == 130
    assert len(numbers(out)) == 3
    assert "the same command goes on" in capsys.readouterr().err


def test_a_cluster_that_is_not_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bench.cluster.PATIENCE", 0.3)
    assert selfplay.main(["--games", "1", "--out", str(tmp_path / "x.games"), "--cluster", "tcp://127.0.0.1:9"]) == 2
    assert "chuhe selfplay: there is no Dask scheduler at tcp://127.0.0.1:9" in capsys.readouterr().err


def test_the_header_tells_the_recipe(tmp_path: Path) -> None:
    out = tmp_path / "x.games"
    assert selfplay.main(["--games", "1", "--out", str(out), "--stray", "7.5", *QUICK]) == 0
    with GameFile(out) as file:
        assert (file.recipe["nodes"], file.recipe["most_nodes"], file.recipe["stray"]) == (40, 80, 75)
        assert file.recipe["settings"] == {"hash_mb": 1}


def test_other_settings_do_not_mix_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "x.games"
    assert selfplay.main(["--games", "1", "--out", str(out), *QUICK]) == 0
    before = out.read_bytes()
    assert selfplay.main(["--games", "2", "--out", str(out), "--balance", "77", *QUICK]) == 2
    assert "begun with other settings: balance is 500 there and 77 now" in capsys.readouterr().err
    assert out.read_bytes() == before


def test_the_tuner_reads_what_selfplay_writes(tmp_path: Path) -> None:
    out, pgn = tmp_path / "x.games", tmp_path / "games.pgn"
    assert selfplay.main(["--games", "3", "--out", str(out), "--pgn", str(pgn), "--stray", "0", *QUICK]) == 0
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


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--games", "0"], "--games must be 1 or more"),
        (["--nodes", "-1"], "--nodes"),
        (["--random", "5", "3"], "--random"),
        (["--concurrency", "0"], "--concurrency"),
        (["--most-nodes", "10"], "most_nodes must be from 1000"),
        (["--stray", "101"], "stray must be from 0 to 1000"),
    ],
)
def test_a_fault_is_one_line(
    arguments: list[str], fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert selfplay.main([*arguments, "--out", str(tmp_path / "x.games")]) == 2
    assert fault in capsys.readouterr().err
    assert not (tmp_path / "x.games").exists()


def test_the_core_names_the_ends_as_the_format_does(games: list[Game]) -> None:
    assert {game.reason for game in games} <= set(REASONS)
