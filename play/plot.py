"""Plots the score over a game: our own SVG, or PNG through matplotlib (extra `match`)."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from bench.score_plot import PAWNS, Curve, clipped, save_figure, score_figure
from engine.safe_files import MARK, write_file

WIDTH, HEIGHT, MARGIN = 860, 300, 40
EDGE = round(100 * PAWNS)  # centipawns at the edge of the picture


def write_plot(path: Path, scores: list[int], faults: dict[int, str], title: str) -> None:
    """Plots the scores (centipawns for Red, one per ply); the suffix tells the format. Call `check_plot` first."""
    if path.suffix.lower() == ".svg":
        write_file(path, svg(scores, faults, title))
    else:
        save_figure(_figure(scores, faults, title), path)


def svg(scores: list[int], faults: dict[int, str], title: str) -> str:
    """The picture as SVG text: Red's advantage above the middle line, marks on mistakes."""
    inner = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN
    middle = HEIGHT / 2

    def x(ply: int) -> float:
        return MARGIN + inner[0] * (ply + 1) / max(1, len(scores))

    def y(score: int) -> float:
        return middle - inner[1] / 2 * max(-EDGE, min(EDGE, score)) / EDGE

    points = [(float(MARGIN), middle), *((x(ply), y(score)) for ply, score in enumerate(scores))]
    line = " ".join(f"{left:.1f},{top:.1f}" for left, top in points)
    area = f"{line} {points[-1][0]:.1f},{middle:.1f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        f'  font-family="sans-serif" font-size="12"><desc>{MARK} analyze</desc>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{WIDTH / 2:.0f}" y="22" text-anchor="middle" font-size="15">{escape(title)}</text>',
        f'<polygon points="{area}" fill="#d33" fill-opacity="0.15"/>',
    ]
    for score in (-EDGE, -EDGE // 2, 0, EDGE // 2, EDGE):
        parts.append(
            f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y(score):.1f}" y2="{y(score):.1f}" '
            f'stroke="#{"666" if score == 0 else "ddd"}"/>'
            f'<text x="{MARGIN - 6}" y="{y(score) + 4:.1f}" text-anchor="end">{score / 100:+.0f}</text>'
        )
    step = max(1, len(scores) // 2 // 10)
    for number in range(0, len(scores) // 2 + 1, step):
        left = x(2 * number - 1) if number else float(MARGIN)
        parts.append(f'<text x="{left:.1f}" y="{HEIGHT - 14}" text-anchor="middle">{number}</text>')
    parts.append(f'<polyline points="{line}" fill="none" stroke="#b22" stroke-width="2"/>')
    for ply, mark in faults.items():
        colour = "#b22" if ply % 2 == 0 else "#226"
        parts.append(
            f'<circle cx="{x(ply):.1f}" cy="{y(scores[ply]):.1f}" r="4" fill="{colour}"/>'
            f'<text x="{x(ply):.1f}" y="{y(scores[ply]) - 8:.1f}" text-anchor="middle" fill="{colour}">{mark}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _figure(scores: list[int], faults: dict[int, str], title: str) -> Any:
    moves = [(ply + 1) / 2 for ply in range(len(scores))]
    pawns = [clipped(score / 100) for score in scores]
    return score_figure(
        [Curve(moves, pawns, "#b22", filled=True)],
        title,
        [(moves[ply], pawns[ply], mark) for ply, mark in faults.items()],
    )
