"""The three best moves of a position, with their scores for Red and the chances of both sides."""

from __future__ import annotations

import chuhe


def main(fen: str = chuhe.START_FEN) -> None:
    position = chuhe.Position(fen)
    with chuhe.Engine(chuhe.Settings(hash_mb=16)) as engine:
        for info in engine.analyse(position, chuhe.Limits(depth=6), multipv=3):
            win, draw, loss = info.score.wdl()
            print(info.score.red(), f"{win}/{draw}/{loss}", position.variation_text(info.pv))


if __name__ == "__main__":
    main()
