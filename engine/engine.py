"""The engine object: a position, settings, a search. Used by protocol, play, bench and scripts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from chuhe.engine import _core
from chuhe.engine._core import Move, Searcher
from chuhe.engine.base_engine import BaseEngine, OnInfo, Work
from chuhe.engine.colour import Colour
from chuhe.engine.errors import LimitError, NetworkError
from chuhe.engine.levels import LEVELS, handicap, weaker_choice
from chuhe.engine.machine import usable_processors
from chuhe.engine.position import Position
from chuhe.engine.resources import Resources
from chuhe.engine.score_scale import of_core, shown, win_draw_loss
from chuhe.engine.search_handle import SearchHandle, StopSignal
from chuhe.engine.threads import start_helpers
from chuhe.engine.time_budget import allot
from chuhe.engine.values import (
    AMOUNTS,
    CONTEMPT_DRAW,
    REPETITION_LAWS,
    BestMove,
    Bound,
    Info,
    Limits,
    Score,
    SelfPlayGame,
    SelfPlayRules,
    Settings,
    TableEntry,
)
from chuhe.text.message import Language, Message

if TYPE_CHECKING:
    from chuhe.engine.endgame import EndgameVerdict, Tablebases
    from chuhe.engine.endgame.root import RootPlan

VOTE_BASE = 14  # centipawns: the weight of the vote of the thread with the lowest score
LONGEST = 10**12  # milliseconds: anything more is no limit


def to_score(value: int, turn: Colour | None = None) -> Score:
    """A score of the core as a `Score`, mate or centipawns, for the side to move."""
    if value >= _core.SCORE_MATE_BOUND:
        return Score(mate=(_core.SCORE_MATE - value + 1) // 2, turn=turn)
    if value <= -_core.SCORE_MATE_BOUND:
        return Score(mate=-((_core.SCORE_MATE + value + 1) // 2), turn=turn)
    return Score(cp=shown(value), turn=turn)


def network_of(settings: Settings) -> _core.Network | None:
    """The network that these settings ask for, if any; NetworkError names the file that cannot be used."""
    if settings.evaluation != "network":
        return None
    from chuhe.engine import network  # imported here because `classical` does not need it

    if settings.evalfile:
        return network.read(settings.evalfile).load()
    try:
        return network.load_default()
    except NetworkError as error:
        import warnings

        warnings.warn(f"{error}; using the hand-crafted evaluation instead", RuntimeWarning, stacklevel=3)
        return None


def file_stamp(path: str) -> tuple[int, ...] | None:
    """What changes when a file is replaced or rewritten; None if there is none."""
    try:
        info = os.stat(path)
    except (OSError, ValueError):
        return None
    return info.st_mtime_ns, info.st_size, info.st_ino


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
        self,
        on_info: Callable[[Info], None] | None,
        plan: RootPlan | None = None,
        draw_value: int = 0,
        lines: int = 1,
        turn: Colour | None = None,
    ) -> None:
        self.on_info = on_info
        self.turn = turn
        self.lines = lines  # how many are reported; a weak level searches more
        self.last: dict[int, Info] = {}  # the last report of each line
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
        if self.on_info is None or line > self.lines:
            return
        score = to_score(value, self.turn)
        name: Bound = _core.BOUND_NAMES[bound]  # type: ignore[assignment]
        nps = nodes * 1000 // max(1, time)
        wdl = (0, 1000, 0) if self.plan and self.plan.drawn else win_draw_loss(score)
        hits = tbhits if self.plan else None
        info = Info(depth, seldepth, score, name, tuple(pv), nodes, time, nps, hashfull, line, wdl, tbhits=hits)
        self.last[line] = info
        self.on_info(info)

    def answer(self, best: BestMove, seldepth: int, bound: int, hashfull: int, tbhits: int) -> None:
        """Report the move that is played, unless the last lines show it already: the search was stopped inside an
        iteration, another thread won the vote, or a weak level chose another move. The other lines follow it."""
        if self.on_info is None:
            return
        first = self.last.get(1)
        name: Bound = _core.BOUND_NAMES[bound]  # type: ignore[assignment]
        if first and (first.pv, first.score, first.bound) == (best.pv, best.score, name):
            return
        wdl = first.wdl if self.plan and self.plan.drawn and first else win_draw_loss(best.score)
        nps, hits = best.nodes * 1000 // max(1, best.time), tbhits if self.plan else None
        others = [info for info in self.last.values() if info.pv[0] != best.move]
        fresh = (best.depth, seldepth, best.score, name, best.pv, best.nodes, best.time, nps, hashfull)
        self.on_info(Info(*fresh, 1, wdl, tbhits=hits, final=True))
        for line, info in enumerate(others[: len(self.last) - 1], 2):
            self.on_info(replace(info, multipv=line, nodes=best.nodes, time=best.time, nps=nps, final=True))

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


class Engine(BaseEngine):
    """A xiangqi engine.

    >>> engine = Engine(Settings(hash_mb=4))
    >>> engine.set_position(Position("4ka3/9/9/9/9/9/9/3n3nB/3K5/9 b"))
    >>> engine.search(Limits(depth=8)).score
    Score(mate=2)

    While it searches, other threads may also call `probe` and `hashfull`.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self._position = Position()
        self._searcher = Searcher()
        self._resources = Resources(self._searcher, self._notices)
        self._read_network(self._settings)
        self._tables: tuple[str, Tablebases | None] | None = None  # the paths searched, and the tables found
        self._plan: RootPlan | None = None

    @property
    def tables(self) -> Tablebases | None:
        """The endgame tables, opened on first use; None if there are none or they are switched off."""
        settings = self._settings
        if not settings.use_tables or settings.level < LEVELS[-1]:
            return None
        if self._tables is None or self._tables[0] != settings.table_paths:
            from chuhe.engine.table_paths import has_tables

            tablebases = None
            if has_tables(settings.table_paths):
                from chuhe.engine.endgame import open_tablebases

                tablebases = open_tablebases(settings.table_paths)
            self._tables = settings.table_paths, tablebases
        return self._tables[1]

    def verdict(self, position: Position | None = None) -> EndgameVerdict | None:
        """The endgame tables' verdict on a position (default: the engine's own); None if they do not have it."""
        return None if self.tables is None else self.tables.probe(position or self._position)

    @property
    def position(self) -> Position:
        """The position to search, as an independent copy."""
        return self._position

    def _apply(self, fresh: Settings, changes: dict[str, Any]) -> None:
        """A network file or table directories that are given again are read again if they have changed."""
        named = (fresh.evaluation, fresh.evalfile) != (self._settings.evaluation, self._settings.evalfile)
        if named or ("evalfile" in changes and file_stamp(fresh.evalfile) != self._network_stamp):
            self._read_network(fresh)
            self._resources.clear()  # scores of another evaluation cannot be compared
        if "table_paths" in changes:
            self._tables = None

    def prepare(self) -> None:
        """Allocate and touch all memory that a search needs, so that no search spends time on it."""
        with self._idle("prepare"):
            self._make_ready()

    def _make_ready(self) -> None:
        self._resources.make_ready(self._settings.hash_mb, self._settings.threads)

    def set_position(self, position: Position | str) -> None:
        """Copy a position with its history, which the repetition rules need; a text is a FEN."""
        if not isinstance(position, (Position, str)):
            raise TypeError(f"a position is a Position or a FEN, not {position!r}")
        fresh = Position(position) if isinstance(position, str) else position.copy()
        for fault in fresh.faults():
            raise fault
        with self._idle("set a position"):
            self._position = fresh

    def close(self) -> None:
        super().close()
        with suppress(LimitError), self._idle("close"):  # a search that still runs keeps its memory
            self._resources.make_ready(1, 1)

    def new_game(self) -> None:
        """Clear the transposition table and the histories; damaged endgame tables are opened again."""
        self.clear_hash()
        if self._tables and self._tables[1] and self._tables[1].damage():
            self._tables = None

    def clear_hash(self) -> None:
        with self._idle("clear the table"):
            self._resources.clear()

    @property
    def tunables(self) -> list[int]:
        """The numbers of this engine's search and hand-crafted evaluation, in the order of engine/tunables.txt."""
        return self._searcher.get_tunables()

    @tunables.setter
    def tunables(self, values: Iterable[int]) -> None:
        with self._idle("change the numbers"):
            self._searcher.set_tunables(values)

    def _halt(self) -> None:
        self._searcher.stop()

    def _start_clock(self) -> None:
        self._searcher.ponderhit()

    def hashfull(self) -> int:
        """How full this search has made the transposition table, in thousandths."""
        return self._searcher.hashfull()

    def probe(self, position: Position) -> TableEntry | None:
        """The transposition table's entry for a position."""
        found = self._searcher.probe(position)
        if found is None:
            return None
        return TableEntry(found.move, to_score(found.score, position.turn), found.depth, _core.BOUND_NAMES[found.bound])  # type: ignore[arg-type]

    def _read_network(self, settings: Settings) -> None:
        stamp = file_stamp(settings.evalfile)  # before reading: a file that changes meanwhile will be read again
        network = network_of(settings)
        self._searcher.set_network(network)
        self._network, self._network_stamp = network, stamp

    @property
    def network(self) -> _core.Network | None:
        """The network in use; None with the hand-crafted evaluation."""
        return self._network if self._settings.knowledge == "large" else None

    def evaluate(self) -> Score:
        """The static evaluation of the position, for the side to move."""
        value = (
            self.network.evaluate(self._position)
            if self.network is not None
            else _core.static_evaluation(self._position, AMOUNTS.index(self._settings.knowledge))
        )
        return Score(cp=shown(value), turn=self._position.turn)

    def evaluation_table(self, language: Language = "en") -> str:
        """The evaluation term by term, for a person to read, and the endgame table's verdict."""
        from chuhe.engine.evaluation_table import evaluation_table

        table, verdict = evaluation_table(self._position, self.network, language), self.verdict()
        if verdict is None:
            return table
        return f"{table}\n{Message('eval.table', verdict=verdict.message(self._position.turn)).text(language)}"

    def _begin(self, limits: Limits, on_info: OnInfo | None) -> Work[BestMove]:
        began = _core.now()
        moves = root_moves(self._position, limits)
        self._searcher.begin(began, limits.ponder)
        return lambda search: self._answer(search, moves, on_info)

    def _answer(self, search: SearchHandle[BestMove], moves: list[Move], on_info: OnInfo | None) -> BestMove:
        """Carry out a search that has begun."""
        if not moves:
            search.hold()
            mated = self._position.is_checkmate() or self._position.is_stalemate()
            turn = self._position.turn
            return BestMove(None, None, Score(mate=0, turn=turn) if mated else Score(cp=0, turn=turn), 0, 0, 0)
        self._make_ready()
        weakness = handicap(self._settings.level)
        depth = weakness.depth
        self._plan = self._plan_by_tables(moves)
        if self._plan is not None:
            moves, depth = self._plan.moves, 1 if self._plan.solved else depth
        lines = self._settings.multipv
        reporter = _Reporter(on_info, self._plan, self._draw_value(), lines, self._position.turn)
        self._set_up(search.limits, moves, reporter, depth, max(lines, weakness.candidates))
        self._run(search, reporter)
        if reporter.error is not None:
            raise reporter.error
        return self._best(weakness.spread, min(weakness.candidates, len(moves)), reporter)

    def play_itself(self, number: int, rules: SelfPlayRules, stop: StopSignal | None = None) -> SelfPlayGame:
        """Play the game with this number against itself, without the GIL and independent of earlier games.

        The game is empty if `stop` was called or set during it.
        """

        return self._whole_game(lambda: self._searcher.play_game(number, asdict(rules)), rules.nodes, stop)

    def rescore(self, game: bytes, nodes: int, most_nodes: int, stop: StopSignal | None = None) -> SelfPlayGame:
        """Search all scored positions of a packed game anew, as `play_itself` does; everything else stays.

        ValueError if the game has an illegal move. It is empty if `stop` was called or set meanwhile.
        """
        return self._whole_game(lambda: self._searcher.rescore_game(game, nodes, most_nodes), nodes, stop)

    def _whole_game(
        self, work: Callable[[], tuple[bytes, int, int]], nodes: int, stop: StopSignal | None
    ) -> SelfPlayGame:
        def play(_: SearchHandle[SelfPlayGame]) -> SelfPlayGame:
            self._make_ready()
            start, self._plan = Position(), None
            self._set_up(Limits(), start.legal_moves, None, 0, 1, start)
            return SelfPlayGame(*work())

        with self._idle("play against itself"):
            self._searcher.begin(_core.now(), False)
            game = self._accept(play, Limits(nodes=nodes))
        game.begin()
        with (stop or StopSignal()).reaching(game.stop):
            return game.result()

    def _plan_by_tables(self, moves: list[Move]) -> RootPlan | None:
        """The endgame tables' verdict on the root; None without tables."""
        if self.tables is None:
            return None
        from chuhe.engine.endgame.root import plan_root

        return plan_root(self.tables, self._position, moves, 2 * self._settings.law.move_limit, self._settings.multipv)

    def _draw_value(self) -> int:
        return of_core(self._settings.draw_score + CONTEMPT_DRAW[self._settings.contempt])

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
        self._searcher.prepare(
            position or self._position,
            moves,
            {
                "depth": min([*deepest, _core.DEEPEST]),
                "nodes": limits.nodes or 0,
                "mate": min(limits.mate or 0, _core.DEEPEST),
                "soft": min(soft, LONGEST),
                "hard": min(hard, LONGEST),
            },
            {
                "multipv": lines,
                "knowledge": AMOUNTS.index(settings.knowledge),
                # a mate that is asked for often begins with moves that look bad
                "pruning": min(AMOUNTS.index(settings.pruning), AMOUNTS.index("small" if limits.mate else "large")),
                "breadth": settings.breadth,
                "law": REPETITION_LAWS.index(settings.law.repetition),
                "occurrences": settings.law.occurrences,
                "move_limit": 2 * settings.law.move_limit,
                "draw": self._draw_value(),
                "noise": of_core(settings.randomness),
                "noise_seed": int.from_bytes(os.urandom(8), "little") if settings.randomness else 0,
                "crowded": self._searcher.workers > usable_processors(),
            },
            reporter,
            self._plan.tree_tables if self._plan is not None else None,
        )

    def _run(self, search: SearchHandle[BestMove], reporter: _Reporter) -> None:
        """Search with all workers until there is an answer and it may be given."""
        helpers = self._searcher.workers - 1
        try:
            if helpers:
                started = start_helpers(self._searcher, helpers)
                if started < helpers:
                    self._notices.append(f"only {started + 1} of {helpers + 1} threads could be started")
            self._searcher.run(0)
            if reporter.error is None:
                search.hold()
        finally:
            self._searcher.finish()

    def _best(self, spread: int, candidates: int, reporter: _Reporter) -> BestMove:
        votes = self._vote() if self._searcher.workers > 1 else 0
        best = self._searcher.result(votes)
        if spread:
            best = weaker_choice([self._searcher.result(0, line) for line in range(candidates)], spread)
        move, value, pv, bound = best.move, best.score, best.pv, best.bound
        nodes, time, hashfull, tbhits = (
            self._searcher.nodes(), self._searcher.elapsed(), self._searcher.hashfull(), self._searcher.tbhits(),
        )  # fmt: skip
        value, pv = reporter.by_tables(value, pv)
        if to_score(value).is_mate:
            plies = _core.SCORE_MATE - abs(value)
            pv = self._complete(pv, plies)
            proven = bound == _core.EXACT and (len(pv) >= plies or self._ends_game(pv))
            if not proven and move in reporter.exact:
                (value, pv), bound = reporter.exact[move], _core.EXACT
        ponder = pv[1] if len(pv) > 1 else self._ponder_move(move)
        answer = BestMove(move, ponder, to_score(value, self._position.turn), best.depth, nodes, time, tuple(pv))
        reporter.answer(answer, best.seldepth, bound, hashfull, tbhits)
        return answer

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
            self._searcher.begin(_core.now(), False)
            self._set_up(Limits(depth=plies - len(pv) + 2, nodes=5000), after.legal_moves, _Reporter(None), 0, 1, after)
            self._searcher.run(0)
            found = self._searcher.result(0)
            if _core.SCORE_MATE - abs(found.score) > plies - len(pv) or found.bound != _core.EXACT:
                break
            for move in found.pv:
                after.push(move)
            pv = [*pv, *found.pv]
        return pv

    def _vote(self) -> int:
        """The worker whose move has most weight, summed over all workers that chose it (by depth and score)."""
        results = [self._searcher.result(index) for index in range(self._searcher.workers)]
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
        found = self._searcher.probe(after)
        return found.move if found else None  # legality was checked there
