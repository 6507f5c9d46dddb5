"""The engine's numbers in words and tables, for people."""

from __future__ import annotations

from engine import _core
from engine.position import Position


def evaluation_table(position: Position) -> str:
    """Every term of the evaluation, for each side and phase, and what they add up to."""
    rows = _core.evaluation_terms(position)
    lines = [
        f"{'':<18}|{'Red':^15}|{'Black':^15}|{'Difference':^15}",
        f"{'term':<18}|{'middle':>7}{'end':>7} |{'middle':>7}{'end':>7} |{'middle':>7}{'end':>7}",
        "-" * 18 + ("+" + "-" * 15) * 3,
    ]
    total = [0, 0, 0, 0]
    for name, *values in rows:
        total = [old + new for old, new in zip(total, values, strict=True)]
        lines.append(_row(name, values))
    lines += [lines[2], _row("sum", total)]
    score = _core.static_evaluation(position)
    red = score if position.turn == _core.RED else -score
    lines.append(f"Total: {red / 100:+.2f} for Red, phases blended and winning chances counted (in pawns of 100)")
    return "\n".join(lines)


def _row(name: str, values: list[int]) -> str:
    red_middle, red_end, black_middle, black_end = values
    return (
        f"{name:<18}|{red_middle:>7}{red_end:>7} |{black_middle:>7}{black_end:>7} "
        f"|{red_middle - black_middle:>+7}{red_end - black_end:>+7}"
    )
