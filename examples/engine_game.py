"""Two levels play a game; it is printed as PGN with Chinese moves, each with its score."""

from __future__ import annotations

import chuhe


def main(plies: int = 20) -> None:
    players = [chuhe.Engine(chuhe.Settings(hash_mb=4, level=level)) for level in (4, 2)]
    game = chuhe.Position()
    moves: list[chuhe.RecordedMove] = []
    while len(moves) < plies and not game.is_game_over():
        best = players[game.turn].play(game, chuhe.Limits(nodes=1000))
        assert best.move is not None
        moves.append(chuhe.RecordedMove(best.move, f"[%eval {best.score.red().as_centipawns() / 100:.2f}]"))
        game.push(best.move)
    tags = {"Red": "level 4", "Black": "level 2"}
    record = chuhe.GameRecord(moves=tuple(moves), tags=tags, result=game.result())
    print(chuhe.pgn.format_pgn(record, "chinese"))


if __name__ == "__main__":
    main()
