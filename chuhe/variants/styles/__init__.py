"""Two older console programs, S0 and S1, as styles of play: their evaluation, their depth, their plain alpha-beta.

Imported only when a style is used.
"""

from chuhe.variants.styles.engine import StyleEngine
from chuhe.variants.styles.style import S0, S1, STYLES, Style, make_style

__all__ = ["S0", "S1", "STYLES", "Style", "StyleEngine", "make_style"]
