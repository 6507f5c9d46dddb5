"""One alpha-beta for the small games, and the interface that a game offers it.

Every feature beyond plain minimax is a bit of `features`, so that a test can compare the search with itself less a
feature, and the draughts traversal can run with nothing but the window. A trace records every move visited and every
cut-off.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport log
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from engine.errors import IllegalMoveError

cdef extern from *:
    """
    #ifdef _WIN32
    #include <windows.h>
    static double chuhe_now(void) { return GetTickCount64() / 1000.0; }
    #else
    #include <time.h>
    static double chuhe_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec + t.tv_nsec * 1e-9;
    }
    #endif
    """
    double now "chuhe_now"() noexcept nogil

cdef enum:  # features
    F_PRUNE = 1  # the alpha-beta window
    F_TABLE = 2  # the table of positions seen
    F_SHARE = 4  # symmetric positions share one entry
    F_ORDER = 8  # table move, captures, killers, history first
    F_SCOUT = 16  # later moves get a null window first
    F_DEEPER = 32  # entries of deeper searches will do
    F_QUIESCE = 64  # captures are followed beyond the horizon
    F_FORWARD = 128  # pruning, reductions and extensions by judgement: no longer minimax

cdef enum:  # bounds
    UPPER = 1
    LOWER = 2
    EXACT = 3

cdef enum:  # events
    VISIT = 0
    CUT = 1
    SKIP = 2

cdef enum:  # weights of moves: winning captures, then killers, then quiet moves by history, then losing captures
    TABLE_MOVE = 1 << 30
    CAPTURE = 1 << 20
    KILLER = 1 << 19
    HISTORY_LIMIT = 16384

cdef enum:  # margins of the forward pruning, in the evaluation's centipawns and in plies
    REVERSE_FUTILITY_DEPTH = 6
    REVERSE_FUTILITY_MARGIN = 80
    PASS_DEPTH = 3
    PASS_REDUCTION = 3
    FUTILITY_DEPTH = 4
    FUTILITY_MARGIN = 110
    LATE_MOVES_DEPTH = 4
    LATE_MOVES_BASE = 4
    REDUCED_DEPTH = 3
    REDUCED_HISTORY = 6000  # so much history makes a reduction a ply smaller or larger
    UNKNOWN_DEPTH = 5  # from here on, a node without a table move is searched a ply shallower
    LOSING_CAPTURES_DEPTH = 3
    POLL = 1023  # the clock is read every so many nodes, less one
    SIGNALS = 65535  # and so often Python may raise a KeyboardInterrupt
    BLOCK = 4096  # events that are handed on at once where a trace is streamed

PRUNE, TABLE, SHARE, ORDER, SCOUT, DEEPER, QUIESCE, FORWARD = (1 << _bit for _bit in range(8))
MINIMAX = 0
ALPHA_BETA = PRUNE
EXACT_SEARCH = PRUNE | TABLE | SHARE | ORDER | SCOUT  # as fast as may be with minimax's value
EVERYTHING = 255
WIN_VALUE = WIN
FAR_WIN_VALUE = FAR_WIN
LONGEST_LINE = MAX_PLY

cdef int reductions[64][64]


cdef void fill_reductions() noexcept:
    cdef int depth, number
    for depth in range(1, 64):
        for number in range(1, 64):
            reductions[depth][number] = <int>(0.4 + log(<double>depth) * log(<double>number) / 2.2)


fill_reductions()


cdef class GameState:
    """A game of two players for `Search`. A subclass overrides what it needs; values are from the mover's side.

    moves       all pseudo-legal moves, in an order that is fixed for the position
    noisy       those of them that can upset a static value
    make, undo  make says False, with nothing changed, when the move is not legal after all
    make_pass   hand over the turn; False when the game does not allow it or it would prove nothing
    evaluate    a static value, between -FAR_WIN and FAR_WIN
    terminal    whether the game is over, and for what value; `stuck`: the mover was found to have no legal move
    key         a hash of the position; symmetry: the hash that all its symmetric twins share, and which twin it is
    turned      a move as the twin would write it, or back
    weight      what a move promises: positive for a good capture, negative for a bad one, 0 for a quiet move
    slot        the number of a move in the history table
    checked     the mover is under attack, so that nothing static can be said
    has_room    a search's depth of further moves can be made and undone
    """

    cdef int moves(self, move_t* found) noexcept nogil:
        return 0

    cdef int noisy(self, move_t* found) noexcept nogil:
        return 0

    cdef bint make(self, move_t mv) noexcept nogil:
        return False

    cdef void undo(self) noexcept nogil:
        pass

    cdef bint make_pass(self) noexcept nogil:
        return False

    cdef int evaluate(self) noexcept nogil:
        return 0

    cdef bint terminal(self, bint stuck, int ply, int* value) noexcept nogil:
        value[0] = 0
        return stuck

    cdef key_t key(self) noexcept nogil:
        return 0

    cdef int symmetry(self, key_t* shared) noexcept nogil:
        shared[0] = self.key()
        return 0

    cdef move_t turned(self, move_t mv, int symmetry, bint back) noexcept nogil:
        return mv

    cdef int weight(self, move_t mv) noexcept nogil:
        return 0

    cdef int slot(self, move_t mv) noexcept nogil:
        return 0

    cdef bint checked(self) noexcept nogil:
        return False

    cdef bint has_room(self) noexcept nogil:
        return False

    def legal_moves(self) -> list:
        """The legal moves as the numbers that the search knows them by, in the game's own order."""
        cdef move_t found[MAX_MOVES]
        cdef int count = self.moves(found)
        cdef int i
        legal = []
        for i in range(count):
            if self.make(found[i]):
                self.undo()
                legal.append(found[i])
        return legal

    def push(self, mv: int) -> None:
        """Play a move; IllegalMoveError if the position does not have it."""
        if mv not in self.legal_moves():
            raise IllegalMoveError(f"move number {mv} is not legal here")
        if not self.has_room():
            raise IllegalMoveError("the game is too long: no further move can be kept")
        self.make(mv)

    def static_value(self) -> int:
        return self.evaluate()

    def final_value(self, ply: int = 0) -> int | None:
        """The game's value for the mover if it is over, else None."""
        cdef int value = 0
        if self.terminal(False, ply, &value):
            return value
        if not self.legal_moves() and self.terminal(True, ply, &value):
            return value
        return None

    @property
    def hash(self) -> int:
        return self.key()

    @property
    def shared_hash(self) -> int:
        """The same for a position and its symmetric twins."""
        cdef key_t shared
        self.symmetry(&shared)
        return shared


