# The network (NNUE): a small neural network whose first layer is updated move by move.
#
# An input is a piece on a square. Each side sees the board from its own end, mirrored when its king stands right of the
# middle file, so that one set of weights serves both sides. A side's view (its accumulator) is a row of 16-bit neurons:
# the sum of its active inputs' rows. There are several sets of rows; a view uses the one for the number of rooks,
# knights and cannons that the other side has left. The output layer weighs the clipped and squared neurons of both
# views, the side to move first. It has several sets of weights (buckets), chosen by the number of rooks, knights and
# cannons of both sides.
#
# The views are stored beside the search stack, not in Pos: the law tries moves on Pos, and those must not touch them. A
# move only records what it changed (note_move). The views are brought up to date when a score is needed, from the
# nearest earlier node that has them. A move that changes all rows of a view (another set, or mirrored) would need a sum
# over all pieces. Instead, the last view of each kind is kept, and only the pieces that stand elsewhere now are
# changed.

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
    NET_INPUTS = 14 * 90
    NET_STEP = 32  # the number of neurons is a multiple of this: the widest vector
    NET_MOST = 1024  # neurons
    NET_BUCKETS = 13  # at most: one for each count, 0 to 12, of rooks, knights and cannons
    NET_ATTACKERS = 12
    NET_COUNTS = 7  # a side has 0 to 6 rooks, knights and cannons
    SQUARE_BITS = 15  # a neuron at its limit: 2^15 times 2^14 is 2^13 in the upper half of 32 bits
    NET_SQUARE_BITS = 13  # which the square of a neuron at its limit has
    NO_PIECE = 255
    NET_KEPT = 2 * 2 * NET_COUNTS  # kinds of views: side, mirrored or not, set of rows

cdef struct Net:
    int hidden
    int buckets
    int limit  # neurons are clipped to this
    int shift  # from the limit to 2^SQUARE_BITS
    int64_t factor  # from the output's sum to centipawns, times 2^32
    u8[NET_COUNTS] set_of  # the set of rows of a view, by the other side's rooks, knights and cannons
    int16_t* rows  # [sets][NET_INPUTS][hidden]
    int16_t* bias  # [hidden]
    int16_t* weights  # [buckets][2 * hidden]
    int32_t[NET_BUCKETS] offset

cdef struct Change:
    # what the move that led to a node changed, and which views of that node are up to date
    u8 moved  # PIECE; NO_PIECE for a null move
    u8 src
    u8 dst
    u8 taken  # PIECE, or NO_PIECE
    u8 regroups  # the capture changes this side's set of rows: bit 0 Red's, bit 1 Black's
    u8[2] known

cdef struct Views:
    # the accumulators of one search
    int16_t* neurons  # [MAX_PLY + 16][2][hidden] by ply and side, then [NET_KEPT][hidden]
    Change[MAX_PLY + 16] changes  # by ply
    u8[NET_KEPT] kept  # is there a last view of this kind?
    u8[NET_KEPT][48] squares  # of its pieces, as Pos.sq

cdef u8[2][2][256] VIEW  # [side][mirrored][sq]: the square as seen by that side
cdef const NetworkKernels* KERNELS


cdef void init_network() noexcept nogil:
    global KERNELS
    cdef int side, mirrored, sq, rank, file, path = 0
    for side in range(2):
        for mirrored in range(2):
            for sq in range(256):
                if HOME[sq]:
                    rank = 9 - rank_of(sq) if side else rank_of(sq)
                    file = 8 - file_of(sq) if mirrored else file_of(sq)
                    VIEW[side][mirrored][sq] = rank * 9 + file
    while not network_path_runs(path):
        path += 1
    KERNELS = &NETWORK_PATHS[path]


cdef inline bint is_mirrored(int king) noexcept nogil:
    return (king & 15) > 7


cdef inline int attackers_in(u32 count) noexcept nogil:
    # rooks, knights and cannons in a side's piece counts (Pos.count)
    return min((count >> 4 * K_ROOK & 15) + (count >> 4 * K_KNIGHT & 15) + (count >> 4 * K_CANNON & 15), NET_COUNTS - 1)


cdef inline int set_used(Net* net, Pos* p, int side) noexcept nogil:
    # the set of rows that a side's view uses
    return net.set_of[attackers_in(p.count[side ^ 1])]


cdef inline int16_t* rows_of(Net* net, int which) noexcept nogil:
    return net.rows + which * NET_INPUTS * net.hidden


cdef size_t view_bytes(Net* net) noexcept nogil:
    # the size of Views.neurons
    return <size_t>(2 * (MAX_PLY + 16) + NET_KEPT) * net.hidden * sizeof(int16_t)


cdef void use_views(Views* views, Net* net, void* block) noexcept nogil:
    # block: view_bytes() of memory, which is committed now, not in the first search
    views.neurons = <int16_t*>block
    memset(block, 0, view_bytes(net))
    memset(views.kept, 0, sizeof(views.kept))
    views.changes[0].known[0] = views.changes[0].known[1] = 0


cdef inline int16_t* row_of(Net* net, int16_t* rows, int side, bint mirrored, int piece, int sq) noexcept nogil:
    if side:
        piece = piece + 7 if piece < 7 else piece - 7
    return rows + (piece * 90 + VIEW[side][mirrored][sq]) * net.hidden


cdef void refresh_view(Net* net, Pos* p, int side, int16_t* out) noexcept nogil:
    cdef bint mirrored = is_mirrored(p.sq[base_of(side)])
    cdef int16_t* rows = rows_of(net, set_used(net, p, side))
    cdef int pc
    memcpy(out, net.bias, net.hidden * sizeof(int16_t))
    for pc in range(16, 48):
        if p.sq[pc]:
            KERNELS.add(out, row_of(net, rows, side, mirrored, PIECE[pc], p.sq[pc]), net.hidden)


