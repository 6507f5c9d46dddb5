"""Draws the pictures of the README and the docs: the terminal after some moves, as SVG, and a position.

Every run of text is placed by its terminal column, so that the picture is aligned whatever fonts the reader has.
Run it as ``python docs/images/make.py``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CELL, LINE, SIZE = 9.6, 20, 16
COLOURS = {"1;31": "#e5484d", "1;36": "#5bc8d8", "2": "#7d8590"}
MARKED, CHECKED, PAPER, INK = "#8a6d1a", "#a40e26", "#16181d", "#d7dae0"
SCREENS = {
    "play.svg": (["--black", "s1", "--seed", "1", "--colour", "always"], ["炮二平五", "H2+3", "capture"], 24),
    "classic.svg": (["--board", "classic", "--black", "human", "--colour", "always"], ["H8,H5"], 14),
}


def record(options: list[str], lines: list[str]) -> str:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "chuhe", "play", *options]
    text = "".join(line + "\n" for line in lines)
    return subprocess.run(
        command, input=text, capture_output=True, text=True, cwd=ROOT, env=environment, check=True
    ).stdout.rstrip("\n")


def svg(lines: list[str]) -> str:
    from chuhe.text.columns import width

    parts = []
    columns = 0
    for row, line in enumerate(lines):
        column, code = 0, ""
        for chunk in re.split(r"(\x1b\[[0-9;]*m)", line):
            if chunk.startswith("\x1b"):
                code = "" if chunk == "\x1b[0m" else (code + ";" if code else "") + chunk[2:-1]
                continue
            # each word is placed by itself: viewers disagree about spaces inside a text
            for run in re.findall(r"[\u2e80-\uffef]| +|[^\u2e80-\uffef ]+", chunk):
                parts.append(_run(run, width(run), column, row, code))
                column += width(run)
        columns = max(columns, column)
    size = (columns + 4) * CELL, (len(lines) + 1) * LINE
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]:.0f} {size[1]}" font-size="{SIZE}" '
        'font-family="Menlo, Consolas, DejaVu Sans Mono, Noto Sans Mono CJK SC, monospace" xml:space="preserve">'
    )
    return "\n".join(
        [head, f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>', *filter(None, parts), "</svg>\n"]
    )


def _run(text: str, columns: int, column: int, row: int, code: str) -> str:
    if not text.strip() and "43" not in code:
        return ""
    left, top = (column + 2) * CELL, (row + 1) * LINE
    back = CHECKED if "41" in code else MARKED if "43" in code else ""
    box = (
        f'<rect x="{left:.1f}" y="{top - 15:.1f}" width="{columns * CELL:.1f}" height="{LINE}" fill="{back}"/>'
        if back
        else ""
    )
    colour = next((value for key, value in COLOURS.items() if key in code.split(";") or key in code), INK)
    colour = INK if not code else "#ffffff" if "41" in code else colour
    length = f'textLength="{columns * CELL:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'{box}<text x="{left:.1f}" y="{top}" fill="{colour}" {length}>{escape(text)}</text>'


def main() -> None:
    for name, (options, lines, height) in SCREENS.items():
        shown = record(options, lines).splitlines()[-height:]
        (HERE / name).write_text(svg(shown), encoding="utf-8")
        print(f"{HERE / name}: {len(shown)} lines")
    draw_position(HERE / "position.svg")


def draw_position(path: Path) -> None:
    """The position of docs/python.md, with an arrow."""
    from chuhe.engine import Move, Position
    from chuhe.pictures.svg import Arrow, board_svg

    position = Position()
    position.push("h2e2")
    path.write_text(board_svg(position, arrows=[Arrow(Move.from_iccs("h9g7"))]), encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
