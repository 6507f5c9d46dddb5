import random

from engine import Position
from play.reach import targets


def test_both_sides_reach_what_the_core_generates() -> None:
    rng = random.Random(11)
    compared = 0
    for _ in range(12):
        position = Position()
        for _ in range(100):
            moves = position.legal_moves
            if not moves:
                break
            pieces = {square: piece.symbol for square, piece in position.pieces().items()}
            found = targets(pieces)
            own = {
                (start, end)
                for start, ends in found.items()
                for end in ends
                if pieces[start].isupper() == (not position.turn)
            }
            assert own == {(move.from_square, move.to_square) for move in position.pseudo_legal_moves}, position.fen()
            captures = [move for move in moves if position.is_capture(move)]
            position.push(rng.choice(captures if captures and rng.random() < 0.3 else moves))
            compared += 1
    assert compared > 500
