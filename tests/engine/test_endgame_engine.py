"""The engine with tables: the move played keeps the win, gets closer to mate, and respects the move limit."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from chuhe.engine import Engine, Info, Law, Limits, Position, Reason, Score, Settings
from chuhe.engine._core import Board
from chuhe.engine.endgame import EndgameVerdict, Tablebases
from chuhe.engine.endgame.building import load
from chuhe.engine.endgame.material import Material
from chuhe.engine.endgame.root import plan_root
from chuhe.engine.endgame.survey import position_at
from chuhe.engine.endgame.table_file import open_table, table_path
from chuhe.protocol.session import Session

WON = "3a1ab2/4k4/4b4/9/9/9/9/9/4K4/R8 w"  # in 25 plies
DRAWN = "2ba1kb2/4a4/9/9/9/9/9/9/3R5/4K4 w"


@pytest.fixture
def engine(tables: Path) -> Engine:
    return Engine(Settings(hash_mb=4, table_paths=str(tables)))


def play(engine: Engine, position: Position, limits: Limits) -> list[Info]:
    infos: list[Info] = []
    engine.set_position(position)
    engine.search(limits, infos.append)
    return infos


def test_a_won_position_is_won_at_once_with_its_whole_line(engine: Engine) -> None:
    position = Position(WON)
    assert engine.verdict(position) == EndgameVerdict(25)
    engine.set_position(position)
    infos: list[Info] = []
    best = engine.search(Limits(nodes=100_000), infos.append)
    assert best.score == infos[-1].score == Score(mate=13)
    assert len(best.pv) == len(infos[-1].pv) == 25
    assert infos[-1].tbhits
    assert best.nodes < 200
    for move in best.pv:
        position.push(move)
    assert position.is_checkmate()


@pytest.mark.parametrize("threads", [1, 2])
def test_every_won_position_is_won_in_the_fewest_plies(tables: Path, threads: int) -> None:
    engine = Engine(Settings(hash_mb=4, threads=threads, table_paths=str(tables)))
    solver, rng = load(open_table(table_path(tables, Material.parse("KRKABB")))), random.Random(7)
    for _ in range(4):
        index = rng.randrange(solver.size)
        while not solver.is_legal(0, index) or solver.code(0, index) < 8:
            index = rng.randrange(solver.size)
        position = position_at(solver, 0, index)
        plies = solver.code(0, index) - 1
        while position.has_legal_moves():
            assert engine.verdict(position) == EndgameVerdict(plies)
            engine.set_position(position)
            best = engine.search(Limits(nodes=2000))
            assert best.score == Score(mate=(plies + 1) // 2 * (1 if plies % 2 else -1))
            assert best.move is not None
            position.push(best.move)
            plies -= 1
        assert plies == 0


def test_a_drawn_position_is_searched_among_what_holds(engine: Engine, tables: Path) -> None:
    position = Position(DRAWN)
    infos = play(engine, position, Limits(nodes=5000))
    assert {info.score for info in infos} == {Score(cp=0)}
    assert infos[-1].wdl == (0, 1000, 0)
    assert infos[-1].depth > 3
    plan = plan_root(Tablebases([tables]), position, position.legal_moves, 120)
    assert plan.drawn
    assert plan.tree_tables is None


def test_a_defender_who_must_find_the_only_move_finds_it(tables: Path) -> None:
    """Even with one node per move: losing moves are never searched."""
    tablebases = Tablebases([tables])
    engine = Engine(Settings(hash_mb=4, table_paths=str(tables)))
    solver, rng = load(open_table(table_path(tables, Material.parse("KRKAABB")))), random.Random(3)
    tried = 0
    while tried < 8:
        index = rng.randrange(solver.size)
        if not solver.is_legal(1, index) or solver.code(1, index):
            continue
        position = position_at(solver, 1, index)
        holding = [move for move, verdict in tablebases.probe_moves(position) if verdict == EndgameVerdict(None)]
        if len(holding) < len(position.legal_moves):
            engine.set_position(position)
            assert engine.search(Limits(nodes=1)).move in holding
            tried += 1


def test_a_mate_that_would_come_too_late_is_no_mate(engine: Engine) -> None:
    """25 plies to mate, 20 to the limit: it is reported only with a line in which captures reset the count in time."""
    board = WON.split()[0]
    late = Position(f"{board} w - - 100 60")
    infos = play(engine, late, Limits(nodes=3000))
    assert not infos[0].score.is_mate
    for info in infos:
        after = late.copy()
        for move in info.pv if info.score.is_mate else ():
            assert after.outcome() is None
            after.push(move)
        outcome = after.outcome()
        assert info.score.is_mate == (outcome is not None and outcome.reason == Reason.CHECKMATE)
    just = Position(f"{board} w - - 94 60")
    assert play(engine, just, Limits(nodes=3000))[-1].score == Score(mate=13)
    never = Engine(Settings(hash_mb=4, table_paths=engine.settings.table_paths, law=Law(move_limit=0)))
    assert play(never, late, Limits(nodes=3000))[-1].score == Score(mate=13)


def test_the_tree_is_probed_too(engine: Engine, tables: Path) -> None:
    """A position without a table, where a capture leads into one."""
    position = Position("4k4/4a4/4n4/9/9/9/9/4R4/9/4K4 w")
    infos = play(engine, position, Limits(depth=6))
    assert infos[-1].tbhits
    assert engine.verdict(position) is None
    without = Engine(Settings(hash_mb=4, use_tables=False, table_paths=str(tables)))
    assert play(without, position, Limits(depth=6))[-1].tbhits is None
    assert infos[-1].score.is_mate
    assert len(infos[-1].pv) == 2 * (infos[-1].score.mate or 0) - 1


def test_no_table_no_difference(tmp_path: Path) -> None:
    plain, empty = (Engine(Settings(hash_mb=4, table_paths=path)) for path in ("", str(tmp_path)))
    results = []
    for engine in (plain, empty):
        engine.set_position(Position())
        results.append(engine.search(Limits(depth=7)))
        assert engine.tables is None
    assert results[0].nodes == results[1].nodes


def test_a_weaker_level_does_not_know_the_tables(tables: Path) -> None:
    engine = Engine(Settings(hash_mb=4, level=3, table_paths=str(tables)))
    assert engine.tables is None
    assert engine.verdict(Position(WON)) is None


def test_several_lines_have_each_their_own_verdict(tables: Path) -> None:
    engine = Engine(Settings(hash_mb=4, multipv=3, table_paths=str(tables)))
    infos = play(engine, Position(WON), Limits(depth=5))
    scores = [info.score for info in infos if info.depth == infos[-1].depth]
    tablebases = Tablebases([tables])
    best = [str(verdict) for _, verdict in tablebases.probe_moves(Position(WON))][:3]
    assert best == ["win 25", "draw", "draw"]
    assert scores == [Score(mate=13), Score(cp=0), Score(cp=0)]
    infos = play(engine, Position(DRAWN), Limits(depth=5))
    assert [info.score for info in infos] == 3 * [Score(cp=0)]


def test_a_move_that_spoils_the_win_is_told_the_truth(engine: Engine, tables: Path) -> None:
    position = Position(WON)
    spoils = [move for move, verdict in Tablebases([tables]).probe_moves(position) if verdict == EndgameVerdict(None)]
    engine.set_position(position)
    best = engine.search(Limits(nodes=1000, search_moves=(spoils[0],)))
    assert best.move == spoils[0]
    assert best.score == Score(cp=0)


def test_a_damaged_table_is_no_oracle(tables: Path, tmp_path: Path) -> None:
    for path in tables.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    spoilt = tmp_path / "KRKAABB.egt"
    data = bytearray(spoilt.read_bytes())
    for at in range(len(data) - 250_000, len(data), 16):
        data[at] ^= 1
    spoilt.write_bytes(data)
    engine = Engine(Settings(hash_mb=4, table_paths=str(tmp_path)))
    engine.set_position(Position(DRAWN))
    best = engine.search(Limits(nodes=2000))
    assert best.move is not None
    assert engine.tables is not None
    assert any("KRKAABB.egt is damaged" in fault for fault in engine.tables.damage())


def test_the_core_takes_any_board(tables: Path) -> None:
    tablebases = Tablebases([tables])
    assert tablebases.core.probe(Board()) == -1
    assert tablebases.core.line(Board(), 5) == []
    assert len(tablebases.core) == len(tablebases)


def test_directories_given_again_are_searched_again(tables: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    session = Session(lines.append)
    session.handle("ucci")
    for name in ("KCK.egt", "KCKA.egt"):
        (tmp_path / name).write_bytes((tables / name).read_bytes())
        session.handle(f"setoption egtbpaths {tmp_path}")
    assert lines[-2:] == ["info message 1 endgame table", "info message 2 endgame tables"]
    engine = Engine(Settings(hash_mb=4, table_paths=str(tmp_path)))
    assert len(engine.tables or ()) == 2
    (tmp_path / "KCKB.egt").write_bytes((tables / "KCKB.egt").read_bytes())
    session.handle(f"setoption egtbpaths {tmp_path}")
    engine.configure(table_paths=str(tmp_path))
    assert len(engine.tables or ()) == 3
