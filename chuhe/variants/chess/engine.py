"""The chess engine: the counterpart of `Engine`, on the small games' search.

python-chess parses and validates the input (FEN and moves); the search runs on the compiled board.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, cast

from chuhe.common.extras import have, needs
from chuhe.engine.base_engine import BaseEngine, OnInfo, Work
from chuhe.engine.errors import FenError, IllegalMoveError, InvalidMoveError, LimitError
from chuhe.engine.resources import allocate_table
from chuhe.engine.search_handle import SearchHandle
from chuhe.engine.values import BestMove, Bound, Info, Limits, Score, Settings, TableEntry
from chuhe.text.message import Language
from chuhe.variants.chess._chess import Chess
from chuhe.variants.chess.time_budget import Budget, budget_of
from chuhe.variants.search._search import EVERYTHING, FAR_WIN_VALUE, LONGEST_LINE, SHARE, WIN_VALUE, Search

FEATURES = EVERYTHING & ~SHARE  # chess has no symmetry worth sharing
START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
WINDOW = 30  # centipawns: the aspiration window around the last value
WINDOW_DEPTH = 5
SETTINGS = ("hash_mb", "overhead", "multipv", "depth_limit", "ponder")


class ChessMove(str):
    """A move in UCI notation, as a string."""

    __slots__ = ()

    @property
    def uci(self) -> str:
        return str(self)


def load_rules() -> Any:
    """The module `chess`; LimitError says how to install it."""
    if not have("chess"):
        raise LimitError(needs("the game of chess", "chess"))
    import chess

    return chess


def make_board(fen: str | None = None, moves: tuple[str, ...] | list[str] = ()) -> Any:
    """A python-chess board after `moves`; a ValueError names the fault and its place."""
    chess = load_rules()
    try:
        board = chess.Board(fen) if fen else chess.Board()
    except ValueError as error:
        raise FenError(f"not a chess position: {error}") from None
    faults = board.status() & ~chess.STATUS_IMPOSSIBLE_CHECK
    if faults:
        names = ", ".join(str(flag.name).lower().replace("_", " ") for flag in chess.Status if flag and flag & faults)
        raise FenError(f"not a legal chess position ({names}): {fen}")
    for number, text in enumerate(moves, 1):
        try:
            move = chess.Move.from_uci(text)
        except ValueError:
            raise InvalidMoveError(f"move {number}: {text!r} is not a move; expected one like e2e4 or e7e8q") from None
        if not board.is_legal(move):
            raise IllegalMoveError(f"move {number}: {text} is not legal here")
        board.push(move)
    return board


def score_of(value: int) -> Score:
    if value >= FAR_WIN_VALUE:
        return Score(mate=(WIN_VALUE - value + 1) // 2)
    if value <= -FAR_WIN_VALUE:
        return Score(mate=-((WIN_VALUE + value) // 2))
    return Score(cp=value)


class ChessEngine(BaseEngine):
    """A chess engine. It uses the settings of `SETTINGS`."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self.board = make_board()
        self._game = Chess(START_FEN)
        self._search = Search(self._game, FEATURES, 1)
        self._hash_mb = 0  # the size that was asked for when the table was made; 0: none yet
        self._is_touched = False  # the table's memory has been touched, not only reserved
        self._budget = Budget()  # of the search that has begun

    def prepare(self) -> None:
        """Allocate and touch the transposition table, so that no search spends time on it."""
        with self._idle("prepare"):
            self._make_table()
            if not self._is_touched:
                self._search.forget()
                self._is_touched = True

    def _make_table(self) -> None:
        def allocate(size: int) -> None:
            self._search = Search(self._game, FEATURES, size)

        if self._hash_mb != self.settings.hash_mb:
            allocate_table(self.settings.hash_mb, allocate, self._notices)
            self._hash_mb, self._is_touched = self.settings.hash_mb, False

    def set_position(self, fen: str | None = None, moves: tuple[str, ...] | list[str] = ()) -> None:
        """Set a position; after an error the old one is kept."""
        board = make_board(fen, moves)
        with self._idle("set a position"):
            self._load(self._game, board)
            self.board = board

    @staticmethod
    def _load(game: Chess, board: Any) -> None:
        """Set the compiled board, with the moves since the last irreversible one, for repetitions."""
        base = board.copy()
        tail = []
        while base.move_stack and base.halfmove_clock > 0:
            tail.append(base.pop().uci())
        game.set_fen(base.fen(en_passant="fen"))
        for name in reversed(tail):
            move = game.find_move(name)
            if move is None:
                raise IllegalMoveError(f"{name} is not legal here")
            game.push(move)

    @property
    def fen(self) -> str:
        return str(self.board.fen())

    def new_game(self) -> None:
        with self._idle("clear the table"):
            self._search.forget()

    clear_hash = new_game

    def _halt(self) -> None:
        self._search.stop()

    def _start_clock(self) -> None:
        self._budget.started = time.perf_counter()
        self._budget.running = True
        self._search.stop_after(self._budget.hard)

    def evaluate(self) -> Score:
        """The static value for the side to move."""
        return Score(cp=self._game.static_value())

    def evaluation_table(self, language: Language = "en") -> str:
        """The evaluation, term by term, White minus Black; in English."""
        lines = [f"{'term':<22}{'opening':>9}{'endgame':>9}"]
        for name, (opening, endgame, black_opening, black_endgame) in self._game.evaluation_terms().items():
            lines.append(f"{name:<22}{opening - black_opening:>9}{endgame - black_endgame:>9}")
        return "\n".join([*lines, f"{'for the side to move':<22}{self._game.static_value():>9}"])

    def probe(self, fen: str | None = None, moves: tuple[str, ...] = ()) -> TableEntry | None:
        """The transposition table's entry for a position, which need not be the current one."""
        game = Chess(START_FEN)
        self._load(game, make_board(fen, moves))
        found = self._search.lookup(game)
        if found is None:
            return None
        move, value, depth, bound = found
        best = cast("Any", ChessMove(game.move_name(move))) if move else None
        return TableEntry(best, score_of(value), depth, bound)

    def perft(self, depth: int, stopped: Callable[[], bool] = lambda: False) -> Iterator[tuple[str, int]]:
        """The leaf count of each legal move."""
        game = Chess(START_FEN)
        self._load(game, self.board)
        for move in game.legal_moves():
            if stopped():
                return
            game.push(move)
            yield game.move_name(move), game.perft(depth - 1)
            game.pop()

    def _begin(self, limits: Limits, on_info: OnInfo | None) -> Work[BestMove]:
        budget = budget_of(limits, self.settings.overhead, self.settings.ponder)
        budget.started = time.perf_counter()
        self._make_table()
        self._budget = budget
        self._search.begin()
        self._search.node_limit = limits.nodes or 0
        if not (limits.ponder or limits.infinite):
            self._start_clock()
        return lambda search: self._answer(search, on_info or (lambda info: None))

    def _answer(self, search: SearchHandle[BestMove], on_info: OnInfo) -> BestMove:
        """Carry out a search that has begun."""
        best = self._iterate(search, self._budget, on_info)
        search.hold()
        return best

    def _root_moves(self, limits: Limits) -> list[int]:
        """The root moves: those requested, without those excluded."""
        wanted = {str(move) for move in limits.search_moves}
        banned = {str(move) for move in limits.ban_moves}
        names = {move: self._game.move_name(move) for move in self._game.legal_moves()}
        return [move for move, name in names.items() if (not wanted or name in wanted) and name not in banned]

    def _iterate(self, search: SearchHandle[BestMove], budget: Budget, on_info: OnInfo) -> BestMove:
        """Iterative deepening: the best line of the last iteration that found one."""
        started, limits = time.perf_counter(), search.limits
        moves = self._root_moves(limits)
        if not moves:
            over = Score(mate=0) if self.board.is_checkmate() else Score(cp=0)
            return BestMove(None, None, over, 0, 0, 0)
        deepest = min(limits.depth or LONGEST_LINE - 1, self.settings.depth_limit or LONGEST_LINE - 1, LONGEST_LINE - 1)
        line, value, reached = [moves[0]], 0, 0
        values: dict[int, int] = {}
        for depth in range(1, deepest + 1):
            excluded: set[int] = set()
            for number in range(1, min(self.settings.multipv, len(moves)) + 1):
                rest = [move for move in moves if move not in excluded]
                found, new_line, completed = self._one_line(depth, values.get(number, 0), rest, whole=depth == 1)
                if new_line and (completed or number == 1):
                    bound: Bound = "exact" if completed else "lower"
                    if number == 1:
                        budget.note(changed=new_line[0] != line[0], dropped=value - found if depth > 1 else 0)
                        line, value, reached = new_line, found, depth
                    on_info(self._info(depth, found, bound, new_line, number, started))
                    values[number] = found
                    excluded.add(new_line[0])
                if not completed:
                    break
            if not completed or search.stopped or self._is_enough(limits, budget, value, depth, len(moves)):
                break
        names = [cast("Any", ChessMove(name)) for name in self._names(line)]
        elapsed = int((time.perf_counter() - started) * 1000)
        ponder = names[1] if len(names) > 1 else None
        return BestMove(names[0], ponder, score_of(value), reached, self._search.nodes, elapsed, tuple(names))

    def _one_line(self, depth: int, value: int, moves: list[int], whole: bool) -> tuple[int, list[int], bool]:
        """One iteration with an aspiration window, which is opened on the side where it fails."""
        low, high, width = -WIN_VALUE, WIN_VALUE, WINDOW
        if depth >= WINDOW_DEPTH and abs(value) < FAR_WIN_VALUE:
            low, high = value - width, value + width
        kept: tuple[int, list[int]] = (value, [])
        while True:
            found, line, completed = self._search.run(depth, low, high, moves, whole)
            if not completed:
                return (found, line, False) if line and found > low else (*kept, False)
            if low < found < high or (low <= -WIN_VALUE and found <= low) or (high >= WIN_VALUE and found >= high):
                return found, line, True
            width *= 4
            if found <= low:
                low = max(-WIN_VALUE, value - width) if width < 1000 else -WIN_VALUE
            else:
                kept = (found, line)
                high = min(WIN_VALUE, value + width) if width < 1000 else WIN_VALUE

    def _is_enough(self, limits: Limits, budget: Budget, value: int, depth: int, choices: int) -> bool:
        """Is another iteration not worth starting?"""
        if limits.nodes and self._search.nodes >= limits.nodes:
            return True
        if limits.mate is not None and value >= WIN_VALUE - 2 * limits.mate + 1:
            return True
        if not budget.running or limits.movetime is not None or limits.time is None:
            return False
        if choices == 1 or (abs(value) >= FAR_WIN_VALUE and depth > WIN_VALUE - abs(value) + 1):
            return True
        return budget.is_spent()

    def _names(self, line: list[int]) -> list[str]:
        return [self._game.move_name(move) for move in line]

    def _info(self, depth: int, value: int, bound: Bound, line: list[int], number: int, started: float) -> Info:
        seconds = time.perf_counter() - started
        nodes = self._search.nodes
        return Info(
            depth=depth,
            seldepth=self._search.seldepth + 1,
            score=score_of(value),
            bound=bound,
            pv=tuple(cast("Any", ChessMove(name)) for name in self._names(line)),
            nodes=nodes,
            time=int(seconds * 1000),
            nps=int(nodes / max(seconds, 1e-4)),
            hashfull=self._search.hashfull,
            multipv=number,
        )
