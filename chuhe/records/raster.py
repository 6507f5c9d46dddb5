"""Pictures of pixels: a position as PNG, a game as an animated GIF. Needs the extra `pictures`."""

from __future__ import annotations

import io
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from chuhe.common.extras import have, needs
from chuhe.pictures.svg import board_svg
from chuhe.text.errors import UserError

if TYPE_CHECKING:
    from chuhe.pictures.svg import Drawable


class PictureError(UserError):
    """A picture that cannot be drawn: a library is missing."""


def _library(name: str, what: str) -> Any:
    if not have(name):
        raise PictureError(needs(what, name))
    return import_module(name)


def board_png(position: Drawable, **options: Any) -> bytes:
    """A position as a PNG file; the options are those of `board_svg`."""
    drawn = _library("resvg_py", "a PNG").svg_to_bytes(svg_string=board_svg(position, **options))
    return bytes(drawn)


def game_gif(positions: Iterable[Drawable], seconds: float = 1.0, **options: Any) -> bytes:
    """Positions one after the other as an animated GIF file, the last one three times as long."""
    image = _library("PIL.Image", "a GIF")
    frames = [image.open(io.BytesIO(board_png(position, **options))).convert("P") for position in positions]
    if not frames:
        raise ValueError("a GIF needs a position")
    each = round(1000 * seconds)
    file = io.BytesIO()
    times = [each] * (len(frames) - 1) + [3 * each]
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return file.getvalue()
