"""What a notebook shows of an analysis: the board, with an arrow for each line, and the lines below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from chuhe.engine.notation import Notation
from chuhe.engine.position import Position
from chuhe.engine.values import Info
from chuhe.pictures.svg import Arrow, board_svg


@dataclass(frozen=True)
class Lines:
    """A position with an engine's lines, the best first: `Lines(position, engine.analyse(position, limits, 3))`."""

    position: Position
    lines: Sequence[Info]
    notation: Notation = "wxf"

    def _repr_html_(self) -> str:
        shown = [info for info in self.lines if info.pv]
        arrows = [Arrow(info.pv[0], 1 - number / len(shown)) for number, info in enumerate(shown)]
        items = [
            f"<li>{info.score} (depth {info.depth}): "
            f"{escape(self.position.variation_text(info.pv, self.notation))}</li>"
            for info in shown
        ]
        return f"{board_svg(self.position, arrows=arrows)}<ol>{''.join(items)}</ol>"
