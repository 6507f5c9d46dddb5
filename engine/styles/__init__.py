"""Two older console programs, S0 and S1, as styles of play: their evaluation, their depth, their plain alpha-beta.

Imported only when a style is used.
"""

from chuhe.engine.styles.style import S0, S1, STYLES, Style, make_style
from chuhe.engine.styles.style_engine import StyleEngine

__all__ = ["S0", "S1", "STYLES", "Style", "StyleEngine", "make_style"]
