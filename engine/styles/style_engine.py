"""An older program with the interface of `engine.Engine`: a style's evaluation, depth and plain search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine._core import BLACK, RED, STYLE_DEEPEST_PLY, STYLE_LOST_SCORE, Move
from engine.begun_search import BegunSearch
from engine.engine import changed, root_moves, validated
from engine.errors import LimitError
from engine.limit_checks import check_limits
from engine.position import Position
from engine.styles.style import Style
from engine.time_budget import allot
from engine.values import BestMove, Info, Limits, Score, Settings


class StyleEngine:
    """Searches to the style's depth, unless a limit says otherwise, with iterative deepening.

    Like the original, it has no transposition table, no quiescence search and no repetition detection.

    It uses the settings `breadth`, `depth_limit` and `overhead`. One thread may `search` while others call `stop` or
    `ponderhit`; both take effect from `begin` on.

    >>> from engine.styles import S0
    >>> engine = StyleEngine(S0)
    >>> engine.set_position(Position("3k5/9/R8/1R7/9/9/9/9/9/5K3 w"))
    >>> engine.search(Limits(depth=4)).score
    Score(mate=2)
    """

    def __init__(self, style: Style, settings: Settings | None = None) -> None:
        self._settings = validated(settings or Settings(breadth=style.breadth))
        self._position = Position()
        self._state = threading.RLock()  # guards the fields below
        self._search: StyleSearch | None = None  # from `begin` until its answer
        self._released = threading.Event()  # a search that may not answer yet (infinite, pondering) waits for this
        self.style = style

    @property
    def style(self) -> Style:
        return self._style

    @style.setter
    def style(self, style: Style) -> None:
        """Change weights or tables; not during a search."""
        self._must_be_idle("change the style")
        self._style = style
        self._core = style.searcher()

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def searching(self) -> bool:
        """True from `begin` until the answer."""
        return self._search is not None

    @property
    def tables(self) -> None:
        """The older programs had no endgame tables."""
        return

    def prepare(self) -> None:
        """There is nothing to prepare."""

    def take_notices(self) -> list[str]:
        """There are never any notices."""
        return []

    def configure(self, **changes: Any) -> None:
        """Change settings, all or none; LimitError names what is wrong."""
        fresh = changed(self._settings, changes)
        self._must_be_idle("change settings")
        self._settings = fresh

    def _must_be_idle(self, what: str) -> None:
        if self._search is not None:
            raise LimitError(f"cannot {what} during a search")

    def set_position(self, position: Position) -> None:
        self._must_be_idle("set a position")
        self._position = position.copy()

    def new_game(self) -> None:
        """Nothing is kept between games."""

    def clear_hash(self) -> None:
        """There is no table."""

    def probe(self, position: Position) -> None:
        """There is no table."""
        return

    def stop(self) -> None:
        """Stop the search, if one has begun; it returns the best move so far."""
        with self._state:
            if self._search is not None:
                self._core.stop()
                self._released.set()

    def ponderhit(self) -> None:
        """The expected move was played: start the clock. No effect unless a search ponders."""
        with self._state:
            search = self._search
            if search is not None and search.pondering:
                search.pondering = False
                if search.budget:
                    self._core.limit(search.budget)
                if not search.limits.infinite:
                    self._released.set()

    # --- the evaluation

    def evaluate(self) -> Score:
        """The static evaluation of the position, for the side to move."""
        return self.to_score(self._core.value(self._position))

    def evaluation_table(self) -> str:
        """The style's features as a table."""
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
        """Centipawns, scaled by the style's pawn; a forced win or loss as a mate."""
        plies = STYLE_LOST_SCORE - abs(value)
        if plies <= STYLE_DEEPEST_PLY:
            return Score(mate=(plies + 1) // 2 if value > 0 else -(plies // 2))
        return Score(cp=round(100 * value / self._style.pawn))

    # --- the search

    def search(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> BestMove:
        """The style's best move; `on_info` is called from this thread after every depth."""
        return self.begin(limits, on_info).run()

    def begin(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> StyleSearch:
        """Start a search's clock; `run` does the search. From now on `stop` and `ponderhit` apply to it."""
        check_limits(limits)
        with self._state:
            self._must_be_idle("begin a search")
            moves = root_moves(self._position, limits)
            soft, hard = (0, 0) if limits.infinite else allot(limits, self._settings)
            search = StyleSearch(self, limits, soft or hard, on_info)
            if moves:
                search.moves = self._core.prepare(
                    self._position, moves, breadth=self._settings.breadth, nodes=limits.nodes or 0
                )
                if search.budget and not limits.ponder:
                    self._core.limit(search.budget)
            self._released.clear()
            if not (limits.infinite or limits.ponder):
                self._released.set()
            self._search = search
        return search

    def _carry_out(self, search: StyleSearch) -> BestMove:
        if search.moves:
            best = self._deepen(search.limits, search.moves, search.on_info)
        else:
            mated = not self._position.has_legal_moves()
            best = BestMove(None, None, Score(mate=0) if mated else Score(cp=0), 0, 0, 0)
        self._released.wait()
        return best

    def _end(self, search: StyleSearch) -> None:
        with self._state:
            if self._search is search:
                self._search = None

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
                break  # a deeper search would find nothing else
        return best

    def _full_depth(self, limits: Limits) -> int:
        """The requested depth, or the style's own rule; an infinite search goes as deep as it can."""
        if limits.depth is not None:
            depth = limits.depth
        elif limits.infinite or limits.mate:
            depth = 2 * limits.mate if limits.mate else STYLE_DEEPEST_PLY
        else:
            depth = self._style.depth(len(self._position.pieces()))
        return min(depth, self._settings.depth_limit or depth, STYLE_DEEPEST_PLY)


class StyleSearch(BegunSearch):
    """One search of a `StyleEngine`."""

    def __init__(
        self, engine: StyleEngine, limits: Limits, budget: int, on_info: Callable[[Info], None] | None
    ) -> None:
        super().__init__(engine, limits)
        self.budget, self.on_info = budget, on_info  # budget: milliseconds; 0: no limit
        self.moves: list[Move] = []  # in the style's order; empty: there is nothing to choose
