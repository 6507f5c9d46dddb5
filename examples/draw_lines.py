"""Draw a position with the engine's three best moves as arrows: `python draw_lines.py picture.svg`."""

from __future__ import annotations

import sys
from pathlib import Path

import chuhe


def main(target: str | Path) -> None:
    position = chuhe.Position()
    position.push("炮二平五")
    with chuhe.Engine(chuhe.Settings(hash_mb=16)) as engine:
        lines = engine.analyse(position, chuhe.Limits(depth=5), multipv=3)
    arrows = [chuhe.Arrow(info.pv[0], 1 / info.multipv) for info in lines]
    Path(target).write_text(chuhe.board_svg(position, arrows=arrows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
