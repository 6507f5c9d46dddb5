"""engine.Engine: limits, threads, reports, errors; and invariants of the evaluation."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import pytest
import random_play
from hypothesis import given, settings
from hypothesis import strategies as st
from searches import answer_of
from waiting import PATIENCE

from chuhe.engine import (
    RED,
    START_FEN,
    BestMove,
    Engine,
    Info,
    Law,
    LimitError,
    Limits,
    Move,
    Position,
    Score,
    Settings,
    _core,
)
from chuhe.engine._core import RootLine
from chuhe.engine.engine import to_score
from chuhe.engine.levels import LEVELS, handicap, weaker_choice
from chuhe.engine.score_scale import HALF_WON, shown
from chuhe.engine.time_budget import allot

SMALL = Settings(hash_mb=4)
MIDDLE_GAME = "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w"
MATE_IN_TWO = "4k4/9/9/9/9/9/9/9/R8/1R1K5 w"
MATED = "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b"


def engine_at(fen: str = START_FEN, **changes: object) -> Engine:
    engine = Engine(SMALL)
    engine.configure(**changes)
    engine.set_position(Position(fen))
    return engine


def random_position(seed: int, plies: int) -> Position:
    """A position reached by random moves, in which the game is not over."""
    position = random_play.random_position(random.Random(seed), plies)
    if not position.has_legal_moves():
        position.pop()
    return position


positions = st.builds(random_position, st.integers(0, 2**32), st.integers(0, 120))


class Thread:
    """A search in its own thread."""

    def __init__(self, engine: Engine, limits: Limits) -> None:
        self.first_report = threading.Event()
        self.search = engine.start(None, limits, lambda _: self.first_report.set())

    def end(self) -> BestMove:
        return answer_of(self.search)

    def is_held(self) -> bool:
        """Whether the search still runs, given some time to end."""
        threading.Event().wait(0.2)
        return not self.search.done()


def reports(engine: Engine, limits: Limits) -> tuple[list[Info], BestMove]:
    infos: list[Info] = []
    answer = engine.search(limits, infos.append)
    return infos, answer


# Determinism


@pytest.mark.parametrize("fen", [START_FEN, MIDDLE_GAME])
def test_one_thread_counts_the_same_nodes_every_time(fen: str) -> None:
    first = engine_at(fen).search(Limits(depth=8))
    engine = engine_at(fen)
    second = engine.search(Limits(depth=8))
    engine.new_game()
    third = engine.search(Limits(depth=8))
    assert first.nodes > 1000
    assert (first.nodes, first.move, first.score) == (second.nodes, second.move, second.score)
    assert (first.nodes, first.move, first.score) == (third.nodes, third.move, third.score)


def test_two_engines_do_not_disturb_each_other() -> None:
    alone = [engine_at(fen).search(Limits(depth=8)) for fen in (START_FEN, MIDDLE_GAME)]
    threads = [Thread(engine_at(fen), Limits(depth=8)) for fen in (START_FEN, MIDDLE_GAME)]
    together = [thread.end() for thread in threads]
    assert [(a.nodes, a.move, a.score, a.pv) for a in alone] == [(a.nodes, a.move, a.score, a.pv) for a in together]


# Limits


def test_depth_ends_the_search() -> None:
    infos, answer = reports(engine_at(), Limits(depth=5))
    assert answer.depth == 5
    assert [info.depth for info in infos if info.bound == "exact" and info.pv][-1] == 5


def test_nodes_end_the_search() -> None:
    few, many = (engine_at().search(Limits(nodes=nodes)).nodes for nodes in (2_000, 30_000))
    assert few <= 2_000 < many <= 30_000


def test_mate_ends_the_search() -> None:
    answer = engine_at(MATE_IN_TWO).search(Limits(mate=2))
    assert answer.score == Score(mate=2)


@pytest.mark.parametrize("limits", [Limits(movetime=1), Limits(time=1), Limits(time=40, increment=1, moves_to_go=3)])
def test_a_hopeless_clock_still_gives_a_move(limits: Limits) -> None:
    engine = engine_at()
    assert engine.search(limits).move in engine.position.legal_moves


def test_search_moves_restrict_the_root() -> None:
    chosen = (Move.from_iccs("a0a1"), Move.from_iccs("i0i1"))
    infos, answer = reports(engine_at(), Limits(depth=5, search_moves=chosen))
    assert answer.move in chosen
    assert {info.pv[0] for info in infos if info.pv} <= set(chosen)


def test_ban_moves_are_never_played() -> None:
    engine = engine_at()
    best = engine.search(Limits(depth=5)).move
    assert best is not None
    infos, answer = reports(engine, Limits(depth=5, ban_moves=(best,)))
    assert answer.move is not None
    assert answer.move != best
    assert best not in {info.pv[0] for info in infos if info.pv}


def test_no_allowed_move_is_no_move() -> None:
    engine = engine_at()
    answer = engine.search(Limits(depth=3, ban_moves=tuple(engine.position.legal_moves)))
    assert (answer.move, answer.ponder, answer.score) == (None, None, Score(cp=0))


def test_a_mated_side_has_no_move() -> None:
    position = Position(MATED)
    assert position.is_checkmate()
    answer = engine_at(MATED).search(Limits(depth=3))
    assert (answer.move, answer.score) == (None, Score(mate=0))


@pytest.mark.parametrize(
    "wrong",
    [
        {"depth": 0},
        {"depth": -3},
        {"nodes": 0},
        {"movetime": -1},
        {"mate": 0},
        {"time": 1000, "moves_to_go": 0},
        {"time": 1000, "increment": -1},
        {"time": 1000, "byoyomi": -5},
        {"depth": 3, "search_moves": (Move.from_iccs("a0a9"),)},
    ],
)
def test_a_bad_limit_is_named_and_harms_nothing(wrong: dict[str, Any]) -> None:
    engine = engine_at(MIDDLE_GAME)
    with pytest.raises(LimitError):
        engine.search(Limits(**wrong))
    assert engine.position.fen() == Position(MIDDLE_GAME).fen()
    assert engine.search(Limits(depth=2)).move is not None


@pytest.mark.parametrize(("move_limit", "clock"), [(0, 300), (600, 110), (1000, 340)])
def test_the_table_is_believed_until_the_move_limit_is_near(move_limit: int, clock: int) -> None:
    law = Law(occurrences=2, move_limit=move_limit)
    far, near = (engine_at(f"{MIDDLE_GAME} - - {idle} 1", law=law).search(Limits(depth=8)) for idle in (0, clock))
    assert far.nodes == near.nodes


def test_a_lead_counts_less_near_the_move_limit() -> None:
    ahead = "3aka3/9/4b4/9/9/9/4P4/C8/9/2BAK3R w"
    scores = []
    for idle in (0, 20, 60, 80):
        score = engine_at(f"{ahead} - - {idle} 1", law=Law(occurrences=2, move_limit=60)).search(Limits(depth=1)).score
        assert score.cp is not None
        scores.append(score.cp)
    assert scores[0] == scores[1] > scores[2] > scores[3] > 0


# Threads


def test_stop_from_another_thread() -> None:
    engine = engine_at()
    search = Thread(engine, Limits(infinite=True))
    assert search.first_report.wait(PATIENCE)
    assert engine.searching
    engine.stop()
    assert search.end().move in engine.position.legal_moves
    assert not engine.searching


def test_an_infinite_search_holds_its_answer_until_stop() -> None:
    engine = engine_at(MATE_IN_TWO)
    search = Thread(engine, Limits(infinite=True, depth=3))
    assert search.first_report.wait(PATIENCE)
    assert search.is_held()
    engine.stop()
    assert search.end().score == Score(mate=2)


def test_pondering_waits_for_the_hit() -> None:
    engine = engine_at()
    search = Thread(engine, Limits(ponder=True, depth=3))
    assert search.first_report.wait(PATIENCE)
    assert search.is_held()
    search.search.ponderhit()
    assert search.end().depth == 3


def test_pondering_ends_with_stop() -> None:
    engine = engine_at()
    search = Thread(engine, Limits(ponder=True, time=60_000, increment=100))
    assert search.first_report.wait(PATIENCE)
    engine.stop()
    assert search.end().move is not None


def test_the_clock_runs_from_the_ponderhit_on() -> None:
    engine = engine_at()
    search = Thread(engine, Limits(ponder=True, movetime=50))
    assert search.first_report.wait(PATIENCE)
    assert search.is_held()
    search.search.ponderhit()
    assert search.end().move is not None


def test_the_time_spent_pondering_is_not_on_the_clock() -> None:
    limits, late = Limits(ponder=True, time=2000), threading.Event()
    budget, _ = allot(limits, SMALL)
    search = engine_at(MIDDLE_GAME).start(
        None, limits, lambda info: late.set() if info.time >= 4 * budget or info.depth > 30 else None
    )
    begun = _core.now()
    assert late.wait(PATIENCE)
    pondered = (_core.now() - begun) // 1000
    search.ponderhit()
    assert answer_of(search).time >= pondered + budget // 5  # the least that is used of a budget


def test_settings_do_not_change_during_a_search() -> None:
    engine = engine_at()
    search = Thread(engine, Limits(infinite=True))
    assert search.first_report.wait(PATIENCE)
    try:
        with pytest.raises(LimitError, match="during a search"):
            engine.configure(hash_mb=8)
        with pytest.raises(LimitError, match="during a search"):
            engine.new_game()
    finally:
        engine.stop()
        search.end()
    assert engine.settings.hash_mb == SMALL.hash_mb


@pytest.mark.parametrize("threads", [2, 3])
def test_several_threads_find_the_mate(threads: int) -> None:
    # threads share the table, so they may miss what one thread just finds at a depth; a proven mate ends the search
    assert engine_at(MATE_IN_TWO, threads=threads).search(Limits(depth=30)).score == Score(mate=2)


def test_an_error_of_the_callback_ends_the_search_and_is_raised() -> None:
    def fail(info: Info) -> None:
        raise RuntimeError(f"depth {info.depth}")

    engine = engine_at()
    with pytest.raises(RuntimeError, match="depth"):
        engine.search(Limits(depth=12), fail)
    assert not engine.searching
    assert engine.search(Limits(depth=3)).move is not None


# Reports


@pytest.mark.parametrize("fen", [START_FEN, MIDDLE_GAME, MATE_IN_TWO])
def test_every_variation_is_legal(fen: str) -> None:
    infos, answer = reports(engine_at(fen), Limits(depth=9))
    for pv in [*(info.pv for info in infos), answer.pv]:
        position = Position(fen)
        for move in pv:
            position.push(move)
    assert answer.pv[0] == answer.move
    if len(answer.pv) > 1:
        assert answer.ponder == answer.pv[1]


def random_positions(count: int, seed: int) -> list[Position]:
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = random_play.random_position(rng, rng.randrange(6, 60))
        if position.has_legal_moves():
            found.append(position)
    return found


@pytest.mark.parametrize(
    "settings", [{}, {"multipv": 2}, {"threads": 2}, {"level": 4}, {"level": 6, "multipv": 3}], ids=str
)
def test_the_move_played_is_the_last_reported_line(settings: dict[str, int]) -> None:
    engine = Engine(Settings(hash_mb=4, **settings))  # type: ignore[arg-type]
    for position in random_positions(25, 5):
        infos: list[Info] = []
        engine.set_position(position)
        best = engine.search(Limits(nodes=4000), infos.append)
        last = {info.multipv: info for info in infos}
        assert (last[1].pv, last[1].score) == (best.pv, best.score)
        assert best.pv[0] == best.move
        assert len({info.pv[0] for info in last.values()}) == len(last) <= engine.settings.multipv


def test_multipv_gives_the_best_moves_in_order() -> None:
    infos, answer = reports(engine_at(MIDDLE_GAME, multipv=4), Limits(depth=7))
    last = [info for info in infos if info.depth == 7 and info.bound == "exact"][-4:]
    assert [info.multipv for info in last] == [1, 2, 3, 4]
    assert len({info.pv[0] for info in last}) == 4
    assert [info.score for info in last] == sorted((info.score for info in last), reverse=True)
    assert last[0].pv[0] == answer.move


def test_multipv_never_asks_for_more_than_there_is() -> None:
    engine = engine_at(MATE_IN_TWO, multipv=128)
    infos, _ = reports(engine, Limits(depth=2))
    assert max(info.multipv for info in infos) == len(engine.position.legal_moves)


def test_win_draw_loss_add_up() -> None:
    infos, _ = reports(engine_at(MIDDLE_GAME), Limits(depth=6))
    chances = [info.wdl for info in infos if info.wdl is not None]
    assert chances
    assert all(sum(wdl) == 1000 and min(wdl) >= 0 for wdl in chances)


def test_the_table_remembers_the_root() -> None:
    engine = engine_at(MIDDLE_GAME)
    answer = engine.search(Limits(depth=7))
    found = engine.probe(Position(MIDDLE_GAME))
    assert found is not None
    assert found.move == answer.move
    assert 0 <= engine.hashfull() <= 1000
    engine.clear_hash()
    assert engine.probe(Position(MIDDLE_GAME)) is None


# Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hash_mb", 0),
        ("threads", 0),
        ("level", 11),
        ("multipv", 1.5),
        ("pruning", "some"),
        ("contempt", ""),
        ("colour", 1),
    ],
)
def test_settings_change_all_or_none(name: str, value: object) -> None:
    engine = engine_at()
    before = engine.settings
    with pytest.raises(LimitError, match=name):
        engine.configure(**{"draw_score": 50, name: value})
    assert engine.settings == before


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_a_legal_move(level: int) -> None:
    engine = engine_at(MIDDLE_GAME, level=level)
    assert engine.search(Limits(nodes=20_000)).move in engine.position.legal_moves


@pytest.mark.parametrize("level", range(1, 6))
def test_a_level_searches_to_its_depth_and_chooses_within_its_spread(level: int) -> None:
    """The lines of a plain search to the same depth are what the level chooses from."""
    limit = handicap(level)
    infos, _ = reports(engine_at(MIDDLE_GAME, multipv=limit.candidates), Limits(depth=limit.depth))
    lines = {info.pv[0]: info.score.cp or 0 for info in infos if info.depth == limit.depth and info.pv}
    assert len(lines) >= limit.candidates
    for _ in range(6):
        answer = engine_at(MIDDLE_GAME, level=level).search(Limits(depth=20))
        assert answer.depth == limit.depth
        assert answer.move is not None
        assert lines[answer.move] >= max(lines.values()) - limit.spread


def test_the_lowest_level_varies_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "random", random.Random(5).random)
    assert len({engine_at(MIDDLE_GAME, level=1).search(Limits(depth=20)).move for _ in range(12)}) > 1


def test_the_top_level_plays_the_best_move() -> None:
    plain = engine_at(MIDDLE_GAME).search(Limits(depth=7))
    level = engine_at(MIDDLE_GAME, level=LEVELS[-1]).search(Limits(depth=7))
    assert (plain.move, plain.nodes) == (level.move, level.nodes)


def test_a_level_strays_no_further_than_its_spread() -> None:
    values = enumerate((100, 80, 70, -300))
    lines = [RootLine(Move(index, index + 9), value, 3, 1, 1, []) for index, value in values]
    rng = random.Random(3)
    chosen = [weaker_choice(lines, 60, rng.random).score for _ in range(300)]
    assert set(chosen) == {100, 80, 70}
    assert chosen.count(100) > chosen.count(80) > chosen.count(70)


@pytest.mark.parametrize("setting", ["pruning", "knowledge"])
def test_every_grade_finds_the_mate(setting: str) -> None:
    for grade in ("none", "small", "medium", "large"):
        assert engine_at(MATE_IN_TWO, **{setting: grade}).search(Limits(depth=8)).score == Score(mate=2)


def test_depth_limit_and_breadth_narrow_the_search() -> None:
    assert engine_at(depth_limit=3).search(Limits(depth=8)).depth == 3
    full = engine_at(MIDDLE_GAME, pruning="none").search(Limits(depth=4)).nodes
    narrow = engine_at(MIDDLE_GAME, pruning="none", breadth=3).search(Limits(depth=4)).nodes
    assert narrow < full


def test_noise_changes_moves_and_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.urandom", random.Random(6).randbytes)
    noisy = [engine_at(randomness=150).search(Limits(depth=3)) for _ in range(12)]
    assert len({answer.move for answer in noisy}) > 1
    plain = [engine_at(randomness=0).search(Limits(depth=3)) for _ in range(3)]
    assert len({(answer.move, answer.score, answer.nodes) for answer in plain}) == 1


# Repetition


def test_a_winning_side_does_not_repeat() -> None:
    """Red, a rook up, is in this position for the second time and could repeat another one with a0a5."""
    game = Position("3ak4/4a4/9/9/9/9/9/4B4/4A4/R3KA3 w")
    for text in "a0a5 e9f9 a5a0 f9e9".split():
        game.push(text)
    engine = Engine(SMALL)
    engine.set_position(game)
    answer = engine.search(Limits(depth=8))
    assert answer.score > Score(cp=125)
    assert answer.move != Move.from_iccs("a0a5")


# The evaluation


def evaluation(position: Position) -> int:
    return int(_core.static_evaluation(position))


def changed(fen: str, rank: Callable[[str], str], order: int, swap: bool) -> Position:
    board, turn = fen.split()[:2]
    ranks = [rank(text) for text in board.split("/")][::order]
    text = "/".join(ranks)
    return Position(f"{text.swapcase() if swap else text} {'wb'[(turn == 'b') ^ swap]}")


@settings(max_examples=150)
@given(positions)
def test_flipping_the_colours_changes_nothing_for_the_mover(position: Position) -> None:
    flipped = changed(position.fen(), lambda text: text, -1, swap=True)
    assert flipped.turn != position.turn
    assert evaluation(flipped) == evaluation(position)


@settings(max_examples=150)
@given(positions)
def test_mirroring_the_files_changes_nothing(position: Position) -> None:
    mirrored = changed(position.fen(), lambda text: text[::-1], 1, swap=False)
    assert mirrored.turn == position.turn
    assert evaluation(mirrored) == evaluation(position)


@settings(max_examples=100)
@given(st.integers(0, 2**32), st.integers(0, 60))
def test_moves_keep_the_sums_that_a_fresh_board_has(seed: int, plies: int) -> None:
    position = random_position(seed, plies)
    assert evaluation(position) == evaluation(Position(position.fen()))


def sums_of_terms(position: Position) -> tuple[int, int]:
    """The terms summed from Red's side, for the middlegame and for the endgame."""
    terms = _core.evaluation_terms(position)
    return sum(row[1] - row[3] for row in terms), sum(row[2] - row[4] for row in terms)


