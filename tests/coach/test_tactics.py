"""Tactics: lines composed by hand and near misses; and the rules of the facts on games."""

from __future__ import annotations

import random

import pytest
from paths import DATA
from random_play import play_at_random, random_position

from chuhe.coach import MOTIFS, explain
from chuhe.coach.material import gains, settled_balance
from chuhe.coach.tactics import mate_in_one, mate_threat
from chuhe.engine import Position, square, square_name


def composed() -> list[tuple[str, list[str], str, str]]:
    lines = (DATA / "tactics.txt").read_text(encoding="utf-8").splitlines()
    rows = [[part.strip() for part in line.split("|")] for line in lines if line and not line.startswith("#")]
    return [(fen, moves.split(), code, squares) for fen, moves, code, squares in rows]


CASES = composed()


@pytest.mark.parametrize(("fen", "moves", "code", "squares"), CASES)
def test_composed_lines(fen: str, moves: list[str], code: str, squares: str) -> None:
    found = [
        " ".join(square_name(piece.square) for piece in fact.pieces)
        for fact in explain(Position(fen), moves)
        if fact.code == code
    ]
    assert found == ([] if squares == "-" else [squares])


def test_every_tactic_has_a_line_and_a_near_miss() -> None:
    for motif in MOTIFS.values():
        if motif.kind != "mate":
            shown = {squares != "-" for _, _, code, squares in CASES if code == motif.code}
            assert shown == {True, False}, motif.code


def test_a_threat_names_its_mate_and_leaves_the_position_alone() -> None:
    position = Position("5k3/1R7/R8/9/9/9/9/9/9/3K5 b")
    fact = mate_threat(position, mate_in_one)
    assert fact is not None
    assert (fact.moves, fact.mate, fact.points) == (1, "alternating_rooks", (square("a9"),))
    assert fact.text().startswith(
        "threat of mate in 1 (叫杀): Red rook a7; Black king f9; a9; alternating rooks (双车错)"
    )
    assert position.fen().startswith("5k3/1R7/R8/9/9/9/9/9/9/3K5 b")


def test_a_capture_gains_if_the_piece_is_loose_or_worth_more() -> None:
    pieces = Position("3k5/9/9/r8/n8/9/9/R8/9/4K4 w").pieces()
    rook, knight, black_rook = square("a2"), square("a5"), square("a6")
    assert not gains(pieces, rook, knight)  # protected, and worth less
    assert not gains(pieces, knight, rook)  # no knight's move
    assert not gains(pieces, rook, black_rook)  # not in reach
    assert gains(Position("3k5/9/9/9/n8/9/9/R8/9/4K4 w").pieces(), rook, knight)


def test_the_balance_counts_what_hangs() -> None:
    position = Position("3k5/9/9/9/n8/9/9/R8/9/4K4 w")
    assert settled_balance(position, 0) == 900 - 400 + 400
    assert settled_balance(position, 1) == -settled_balance(position, 0)


def test_explaining_any_line_changes_nothing_and_names_pieces_that_stand_there() -> None:
    generator = random.Random(7)
    for _ in range(15):
        position = random_position(generator, generator.randrange(40))
        line = [after.move_stack[-1] for after in play_at_random(generator, 8, position.copy())]
        before = position.fen()
        boards = [position.copy()]
        for move in line:
            boards.append(boards[-1].copy())
            boards[-1].push(move)
        for fact in explain(position, line):
            near = [boards[fact.ply].pieces(), boards[max(0, fact.ply - 1)].pieces()]  # a capture: the board before it
            assert any(
                all(piece.square in pieces and pieces[piece.square].symbol == piece.symbol for piece in fact.pieces)
                for pieces in near
            )
        assert position.fen() == before
