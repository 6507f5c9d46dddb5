"""An older program behind the session: xiangqi, with a style's evaluation and search in place of the engine's."""

from __future__ import annotations

from typing import cast

from chuhe.protocol.options import Option, OptionValues, settings_from_options
from chuhe.protocol.variants import ID_NAME, XiangqiVariant
from chuhe.variants.styles import Style, StyleEngine, make_style

OPTION_KEYS = frozenset({
    "usemillisec", "batch", "debug", "overhead", "logfile", "newgame", "ponder", "usebook", "bookfiles", "redbookfiles",
    "blackbookfiles", "bookdepth", "bookweight", "resign", "drawoffer", "maxdepth", "breadth", "variant", "weights",
    "quietorder",
})  # fmt: skip


class StyleVariant(XiangqiVariant):
    """`chuhe --style s0`: with the options that a style supports."""

    plays_this_game_only = True

    def __init__(self, name: str, weights: str = "", quiet_order: str = "") -> None:
        """ValueError: there is no such style, weight or order."""
        style = make_style(name, weights, quiet_order)
        super().__init__()
        self._name, self._has_quiet_order = name, style.order == "ratio"
        self._first: OptionValues = {"breadth": style.breadth, "weights": weights, "quietorder": style.quiet_order}
        self._style_engine = StyleEngine(style, settings_from_options(self.first_values()))

    @property
    def engine(self) -> StyleEngine:  # type: ignore[override]  # another engine for the same game
        return self._style_engine

    def placed_engine(self) -> StyleEngine:  # type: ignore[override]
        self.engine.set_position(self.position)
        return self.engine

    @property
    def id_name(self) -> str:
        return f"{ID_NAME} style {self._name}"

    def takes(self, option: Option) -> bool:
        return option.key in OPTION_KEYS and (option.key != "quietorder" or self._has_quiet_order)

    def first_values(self) -> OptionValues:
        return {**super().first_values(), **self._first}

    def configure(self, values: OptionValues) -> None:
        style, settings = self._styled(values), settings_from_options(values)
        self.engine.configure(
            breadth=settings.breadth,
            depth_limit=settings.depth_limit,
            overhead=settings.overhead,
            ponder=settings.ponder,
        )
        self.engine.style = style

    def _styled(self, values: OptionValues) -> Style:
        order = cast("str", values["quietorder"]) if self._has_quiet_order else ""
        return make_style(self._name, cast("str", values["weights"]), order)
