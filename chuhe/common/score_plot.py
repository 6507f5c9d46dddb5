"""Plots a game's scores with matplotlib (extra `match`), for the match report and `chuhe analyze`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chuhe.common.extras import have, needs
from chuhe.files.writing import MARK, check_output, marked, replacing

PLOT_SUFFIXES = (".svg", ".png")
PAWNS = 10.0  # scores beyond this are drawn at the edge
# for the names of players and events; the first that is installed is used for what the usual font lacks
CHINESE_FONTS = ("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK TC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei",
                 "Microsoft YaHei", "PingFang SC", "SimHei")  # fmt: skip


def can_plot() -> bool:
    return have("matplotlib")


@dataclass(frozen=True, slots=True)
class Curve:
    """Scores in pawns from Red's point of view, by full move."""

    moves: Sequence[float]
    pawns: Sequence[float]
    colour: str
    label: str = ""
    filled: bool = False


def clipped(pawns: float) -> float:
    """
    >>> clipped(12.5), clipped(-0.5)
    (10.0, -0.5)
    """
    return max(-PAWNS, min(PAWNS, pawns))


def new_figure(width: float = 9, height: float = 4) -> Any:
    """An empty figure, in inches; ImportError without matplotlib."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def figure_and_axes() -> tuple[Any, Any]:
    """An empty figure in our plots' size and style, with a grid."""
    figure = new_figure()
    axes = figure.add_subplot()
    axes.grid(alpha=0.3)
    return figure, axes


def save_figure(figure: Any, path: Path) -> None:
    """Write the figure atomically, as SVG or PNG by the file's suffix, with our mark in its metadata."""
    import matplotlib

    kind = path.suffix[1:].lower()
    fonts = [*CHINESE_FONTS, *matplotlib.rcParams["font.sans-serif"]]
    with (
        replacing(path) as scratch,
        matplotlib.rc_context({"font.sans-serif": _installed(fonts)}),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # without such a font, boxes have to do
        figure.savefig(scratch, format=kind, dpi=120, metadata={"Creator" if kind == "svg" else "Software": MARK})


def _installed(fonts: list[str]) -> list[str]:
    """Those of the fonts that this machine has: matplotlib would warn of the others."""
    from matplotlib.font_manager import fontManager

    there = set(fontManager.get_font_names())
    return [font for font in fonts if font in there]


def check_plot(path: Path, *, force: bool = False) -> None:
    """ValueError if no plot can be written there. Call it before the work, so that a bad path fails early."""
    if path.suffix.lower() not in PLOT_SUFFIXES:
        raise ValueError(f"{path}: plots are {' or '.join(PLOT_SUFFIXES)} files")
    if not can_plot():
        raise ValueError(needs("a plot", "matplotlib"))
    check_output(path, force=force, ours=marked())


def score_figure(curves: Sequence[Curve], title: str = "", marks: Sequence[tuple[float, float, str]] = ()) -> Any:
    """All curves in one figure; `marks` are labels at (move, pawns)."""
    figure, axes = figure_and_axes()
    axes.axhline(0, color="grey", linewidth=0.8)
    for curve in curves:
        axes.plot(curve.moves, curve.pawns, label=curve.label, color=curve.colour, linewidth=1.2)
        if curve.filled:
            axes.fill_between(curve.moves, curve.pawns, color=curve.colour, alpha=0.15)
    for move, pawns, text in marks:
        axes.annotate(text, (move, pawns), textcoords="offset points", xytext=(0, 5), ha="center")
    axes.set(title=title, xlabel="move", ylabel="pawns, Red's side", ylim=(-PAWNS - 0.5, PAWNS + 0.5))
    if any(curve.label for curve in curves):
        axes.legend()
    return figure
