"""The tables: every entry against the rules, an independent search, another engine, and endgame theory."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from mate_prover import OutOfBudget, Prover

from chuhe.engine import Position
from chuhe.engine._endgame import Solver
from chuhe.engine.endgame import EndgameVerdict, Tablebases, material_of, probe, probe_moves
from chuhe.engine.endgame.building import build, load, load_with_smaller
from chuhe.engine.endgame.material import Material
from chuhe.engine.endgame.solving import solve
from chuhe.engine.endgame.survey import position_at, survey
from chuhe.engine.endgame.table_file import open_table, table_path
from chuhe.engine.table_paths import SUFFIX


def opened(directory: Path, name: str) -> Solver:
    return load(open_table(table_path(directory, Material.parse(name))))


def some_positions(directory: Path, name: str, count: int, seed: int = 1) -> Iterator[tuple[Position, int]]:
    """Legal positions of a table with their codes."""
    solver, rng = opened(directory, name), random.Random(seed)
    while count:
        side, index = rng.randrange(2), rng.randrange(solver.size)
        if solver.is_legal(side, index):
            yield position_at(solver, side, index), solver.code(side, index)
            count -= 1


def by_its_moves(tablebases: Tablebases, position: Position) -> int:
    """A position's code, computed from its legal moves."""
    after = []
    for move in position.legal_moves:
        position.push(move)
        verdict = tablebases.probe(position)
        position.pop()
        assert verdict is not None
        after.append(0 if verdict.plies is None else verdict.plies + 1)
    lost = [code for code in after if code % 2]
    if lost:
        return min(lost) + 1
    if 0 in after:
        return 0
    return max(after, default=0) + 1


@pytest.mark.parametrize("name", ["KRK", "KPK", "KNK", "KCK"])
def test_every_entry_of_the_smallest_follows_from_the_rules(tables: Path, name: str) -> None:
    tablebases, solver = Tablebases([tables]), opened(tables, name)
    seen = 0
    for index in range(0, solver.size, 1 if name == "KPK" else 3):
        for side in (0, 1):
            if solver.is_legal(side, index):
                position = position_at(solver, side, index)
                code = solver.code(side, index)
                assert tablebases.core.probe(position) == code == by_its_moves(tablebases, position), position.fen()
                seen += 1
    assert seen > 500


def test_every_entry_agrees_with_its_successors(tables: Path) -> None:
    names = sorted(path.stem for path in tables.glob(f"*{SUFFIX}"))
    assert sum(2 * Material.parse(name).positions for name in names) > 3_000_000
    for name in names:
        solver = load_with_smaller(tables, Material.parse(name))
        assert solver.find_fault(0, solver.size) is None, name


def test_a_table_that_is_not_finished_is_found_out() -> None:
    solver = Solver(*Material.parse("KRK").packed)
    solver.begin(0, solver.size)
    assert solver.find_fault(0, solver.size) is not None


@pytest.mark.parametrize("name", ["KRKAABB", "KRKABB", "KPPKA", "KCAAKAA", "KNKAA"])
def test_a_probe_finds_what_was_solved(tables: Path, name: str) -> None:
    tablebases = Tablebases([tables])
    for position, code in some_positions(tables, name, 300):
        assert tablebases.core.probe(position) == code, position.fen()


@pytest.mark.parametrize("name", ["KRKAABB", "KPPKA", "KCAAKA", "KNKAA"])
def test_colour_and_mirror_change_nothing(tables: Path, name: str) -> None:
    tablebases = Tablebases([tables])
    for position, _ in some_positions(tables, name, 100, seed=2):
        verdict = tablebases.probe(position)
        assert verdict is not None
        for other in (position.mirror(), position.flip(), position.flip().mirror()):
            assert tablebases.probe(other) == verdict, position.fen()


