# The Python interface to the search: one transposition table, any number of workers, one control block.

from collections import namedtuple

# a worker's n-th best move; score and bound in the core's units, depth as completed by that worker
RootLine = namedtuple("RootLine", "move score bound depth seldepth pv")
TTProbe = namedtuple("TTProbe", "move score depth bound")

cdef class Searcher:
    """The compiled half of `Engine`. Initially it has no table and no workers.

    A search is a sequence of calls: `begin`, after which `stop` and `ponderhit` take effect; `prepare`; `run`, and
    `help` in each helper's thread (helpers wait for `open_gates`), without the GIL; `finish`, after which no helper
    touches this object.
    """

    cdef TranspositionTable tt
    cdef Control control
    cdef Params params
    cdef readonly int hash_mb
    cdef u64 number  # of the search that helpers may join
    cdef bint is_open
    cdef object reporter
    cdef Network network
    cdef CoreTablebases tablebases

    def __cinit__(self):
        self.params = DEFAULT_PARAMS
        self.control.workers = 0
        self.control.worker = <Worker**>calloc(MAX_WORKERS, sizeof(void*))
        if self.control.worker == NULL:
            raise MemoryError("no memory for a search")

    def __dealloc__(self):
        release(self.tt.entries, self.tt.clusters * 64)
        for i in range(self.control.workers):
            free_worker(self.control.worker[i])
        free(self.control.worker)

    @property
    def workers(self):
        return self.control.workers

    def resize(self, int megabytes):
        """Allocate an empty table; its memory is not touched yet. After a MemoryError there is no table at all."""
        cdef u64 clusters = <u64>megabytes * 1048576 // 64
        release(self.tt.entries, self.tt.clusters * 64)
        self.tt.entries = NULL
        self.tt.clusters = self.tt.age = self.hash_mb = 0
        self.tt.entries = <TTEntry*>acquire(clusters * 64)
        if self.tt.entries == NULL:
            raise MemoryError(f"no memory for a table of {megabytes} MB")
        self.tt.clusters = clusters
        self.hash_mb = megabytes

    def set_network(self, Network network):
        """Evaluate with a network, or, with None, with the hand-crafted terms. MemoryError changes nothing."""
        cdef int i
        cdef size_t size = 0 if network is None else accumulator_bytes(&network.net)
        cdef list fresh = []
        for i in range(self.control.workers if network is not None else 0):
            fresh.append(<size_t>acquire(size))
            if not fresh[i]:
                for block in fresh:
                    release(<void*><size_t>block, size)
                raise MemoryError("no memory for the network's accumulators")
        for i in range(self.control.workers):
            free_accumulators(self.control.worker[i])
            if network is not None:
                use_network(self.control.worker[i], &network.net, <void*><size_t>fresh[i])
        self.network = network

    def get_tunables(self):
        """The values of this searcher's tunables, in the order of engine/tunables.txt."""
        return [self.params.number[i] for i in range(TUNABLE_COUNT)]

    def set_tunables(self, values):
        """Set all tunables of this searcher, not during a search (for the tuners). ValueError changes nothing."""
        read_params(&self.params, values)
        for i in range(self.control.workers):
            self.control.worker[i].params = self.params

    def clear(self):
        """Clear everything: the table and the workers' histories."""
        self.forget()
        self.sweep(0, 1)

    def sweep(self, int part, int parts):
        """Zero one of `parts` equal parts of the table, without the GIL; this also commits fresh memory."""
        cdef u64 first = self.tt.clusters * part // parts, end = self.tt.clusters * (part + 1) // parts
        if end > first:
            with nogil:
                memset(self.tt.entries + 4 * first, 0, (end - first) * 64)

    def forget(self):
        """Clear the workers' histories."""
        cdef int i
        self.tt.age = 0
        with nogil:
            for i in range(self.control.workers):
                memset(self.control.worker[i].histories, 0, sizeof(Histories))
                memset(self.control.worker[i].stack, 0, sizeof(self.control.worker[i].stack))

    def set_threads(self, int threads):
        """Set the number of workers; there are fewer if memory runs out. Those that stay keep their histories."""
        cdef Worker* worker
        if not 1 <= threads <= MAX_WORKERS:
            raise ValueError(f"threads must be 1 to {MAX_WORKERS}, not {threads}")
        while self.control.workers > threads:
            self.control.workers -= 1
            free_worker(self.control.worker[self.control.workers])
        while self.control.workers < threads:
            worker = new_worker(self.network)
            if worker == NULL:
                break
            worker.id = self.control.workers
            worker.control = &self.control
            worker.params = self.params
            self.control.worker[self.control.workers] = worker
            self.control.workers += 1
        if not self.control.workers:
            raise MemoryError("no memory for a search")

    def begin(self, int64_t began, bint ponder):
        """Start a search's clock; from now on `stop` and `ponderhit` apply to it."""
        self.control.stop = self.control.asked = 0
        self.control.pondering = ponder
        self.control.began = self.control.clock = began

    def prepare(self, Board board not None, list root_moves, SearchLimits limits, SearchSettings settings,
                reporter=None, CoreTablebases tablebases=None):
        """Set up a search of the given root moves; limits and settings are dicts with the fields of the structs."""
        cdef Worker* w
        cdef u16[MAX_MOVES] moves
        cdef int i, count = len(root_moves)
        cdef StateInfo* states
        board.ready()
        for i in range(count):
            moves[i] = from_move(root_moves[i])
        self.reporter = reporter
        self.tablebases = tablebases
        self.tt.age += AGE_STEP
        self.control.limits = limits
        self.control.node_goal = 0
        for i in range(self.control.workers):
            w = self.control.worker[i]
            states = <StateInfo*>realloc(w.pos.states, (board.pos.ply + MAX_PLY + 16) * sizeof(StateInfo))
            if states == NULL:
                raise MemoryError("no memory for the search")
            memcpy(states, board.pos.states, board.pos.ply * sizeof(StateInfo))
            w.pos = board.pos
            w.pos.states = states
            w.tt = &self.tt
            w.tablebases = &tablebases.opened if tablebases is not None and tablebases.opened.count else NULL
            w.entered = False
            PyThread_acquire_lock(w.gate, NOWAIT_LOCK)  # held from here on; it may have been held already
            PyThread_acquire_lock(w.done, NOWAIT_LOCK)
            use_settings(w, &settings)
            w.reporter = <void*>reporter if i == 0 and reporter is not None else NULL
            begin_search(w, moves, count)

    def run(self, int index):
        """Search with the first worker until a limit or `stop`."""
        cdef Worker* w = self.control.worker[index]
        with nogil:
            if w.root_count:
                iterate(w)

    def play_game(self, u32 number, CoreRules rules):
        """Play a game of the first worker against itself; returns (packed game, scored positions, nodes).

        The format is described in docs/data.md. The game is empty if `stop` was called. `prepare` has set everything
        that is not part of the rules. ValueError if no opening is balanced enough.
        """
        cdef Worker* w = self.control.worker[0]
        cdef Board start = Board()
        cdef CoreGame game
        cdef StateInfo* states = <StateInfo*>realloc(w.pos.states, (rules.longest + MAX_PLY + 16) * sizeof(StateInfo))
        cdef bint played
        if states == NULL:
            raise MemoryError("no memory for a game")
        w.pos.states = states
        w.reporter = NULL
        w.draw[0] = w.draw[1] = 0  # one engine plays both sides, so a draw is worth 0
        w.settings.occurrences = 2  # as ending() judges
        game.head.number = number
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
            if load(&self.control.asked):
                return b"", 0, 0
            raise ValueError(f"none of {OPENING_ATTEMPTS} random openings is within ±{rules.balance} centipawns: "
                             "ask for a wider balance")
        finally:
            free(game.moves)
            free(game.scores)

    def rescore_game(self, bytes packed not None, u64 nodes, u64 most_nodes):
        """Search every scored position of a packed game anew; returns (packed game, scored positions, nodes).

        Everything else stays, also the result. The game is empty if `stop` was called. ValueError if the bytes are not
        one game of legal moves.
        """
        cdef Worker* w = self.control.worker[0]
        cdef Py_ssize_t head = sizeof(GameHead), length
        cdef CoreGame game
        cdef CoreRules rules
        cdef bytearray moves, scores
        cdef Board start
        cdef StateInfo* states
        cdef bint done
        if len(packed) < head:
            raise ValueError("the data end inside the game")
        memcpy(&game.head, <char*>packed, head)
        head += game.head.fen
        length = 2 * (game.head.opening + game.head.plies)
        if len(packed) != head + length + 2 * game.head.plies:
            raise ValueError(f"game {game.head.number}: its length is not that of its moves")
        start = Board(packed[sizeof(GameHead):head].decode()) if game.head.fen else Board()
        states = <StateInfo*>realloc(w.pos.states, (length + MAX_PLY + 16) * sizeof(StateInfo))
        if states == NULL:
            raise MemoryError("no memory for a game")
        w.pos.states = states
        w.reporter = NULL
        w.draw[0] = w.draw[1] = 0
        w.settings.occurrences = 2
        moves, scores = bytearray(packed[head:head + length]), bytearray(packed[head + length:])
        game.moves, game.scores = <u16*><char*>moves, <int16_t*><char*>scores
        game.positions = game.nodes = 0
        rules.nodes, rules.most_nodes = nodes, most_nodes
        self.clear()
        with nogil:
            done = rescore_game(w, &start.pos, &rules, &game)
        if done:
            return packed[:head + length] + bytes(scores), game.positions, game.nodes
        if load(&self.control.asked):
            return b"", 0, 0
        raise ValueError(f"game {game.head.number}: ply {w.pos.ply + 1}, {packed_name(game.moves[w.pos.ply])}, "
                         "is not a legal move")

    def help(self, int index, u64 search):
        """Search with a helper, from `open_gates` until the first worker has finished.

        `search` is the number of the search that the helper was started for; if that has ended, nothing is done.
        """
        cdef Worker* w
        if search != self.number or not self.is_open:
            return
        w = self.control.worker[index]
        w.entered = True
        with nogil:
            PyThread_acquire_lock(w.gate, WAIT_LOCK)
            if w.root_count and not load(&self.control.stop):
                if w.settings.crowded:
                    give_way()
                iterate(w)
            PyThread_release_lock(w.done)

    def admit(self):
        """Admit helpers; returns the number of this search, which they pass to `help`."""
        self.number += 1
        self.is_open = True
        return self.number

    def open_gates(self):
        """Let the helpers search: all of them have started."""
        for i in range(1, self.control.workers):
            PyThread_release_lock(self.control.worker[i].gate)

    def finish(self):
        """Stop the helpers and wait until those that had begun have returned. No further helper is admitted."""
        cdef Worker* w
        self.is_open = False
        save(&self.control.stop, 1)
        for i in range(1, self.control.workers):
            w = self.control.worker[i]
            PyThread_acquire_lock(w.gate, NOWAIT_LOCK)
            PyThread_release_lock(w.gate)  # open it, whether or not it was
            if w.entered:
                with nogil:
                    PyThread_acquire_lock(w.done, WAIT_LOCK)
                w.entered = False

    def stop(self):
        """Stop the search as soon as it has a move."""
        save(&self.control.asked, 1)

    def ponderhit(self):
        """Start the clock: the opponent played the expected move."""
        self.control.clock = now_us()
        publish(&self.control.pondering, 0)

    def nodes(self):
        return total_nodes(&self.control)

    def tbhits(self):
        """The number of endgame table hits of this search."""
        return total_tbhits(&self.control)

    def elapsed(self):
        """Milliseconds since `begin`."""
        return (now_us() - self.control.began) // 1000

    def hashfull(self):
        return hashfull(&self.tt)

    def result(self, int index, int line=0):
        """A worker's n-th best move, as a RootLine."""
        cdef Worker* w = self.control.worker[index]
        cdef RootMove* move = &w.root[line]
        return RootLine(to_move(move.mv), move.score, move.bound, w.completed, move.seldepth,
                        [to_move(move.pv[i]) for i in range(move.pv_length)])

    def probe(self, Board board not None):
        """The table entry of a position as a TTProbe (its move may be None), or None."""
        cdef TTData found
        cdef u16 mv
        board.ready()
        if not self.tt.clusters or not probe_tt(&self.tt, board.pos.key, &found) or not found.bound:
            return None
        mv = found.mv
        if mv and not (is_pseudo_legal(&board.pos, mv) and safe_after(&board.pos, mv)):
            mv = 0
        return TTProbe(to_move(mv) if mv else None, score_from_tt(found.score, 0), found.depth, found.bound)


