"""Named mates: positions composed by hand, near misses, and what must hold for any position."""

from __future__ import annotations

import random

import pyffish
import pytest
from paths import DATA
from random_play import play_at_random

from chuhe.coach import MOTIFS, explain
from chuhe.engine import Position
from chuhe.engine.diagram import attackers, kings_face, position_of


def composed() -> list[tuple[str, list[str], list[str]]]:
    lines = (DATA / "mates_named.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("|") for line in lines if line and not line.startswith("#")]
    return [(fen.strip(), moves.split(), names.split()) for fen, moves, names in rows]


CASES = composed()
FROM_MOVES = {"pierced_heart", "springing_horse", "grinding_cannon", "back_to_temple"} | {
    f"quiet_rook_{piece}" for piece in ("horse", "cannon", "pawn")
}


@pytest.mark.parametrize(("fen", "moves", "names"), CASES)
def test_every_composed_mate_has_exactly_its_names(fen: str, moves: list[str], names: list[str]) -> None:
    facts = explain(Position(fen), moves)
    assert [fact.code for fact in facts if fact.motif.kind == "mate"] == names


@pytest.mark.parametrize(("fen", "moves", "names"), CASES)
def test_the_composed_positions_are_over_by_another_programs_rules(
    fen: str, moves: list[str], names: list[str]
) -> None:
    position = Position(fen)
    for move in moves:
        position.push(move)
    assert pyffish.legal_moves("xiangqi", position.fen(), []) == []
    assert position.is_check() == ("stalemate" not in names)


def test_every_name_has_three_positions() -> None:
    for motif in MOTIFS.values():
        if motif.kind == "mate":
            assert sum(motif.code in names for _, _, names in CASES) >= 3, motif.code


@pytest.mark.parametrize(("fen", "moves", "names"), CASES)
def test_names_do_not_depend_on_colour_or_wing(fen: str, moves: list[str], names: list[str]) -> None:
    position = Position(fen)
    for move in moves:
        position.push(move)
    known = [name for name in names if name not in FROM_MOVES]  # the moves are lost
    assert [fact.code for fact in explain(position.flip())] == known
    assert [fact.code for fact in explain(position.mirror())] == known


def test_attackers_agree_with_the_core_on_random_boards() -> None:
    generator = random.Random(25)
    for _ in range(20):
        for position in play_at_random(generator, 60, Position()):
            pieces = position.pieces()
            assert not kings_face(pieces)
            assert position_of(pieces, position.turn).key == position.key  # type: ignore[union-attr]
            for square, piece in pieces.items():
                enemy = 1 - piece.colour
                assert sorted(attackers(pieces, enemy, square)) == sorted(position.attackers(enemy, square))
