# The network (NNUE): a small neural network whose first layer is updated move by move.
#
# An input feature is a piece on a square (net_features.h). A side's accumulator is a vector of 16-bit neurons: the sum
# of the weights of all features, as that side sees them. The feature weights exist once for each input bucket; a side
# uses the bucket for the number of rooks, knights and cannons that its opponent has left. The output layer weighs the
# clipped and squared neurons of both accumulators, the mover's first. Its weights exist once for each output bucket,
# chosen by the number of rooks, knights and cannons of both sides.
#
# Accumulators are stored beside the search stack, not in Pos: the law tries moves on Pos, and those must not touch
# them. A move only records what it changed (note_move). Accumulators are brought up to date when a score is needed,
# from the nearest earlier node that has them. A move that changes all features of a side (another input bucket, or
# mirrored) would need a sum over all pieces. Instead, the accumulator cache keeps the last one of each kind, and only
# the pieces that stand elsewhere now are updated.

cdef extern from "net_features.h":
    enum:
        FEATURES
        SQUARES
        KINDS
        ATTACKER_COUNTS
        MAX_BUCKETS
        NEURON_STEP
        MAX_NEURONS
        NEURON_BITS
        SQUARE_BITS
        MAX_LIMIT_BITS
        MAX_FACTOR
    bint king_mirrors(int file) noexcept nogil
    int seen_square(int side, bint mirrored, int square) noexcept nogil
    int seen_piece(int side, int piece) noexcept nogil
    int input_bucket(const u8* bucket_of, u32 opponent_counts) noexcept nogil
    int output_bucket(u32 red_counts, u32 black_counts, int buckets) noexcept nogil
    bint output_fits(const int16_t* weights, int hidden, int halves) noexcept nogil

cdef extern from "network_kernels.h":
    ctypedef struct NetworkKernels:
        const char* name
        void (*update)(int16_t* out, const int16_t* into, const int16_t* plus, const int16_t* minus,
                       const int16_t* minus2, int n) noexcept nogil
        void (*add)(int16_t* out, const int16_t* plus, int n) noexcept nogil
        void (*take)(int16_t* out, const int16_t* minus, int n) noexcept nogil
        int64_t (*output)(const int16_t* mine, const int16_t* theirs, const int16_t* weights, int n, int limit,
                          int shift) noexcept nogil
    const NetworkKernels* NETWORK_PATHS
    int NETWORK_PATH_COUNT
    int network_path_runs(int path) noexcept nogil

cdef enum:
    NO_PIECE = 255
    ACCUMULATOR_PLIES = MAX_PLY + 16
    CACHE_SIZE = 2 * 2 * ATTACKER_COUNTS  # kinds of accumulators: side, mirrored or not, input bucket

cdef struct Net:
    int hidden  # neurons of an accumulator
    int buckets  # output buckets
    int limit  # neurons are clipped to this
    int shift  # from the limit to 2^NEURON_BITS
    int64_t factor  # from the output's sum to centipawns, times 2^32
    u8[ATTACKER_COUNTS] bucket_of  # the input bucket of a side, by its opponent's rooks, knights and cannons
    int16_t* feature_weights  # [input buckets][features][hidden]
    int16_t* feature_bias  # [hidden]
    int16_t* output_weights  # [buckets][2 * hidden]
    int32_t[MAX_BUCKETS] output_bias

cdef struct Change:
    # what the move that led to a node changed, and which accumulators of that node are up to date
    u8 moved  # PIECE; NO_PIECE for a null move
    u8 src
    u8 dst
    u8 taken  # PIECE, or NO_PIECE
    u8 rebuckets  # the capture changes this side's input bucket: bit 0 Red's, bit 1 Black's
    u8[2] computed

cdef struct Accumulators:
    # of one search
    int16_t* neurons  # [ACCUMULATOR_PLIES][2][hidden] by ply and side, then the cache: [CACHE_SIZE][hidden]
    Change[ACCUMULATOR_PLIES] changes  # by ply
    u8[CACHE_SIZE] cached  # does the cache hold an accumulator of this kind?
    u8[CACHE_SIZE][48] squares  # of its pieces, as Pos.sq