cdef class Search:
    """A search of one game's positions; the table and the history stay from one search to the next."""

    def __cinit__(self, GameState game not None, int features, double table_mb=16, bint tracing=False):
        self.game, self.features, self.tracing = game, features, tracing
        self.buckets = max(1, <uint64_t>(table_mb * 1024 * 1024 / (2 * sizeof(Entry)))) if features & F_TABLE else 0
        self.lists = <move_t*>malloc((MAX_PLY + 1) * MAX_MOVES * sizeof(move_t))
        self.weights = <int*>malloc((MAX_PLY + 1) * MAX_MOVES * sizeof(int))
        self.lines = <move_t*>malloc((MAX_PLY + 1) * (MAX_PLY + 1) * sizeof(move_t))
        self.root_moves = <move_t*>malloc(MAX_MOVES * sizeof(move_t))
        if self.buckets:
            self.table = <Entry*>calloc(2 * self.buckets, sizeof(Entry))
        if not self.lists or not self.weights or not self.lines or not self.root_moves or (
                self.buckets and not self.table):
            raise MemoryError(f"no memory for a table of {table_mb:g} MB")
        self.begin()

    def __dealloc__(self):
        free(self.lists)
        free(self.weights)
        free(self.lines)
        free(self.root_moves)
        free(self.table)
        free(self.trail)

    def begin(self) -> None:
        """Make ready for a new position: what was learned ages, counters and the stop flag are reset."""
        cdef int i
        self.nodes = self.event_count = 0
        self.stopped = self.seldepth = 0
        self.event_base = 0
        self.deadline, self.node_limit = 0, 0
        self.age += 1
        memset(self.killers, 0, sizeof(self.killers))
        for i in range(SLOTS):
            self.history[i] //= 4

    def forget(self) -> None:
        """Make ready for a new game: nothing learned stays."""
        if self.table:
            memset(self.table, 0, 2 * self.buckets * sizeof(Entry))
        memset(self.history, 0, sizeof(self.history))
        self.begin()

    def run(self, int depth, int alpha=-WIN, int beta=WIN, root_moves=None) -> tuple:
        """Search `depth` plies: (value, line of best moves, whether the search was completed).

        root_moves: only these moves of the root are tried, in this order where the game's own order does not matter.
        """
        cdef int value
        cdef int length
        if not 0 <= depth < MAX_PLY:
            raise ValueError(f"the depth must be from 0 to {MAX_PLY - 1}, not {depth}")
        if not self.game.has_room():
            raise ValueError("the game is too long to search on")
        legal = self.game.legal_moves()
        allowed = legal if root_moves is None else [mv for mv in root_moves if mv in legal]
        self.root_count, self.root_limited = len(allowed), len(allowed) < len(legal)
        for i, mv in enumerate(allowed):
            self.root_moves[i] = mv
        with nogil:
            value = self.node(alpha, beta, depth, 0, False)
        if self.streaming:
            self.hand_on()
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        length = self.lengths[0]
        return value, [self.lines[i] for i in range(length)], not self.stopped

    def stop(self) -> None:
        """End the search under way, from any thread."""
        self.stopped = 1

    def stop_after(self, seconds: float | None) -> None:
        """End the search so many seconds from now (None: not by the clock); may be called while it runs."""
        self.deadline = 0 if seconds is None else now() + seconds

    @property
    def hashfull(self) -> int:
        """How much of the table this search has filled, in thousandths."""
        cdef uint64_t i
        cdef uint64_t sample = min(500, self.buckets)
        if not sample:
            return 0
        return sum(self.table[i].bound and self.table[i].age == self.age for i in range(2 * sample)) * 500 // sample

    def stream(self, sink) -> None:
        """Hand the trace on while it grows, event by event, instead of keeping it for `events`."""
        self.sink, self.streaming, self.tracing = sink, True, True

    def lookup(self, GameState game not None) -> tuple | None:
        """What the table knows of a position: (move, value, depth, "exact", "lower" or "upper")."""
        cdef key_t key = 0
        cdef int symmetry = 0
        cdef Entry* entry
        if not self.buckets:
            return None
        if self.features & F_SHARE:
            symmetry = game.symmetry(&key)
        else:
            key = game.key()
        entry = self.probe(key)
        if not entry:
            return None
        bound = ("", "upper", "lower", "exact")[entry.bound]
        return game.turned(entry.mv, symmetry, True), entry.value, entry.depth, bound

    def events(self):
        """Generate the trace: (kind, ply, move, alpha, beta, value, leaf), windows and values for the mover at `ply`.

        kind "visit": the move was searched; with `leaf`, the search ended after it, and `value` is its worth.
        kind "cut": the window has closed (alpha >= beta); the "skip" events that follow are the moves not tried.
        """
        cdef uint64_t i
        for i in range(self.event_count):
            yield self.event(i)

    cdef tuple event(self, uint64_t number):
        cdef Event* event = &self.trail[number]
        kind = ("visit", "cut", "skip")[event.kind]
        return kind, event.ply, event.mv, event.alpha, event.beta, event.value, bool(event.leaf)

    cdef void hand_on(self) noexcept:
        """Give the sink all events but keep the numbering: moves whose search is under way are known by it."""
        cdef uint64_t i
        try:
            for i in range(self.event_count):
                self.sink(self.event(i))
        except BaseException as error:
            self.error, self.stopped, self.streaming = error, 1, False
        self.event_base += self.event_count
        self.event_count = 0

    cdef void hear_signals(self) noexcept:
        """Ctrl-C ends a search, too."""
        try:
            PyErr_CheckSignals()
        except BaseException as error:
            self.error, self.stopped = error, 1

    cdef int node(self, int alpha, int beta, int depth, int ply, bint may_pass) noexcept nogil:
        """The value of the position for the mover; fail-soft: outside the window it is a bound."""
        cdef move_t* found = self.lists + ply * MAX_MOVES
        cdef int* weights = self.weights + ply * MAX_MOVES
        cdef int first_alpha = alpha
        cdef int best = NONE
        cdef int value = 0
        cdef int symmetry = 0
        cdef int legal = 0
        cdef int i, j, count
        cdef bint checked = False
        cdef bint is_open = beta - alpha > 1
        cdef bint quiet
        cdef bint may_skip
        cdef key_t key = 0
        cdef move_t mv
        cdef move_t best_move = 0
        cdef move_t table_move = 0
        cdef Entry* entry
        cdef long long event

        # Step 1. Count, and ask the clock.
        self.lengths[ply] = 0
        self.was_leaf = True
        self.nodes += 1
        if self.time_is_up():
            return 0
        if ply > self.seldepth:
            self.seldepth = ply

        # Step 2. Is the game over? (Not asked at the root, where a move is wanted.)
        if ply > 0 and self.game.terminal(False, ply, &value):
            return value

        # Step 3. The horizon; a check is looked at one ply deeper.
        if self.features & F_FORWARD:
            checked = self.game.checked()
            depth += checked
        if depth <= 0 or ply >= MAX_PLY - 1:
            return self.quiet_down(alpha, beta, ply) if self.features & F_QUIESCE else self.game.evaluate()
        self.was_leaf = False

        # Step 4. The table. On the main line of a game with forward pruning a stored value would cut the line short.
        if self.features & F_TABLE:
            if self.features & F_SHARE:
                symmetry = self.game.symmetry(&key)
            else:
                key = self.game.key()
            entry = self.probe(key)
            if entry:
                if entry.mv:
                    table_move = self.game.turned(entry.mv, symmetry, True)
                if ply > 0 and not (is_open and self.features & F_FORWARD) and (
                        entry.depth == depth or (self.features & F_DEEPER and entry.depth > depth)):
                    value = self.from_table(entry.value, ply)
                    if entry.bound == EXACT or (entry.bound == LOWER and value >= beta) or (
                            entry.bound == UPPER and value <= alpha):
                        return value

        # Step 5. Forward pruning of the whole node, where nothing is at stake.
        if self.features & F_FORWARD and not checked:
            self.statics[ply] = self.game.evaluate()
            if not is_open and self.pruned_by_estimate(beta, depth, ply, may_pass, &value):
                return value
        may_skip = self.features & F_FORWARD and not is_open and not checked
        if self.features & F_FORWARD and depth >= UNKNOWN_DEPTH and not table_move:
            depth -= 1

        # Step 6. The moves, the most promising first.
        count = self.root_list(found) if ply == 0 else self.game.moves(found)
        if self.features & F_ORDER:
            self.weigh(found, weights, count, table_move, ply)
        for i in range(count):
            if self.features & F_ORDER:
                self.pick(found, weights, i, count)
            mv = found[i]
            quiet = self.features & F_ORDER and (
                -CAPTURE // 2 < weights[i] <= KILLER + 1 or (weights[i] == TABLE_MOVE and self.game.weight(mv) == 0))
            if not self.game.make(mv):
                continue
            legal += 1

            # Step 7. Late and hopeless quiet moves near the horizon are not tried, nor are captures that lose material.
            if may_skip and legal > 1 and best > -FAR_WIN and (
                    self.is_hopeless(alpha, depth, ply, legal) if quiet else
                    depth <= LOSING_CAPTURES_DEPTH and weights[i] < -CAPTURE // 2 and not self.game.checked()):
                self.game.undo()
                continue
            event = self.record(VISIT, ply, mv, alpha, beta)

            # Step 8. Search the move.
            value = self.child(alpha, beta, depth, ply, legal - 1, weights[i] if quiet else NONE, checked)
            self.game.undo()
            if self.stopped:
                return best
            if event >= self.event_base:
                self.trail[event - self.event_base].value = value
                self.trail[event - self.event_base].leaf = self.was_leaf
            if value <= best:
                continue
            best, best_move = value, mv
            if value > alpha or (ply == 0 and legal == 1):
                self.extend_line(mv, ply)

            # Step 9. The window: what the opponent would never allow needs no further search.
            if self.features & F_PRUNE and value > alpha:
                alpha = value
                if alpha >= beta:
                    if i + 1 < count:
                        self.record(CUT, ply, 0, alpha, beta)
                    for j in range(i + 1, count):
                        self.record(SKIP, ply, found[j], alpha, beta)
                    if quiet:
                        self.reward(mv, found, weights, i, depth, ply)
                    break

        # Step 10. No legal move.
        self.was_leaf = legal == 0
        if legal == 0:
            self.game.terminal(True, ply, &value)
            return value

        # Step 11. Remember.
        if self.features & F_TABLE and not (ply == 0 and self.root_limited):
            self.store(key, self.game.turned(best_move, symmetry, False), best, depth,
                       UPPER if best <= first_alpha else LOWER if best >= beta else EXACT, ply)
        return best

    cdef int child(self, int alpha, int beta, int depth, int ply, int number, int weight,
                   bint was_checked) noexcept nogil:
        """The value of the move just made, `number` legal moves having come before it; weight: NONE if not quiet."""
        cdef int value
        cdef int reduction = 0
        if number == 0 or not self.features & F_SCOUT:
            return -self.node(-beta, -alpha, depth - 1, ply + 1, True)
        if self.features & F_FORWARD and weight != NONE and depth >= REDUCED_DEPTH and number >= 2 and not was_checked:
            reduction = reductions[min(depth, 63)][min(number, 63)] - min(weight, HISTORY_LIMIT) // REDUCED_HISTORY
            if beta - alpha > 1:
                reduction -= 1
            if self.game.checked():
                reduction -= 1
            reduction = max(0, min(reduction, depth - 2))
        value = -self.node(-alpha - 1, -alpha, depth - 1 - reduction, ply + 1, True)
        if value > alpha and reduction:
            value = -self.node(-alpha - 1, -alpha, depth - 1, ply + 1, True)
        if alpha < value < beta:
            value = -self.node(-beta, -alpha, depth - 1, ply + 1, True)
        return value

    cdef int quiet_down(self, int alpha, int beta, int ply) noexcept nogil:
        """The value once the captures are over; the mover may always decline to capture, unless in check."""
        cdef move_t* found = self.lists + ply * MAX_MOVES
        cdef int* weights = self.weights + ply * MAX_MOVES
        cdef bint checked = self.game.checked()
        cdef bint is_known = self.features & F_TABLE and self.features & F_DEEPER
        cdef int first_alpha = alpha
        cdef int best = NONE
        cdef int legal = 0
        cdef int i, count, value
        cdef key_t key = 0
        cdef move_t best_move = 0
        cdef move_t table_move = 0
        cdef Entry* entry
        if ply >= MAX_PLY - 1:
            return self.game.evaluate()
        if is_known:
            key = self.game.key()
            entry = self.probe(key)
            if entry:
                table_move = entry.mv
                value = self.from_table(entry.value, ply)
                if entry.bound == EXACT or (entry.bound == LOWER and value >= beta) or (
                        entry.bound == UPPER and value <= alpha):
                    return value
        if not checked:
            best = self.game.evaluate()
            if best >= beta:
                return best
            alpha = max(alpha, best)
        count = self.game.moves(found) if checked else self.game.noisy(found)
        self.weigh(found, weights, count, table_move, ply)
        for i in range(count):
            self.pick(found, weights, i, count)
            if not checked and weights[i] < 0:
                break
            if not self.game.make(found[i]):
                continue
            legal += 1
            self.nodes += 1
            if ply + 1 > self.seldepth:
                self.seldepth = ply + 1
            value = 0 if self.time_is_up() else -self.quiet_down(-beta, -alpha, ply + 1)
            self.game.undo()
            if self.stopped:
                return best
            if value > best:
                best, best_move = value, found[i]
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        if checked and legal == 0:
            self.game.terminal(True, ply, &best)
            return best
        if is_known:
            self.store(key, best_move, best, 0, UPPER if best <= first_alpha else LOWER if best >= beta else EXACT, ply)
        return best

    cdef bint pruned_by_estimate(self, int beta, int depth, int ply, bint may_pass, int* value) noexcept nogil:
        """Whether the node can be given up at once: it stands far above beta, or even a passed turn keeps it there."""
        cdef int estimate = self.statics[ply]
        if beta <= -FAR_WIN or beta >= FAR_WIN:
            return False
        if depth <= REVERSE_FUTILITY_DEPTH and estimate - REVERSE_FUTILITY_MARGIN * depth >= beta:
            value[0] = estimate
            return True
        if not may_pass or depth < PASS_DEPTH or estimate < beta or not self.game.make_pass():
            return False
        value[0] = -self.node(-beta, 1 - beta, depth - 1 - PASS_REDUCTION - depth // 5, ply + 1, False)
        self.game.undo()
        if self.stopped:
            return True
        if value[0] >= FAR_WIN:
            value[0] = beta
        return value[0] >= beta

    cdef bint is_hopeless(self, int alpha, int depth, int ply, int legal) noexcept nogil:
        """Whether the quiet move just made, the `legal`-th of its node, need not be searched."""
        if self.game.checked():
            return False
        if depth <= LATE_MOVES_DEPTH and legal > LATE_MOVES_BASE + 2 * depth * depth:
            return True
        return depth <= FUTILITY_DEPTH and self.statics[ply] + FUTILITY_MARGIN * depth <= alpha

    cdef int root_list(self, move_t* found) noexcept nogil:
        cdef int i
        for i in range(self.root_count):
            found[i] = self.root_moves[i]
        return self.root_count

    cdef bint time_is_up(self) noexcept nogil:
        if self.node_limit and self.nodes > self.node_limit:
            self.stopped = 1
        elif (self.nodes & POLL) == 0 and self.deadline > 0 and now() >= self.deadline:
            self.stopped = 1
        if (self.nodes & SIGNALS) == 0:
            with gil:
                self.hear_signals()
        return self.stopped != 0

    cdef Entry* probe(self, key_t key) noexcept nogil:
        cdef Entry* bucket = self.table + 2 * (key % self.buckets)
        if bucket[0].bound and bucket[0].key == key:
            return &bucket[0]
        if bucket[1].bound and bucket[1].key == key:
            return &bucket[1]
        return NULL

    cdef void store(self, key_t key, move_t mv, int value, int depth, int bound, int ply) noexcept nogil:
        """Into the first place if that is older, shallower or the same position, else into the second."""
        cdef Entry* entry = self.table + 2 * (key % self.buckets)
        if entry.bound and entry.key != key and entry.age == self.age and entry.depth > depth:
            entry += 1
        if self.game.counts_plies:
            if value >= FAR_WIN:
                value += ply
            elif value <= -FAR_WIN:
                value -= ply
        entry.key, entry.mv, entry.value = key, mv, value
        entry.depth, entry.bound, entry.age = depth, bound, self.age

    cdef int from_table(self, int value, int ply) noexcept nogil:
        if self.game.counts_plies:
            if value >= FAR_WIN:
                return value - ply
            if value <= -FAR_WIN:
                return value + ply
        return value

    cdef void weigh(self, move_t* found, int* weights, int count, move_t first, int ply) noexcept nogil:
        cdef int i, weight
        for i in range(count):
            weight = self.game.weight(found[i])
            if found[i] == first:
                weights[i] = TABLE_MOVE
            elif weight > 0:
                weights[i] = CAPTURE + weight
            elif weight < 0:
                weights[i] = weight - CAPTURE
            elif found[i] == self.killers[ply][0]:
                weights[i] = KILLER + 1
            elif found[i] == self.killers[ply][1]:
                weights[i] = KILLER
            else:
                weights[i] = self.history[self.game.slot(found[i])]

    cdef void pick(self, move_t* found, int* weights, int start, int count) noexcept nogil:
        """Bring the heaviest of the moves from `start` on to `start`."""
        cdef int i
        cdef int heaviest = start
        cdef int weight
        cdef move_t mv
        for i in range(start + 1, count):
            if weights[i] > weights[heaviest]:
                heaviest = i
        mv, weight = found[heaviest], weights[heaviest]
        found[heaviest], weights[heaviest] = found[start], weights[start]
        found[start], weights[start] = mv, weight

    cdef void reward(self, move_t mv, move_t* tried, int* weights, int count, int depth, int ply) noexcept nogil:
        """A quiet move has closed the window: try it early elsewhere, and those before it later."""
        cdef int bonus = min(depth * depth * 8, HISTORY_LIMIT // 8)
        cdef int i
        cdef int* credit = &self.history[self.game.slot(mv)]
        credit[0] += bonus - credit[0] * bonus // HISTORY_LIMIT
        for i in range(count):
            if -CAPTURE // 2 < weights[i] <= KILLER + 1:
                credit = &self.history[self.game.slot(tried[i])]
                credit[0] -= bonus + credit[0] * bonus // HISTORY_LIMIT
        if self.killers[ply][0] != mv:
            self.killers[ply][1] = self.killers[ply][0]
            self.killers[ply][0] = mv

    cdef void extend_line(self, move_t mv, int ply) noexcept nogil:
        cdef move_t* line = self.lines + ply * (MAX_PLY + 1)
        cdef move_t* rest = line + MAX_PLY + 1
        cdef int i
        line[0] = mv
        for i in range(self.lengths[ply + 1]):
            line[i + 1] = rest[i]
        self.lengths[ply] = self.lengths[ply + 1] + 1

    cdef long long record(self, int kind, int ply, move_t mv, int alpha, int beta) noexcept nogil:
        """The number of the new event, or -1 where no trace is kept."""
        cdef Event* event
        if not self.tracing or self.stopped:
            return -1
        if self.event_count == self.event_room:
            if self.streaming and self.event_count:
                with gil:
                    self.hand_on()
            elif not self.make_room():
                return -1
        event = &self.trail[self.event_count]
        event.mv, event.alpha, event.beta, event.ply = mv, alpha, beta, ply
        event.kind, event.value, event.leaf = kind, 0, False
        self.event_count += 1
        return self.event_base + self.event_count - 1

    cdef bint make_room(self) noexcept nogil:
        cdef uint64_t room = 2 * self.event_room + BLOCK
        cdef Event* grown = <Event*>realloc(self.trail, room * sizeof(Event))
        if not grown:
            self.stopped = 1
            with gil:
                self.error = MemoryError("no memory for the trace")
            return False
        self.trail, self.event_room = grown, room
        return True
