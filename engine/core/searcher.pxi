# What Python sees of the search: one table, any number of workers, one control block.

from collections import namedtuple

# a worker's n-th best move: its score and bound in the core's numbers, the depth that the worker has completed
SearchResult = namedtuple("SearchResult", "move score bound depth seldepth pv")
TableProbe = namedtuple("TableProbe", "move score depth bound")

cdef class Searcher:
    """The compiled half of :class:`engine.Engine`. `run` is called once per thread, without the GIL."""

    cdef Table table
    cdef Control control
    cdef readonly int hash_mb
    cdef object reporter
    cdef Network network

    def __cinit__(self):
        self.control.workers = 0
        self.control.worker = <Worker**>calloc(MAX_WORKERS, sizeof(void*))
        if self.control.worker == NULL:
            raise MemoryError("no memory for a search")

    def __init__(self, int hash_mb=64, int threads=1):
        self.resize(hash_mb)
        self.set_threads(threads)

    def __dealloc__(self):
        release(self.table.entries, self.table.lines * 64)
        for i in range(self.control.workers):
            free_worker(self.control.worker[i])
        free(self.control.worker)

    def resize(self, int megabytes):
        """A table of so many megabytes, empty. MemoryError leaves the old one in place."""
        cdef u64 lines = <u64>megabytes * 1048576 // 64
        cdef void* memory = acquire(lines * 64)
        if memory == NULL:
            raise MemoryError(f"no memory for a table of {megabytes} MB")
        release(self.table.entries, self.table.lines * 64)
        self.table.entries = <Entry*>memory
        self.table.lines = lines
        self.table.age = 0
        self.hash_mb = megabytes

    def set_network(self, Network network):
        """Evaluate with a network, or, with None, by hand. MemoryError leaves everything as it was."""
        cdef int i
        cdef size_t size = 0 if network is None else view_bytes(&network.net)
        cdef list fresh = []
        for i in range(self.control.workers if network is not None else 0):
            fresh.append(<size_t>acquire(size))
            if not fresh[i]:
                for block in fresh:
                    release(<void*><size_t>block, size)
                raise MemoryError("no memory for the network's views")
        for i in range(self.control.workers):
            free_views(self.control.worker[i])
            if network is not None:
                self.control.worker[i].net = &network.net
                self.control.worker[i].views = <int16_t*><size_t>fresh[i]
        self.network = network

    def clear(self):
        """Forget everything: the table and what the workers learned."""
        with nogil:
            memset(self.table.entries, 0, self.table.lines * 64)
        self.table.age = 0
        for i in range(self.control.workers):
            memset(self.control.worker[i].histories, 0, sizeof(Histories))
            memset(self.control.worker[i].stack, 0, sizeof(self.control.worker[i].stack))

    def set_threads(self, int threads):
        """So many workers; those that stay keep their histories."""
        cdef Worker* worker
        if not 1 <= threads <= MAX_WORKERS:
            raise ValueError(f"threads must be 1 to {MAX_WORKERS}, not {threads}")
        while self.control.workers > threads:
            self.control.workers -= 1
            free_worker(self.control.worker[self.control.workers])
        while self.control.workers < threads:
            worker = <Worker*>calloc(1, sizeof(Worker))
            if worker != NULL:
                worker.histories = <Histories*>acquire(sizeof(Histories))
            if worker == NULL or worker.histories == NULL:
                free(worker)
                raise MemoryError(f"no memory for {threads} threads")
            if self.network is not None:
                worker.net = &self.network.net
                worker.views = <int16_t*>acquire(view_bytes(worker.net))
                if worker.views == NULL:
                    free_worker(worker)
                    raise MemoryError(f"no memory for {threads} threads")
            worker.id = self.control.workers
            worker.control = &self.control
            self.control.worker[self.control.workers] = worker
            self.control.workers += 1

    def prepare(self, Board board not None, list root_moves, *, int depth, u64 nodes, int mate, int64_t soft,
                int64_t hard, bint ponder, int multipv, int knowledge, int pruning, int breadth, int law,
                int move_limit, int draw, int noise, u64 noise_seed, reporter=None):
        """Set up a search of the given root moves; times in milliseconds from now."""
        cdef Worker* w
        cdef u16[MAX_MOVES] moves
        cdef int i, count = len(root_moves)
        cdef Hist* hist
        for i in range(count):
            moves[i] = from_move(root_moves[i])
        self.reporter = reporter
        self.table.age += AGE_STEP
        self.control.stop = 0
        self.control.quit = 0
        self.control.stop_on_hit = 0
        self.control.pondering = ponder
        self.control.start = now_us()
        self.control.soft = soft * 1000
        self.control.hard = hard * 1000
        self.control.node_limit = nodes
        self.control.node_goal = 0
        self.control.depth_limit = depth
        self.control.mate_limit = mate
        for i in range(self.control.workers):
            w = self.control.worker[i]
            hist = <Hist*>realloc(w.pos.hist, (board.pos.ply + MAX_PLY + 16) * sizeof(Hist))
            if hist == NULL:
                raise MemoryError("no memory for the search")
            memcpy(hist, board.pos.hist, board.pos.ply * sizeof(Hist))
            w.pos = board.pos
            w.pos.hist = hist
            w.table = &self.table
            w.multipv = multipv
            w.knowledge = knowledge
            w.pruning = pruning
            w.breadth = breadth
            w.law = law
            w.move_limit = move_limit
            w.trust_below = move_limit - LIMIT_MARGIN if move_limit else NO_LIMIT
            w.draw[board.pos.side] = draw
            w.draw[board.pos.side ^ 1] = -draw
            w.noise = noise
            w.noise_seed = noise_seed
            w.reporter = <void*>reporter if i == 0 and reporter is not None else NULL
            begin_search(w, moves, count)

    def run(self, int index):
        """Search with one worker until a limit or `stop`; the first worker stops the others."""
        cdef Worker* w = self.control.worker[index]
        with nogil:
            if w.root_count:
                iterate(w)

    def play_game(self, u32 number, SelfPlay rules):
        """A whole game of the first worker against itself: packed (docs/data.md), scored positions, nodes.

        Empty if `stop` was called. `prepare` has set everything that the rules do not name. ValueError if no opening is
        balanced enough.
        """
        cdef Worker* w = self.control.worker[0]
        cdef Board start = Board()
        cdef Played game
        cdef Hist* hist = <Hist*>realloc(w.pos.hist, (rules.longest + MAX_PLY + 16) * sizeof(Hist))
        cdef bint played
        if hist == NULL:
            raise MemoryError("no memory for a game")
        w.pos.hist = hist
        w.reporter = NULL
        w.draw[0] = w.draw[1] = 0  # one engine plays both sides
        game.number = number
        game.moves = <u16*>malloc((rules.longest + 1) * sizeof(u16))
        game.scores = <int16_t*>malloc((rules.longest + 1) * sizeof(int16_t))
        try:
            if game.moves == NULL or game.scores == NULL:
                raise MemoryError("no memory for a game")
            self.clear()
            with nogil:
                played = play_game(w, &start.pos, &rules, &game)
            if played:
                return packed_game(&game), game.positions, game.nodes
            if load(&self.control.quit):
                return b"", 0, 0
            raise ValueError(f"none of {OPENING_ATTEMPTS} random openings is within ±{rules.balance} centipawns: "
                             "ask for a wider balance")
        finally:
            free(game.moves)
            free(game.scores)

    def stop(self):
        save(&self.control.quit, 1)
        save(&self.control.stop, 1)

    def ponderhit(self):
        """The clock runs from now on."""
        self.control.start = now_us()
        save(&self.control.pondering, 0)

    def stopped(self):
        return bool(load(&self.control.stop))

    def nodes(self):
        return total_nodes(&self.control)

    def elapsed(self):
        """Milliseconds since the search (or its clock) began."""
        return (now_us() - self.control.start) // 1000

    def hashfull(self):
        return table_fullness(&self.table)

    def result(self, int index, int line=0):
        """A worker's n-th best move, as a SearchResult."""
        cdef Worker* w = self.control.worker[index]
        cdef RootMove* move = &w.root[line]
        return SearchResult(to_move(move.mv), move.score, move.bound, w.completed, move.seldepth,
                            [to_move(move.pv[i]) for i in range(move.pv_length)])

    def probe(self, Board board not None):
        """What the table has for a position, as a TableProbe (its move may be None), or None."""
        cdef Probe found
        cdef u16 mv
        if not probe(&self.table, board.pos.key, &found) or not found.bound:
            return None
        mv = found.mv
        if mv and not (is_pseudo_legal(&board.pos, mv) and safe_after(&board.pos, mv)):
            mv = 0
        return TableProbe(to_move(mv) if mv else None, from_table(found.score, 0), found.depth, found.bound)