cdef u8[2][2][256] SEEN  # [side][mirrored][sq]: the square as that side sees it
cdef const NetworkKernels* KERNELS


cdef void init_network() noexcept nogil:
    global KERNELS
    cdef int side, mirrored, sq, path = 0
    for side in range(2):
        for mirrored in range(2):
            for sq in range(256):
                if HOME[sq]:
                    SEEN[side][mirrored][sq] = seen_square(side, mirrored, to90(sq))
    while not network_path_runs(path):
        path += 1
    KERNELS = &NETWORK_PATHS[path]


cdef inline bint is_mirrored(Square king) noexcept nogil:
    return king_mirrors(file_of(king))


cdef inline int bucket_used(Net* net, Pos* p, Side side) noexcept nogil:
    return input_bucket(net.bucket_of, p.count[side ^ 1])


cdef inline int16_t* bucket_weights(Net* net, int bucket) noexcept nogil:
    return net.feature_weights + bucket * FEATURES * net.hidden


cdef size_t accumulator_bytes(Net* net) noexcept nogil:
    # the size of Accumulators.neurons
    return <size_t>(2 * ACCUMULATOR_PLIES + CACHE_SIZE) * net.hidden * sizeof(int16_t)


cdef void use_accumulators(Accumulators* accumulators, Net* net, void* block) noexcept nogil:
    # block: accumulator_bytes() of memory, which is committed now, not in the first search
    accumulators.neurons = <int16_t*>block
    memset(block, 0, accumulator_bytes(net))
    memset(accumulators.cached, 0, sizeof(accumulators.cached))
    accumulators.changes[0].computed[0] = accumulators.changes[0].computed[1] = 0


cdef inline int16_t* feature_weights(Net* net, int16_t* weights, Side side, bint mirrored, int piece,
                                     Square sq) noexcept nogil:
    # `weights`: of an input bucket
    return weights + (seen_piece(side, piece) * SQUARES + SEEN[side][mirrored][sq]) * net.hidden


cdef void refresh(Net* net, Pos* p, Side side, int16_t* out) noexcept nogil:
    # a side's accumulator from the pieces alone
    cdef bint mirrored = is_mirrored(p.sq[base_of(side)])
    cdef int16_t* weights = bucket_weights(net, bucket_used(net, p, side))
    cdef Slot pc
    memcpy(out, net.feature_bias, net.hidden * sizeof(int16_t))
    for pc in range(16, 48):
        if p.sq[pc]:
            KERNELS.add(out, feature_weights(net, weights, side, mirrored, PIECE[pc], p.sq[pc]), net.hidden)


cdef void refresh_from_cache(Net* net, Pos* p, Accumulators* accumulators, Side side, int16_t* out) noexcept nogil:
    # the same, from the last accumulator of its kind
    cdef bint mirrored = is_mirrored(p.sq[base_of(side)])
    cdef int bucket = bucket_used(net, p, side), kind = (2 * bucket + mirrored) * 2 + side, pc, old, new
    cdef int16_t* weights = bucket_weights(net, bucket)
    cdef int16_t* last = accumulators.neurons + (2 * ACCUMULATOR_PLIES + kind) * net.hidden
    cdef u8* squares = accumulators.squares[kind]
    if not accumulators.cached[kind]:
        accumulators.cached[kind] = 1
        refresh(net, p, side, last)
    else:
        for pc in range(16, 48):
            old, new = squares[pc], p.sq[pc]
            if old == new:
                continue
            if old and new:
                KERNELS.update(last, last, feature_weights(net, weights, side, mirrored, PIECE[pc], new),
                               feature_weights(net, weights, side, mirrored, PIECE[pc], old), NULL, net.hidden)
            elif new:
                KERNELS.add(last, feature_weights(net, weights, side, mirrored, PIECE[pc], new), net.hidden)
            else:
                KERNELS.take(last, feature_weights(net, weights, side, mirrored, PIECE[pc], old), net.hidden)
    memcpy(squares, p.sq, 48)
    memcpy(out, last, net.hidden * sizeof(int16_t))


