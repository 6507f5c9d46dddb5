"""The alpha-beta search of the small games, and the interface that a game implements for it.

Every feature beyond plain minimax is a bit of `features`, so that a test can compare the search with and without a
feature, and the draughts traversal can run with the alpha-beta window alone. A trace records every move visited and
every cut-off.
"""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

include "features.pxi"  # every feature beyond minimax is a bit
include "game_state.pxi"  # the interface of a game
include "tt.pxi"  # the transposition table
include "order.pxi"  # move ordering
include "trace.pxi"  # moves visited and cut-offs
include "clock.pxi"  # when to stop
include "pruning.pxi"  # forward pruning
include "quiesce.pxi"  # quiescence search
include "tree.pxi"  # the search itself


cdef class Search:
    """A search of one game's positions; the table and the history are kept from one search to the next."""

    def __cinit__(self, GameState game not None, int features, double table_mb=16, bint tracing=False):
        self.game, self.features, self.tracing = game, features, tracing
        if features & F_TABLE:  # at least one bucket, and none without the feature
            self.buckets = max(<uint64_t>1, <uint64_t>(table_mb * 1024 * 1024 / (2 * sizeof(HashEntry))))
        self.lists = <move_t*>malloc((MAX_PLY + 1) * MAX_MOVES * sizeof(move_t))
        self.weights = <int*>malloc((MAX_PLY + 1) * MAX_MOVES * sizeof(int))
        self.lines = <move_t*>malloc((MAX_PLY + 1) * (MAX_PLY + 1) * sizeof(move_t))
        self.root_moves = <move_t*>malloc(MAX_MOVES * sizeof(move_t))
        if self.buckets:
            self.tt = <HashEntry*>calloc(2 * self.buckets, sizeof(HashEntry))
        if not self.lists or not self.weights or not self.lines or not self.root_moves or (
                self.buckets and not self.tt):
            raise MemoryError(f"no memory for a table of {table_mb:g} MB")
        self.begin()

    def __dealloc__(self):
        free(self.lists)
        free(self.weights)
        free(self.lines)
        free(self.root_moves)
        free(self.tt)
        free(self.trail)

    def begin(self) -> None:
        """Prepare for a new position: age the table and history, reset the counters and the stop flag."""
        cdef int i
        self.nodes = self.event_count = 0
        self.stopped = self.seldepth = 0
        save(&self.asked, 0)
        self.event_base = 0
        self.node_limit = 0
        save64(&self.deadline, 0)
        self.age += 1
        memset(self.killers, 0, sizeof(self.killers))
        for i in range(SLOTS):
            self.history[i] //= 4

    def forget(self) -> None:
        """Prepare for a new game: clear the table and the history."""
        if self.tt:
            memset(self.tt, 0, 2 * self.buckets * sizeof(HashEntry))
        memset(self.history, 0, sizeof(self.history))
        self.begin()

    def run(self, int depth, int alpha=-WIN, int beta=WIN, root_moves=None, bint whole=False) -> tuple:
        """Search `depth` plies: (value, line of best moves, whether the search was completed).

        root_moves: only these root moves are tried, in this order unless the game's own order matters.
        whole: a first, short run, which is completed regardless of the limits.
        """
        cdef int value
        cdef int length
        if not 0 <= depth < MAX_PLY:
            raise ValueError(f"the depth must be from 0 to {MAX_PLY - 1}, not {depth}")
        if not self.game.has_space():
            raise ValueError("the game is too long to search on")
        legal = self.game.legal_moves()
        allowed = legal if root_moves is None else [mv for mv in root_moves if mv in legal]
        self.root_count, self.root_limited = len(allowed), len(allowed) < len(legal)
        for i, mv in enumerate(allowed):
            self.root_moves[i] = mv
        self.whole = whole
        with nogil:
            value = node(self, alpha, beta, depth, 0, False)
        if self.streaming:
            hand_on(self)
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        length = self.lengths[0]
        return value, [self.lines[i] for i in range(length)], not self.stopped

    def stop(self) -> None:
        """Stop the search, from any thread, whether or not it is running yet."""
        save(&self.asked, 1)

    def stop_after(self, seconds: float | None) -> None:
        """Stop the search this many seconds from now (None: no time limit); may be called while it runs."""
        save64(&self.deadline, 0 if seconds is None else now_us() + <int64_t>(seconds * 1e6))

    @property
    def hashfull(self) -> int:
        """How much of the table this search has filled, in thousandths."""
        cdef uint64_t i
        cdef uint64_t sample = min(<uint64_t>500, self.buckets)
        if not sample:
            return 0
        return sum(self.tt[i].bound and self.tt[i].age == self.age for i in range(2 * sample)) * 500 // sample

    def stream(self, sink) -> None:
        """Pass the trace on event by event as it grows, instead of keeping it for `events`."""
        self.sink, self.streaming, self.tracing = sink, True, True

    def lookup(self, GameState game not None) -> tuple | None:
        """The table's entry for a position: (move, value, depth, "exact", "lower" or "upper")."""
        cdef key_t key = 0
        cdef int symmetry = 0
        cdef HashEntry* entry
        if not self.buckets:
            return None
        if self.features & F_SHARE:
            symmetry = game.symmetry(&key)
        else:
            key = game.key()
        entry = probe(self, key)
        if not entry:
            return None
        bound = ("", "upper", "lower", "exact")[entry.bound]
        return game.turned(entry.mv, symmetry, True), entry.value, entry.depth, bound

    def events(self):
        """Generate the trace: (kind, ply, move, alpha, beta, value, leaf), windows and values for the mover at `ply`.

        kind "visit": the move was searched; with `leaf`, the search ended after it, and `value` is its value.
        kind "cut": the window has closed (alpha >= beta); the "skip" events that follow are the moves not tried.
        """
        cdef uint64_t i
        for i in range(self.event_count):
            yield event_tuple(self, i)
