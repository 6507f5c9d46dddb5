# The Python interface to the network.

cdef bint output_fits(Net* net) noexcept nogil:
    # can no lane of 32 bits overflow? SSE2 has the fewest: each takes two neighbouring neurons of every eight
    cdef int64_t[4] lane
    cdef int half, i
    for half in range(2 * net.buckets):
        memset(lane, 0, sizeof(lane))
        for i in range(net.hidden):
            lane[i % 8 // 2] += abs(<int>net.weights[half * net.hidden + i])
        for i in range(4):
            if lane[i] << NET_SQUARE_BITS > 0x7FFFFFFF:
                return False
    return True


cdef class Network:
    """A network in memory, ready for any number of searches. `engine.network` reads it from a file."""

    cdef Net net
    cdef void* block
    cdef size_t size

    def __cinit__(self, int hidden, int buckets, int limit_bits, bytes set_of not None, int64_t factor,
                  bytes rows not None, bytes bias not None, bytes weights not None, bytes offsets not None):
        cdef int sets = max(set_of, default=NET_COUNTS) + 1
        cdef size_t row = hidden * sizeof(int16_t)
        if not NET_STEP <= hidden <= NET_MOST or hidden % NET_STEP:
            raise ValueError(f"a network has {NET_STEP} to {NET_MOST} neurons in steps of {NET_STEP}, not {hidden}")
        if not 1 <= buckets <= NET_BUCKETS:
            raise ValueError(f"a network has 1 to {NET_BUCKETS} buckets, not {buckets}")
        if not 1 <= limit_bits <= 14:
            raise ValueError(f"limit_bits must be 1 to 14, not {limit_bits}")
        if len(set_of) != NET_COUNTS or sets > NET_COUNTS:
            raise ValueError(f"set_of must be {NET_COUNTS} bytes from 0 to {NET_COUNTS - 1}")
        sizes = (sets * NET_INPUTS * row, row, buckets * 2 * row, buckets * sizeof(int32_t))
        for name, data, size in zip(("rows", "bias", "weights", "offsets"), (rows, bias, weights, offsets), sizes):
            if len(data) != size:
                raise ValueError(f"{name} must have {size} bytes, not {len(data)}")
        self.size = (sets * NET_INPUTS + 1 + 2 * buckets) * row
        self.block = acquire(self.size)
        if self.block == NULL:
            raise MemoryError("no memory for a network")
        self.net.hidden = hidden
        self.net.buckets = buckets
        self.net.limit = 1 << limit_bits
        self.net.shift = SQUARE_BITS - limit_bits
        self.net.factor = factor
        self.net.rows = <int16_t*>self.block
        self.net.bias = self.net.rows + sets * NET_INPUTS * hidden
        self.net.weights = self.net.bias + hidden
        memcpy(self.net.set_of, <const char*>set_of, NET_COUNTS)
        memcpy(self.net.rows, <const char*>rows, len(rows))
        memcpy(self.net.bias, <const char*>bias, len(bias))
        memcpy(self.net.weights, <const char*>weights, len(weights))
        memcpy(self.net.offset, <const char*>offsets, len(offsets))
        if not output_fits(&self.net):
            raise ValueError("the output weights are too large")

    def __dealloc__(self):
        release(self.block, self.size)

    @property
    def hidden(self):
        return self.net.hidden

    def evaluate(self, Board board not None):
        """The network's value of a position, from the mover's side, in centipawns."""
        return refreshed_score(&self.net, &board.pos)

    def worths(self, Board board not None):
        """The network's value of each piece except the kings: [(square, centipawns for the piece's own side)].

        A piece is worth the value of the position minus the value of the position without it.
        """
        cdef Pos without
        cdef int pc, whole = refreshed_score(&self.net, &board.pos), sign
        rows = []
        for pc in range(16, 48):
            if board.pos.sq[pc] and KIND[pc] != K_KING:
                without = board.pos
                without.sq[pc] = 0
                without.count[side_of(pc)] -= ONE[KIND[pc]]
                sign = 1 if side_of(pc) == board.pos.side else -1
                rows.append((to90(board.pos.sq[pc]), sign * (whole - refreshed_score(&self.net, &without))))
        return rows


cdef class NetworkWalk:
    """Makes and undoes moves as a search does, updating the network's accumulators incrementally.

    For tests and experiments: `evaluate` must always equal `evaluate_afresh`.
    """

    cdef Network network
    cdef Board board
    cdef Views views
    cdef int ply
    cdef size_t size

    def __cinit__(self, Network network not None, Board board not None):
        self.network = network
        self.board = board.copy()
        self.size = view_bytes(&network.net)
        cdef void* block = acquire(self.size)
        if block == NULL:
            raise MemoryError("no memory for the network's accumulators")
        use_views(&self.views, &network.net, block)

    def __dealloc__(self):
        release(self.views.neurons, self.size)

    def push(self, move):
        """A legal move, or None for a null move."""
        if self.ply >= MAX_PLY:
            raise ValueError(f"a walk has at most {MAX_PLY} plies")
        if move is None:
            self.board.push_null()
            note_null(&self.views.changes[self.ply + 1])
        elif self.board.is_legal(move):
            note_move(&self.network.net, &self.views.changes[self.ply + 1], &self.board.pos, from_move(move))
            self.board.push(move)
        else:
            raise IllegalMoveError(f"{move} is not legal in {self.board.fen()}")
        self.ply += 1

    def pop(self):
        if self.ply == 0:
            raise IndexError("there is no move to take back")
        self.board.pop()
        self.ply -= 1

    def evaluate(self):
        """From the side to move, by the incremental accumulators."""
        return network_score(&self.network.net, &self.board.pos, &self.views, self.ply)

    def evaluate_afresh(self):
        """From the side to move, computed from the pieces on the board alone."""
        return refreshed_score(&self.network.net, &self.board.pos)


def vector_paths():
    """The names of the vector instruction sets that this machine can use, best first."""
    return [NETWORK_PATHS[i].name.decode() for i in range(NETWORK_PATH_COUNT) if network_path_runs(i)]


def use_vector_path(str name):
    """Use one of `vector_paths()` from now on. All of them give the same numbers."""
    global KERNELS
    for i in range(NETWORK_PATH_COUNT):
        if NETWORK_PATHS[i].name.decode() == name and network_path_runs(i):
            KERNELS = &NETWORK_PATHS[i]
            return
    raise ValueError(f"{name!r} is not one of {', '.join(vector_paths())}")