cdef void free_accumulators(Worker* w) noexcept:
    if w.net != NULL:
        release(w.accumulators.neurons, accumulator_bytes(w.net))
    w.net = NULL
    w.accumulators.neurons = NULL


cdef void use_network(Worker* w, Net* net, void* block) noexcept nogil:
    w.net = net
    use_accumulators(&w.accumulators, net, block)


cdef Worker* new_worker(Network network) noexcept:
    cdef Worker* w = <Worker*>calloc(1, sizeof(Worker))
    cdef void* block = NULL
    if w == NULL:
        return NULL
    w.histories = <Histories*>acquire(sizeof(Histories))
    w.gate = PyThread_allocate_lock()
    w.done = PyThread_allocate_lock()
    if network is not None:
        block = acquire(accumulator_bytes(&network.net))
        if block != NULL:
            use_network(w, &network.net, block)
    if w.histories == NULL or w.gate == NULL or w.done == NULL or (network is not None and block == NULL):
        free_worker(w)
        return NULL
    memset(w.root, 0, sizeof(w.root))  # commits the memory now, not in the first search
    memset(w.pv, 0, sizeof(w.pv))
    memset(w.histories, 0, sizeof(Histories))
    return w


cdef void free_worker(Worker* w) noexcept:
    free_accumulators(w)
    free(w.pos.states)
    release(w.histories, sizeof(Histories))
    if w.gate != NULL:
        PyThread_free_lock(w.gate)
    if w.done != NULL:
        PyThread_free_lock(w.done)
    free(w)


def now():
    """Microseconds of the clock that searches are timed by."""
    return now_us()


SCORE_MATE = MATE
SCORE_MATE_BOUND = MATE_BOUND
DEEPEST = MAX_DEPTH
BOUND_NAMES = ("none", "upper", "lower", "exact")
EXACT = BOUND_EXACT
FULL_PHASE, FULL_CHANCES = PHASE_FULL, CHANCES_FULL  # the units of `evaluation_features`


def static_evaluation(Board board not None, int knowledge=KNOWLEDGE_LARGE):
    """The evaluation for the side to move, in centipawns."""
    board.ready()
    return evaluate(&board.pos, &DEFAULT_PARAMS, knowledge)


def evaluation_terms(Board board not None):
    """A row per term: (name, Red middle game, Red end game, Black middle game, Black end game)."""
    board.ready()
    return evaluation_rows(&board.pos, &DEFAULT_PARAMS)
