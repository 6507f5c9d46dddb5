"""Self-play inside the core: games follow the law and the settings, and depend only on their number."""

from __future__ import annotations

import threading
from dataclasses import asdict, fields, replace

import pytest

from chuhe.bench.learning.game_format import REASONS, Game, pack_game, unpack_games
from chuhe.engine import RED, Engine, Law, Move, Settings, _core
from chuhe.engine.errors import LimitError
from chuhe.engine.values import Reason, SelfPlayRules

RULES = SelfPlayRules(nodes=40, most_nodes=80)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(Settings(hash_mb=1))


@pytest.fixture(scope="module")
def games(engine: Engine) -> list[Game]:
    """Enough games to see most kinds of ending."""
    rules = replace(RULES, stray=300, play_on=500)
    return [game for number in range(60) for game in unpack_games(engine.play_itself(number, rules).packed)]


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


def test_games_at_odds_begin_without_some_pieces(engine: Engine) -> None:
    rules = replace(RULES, odds=1000)
    games = [game for number in range(10) for game in unpack_games(engine.play_itself(number, rules).packed)]
    pieces = [len(game.start().piece_map()) for game in games]
    assert 23 <= min(pieces) < max(pieces) <= 31
    assert len({game.fen for game in games}) == len(games)
    for game in games:  # they are balanced, and legal from there on
        assert abs(game.plies[0][1] or 0) < 2 * rules.balance
        board = game.start()
        for move in (*game.opening, *(move for move, _ in game.plies)):
            board.push(move)
    mixed = [next(unpack_games(engine.play_itself(n, replace(RULES, odds=500)).packed)).fen for n in range(20)]
    assert 0 < mixed.count(None) < len(mixed)
    assert engine.rescore(engine.play_itself(1, rules).packed, 40, 80).positions == games[1].positions


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
    assert 300 <= game.nodes / (game.positions + 1) <= 600 * 1.2  # plus at least one search for the opening
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
            _core.Searcher().play_game(1, missing)


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


def test_the_core_names_the_ends_as_the_format_does(games: list[Game]) -> None:
    assert {game.reason for game in games} <= set(REASONS)


def test_rescoring_replaces_the_scores_alone(engine: Engine) -> None:
    rules = replace(RULES, stray=1000)
    game = engine.play_itself(2, rules)
    again = engine.rescore(game.packed, 300, 600)
    assert again == Engine(Settings(hash_mb=1)).rescore(game.packed, 300, 600)
    assert (again.positions, again.nodes > game.nodes) == (game.positions, True)
    before, after = (next(unpack_games(packed)) for packed in (game.packed, again.packed))
    assert [move for move, _ in after.plies] == [move for move, _ in before.plies]
    assert [score is None for _, score in after.plies] == [score is None for _, score in before.plies]
    assert after.plies != before.plies
    assert replace(after, plies=()) == replace(before, plies=())


def test_rescoring_starts_from_the_games_own_position(engine: Engine) -> None:
    fen = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1"
    mate = Game(7, "1-0", Reason.CHECKMATE, plies=((Move.from_iccs("b0b9"), 0),), fen=fen)
    rescored = next(unpack_games(engine.rescore(pack_game(mate), 1000, 1000).packed))
    assert rescored == replace(mate, plies=((Move.from_iccs("b0b9"), 29_999),))


def test_what_is_no_game_is_not_rescored(engine: Engine) -> None:
    bad = pack_game(Game(7, "1-0", Reason.CHECKMATE, plies=((Move.from_iccs("a0a5"), 0),)))
    for packed, fault in ((bad, "game 7: ply 1, a0a5, is not a legal move"), (bad[:-1], "length"), (b"", "end")):
        with pytest.raises(ValueError, match=fault):
            engine.rescore(packed, 10, 10)
