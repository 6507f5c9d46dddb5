"""The engine object: a position, settings, a search. Used by protocol, play, bench and scripts."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from math import exp
from typing import TYPE_CHECKING, Any

from engine import _core
from engine._core import Move, Searcher
from engine.begun_search import BegunSearch
from engine.crew import start_helpers
from engine.errors import LimitError, NetworkError
from engine.levels import LEVELS, handicap, weaker_choice
from engine.limit_checks import check_limits
from engine.position import Position
from engine.processors import usable_processors
from engine.resources import Resources
from engine.time_budget import allot
from engine.values import (
    EVALUATIONS,
    GRADES,
    REPETITION_LAWS,
    BestMove,
    Bound,
    Info,
    Limits,
    Score,
    SelfPlayGame,
    SelfPlayRules,
    Settings,
)

if TYPE_CHECKING:
    from engine.endgame import TableShelf, Verdict
    from engine.endgame.root import RootPlan

# Win, draw and loss probabilities from the network's score, fitted to 9.4 million positions of network 2's games: 63 %
# of those within 250 centipawns were drawn.
RESULT_SLOPE = 0.0031
DRAW_WIDTH = 441  # centipawns
VOTE_BASE = 14  # centipawns: the weight of the vote of the thread with the lowest score
STYLE_DRAW = {"solid": 15, "normal": 0, "risky": -25}  # what a draw is worth to each style, in centipawns
RANGES = {  # setting: (least, most)
    "hash_mb": (1, 1 << 17),
    "threads": (1, 256),
    "multipv": (1, 128),
    "overhead": (0, 10_000),
    "level": (1, len(LEVELS)),
    "depth_limit": (0, _core.DEEPEST),
    "breadth": (0, 128),
    "draw_score": (-1000, 1000),
    "randomness": (0, 1000),
}
LONGEST = 10**12  # milliseconds: anything more is no limit
CHOICES = {"pruning": GRADES, "knowledge": GRADES, "evaluation": EVALUATIONS, "style": tuple(STYLE_DRAW)}


@dataclass(frozen=True, slots=True)
class Probe:
    """A position's entry in the transposition table."""

    move: Move | None
    score: Score
    depth: int
    bound: Bound