@pytest.mark.parametrize(
    ("fen", "middle_share"),
    [
        (START_FEN, 1.0),  # all rooks, knights and cannons
        ("r1bakabn1/9/1c7/p1p1p1p1p/9/2P6/P3P1P1P/7C1/9/1NBAKABR1 w", 0.5),  # one of each for either side
        ("r1bakabn1/9/1c7/p1p1p1p1p/9/2P6/P3P3P/7C1/9/1NBAKABR1 b", 0.5),
        ("4kab2/4a4/4b4/p3p4/9/2P1P4/P5P1P/4B4/4A4/3AK1B2 w", 0.0),  # none
    ],
)
def test_the_total_blends_the_terms_by_the_attacking_pieces_left(fen: str, middle_share: float) -> None:
    position = Position(fen)
    middle, end = sums_of_terms(position)
    assert middle != end
    total = middle_share * middle + (1 - middle_share) * end
    assert abs(total - (1 if position.turn == RED else -1) * evaluation(position)) < 1


@settings(max_examples=100)
@given(st.integers(0, 2**32), st.integers(0, 30))
def test_the_total_lies_between_middlegame_and_endgame(seed: int, plies: int) -> None:
    """Early in a game no evaluation is scaled down towards a draw."""
    position = random_position(seed, plies)
    sums = sums_of_terms(position)
    assert min(sums) - 1 <= (1 if position.turn == RED else -1) * evaluation(position) <= max(sums) + 1


