"""The pieces that are pinned, and those that are attacked and not protected."""

from __future__ import annotations

import chuhe

FEN = "3ak4/4a4/4b4/p8/4n4/9/P3R4/4B4/9/3AK4 w"


def main(fen: str = FEN) -> None:
    position = chuhe.Position(fen)
    for square in chuhe.SQUARES:
        piece = position.piece_at(square)
        if piece is None:
            continue
        attackers = position.attackers(piece.colour.opponent, square)
        name = chuhe.square_name(square)
        if attackers and not position.attackers(piece.colour, square):
            print(piece.symbol, name, "hangs; attacked from", *map(chuhe.square_name, attackers))
        if position.is_pinned(square):
            print(piece.symbol, name, "is pinned")
    print("captures:", *map(position.wxf, position.legal_captures))


if __name__ == "__main__":
    main()
