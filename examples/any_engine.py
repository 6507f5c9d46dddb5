"""Ask any UCCI or UCI engine, without asyncio: `python any_engine.py fairy-stockfish`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import chuhe

OURS = [sys.executable, "-m", "chuhe"]


def main(command: str | Sequence[str] = OURS) -> None:
    position = chuhe.Position()
    with chuhe.open_engine(command) as engine:
        print(engine.name, "has", len(engine.options), "options")
        print("plays", engine.play(position, chuhe.Limits(depth=5)).move)
        for info in engine.analyse(position, chuhe.Limits(depth=5), multipv=2):
            print(info.multipv, info.score.red(), position.variation_text(info.pv))


if __name__ == "__main__":
    main(*sys.argv[1:2])
