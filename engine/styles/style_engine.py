"""An older program as an engine: of the shape of `engine.Engine`, with a style's evaluation, depth and plain search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine._core import BLACK, RED, STYLE_DEEPEST_PLY, STYLE_LOST_SCORE, Move
from engine.engine import changed, check_limits, root_moves, validated
from engine.errors import LimitError
from engine.position import Position
from engine.styles.style import Style
from engine.time_budget import allot
from engine.values import BestMove, Info, Limits, Score, Settings


class StyleEngine:
    """Searches as deep as the style says, unless a limit says otherwise; deepens step by step, so that a search cut
    short has an answer. No table, no quiescence, no eye for repetition, as it was.

    Of the settings it takes `breadth`, `depth_limit` and `overhead`. One thread may `search` while others call `stop`
    or `ponderhit`.

    >>> from engine.styles import S0
    >>> engine = StyleEngine(S0)
    >>> engine.set_position(Position("3k5/9/R8/1R7/9/9/9/9/9/5K3 w"))
    >>> engine.search(Limits(depth=4)).score
    Score(mate=2)
    """

    def __init__(self, style: Style, settings: Settings | None = None) -> None:
        self._settings = validated(settings or Settings(breadth=style.breadth))
        self._position = Position()
        self._busy = threading.Lock()
        self._released = threading.Event()
        self._searching = False
        self._pondering = False
        self._budget = 0  # milliseconds; 0: no limit
        self.style = style

    @property
    def style(self) -> Style:
        return self._style

    @style.setter
    def style(self, style: Style) -> None:
        """Other weights or tables; not during a search."""
        self._must_be_idle("change the style")
        self._style = style
        self._core = style.searcher()

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def searching(self) -> bool:
        return self._searching

    def configure(self, **changes: Any) -> None:
        """Change settings, all or none; LimitError names what is wrong."""
        fresh = changed(self._settings, changes)
        self._must_be_idle("change settings")
        self._settings = fresh

    def _must_be_idle(self, what: str) -> None:
        if self._searching:
            raise LimitError(f"cannot {what} during a search")

    def set_position(self, position: Position) -> None:
        self._position = position.copy()

    def new_game(self) -> None:
        """Nothing is remembered from game to game."""

    def clear_hash(self) -> None:
        """There is no table."""

    def probe(self, position: Position) -> None:
        """There is no table to know anything."""
        return

    def stop(self) -> None:
        """End the running search, if there is one; it answers with the best move so far."""
        if self._searching:
            self._core.stop()
            self._released.set()

    def ponderhit(self) -> None:
        """The expected move was played: the clock runs from now on."""
        if self._searching and self._pondering:
            self._pondering = False
            if self._budget:
                self._core.limit(self._budget)
            self._released.set()

    # --- the evaluation

    def evaluate(self) -> Score:
        """The static evaluation of the position, from the mover's side."""
        return self.to_score(self._core.value(self._position))

    def evaluation_table(self) -> str:
        """The style's own parts, for a person to read."""
        sides = [self._style.terms(self._position, colour) for colour in (RED, BLACK)]
        rule = "-" * 60
        lines = [f"{self._style.name.upper():<14}{'weight':>8}{'Red':>10}{'Black':>10}{'difference':>12}", rule]
        total = 0
        for word, weight in self._style.weights.items():
            red, black = (side[word] for side in sides)
            total += weight * (red - black)
            lines.append(f"{word:<14}{weight:>8}{red:>10}{black:>10}{red - black:>+12}")
        pawns = total / self._style.pawn
        return "\n".join([*lines, rule, f"Total: {total:+d} for Red, {pawns:+.2f} in pawns of {self._style.pawn}"])

    def to_score(self, value: int) -> Score:
        """Centipawns by what a pawn weighs in this style; a forced end as a mate."""
        plies = STYLE_LOST_SCORE - abs(value)
        if plies <= STYLE_DEEPEST_PLY:
            return Score(mate=(plies + 1) // 2 if value > 0 else -(plies // 2))
        return Score(cp=round(100 * value / self._style.pawn))

    # --- the search

    def search(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> BestMove:
        """The best move by the style's lights; `on_info` is called from this thread after every depth."""
        check_limits(limits)
        with self._busy:
            moves = root_moves(self._position, limits)
            if not moves:
                mated = not self._position.has_legal_moves()
                return BestMove(None, None, Score(mate=0) if mated else Score(cp=0), 0, 0, 0)
            core = self._core
            ordered = core.prepare(self._position, moves, breadth=self._settings.breadth, nodes=limits.nodes or 0)
            soft, hard = (0, 0) if limits.infinite else allot(limits, self._settings)
            self._budget, self._pondering = soft or hard, limits.ponder
            self._released.clear()
            if self._budget and not limits.ponder:
                core.limit(self._budget)
            self._searching = True
            try:
                best = self._deepen(limits, ordered, on_info)
                while not core.stopped() and (limits.infinite or self._pondering):
                    self._released.wait(0.05)
            finally:
                self._searching = False
            return best

    def _deepen(self, limits: Limits, ordered: list[Move], on_info: Callable[[Info], None] | None) -> BestMove:
        core, started = self._core, time.monotonic()
        best = BestMove(ordered[0], None, self.evaluate(), 0, 0, 0, (ordered[0],))
        for depth in range(1, self._full_depth(limits) + 1):
            found = core.run(depth)
            nodes, spent = core.nodes(), round(1000 * (time.monotonic() - started))
            if found is None:
                return replace(best, nodes=nodes, time=spent)
            value, line = found
            score = self.to_score(value)
            best = BestMove(line[0], line[1] if len(line) > 1 else None, score, depth, nodes, spent, tuple(line))
            if on_info is not None:
                nps = nodes * 1000 // max(1, spent)
                on_info(Info(depth, depth, score, "exact", tuple(line), nodes, spent, nps, 0))
            if score.is_mate:
                break  # deeper, nothing else would be found
        return best

    def _full_depth(self, limits: Limits) -> int:
        """What was asked for, or the style's own rule; an infinite search goes on as deep as it can."""
        if limits.depth is not None:
            depth = limits.depth
        elif limits.infinite or limits.mate:
            depth = 2 * limits.mate if limits.mate else STYLE_DEEPEST_PLY
        else:
            depth = self._style.depth(len(self._position.pieces()))
        return min(depth, self._settings.depth_limit or depth, STYLE_DEEPEST_PLY)
