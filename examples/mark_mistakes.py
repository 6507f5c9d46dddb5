"""Mark every move of a game that loses more than half a rook by the engine's view, and print the game."""

from __future__ import annotations

from dataclasses import replace

import chuhe

GAME = '[Red "Hu"] 1. C2=5 H8+7 2. C5+4 H2+3 3. H2+3 H3+5 *'


def main(pgn: str = GAME, limit: int = 450) -> None:
    (record,) = chuhe.pgn.parse_pgn(pgn)
    position, moves = chuhe.Position(record.fen), []
    with chuhe.Engine(chuhe.Settings(hash_mb=16)) as engine:
        for recorded in record.moves:
            before = engine.play(position, chuhe.Limits(depth=5)).score
            mover = position.turn
            position.push(recorded.move)
            after = engine.play(position, chuhe.Limits(depth=5)).score.pov(mover)
            lost = before.as_centipawns() - after.as_centipawns()
            moves.append(replace(recorded, mark="??") if lost > limit else recorded)
    print(chuhe.pgn.format_pgn(replace(record, moves=tuple(moves)), "wxf"))


if __name__ == "__main__":
    main()