cdef inline Score net_output(Net* net, Pos* p, int16_t* mine, int16_t* theirs) noexcept nogil:
    # centipawns, for the side to move
    cdef int bucket = output_bucket(p.count[0], p.count[1], net.buckets)
    cdef int64_t sum = KERNELS.output(mine, theirs, net.output_weights + bucket * 2 * net.hidden, net.hidden, net.limit,
                                      net.shift)
    return <int>((sum + net.output_bias[bucket]) * net.factor + (<int64_t>1 << 31) >> 32)


cdef inline void note_move(Net* net, Change* change, Pos* p, u16 mv) noexcept nogil:
    # call before the move is made; the network may be NULL
    cdef int taken = p.board[mv >> 8]
    cdef u32 counts
    change.rebuckets = 0
    if taken and net != NULL:
        counts = p.count[p.side ^ 1]
        if input_bucket(net.bucket_of, counts) != input_bucket(net.bucket_of, counts - ONE[KIND[taken]]):
            change.rebuckets = 1 << p.side
    change.moved = PIECE[p.board[mv & 255]]
    change.src = mv & 255
    change.dst = mv >> 8
    change.taken = PIECE[taken] if taken else NO_PIECE
    change.computed[0] = change.computed[1] = 0


cdef inline void note_null(Change* change) noexcept nogil:
    change.moved = change.taken = NO_PIECE
    change.rebuckets = 0
    change.computed[0] = change.computed[1] = 0


cdef inline bint needs_refresh(Change* change, Side side) noexcept nogil:
    # does the move change all features of the side? A king step across the middle file, or a capture, may
    return (change.rebuckets >> side & 1
            or (change.moved == KINDS * side and is_mirrored(change.src) != is_mirrored(change.dst)))


cdef int16_t* accumulator_at(Net* net, Pos* p, Accumulators* accumulators, Ply ply, Side side) noexcept nogil:
    # the accumulator of a side at the node `ply` plies from the root, brought up to date
    cdef int at = ply, hidden = net.hidden
    cdef bint mirrored
    cdef Change* changes = accumulators.changes
    cdef Change* change
    cdef int16_t* here = accumulators.neurons + (2 * ply + side) * hidden
    cdef int16_t* before
    cdef int16_t* weights
    cdef int16_t* taken
    while not changes[at].computed[side]:
        if at == 0 or needs_refresh(&changes[at], side):
            refresh_from_cache(net, p, accumulators, side, here)
            changes[ply].computed[side] = 1
            return here
        at -= 1
    mirrored = is_mirrored(p.sq[base_of(side)])
    weights = bucket_weights(net, bucket_used(net, p, side))
    before = accumulators.neurons + (2 * at + side) * hidden
    while at < ply:
        at += 1
        change = &changes[at]
        here = before + 2 * hidden
        if change.moved == NO_PIECE:
            memcpy(here, before, hidden * sizeof(int16_t))
        else:
            taken = NULL
            if change.taken != NO_PIECE:
                taken = feature_weights(net, weights, side, mirrored, change.taken, change.dst)
            KERNELS.update(here, before, feature_weights(net, weights, side, mirrored, change.moved, change.dst),
                           feature_weights(net, weights, side, mirrored, change.moved, change.src), taken, hidden)
        change.computed[side] = 1
        before = here
    return before


cdef Score network_score(Net* net, Pos* p, Accumulators* accumulators, Ply ply) noexcept nogil:
    # for the side to move, in centipawns
    cdef int16_t* mine = accumulator_at(net, p, accumulators, ply, p.side)
    cdef int16_t* theirs = accumulator_at(net, p, accumulators, ply, p.side ^ 1)
    return net_output(net, p, mine, theirs)


cdef Score refreshed_score(Net* net, Pos* p) noexcept nogil:
    # the same, computed from the position alone
    cdef int16_t[2 * MAX_NEURONS + 32] space
    cdef int16_t* neurons = <int16_t*>((<size_t>&space[0] + 63) & ~<size_t>63)
    refresh(net, p, p.side, neurons)
    refresh(net, p, p.side ^ 1, neurons + net.hidden)
    return net_output(net, p, neurons, neurons + net.hidden)
