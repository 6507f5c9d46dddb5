import random
from pathlib import Path

from chuhe.commands.book import main
from chuhe.engine import Engine, Move, Position, Settings
from chuhe.records.books.playing import Plan, candidates, play_game, vary
from chuhe.records.files import read_games

QUICK = Plan(plies=6, opening_nodes=1500, nodes=300, hash_mb=2)


def test_candidates_lose_no_more_than_the_margin() -> None:
    engine = Engine(Settings(hash_mb=2, multipv=5))
    found = candidates(engine, Position(), QUICK)
    assert 1 <= len(found) <= 5
    assert min(loss for _, loss in found) == 0
    assert all(loss <= QUICK.margin for _, loss in found)


def test_better_moves_are_likelier() -> None:
    good, bad = Move.from_iccs("h2e2"), Move.from_iccs("a3a4")
    rng = random.Random(3)
    chosen = [vary([(good, 0), (bad, 24)], 12.0, rng) for _ in range(500)]
    assert 20 < chosen.count(bad) < 110  # e^-2 against 1: twelve in a hundred


def test_games_are_varied_finished_and_repeatable() -> None:
    engine = Engine(QUICK.settings)
    first, *others = (play_game(QUICK, 4, number, engine) for number in range(1, 6))
    assert any(other.plain_moves[:6] != first.plain_moves[:6] for other in others)
    assert first.result != "*"
    assert play_game(QUICK, 4, 1, Engine(QUICK.settings)) == first


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    flags = ["--nodes", "200", "--opening-nodes", "800", "--plies", "4", "--output", str(path)]
    assert main(["play", "--games", "1", *flags]) == 0
    assert main(["play", "--games", "3", *flags, "--concurrency", "2"]) == 0
    assert [game.tags["Round"] for game in read_games(path)] == ["1", "2", "3"]
    alone = tmp_path / "alone.pgn"
    assert main(["play", "--games", "3", *flags[:-1], str(alone)]) == 0
    assert alone.read_bytes() == path.read_bytes()
