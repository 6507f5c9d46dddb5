"""An older program with the interface of `Engine`: a style's evaluation, depth and plain search."""

from __future__ import annotations

import time
from dataclasses import replace

from chuhe.engine._core import BLACK, RED, STYLE_DEEPEST_PLY, STYLE_LOST_SCORE, Move
from chuhe.engine.base_engine import BaseEngine, OnInfo, Work
from chuhe.engine.engine import root_moves
from chuhe.engine.position import Position
from chuhe.engine.search_handle import SearchHandle
from chuhe.engine.time_budget import allot
from chuhe.engine.values import BestMove, Info, Limits, Score, Settings
from chuhe.text.columns import pad, right
from chuhe.text.message import Language, Message
from chuhe.variants.styles.style import Style


class StyleEngine(BaseEngine):
    """Searches to the style's depth, unless a limit says otherwise, with iterative deepening.

    Like the original, it has no transposition table, no quiescence search and no repetition detection.

    It uses the settings `breadth`, `depth_limit` and `overhead`.

    >>> from chuhe.variants.styles import S0
    >>> engine = StyleEngine(S0)
    >>> engine.set_position(Position("3k5/9/R8/1R7/9/9/9/9/9/5K3 w"))
    >>> engine.search(Limits(depth=4)).score
    Score(mate=2)
    """

    def __init__(self, style: Style, settings: Settings | None = None) -> None:
        super().__init__(settings or Settings(breadth=style.breadth))
        self._position = Position()
        self._budget = 0  # milliseconds of the search that has begun; 0: no limit
        self.style = style

    @property
    def style(self) -> Style:
        return self._style

    @style.setter
    def style(self, style: Style) -> None:
        """Change weights or tables; not during a search."""
        with self._idle("change the style"):
            self._style = style
            self._searcher = style.searcher()

    @property
    def tables(self) -> None:
        """The older programs had no endgame tables."""
        return

    def prepare(self) -> None:
        """There is nothing to prepare."""

    def set_position(self, position: Position) -> None:
        with self._idle("set a position"):
            self._position = position.copy()

    def new_game(self) -> None:
        """Nothing is kept between games."""

    def clear_hash(self) -> None:
        """There is no transposition table."""

    def probe(self, position: Position) -> None:
        """There is no transposition table."""
        return

    def _halt(self) -> None:
        self._searcher.stop()

    def _start_clock(self) -> None:
        if self._budget:
            self._searcher.limit(self._budget)

    # --- the evaluation

    def evaluate(self) -> Score:
        """The static evaluation of the position, for the side to move."""
        return self.to_score(self._searcher.value(self._position))

    def evaluation_table(self, language: Language = "en") -> str:
        """The style's features as a table."""
        sides = [self._style.terms(self._position, colour) for colour in (RED, BLACK)]
        titles = (("book.weight", 8), ("side.red", 10), ("side.black", 10), ("eval.difference", 12))
        head = "".join(right(Message(code).text(language), columns) for code, columns in titles)
        wide = 14 if language == "en" else 18  # a Chinese name stands beside the word that is typed
        rule = "-" * (46 + wide)
        lines = [f"{self._style.name.upper():<{wide}}{head}", rule]
        total = 0
        for word, weight in self._style.weights.items():
            red, black = (side[word] for side in sides)
            total += weight * (red - black)
            name = word if language == "en" else f"{word} {Message(f'term.{word}').text(language)}"
            lines.append(f"{pad(name, wide)}{weight:>8}{red:>10}{black:>10}{red - black:>+12}")
        pawns = total / self._style.pawn
        total_line = Message("eval.total", total=f"{total:+d}", pawns=f"{pawns:+.2f}", pawn=self._style.pawn)
        return "\n".join([*lines, rule, total_line.text(language)])

    def to_score(self, value: int) -> Score:
        """Centipawns, scaled by the style's pawn; a forced win or loss as a mate."""
        plies = STYLE_LOST_SCORE - abs(value)
        if plies <= STYLE_DEEPEST_PLY:
            return Score(mate=(plies + 1) // 2 if value > 0 else -(plies // 2))
        return Score(cp=round(100 * value / self._style.pawn))

    # --- the search

    def _begin(self, limits: Limits, on_info: OnInfo | None) -> Work[BestMove]:
        moves = root_moves(self._position, limits)
        soft, hard = (0, 0) if limits.infinite else allot(limits, self._settings)
        self._budget = soft or hard
        if moves:
            moves = self._searcher.prepare(
                self._position, moves, breadth=self._settings.breadth, nodes=limits.nodes or 0
            )
            if not limits.ponder:
                self._start_clock()
        return lambda search: self._answer(search, moves, on_info)

    def _answer(self, search: SearchHandle[BestMove], moves: list[Move], on_info: OnInfo | None) -> BestMove:
        """Carry out a search that has begun; `moves` are in the style's order."""
        if moves:
            best = self._deepen(search.limits, moves, on_info)
        else:
            mated = not self._position.has_legal_moves()
            best = BestMove(None, None, Score(mate=0) if mated else Score(cp=0), 0, 0, 0)
        search.hold()
        return best

    def _deepen(self, limits: Limits, ordered: list[Move], on_info: OnInfo | None) -> BestMove:
        searcher, started = self._searcher, time.perf_counter()
        best = BestMove(ordered[0], None, self.evaluate(), 0, 0, 0, (ordered[0],))
        for depth in range(1, self._full_depth(limits) + 1):
            found = searcher.run(depth)
            nodes, spent = searcher.nodes(), round(1000 * (time.perf_counter() - started))
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
