"""Build a position piece by piece, and hear what is wrong with it on the way."""

from __future__ import annotations

import chuhe


def main() -> None:
    board = chuhe.Position.empty()
    for name, symbol in (("e0", "K"), ("e9", "k"), ("a5", "R")):
        board.set_piece_at(chuhe.square(name), chuhe.Piece.from_symbol(symbol))
    print(*board.status(), sep="; ")
    board.remove_piece_at(chuhe.square("e9"))
    board.set_piece_at(chuhe.square("d9"), chuhe.Piece.from_symbol("k"))
    assert board.is_valid()
    print(board.fen(), len(board.legal_moves), "moves")


if __name__ == "__main__":
    main()