@pytest.mark.parametrize(("name", "longest"), [("KRKAABB", 5), ("KPPKA", 7), ("KCAAKAA", 5), ("KNKA", 7)])
def test_a_plain_search_finds_the_same_mates(tables: Path, name: str, longest: int) -> None:
    compared = 0
    for position, code in some_positions(tables, name, 4000, seed=3):
        verdict = EndgameVerdict(code - 1 if code else None)
        if position.turn == 1 or (verdict.plies is not None and verdict.plies > longest):
            continue
        if compared == 20:
            return
        prover = Prover(budget=60_000)
        try:
            moves = prover.mate_length(position.fen(), (longest + 1) // 2 if verdict.plies else 2)
        except OutOfBudget:
            continue
        assert moves == (None if verdict.plies is None else (verdict.plies + 1) // 2), position.fen()
        compared += 1
    pytest.fail(f"only {compared} positions compared")


@pytest.mark.needs("fairy-stockfish")
def test_an_independent_engine_finds_the_same_mates(tables: Path) -> None:
    cases = []
    for name in ("KRKAABB", "KPPKA", "KCAAKAA"):
        known = [(position, code - 1) for position, code in some_positions(tables, name, 400, seed=4)]
        cases += [case for case in known if case[0].turn == 0 and 3 <= case[1] <= 9][:6]
    script = ["uci", "setoption name UCI_Variant value xiangqi"]
    for position, plies in cases:
        script += ["ucinewgame", f"position fen {position.fen()}", f"go mate {(plies + 1) // 2} nodes 1000000"]
    with subprocess.Popen(["fairy-stockfish"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for line in script[:2]:
            print(line, file=engine.stdin, flush=True)
        found = []
        for number in range(len(cases)):
            for line in script[2 + 3 * number : 5 + 3 * number]:
                print(line, file=engine.stdin, flush=True)
            score = ""
            for line in engine.stdout:
                if line.startswith("info") and " score " in line:
                    score = " ".join(line.split(" score ")[1].split()[:2])
                if line.startswith("bestmove"):
                    break
            found.append(score)
        print("quit", file=engine.stdin, flush=True)
    mates = [(score, plies) for score, (_, plies) in zip(found, cases, strict=True) if score.startswith("mate")]
    assert len(mates) >= len(cases) - 3
    assert [score for score, _ in mates] == [f"mate {(plies + 1) // 2}" for _, plies in mates]


def test_one_thread_and_two_write_the_same_bytes(tmp_path: Path) -> None:
    endgames = Material.parse("KNKAB").with_smaller()
    for threads in (1, 2):
        build(tmp_path / str(threads), endgames, threads, lambda built: None)
    for endgame in endgames:
        first, second = (table_path(tmp_path / str(threads), endgame).read_bytes() for threads in (1, 2))
        assert first == second, endgame.name


def test_the_books_are_right(tables: Path) -> None:
    def verdict(name: str) -> str:
        return survey(Material.parse(name), opened(tables, name), 2).verdict

    assert verdict("KRKAA") == verdict("KRKBB") == verdict("KRKAAB") == verdict("KRKABB") == "例勝"
    assert verdict("KRKAABB") == "例和"
    assert verdict("KNKA") == "例勝"
    assert verdict("KNKAA") == "例和"
    assert verdict("KCAAKAA") == "例勝"
    assert verdict("KPKA") == "例和"


def test_a_lone_cannon_wins_nothing(tables: Path) -> None:
    """Except positions that are nearly over, where a defending piece blocks its own king."""
    for name in ("KCK", "KCKA", "KCKB"):
        facts = open_table(table_path(tables, Material.parse(name))).facts
        total = sum(facts["attacker"][key] for key in ("win", "draw", "loss"))
        assert facts["attacker"]["win"] < 0.02 * total, name
        assert survey(Material.parse(name), opened(tables, name), 1).verdict == "例和"


def test_the_longest_line_ends_in_mate(tables: Path) -> None:
    tablebases, solver = Tablebases([tables]), opened(tables, "KRKAABB")
    found = survey(Material.parse("KRKAABB"), solver, 2)
    assert found.longest is not None
    position = position_at(solver, 0, found.longest)
    line = tablebases.line(position)
    assert len(line) == found.attacker.longest == 63
    for number, move in enumerate(line):
        assert tablebases.probe(position) == EndgameVerdict(63 - number)
        position.push(move)
    assert not position.has_legal_moves()


def test_the_attacker_can_lose(tmp_path: Path) -> None:
    """The defender wins by a stalemate: the knight in front of its king may not move, and nothing else can."""
    directory = tmp_path
    build(directory, Material.parse("KNAAK").with_smaller(), 2, lambda built: None)
    tablebases = Tablebases([directory])
    lost = Position("4k4/9/9/9/9/9/9/9/4N4/3AKA3 w")
    assert not lost.has_legal_moves()
    assert tablebases.probe(lost) == EndgameVerdict(0)
    assert tablebases.probe(Position("3k5/9/9/9/9/9/9/9/4N4/3AKA3 b")) == EndgameVerdict(1)


def test_probing_from_python(tables: Path) -> None:
    position = Position("4k4/9/9/9/9/9/9/9/9/3K4R w")
    assert probe(position, str(tables)) == EndgameVerdict(3)
    moves = probe_moves(position, str(tables))
    assert len(moves) == len(position.legal_moves)
    assert moves[0][1] == EndgameVerdict(3)
    assert probe(Position(), str(tables)) is None
    assert probe(Position("4k4/9/9/9/9/9/9/9/9/3K1A3 w"), str(tables)) == EndgameVerdict(None)  # no attackers
    assert probe(Position("4k4/9/9/9/9/9/9/P8/9/3K5 w"), str(tables)) is None  # a pawn cannot be there
    assert material_of(position) == Material.parse("KRK")
    assert material_of(Position()) is None


def test_what_is_missing_is_said_of_one_move_only(tables: Path, tmp_path: Path) -> None:
    (tmp_path / "KRKA.egt").write_bytes((tables / "KRKA.egt").read_bytes())
    tablebases = Tablebases([tmp_path])
    position = Position("4k4/4a4/9/9/9/9/9/9/4R4/3K5 w")  # the capture leads to a missing table
    assert tablebases.probe(position) is not None
    unknown = [str(move) for move, verdict in tablebases.probe_moves(position) if verdict is None]
    assert unknown == ["e1e8"]


def test_solving_needs_no_second_thread() -> None:
    material = Material.parse("KPK")
    one, two = solve(material, {}, 1), solve(material, {}, 2)
    assert all(one.code(side, index) == two.code(side, index) for side in (0, 1) for index in range(one.size))