cdef void renew_view(Net* net, Pos* p, Views* views, int side, int16_t* out) noexcept nogil:
    # the same, from the last view of its kind
    cdef bint mirrored = is_mirrored(p.sq[base_of(side)])
    cdef int which = set_used(net, p, side), kind = (2 * which + mirrored) * 2 + side, pc, old, new
    cdef int16_t* rows = rows_of(net, which)
    cdef int16_t* last = views.neurons + (2 * (MAX_PLY + 16) + kind) * net.hidden
    cdef u8* squares = views.squares[kind]
    if not views.kept[kind]:
        views.kept[kind] = 1
        refresh_view(net, p, side, last)
    else:
        for pc in range(16, 48):
            old, new = squares[pc], p.sq[pc]
            if old == new:
                continue
            if old and new:
                KERNELS.update(last, last, row_of(net, rows, side, mirrored, PIECE[pc], new),
                               row_of(net, rows, side, mirrored, PIECE[pc], old), NULL, net.hidden)
            elif new:
                KERNELS.add(last, row_of(net, rows, side, mirrored, PIECE[pc], new), net.hidden)
            else:
                KERNELS.take(last, row_of(net, rows, side, mirrored, PIECE[pc], old), net.hidden)
    memcpy(squares, p.sq, 48)
    memcpy(out, last, net.hidden * sizeof(int16_t))


cdef inline int net_bucket(Net* net, Pos* p) noexcept nogil:
    return (attackers_in(p.count[0]) + attackers_in(p.count[1])) * net.buckets // (NET_ATTACKERS + 1)


cdef inline int net_output(Net* net, Pos* p, int16_t* mine, int16_t* theirs) noexcept nogil:
    # centipawns, for the side to move
    cdef int bucket = net_bucket(net, p)
    cdef int64_t sum = KERNELS.output(mine, theirs, net.weights + bucket * 2 * net.hidden, net.hidden, net.limit,
                                      net.shift)
    return <int>((sum + net.offset[bucket]) * net.factor + (<int64_t>1 << 31) >> 32)


cdef inline void note_move(Net* net, Change* change, Pos* p, u16 mv) noexcept nogil:
    # call before the move is made; the network may be NULL
    cdef int taken = p.board[mv >> 8]
    cdef u32 count
    change.regroups = 0
    if taken and net != NULL:
        count = p.count[p.side ^ 1]
        if net.set_of[attackers_in(count)] != net.set_of[attackers_in(count - ONE[KIND[taken]])]:
            change.regroups = 1 << p.side
    change.moved = PIECE[p.board[mv & 255]]
    change.src = mv & 255
    change.dst = mv >> 8
    change.taken = PIECE[taken] if taken else NO_PIECE
    change.known[0] = change.known[1] = 0


cdef inline void note_null(Change* change) noexcept nogil:
    change.moved = change.taken = NO_PIECE
    change.regroups = 0
    change.known[0] = change.known[1] = 0


cdef inline bint turns_view(Change* change, int side) noexcept nogil:
    # does the move change all rows of the view? A king step across the middle file, or a capture, may
    return (change.regroups >> side & 1
            or (change.moved == 7 * side and is_mirrored(change.src) != is_mirrored(change.dst)))


cdef int16_t* current_view(Net* net, Pos* p, Views* views, int ply, int side) noexcept nogil:
    # the view of a side at the node `ply` plies from the root
    cdef int at = ply, hidden = net.hidden
    cdef bint mirrored
    cdef Change* changes = views.changes
    cdef Change* change
    cdef int16_t* here = views.neurons + (2 * ply + side) * hidden
    cdef int16_t* before
    cdef int16_t* rows
    cdef int16_t* taken
    while not changes[at].known[side]:
        if at == 0 or turns_view(&changes[at], side):
            renew_view(net, p, views, side, here)
            changes[ply].known[side] = 1
            return here
        at -= 1
    mirrored = is_mirrored(p.sq[base_of(side)])
    rows = rows_of(net, set_used(net, p, side))
    before = views.neurons + (2 * at + side) * hidden
    while at < ply:
        at += 1
        change = &changes[at]
        here = before + 2 * hidden
        if change.moved == NO_PIECE:
            memcpy(here, before, hidden * sizeof(int16_t))
        else:
            taken = NULL
            if change.taken != NO_PIECE:
                taken = row_of(net, rows, side, mirrored, change.taken, change.dst)
            KERNELS.update(here, before, row_of(net, rows, side, mirrored, change.moved, change.dst),
                           row_of(net, rows, side, mirrored, change.moved, change.src), taken, hidden)
        change.known[side] = 1
        before = here
    return before


cdef int network_score(Net* net, Pos* p, Views* views, int ply) noexcept nogil:
    # for the side to move, in centipawns
    cdef int16_t* mine = current_view(net, p, views, ply, p.side)
    cdef int16_t* theirs = current_view(net, p, views, ply, p.side ^ 1)
    return net_output(net, p, mine, theirs)


cdef int refreshed_score(Net* net, Pos* p) noexcept nogil:
    # the same, computed from the position alone
    cdef int16_t[2 * NET_MOST + 32] room
    cdef int16_t* views = <int16_t*>((<size_t>&room[0] + 63) & ~<size_t>63)
    refresh_view(net, p, p.side, views)
    refresh_view(net, p, p.side ^ 1, views + net.hidden)
    return net_output(net, p, views, views + net.hidden)