cdef size_t view_bytes(Net* net) noexcept nogil:
    # of one worker
    return <size_t>(MAX_PLY + 16) * 2 * net.hidden * sizeof(int16_t)


cdef void free_views(Worker* w) noexcept:
    if w.net != NULL:
        release(w.views, view_bytes(w.net))
    w.net = NULL
    w.views = NULL


cdef void free_worker(Worker* w) noexcept:
    free_views(w)
    free(w.pos.hist)
    release(w.histories, sizeof(Histories))
    free(w)


SCORE_MATE = MATE
SCORE_MATE_BOUND = MATE_BOUND
DEEPEST = MAX_DEPTH
BOUND_NAMES = ("none", "upper", "lower", "exact")
EXACT = BOUND_EXACT
VERDICT_DRAW, VERDICT_CHECK, VERDICT_CHASE = V_DRAW, V_CHECK, V_CHASE
FULL_PHASE, FULL_CHANCES = PHASE_FULL, CHANCES_FULL  # what `evaluation_features` counts in


def static_evaluation(Board board not None, int knowledge=KNOWLEDGE_LARGE):
    """The evaluation from the mover's side, in centipawns."""
    return evaluate(&board.pos, knowledge)


def evaluation_terms(Board board not None):
    """A row per term: (name, Red middle game, Red end game, Black middle game, Black end game)."""
    return evaluation_rows(&board.pos)


def get_tunables():
    """The numbers that the core now uses, in the order of engine/tunables.txt."""
    return [T[i] for i in range(TUNABLE_COUNT)]


def set_tunables(values):
    """Change all numbers at once (for the tuners). Positions made before keep their old piece-square sums."""
    cdef list numbers = list(values)
    if len(numbers) != TUNABLE_COUNT:
        raise ValueError(f"the core has {TUNABLE_COUNT} tunables, not {len(numbers)}")
    for i in range(TUNABLE_COUNT):
        T[i] = numbers[i]
    apply_tunables()
    init_reductions()