def to_score(value: int) -> Score:
    """A score of the core as a `Score`, mate or centipawns."""
    if value >= _core.SCORE_MATE_BOUND:
        return Score(mate=(_core.SCORE_MATE - value + 1) // 2)
    if value <= -_core.SCORE_MATE_BOUND:
        return Score(mate=-((_core.SCORE_MATE + value + 1) // 2))
    return Score(cp=value)


def win_draw_loss(score: Score) -> tuple[int, int, int]:
    """Win, draw and loss in thousandths: a logistic curve with the slope and draw rate of self-play."""
    if score.mate is not None:
        return (1000, 0, 0) if score.mate > 0 else (0, 0, 1000)

    def chance(cp: int) -> int:
        return round(1000 / (1 + exp(-RESULT_SLOPE * (cp - DRAW_WIDTH))))

    cp = score.cp or 0
    win, loss = chance(cp), chance(-cp)
    return win, 1000 - win - loss, loss


def validated(settings: Settings) -> Settings:
    """Return the settings if all are in range; LimitError names the first that is not."""
    for name, (least, most) in RANGES.items():
        value = getattr(settings, name)
        if not isinstance(value, int) or not least <= value <= most:
            raise LimitError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    for name, choices in CHOICES.items():
        if getattr(settings, name) not in choices:
            raise LimitError(f"{name} must be one of {', '.join(choices)}, not {getattr(settings, name)!r}")
    return settings


def changed(settings: Settings, changes: dict[str, Any]) -> Settings:
    """Changed settings; LimitError names one that does not exist or is out of range."""
    known = {field.name for field in fields(Settings)}
    for name in changes:
        if name not in known:
            raise LimitError(f"there is no setting {name!r}")
    return validated(replace(settings, **changes))


def network_of(settings: Settings) -> _core.Network | None:
    """The network that these settings ask for, if any; NetworkError names the file that cannot be used."""
    if settings.evaluation != "network":
        return None
    from engine import network  # imported here because `classical` does not need it

    if settings.evalfile:
        return network.read(settings.evalfile).load()
    try:
        return network.load_default()
    except NetworkError as error:
        import warnings

        warnings.warn(f"{error}; using the hand-crafted evaluation instead", RuntimeWarning, stacklevel=3)
        return None


def root_moves(position: Position, limits: Limits) -> list[Move]:
    """The root moves of a search; LimitError if a requested one is not legal."""
    allowed = position.legal_moves
    for move in limits.search_moves:
        if move not in allowed:
            raise LimitError(f"{move} is not a legal move, so it cannot be searched")
    if limits.search_moves:
        allowed = [move for move in allowed if move in limits.search_moves]
    return [move for move in allowed if move not in limits.ban_moves]


class _Reporter:
    """Turns the core's reports into `Info` values; an exception in the callback is re-raised by `search`."""

    def __init__(
        self, on_info: Callable[[Info], None] | None, plan: RootPlan | None = None, draw_value: int = 0
    ) -> None:
        self.on_info = on_info
        self.plan = plan
        self.draw_value = draw_value
        self.error: BaseException | None = None
        self.exact: dict[Move, tuple[int, list[Move]]] = {}  # the last exact value and line of each best move

    def __call__(
        self,
        line: int,
        depth: int,
        seldepth: int,
        value: int,
        bound: int,
        pv: list[Move],
        nodes: int,
        time: int,
        hashfull: int,
        tbhits: int,
    ) -> None:
        value, pv = self.by_tables(value, pv)
        if bound == _core.EXACT:
            self.exact[pv[0]] = value, pv
        if self.on_info is None:
            return
        score = to_score(value)
        name: Bound = _core.BOUND_NAMES[bound]  # type: ignore[assignment]
        nps = nodes * 1000 // max(1, time)
        wdl = (0, 1000, 0) if self.plan and self.plan.drawn else win_draw_loss(score)
        hits = tbhits if self.plan else None
        self.on_info(Info(depth, seldepth, score, name, tuple(pv), nodes, time, nps, hashfull, line, wdl, tbhits=hits))

    def by_tables(self, value: int, pv: list[Move]) -> tuple[int, list[Move]]:
        """Correct a search's value and line by the endgame tables: exact draws, and complete lines to mate."""
        if self.plan is None:
            return value, pv
        if self.plan.drawn:
            return self.draw_value, pv
        return value, self.plan.finish(pv, _core.SCORE_MATE - abs(value)) if to_score(value).is_mate else pv

    def current(self, depth: int, move: Move, number: int, nodes: int, time: int) -> None:
        if self.on_info is not None:
            nps = nodes * 1000 // max(1, time)
            self.on_info(
                Info(depth, 0, Score(cp=0), "exact", (), nodes, time, nps, 0, currmove=move, currmovenumber=number)
            )

    def fail(self, error: BaseException) -> None:
        self.error = error


class Engine:
    """A xiangqi engine.

    >>> engine = Engine(Settings(hash_mb=4))
    >>> engine.set_position(Position("4ka3/9/9/9/9/9/9/3n3nB/3K5/9 b"))
    >>> engine.search(Limits(depth=8)).score
    Score(mate=2)

    One thread may `search` while others call `stop`, `ponderhit`, `probe` or `hashfull`. If such a call may come early,
    start the search in two steps: after `begin`, it takes effect even if `Search.run` is called later, in any thread.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = validated(settings or Settings())
        self._position = Position()
        self._core = Searcher()
        self._resources = Resources(self._core)
        self._use_network(network_of(self._settings))
        self._state = threading.RLock()  # guards the fields below
        self._search: Search | None = None  # from `begin` until its answer
        self._released = threading.Event()  # a search that may not answer yet (infinite, pondering) waits for this
        self._tables: tuple[str, TableShelf | None] | None = None  # the paths searched, and the tables found
        self._plan: RootPlan | None = None

    @property
    def tables(self) -> TableShelf | None:
        """The endgame tables, opened on first use; None if there are none or they are switched off."""
        settings = self._settings
        if not settings.use_tables or settings.level < len(LEVELS):
            return None
        if self._tables is None or self._tables[0] != settings.table_paths:
            from engine.table_paths import has_tables

            shelf = None
            if has_tables(settings.table_paths):
                from engine.endgame import open_shelf

                shelf = open_shelf(settings.table_paths)
            self._tables = settings.table_paths, shelf
        return self._tables[1]

    def verdict(self, position: Position | None = None) -> Verdict | None:
        """The endgame tables' verdict on a position (default: the engine's own); None if they do not have it."""
        return None if self.tables is None else self.tables.probe(position or self._position)

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def position(self) -> Position:
        """The position to search, as an independent copy."""
        return self._position

    @property
    def searching(self) -> bool:
        """True from `begin` until the answer; `stop` and `ponderhit` take effect in that time."""
        return self._search is not None

    def take_notices(self) -> list[str]:
        """Messages for the user since the last call: less memory or fewer threads than requested."""
        notices, self._resources.notices = self._resources.notices, []
        return notices

    def configure(self, **changes: Any) -> None:
        """Change settings, all or none: LimitError names what is wrong, and nothing is changed.

        Memory and threads are allocated by the next `prepare` or search.
        """
        fresh = changed(self._settings, changes)
        with self._idle("change settings"):
            if (fresh.evaluation, fresh.evalfile) != (self._settings.evaluation, self._settings.evalfile):
                self._use_network(network_of(fresh))
                self._resources.clear()  # scores of another evaluation cannot be compared
            self._settings = fresh

    def prepare(self) -> None:
        """Allocate and touch all memory that a search needs, so that no search spends time on it."""
        with self._idle("prepare"):
            self._make_ready()

    def _make_ready(self) -> None:
        self._resources.make_ready(self._settings.hash_mb, self._settings.threads)

    def set_position(self, position: Position) -> None:
        """Copy a position with its history, which the repetition rules need."""
        with self._idle("set a position"):
            self._position = position.copy()

    def new_game(self) -> None:
        """Clear the table and the histories for a new game."""
        self.clear_hash()

    def clear_hash(self) -> None:
        with self._idle("clear the table"):
            self._resources.clear()

    @contextmanager
    def _idle(self, what: str) -> Iterator[None]:
        with self._state:
            if self._search is not None:
                raise LimitError(f"cannot {what} during a search")
            yield

    def stop(self) -> None:
        """Stop the search, if one has begun; it returns the best move so far."""
        with self._state:
            if self._search is not None:
                self._core.stop()
                self._released.set()

    def ponderhit(self) -> None:
        """The expected move was played: start the clock. No effect unless a search ponders."""
        with self._state:
            if self._search is not None and self._search.pondering:
                self._search.pondering = False
                self._core.ponderhit()
                if not self._search.limits.infinite:
                    self._released.set()

    def hashfull(self) -> int:
        """How full this search has made the table, in thousandths."""
        return self._core.hashfull()

    def probe(self, position: Position) -> Probe | None:
        """The table's entry for a position."""
        found = self._core.probe(position)
        if found is None:
            return None
        return Probe(found.move, to_score(found.score), found.depth, _core.BOUND_NAMES[found.bound])  # type: ignore[arg-type]

    def _use_network(self, network: _core.Network | None) -> None:
        self._core.set_network(network)
        self._network = network

    @property
    def network(self) -> _core.Network | None:
        """The network in use; None with the hand-crafted evaluation."""
        return self._network if self._settings.knowledge == "large" else None

    def evaluate(self) -> Score:
        """The static evaluation of the position, for the side to move."""
        if self.network is not None:
            return Score(cp=self.network.evaluate(self._position))
        return Score(cp=_core.static_evaluation(self._position, GRADES.index(self._settings.knowledge)))

    def evaluation_table(self) -> str:
        """The evaluation term by term, for a person to read, and the endgame table's verdict."""
        from engine.evaluation_table import evaluation_table

        table, verdict = evaluation_table(self._position, self.network), self.verdict()
        return table if verdict is None else f"{table}\nEndgame table: {verdict.words_for(self._position.turn)}"

    def search(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> BestMove:
        """Search the position until a limit is reached or `stop` is called.

        `on_info` is called from this thread. An exception in it ends the search and is raised here.
        """
        return self.begin(limits, on_info).run()

    def begin(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Search:
        """Start a search's clock; `run` does the search. From now on `stop` and `ponderhit` apply to it.

        LimitError if a limit is invalid, or if another search is running.
        """
        began = _core.now()
        check_limits(limits)
        with self._idle("begin a search"):
            search = Search(self, limits, root_moves(self._position, limits), on_info)
            self._core.begin(began, limits.ponder)
            self._released.clear()
            if not (limits.infinite or limits.ponder):
                self._released.set()
            self._search = search
        return search

    def _carry_out(self, search: Search) -> BestMove:
        """Run a search that has begun, to its answer."""
        limits, moves = search.limits, search.moves
        if not moves:
            self._released.wait()
            mated = self._position.is_checkmate() or self._position.is_stalemate()
            return BestMove(None, None, Score(mate=0) if mated else Score(cp=0), 0, 0, 0)
        self._make_ready()
        weakness = handicap(self._settings.level)
        depth = weakness.depth
        self._plan = self._plan_by_tables(moves)
        if self._plan is not None:
            moves, depth = self._plan.moves, 1 if self._plan.solved else depth
        reporter = _Reporter(search.on_info, self._plan, self._draw_value())
        self._set_up(limits, moves, reporter, depth, max(self._settings.multipv, weakness.candidates))
        if weakness.depth and self._settings.multipv == 1:
            reporter.on_info = _first_line_only(search.on_info)
        self._run(reporter)
        if reporter.error is not None:
            raise reporter.error
        return self._best(weakness.spread, min(weakness.candidates, len(moves)), reporter)

    def _end(self, search: Search) -> None:
        with self._state:
            if self._search is search:
                self._search = None

    def play_itself(self, number: int, rules: SelfPlayRules) -> SelfPlayGame:
        """Play the game with this number against itself, without the GIL and independent of earlier games.

        The game is empty if `stop` was called during it.
        """
        claim = self.begin(Limits(nodes=1))
        try:
            self._make_ready()
            start, self._plan = Position(), None
            self._set_up(Limits(nodes=1), start.legal_moves, None, 0, 1, start)
            return SelfPlayGame(*self._core.play_game(number, asdict(rules)))
        finally:
            claim.cancel()

    def _plan_by_tables(self, moves: list[Move]) -> RootPlan | None:
        """The endgame tables' verdict on the root; None without tables."""
        if self.tables is None:
            return None
        from engine.endgame.root import plan_root

        return plan_root(self.tables, self._position, moves, 2 * self._settings.law.move_limit, self._settings.multipv)

    def _draw_value(self) -> int:
        return self._settings.draw_score + STYLE_DRAW[self._settings.style]

    def _set_up(
        self,
        limits: Limits,
        moves: list[Move],
        reporter: _Reporter | None,
        weak_depth: int,
        lines: int,
        position: Position | None = None,
    ) -> None:
        settings = self._settings
        soft, hard = (0, 0) if limits.infinite else allot(limits, settings)
        deepest = [depth for depth in (limits.depth, settings.depth_limit, weak_depth) if depth]
        self._core.prepare(
            position or self._position,
            moves,
            depth=min([*deepest, _core.DEEPEST]),
            nodes=limits.nodes or 0,
            mate=min(limits.mate or 0, _core.DEEPEST),
            soft=min(soft, LONGEST),
            hard=min(hard, LONGEST),
            crowded=self._core.workers > usable_processors(),
            multipv=lines,
            knowledge=GRADES.index(settings.knowledge),
            pruning=GRADES.index(settings.pruning),
            breadth=settings.breadth,
            law=REPETITION_LAWS.index(settings.law.repetition),
            move_limit=2 * settings.law.move_limit,
            draw=self._draw_value(),
            noise=settings.randomness,
            noise_seed=int.from_bytes(os.urandom(8), "little") if settings.randomness else 0,
            reporter=reporter,
            tables=self._plan.tree_tables if self._plan is not None else None,
        )

    def _run(self, reporter: _Reporter) -> None:
        """Search with all workers until there is an answer and it may be given."""
        helpers = self._core.workers - 1
        try:
            if helpers:
                started = start_helpers(self._core, helpers)
                if started < helpers:
                    self._resources.notices.append(f"only {started + 1} of {helpers + 1} threads could be started")
            self._core.run(0)
            if reporter.error is None:
                self._released.wait()
        finally:
            self._core.finish()

    def _best(self, spread: int, candidates: int, reporter: _Reporter) -> BestMove:
        votes = self._vote() if self._core.workers > 1 else 0
        best = self._core.result(votes)
        move, value, pv = best.move, best.score, best.pv
        if spread:
            lines = [self._core.result(0, line) for line in range(candidates)]
            move, value, pv = weaker_choice([(line.move, line.score, line.pv) for line in lines], spread)
        nodes, time = self._core.nodes(), self._core.elapsed()
        value, pv = reporter.by_tables(value, pv)
        if to_score(value).is_mate and len(pv) < _core.SCORE_MATE - abs(value):
            pv = self._complete(pv, _core.SCORE_MATE - abs(value))
            if len(pv) < _core.SCORE_MATE - abs(value) and not self._ends_game(pv):
                value, pv = reporter.exact.get(move, (value, pv))  # the last exact value and line of this move
        ponder = pv[1] if len(pv) > 1 else self._ponder_move(move)
        return BestMove(move, ponder, to_score(value), best.depth, nodes, time, tuple(pv))

    def _ends_game(self, pv: list[Move]) -> bool:
        after = self._position.copy()
        for move in pv:
            after.push(move)
        return not after.has_legal_moves()

    def _complete(self, pv: list[Move], plies: int) -> list[Move]:
        """Extend a mate's line to the end: a stopped search may have found the mate but not the whole line."""
        after = self._position.copy()
        for move in pv:
            after.push(move)
        while len(pv) < plies and after.has_legal_moves():
            self._core.begin(_core.now(), False)
            self._set_up(Limits(depth=plies - len(pv) + 2, nodes=5000), after.legal_moves, _Reporter(None), 0, 1, after)
            self._core.run(0)
            found = self._core.result(0)
            if _core.SCORE_MATE - abs(found.score) > plies - len(pv) or found.bound != _core.EXACT:
                break
            for move in found.pv:
                after.push(move)
            pv = [*pv, *found.pv]
        return pv

    def _vote(self) -> int:
        """The worker whose move has most weight, summed over all workers that chose it (by depth and score)."""
        results = [self._core.result(index) for index in range(self._core.workers)]
        finished = [index for index, result in enumerate(results) if result.depth > 0] or [0]
        least = min(results[index].score for index in finished)
        weight: dict[Move, int] = {}
        for index in finished:
            result = results[index]
            weight[result.move] = weight.get(result.move, 0) + (result.score - least + VOTE_BASE) * result.depth
        mates = [index for index in finished if results[index].score >= _core.SCORE_MATE_BOUND]
        if mates:
            return max(mates, key=lambda index: results[index].score)
        return max(finished, key=lambda index: (weight[results[index].move], results[index].depth, -index))

    def _ponder_move(self, move: Move) -> Move | None:
        after = self._position.copy()
        after.push(move)
        found = self._core.probe(after)
        return found.move if found else None  # legality was checked there


class Search(BegunSearch):
    """One search of an `Engine`."""

    def __init__(
        self, engine: Engine, limits: Limits, moves: list[Move], on_info: Callable[[Info], None] | None
    ) -> None:
        super().__init__(engine, limits)
        self.moves, self.on_info = moves, on_info


def _first_line_only(on_info: Callable[[Info], None] | None) -> Callable[[Info], None] | None:
    if on_info is None:
        return None

    def forward(info: Info) -> None:
        if info.multipv == 1:
            on_info(info)

    return forward
