# The Python interface to the network.

NETWORK_SIZES = {
    "features": FEATURES,
    "attacker_counts": ATTACKER_COUNTS,
    "max_buckets": MAX_BUCKETS,
    "neuron_step": NEURON_STEP,
    "max_neurons": MAX_NEURONS,
    "max_limit_bits": MAX_LIMIT_BITS,
    "square_bits": SQUARE_BITS,
}


cdef list network_rows():
    cdef int feature, piece, square
    return [feature for feature in range(FEATURES)
            for piece, square in [divmod(feature, SQUARES)]
            if may_stand(piece // KINDS, piece % KINDS, square % 9, square // 9)
            and not (piece == K_KING and king_mirrors(square % 9))]


# the features that occur: pieces where they may stand; a side's own king never stands right of the middle file
NETWORK_ROWS = network_rows()


cdef class Network:
    """Network(hidden, buckets, limit_bits, bucket_of, factor, feature_weights, feature_bias, \
output_weights, output_bias)\n--\n
    A network in memory, ready for any number of searches. `chuhe.engine.network` reads it from a file."""

    cdef Net net
    cdef void* block
    cdef size_t size

    def __cinit__(self, int hidden, int buckets, int limit_bits, bytes bucket_of not None, int64_t factor,
                  bytes feature_weights not None, bytes feature_bias not None, bytes output_weights not None,
                  bytes output_bias not None):
        cdef int input_buckets = max(bucket_of, default=ATTACKER_COUNTS) + 1
        cdef size_t row = hidden * sizeof(int16_t)
        if not NEURON_STEP <= hidden <= MAX_NEURONS or hidden % NEURON_STEP:
            raise ValueError(
                f"a network has {NEURON_STEP} to {MAX_NEURONS} neurons in steps of {NEURON_STEP}, not {hidden}")
        if not 1 <= buckets <= MAX_BUCKETS:
            raise ValueError(f"a network has 1 to {MAX_BUCKETS} output buckets, not {buckets}")
        if not 1 <= limit_bits <= MAX_LIMIT_BITS:
            raise ValueError(f"limit_bits must be 1 to {MAX_LIMIT_BITS}, not {limit_bits}")
        if not 1 <= factor <= MAX_FACTOR:
            raise ValueError(f"factor must be 1 to {MAX_FACTOR}, not {factor}")
        if len(bucket_of) != ATTACKER_COUNTS or input_buckets > ATTACKER_COUNTS:
            raise ValueError(f"bucket_of must be {ATTACKER_COUNTS} bytes from 0 to {ATTACKER_COUNTS - 1}")
        sizes = (input_buckets * FEATURES * row, row, buckets * 2 * row, buckets * sizeof(int32_t))
        arrays = {"feature_weights": feature_weights, "feature_bias": feature_bias, "output_weights": output_weights,
                  "output_bias": output_bias}
        for (name, data), size in zip(arrays.items(), sizes):
            if len(data) != size:
                raise ValueError(f"{name} must have {size} bytes, not {len(data)}")
        self.size = (input_buckets * FEATURES + 1 + 2 * buckets) * row
        self.block = acquire(self.size)
        if self.block == NULL:
            raise MemoryError("no memory for a network")
        self.net.hidden = hidden
        self.net.buckets = buckets
        self.net.limit = 1 << limit_bits
        self.net.shift = NEURON_BITS - limit_bits
        self.net.factor = factor
        self.net.feature_weights = <int16_t*>self.block
        self.net.feature_bias = self.net.feature_weights + input_buckets * FEATURES * hidden
        self.net.output_weights = self.net.feature_bias + hidden
        memcpy(self.net.bucket_of, <const char*>bucket_of, ATTACKER_COUNTS)
        memcpy(self.net.feature_weights, <const char*>feature_weights, len(feature_weights))
        memcpy(self.net.feature_bias, <const char*>feature_bias, len(feature_bias))
        memcpy(self.net.output_weights, <const char*>output_weights, len(output_weights))
        memcpy(self.net.output_bias, <const char*>output_bias, len(output_bias))
        if not output_fits(self.net.output_weights, hidden, 2 * buckets):
            raise ValueError("the output weights are too large")

    def __dealloc__(self):
        release(self.block, self.size)

    @property
    def hidden(self):
        """The number of its neurons."""
        return self.net.hidden

    def evaluate(self, Board board not None):
        """The network's value of a position, from the mover's side, in centipawns, bounded as in a search."""
        board.ready()
        return max(-EVAL_BOUND, min(EVAL_BOUND, refreshed_score(&self.net, &board.pos)))

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


def output_weights_fit(bytes weights not None, int hidden):
    """Whether these output weights (int16, for any number of buckets) overflow no lane of the core's sums."""
    return output_fits(<const int16_t*><const char*>weights, hidden, len(weights) // (hidden * sizeof(int16_t)))


def vector_paths():
    """The names of the vector instruction sets that this machine can use, best first: the network uses the first."""
    return [NETWORK_PATHS[i].name.decode() for i in range(NETWORK_PATH_COUNT) if network_path_runs(i)]