def test_the_evaluation_names_the_seeds_five_terms_first() -> None:
    names = [row[0] for row in _core.evaluation_terms(Position())]
    assert names[:5] == ["strength", "position", "mobility", "threat", "control"]


def test_the_start_is_even_but_for_the_move() -> None:
    assert 0 <= evaluation(Position()) <= 60
    engine = engine_at()
    assert -5 <= (engine.evaluate().cp or 0) <= 50  # the network's view
    engine.configure(evaluation="classical")
    assert engine.evaluate() == Score(cp=shown(evaluation(Position())))


def test_a_rook_more_is_worth_a_rook() -> None:
    without = Position("1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
    assert evaluation(without) > 500


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (HALF_WON, Score(cp=100)),
        (-28_000 + 3, Score(cp=-9997)),  # lost by the law in three plies
        (_core.SCORE_MATE - 1, Score(mate=1)),
        (_core.SCORE_MATE - 3, Score(mate=2)),
        (-_core.SCORE_MATE + 2, Score(mate=-1)),
        (-_core.SCORE_MATE, Score(mate=0)),
    ],
)
def test_core_values_become_scores(value: int, score: Score) -> None:
    assert to_score(value) == score


@pytest.mark.parametrize("limits", [Limits(nodes=100_000), Limits(movetime=60_000), Limits(depth=40)], ids=str)
@pytest.mark.parametrize("multipv", [1, 3])
def test_a_search_stops_when_every_line_is_a_proven_mate(multipv: int, limits: Limits) -> None:
    engine = engine_at("3k5/R8/1R7/9/9/9/9/9/9/4K4 w", multipv=multipv)
    infos: list[Info] = []
    best = engine.search(limits, infos.append)
    assert [info.score for info in infos[-multipv:]] == [Score(mate=1)] * multipv
    assert infos[-1].depth < 10
    assert best.nodes < 2000
