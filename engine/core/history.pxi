# Move statistics of the search: butterfly, low-ply, structure, continuation and capture histories; and correction
# histories, which say how wrong the evaluation was in similar positions.
# All use gravity: the nearer a value is to its bound, the less an update changes it.

cdef enum:
    HISTORY_MAX = 16384
    PIECE_SQUARES = 14 * 90
    MOVES_90 = 90 * 90
    LOW_PLIES = 4  # plies from the root that have a history of their own
    STRUCTURES = 512  # rows of the structure history
    CONTINUATIONS = 4
    CORRECTIONS = 16384  # entries of a correction history, by key
    CORRECTION_PAIRS = 65536  # entries of the one by pairs of moves
    CORRECTION_MAX = 1024
    CORRECTION_UNIT = 16384  # the weights of the correction histories are in 1/16384 centipawns per unit
    CORRECTION_STEP = CORRECTION_MAX // 4  # the most that one search adds
    CORRECTION_GAIN = 8  # units per centipawn at depth 64
    CORRECTION_HASH = 0x9E3779B1  # 2^32 divided by the golden ratio: spreads a pair of moves over 32 bits,
    CORRECTION_HASH_SHIFT = 16  # of which the upper ones choose among CORRECTION_PAIRS
    NEAR_PAIR = 2  # the last move is paired with those this many plies ago
    FAR_PAIR = 4
    BACK_FULL = 16  # BACK_WEIGHT counts in 16ths
    FAR_SHIFT = 1  # moves further back than the last two count half

# the earlier moves, in plies back, whose continuation histories count, and by how much they are updated
cdef int[CONTINUATIONS] BACK = [1, 2, 4, 6]
cdef int[CONTINUATIONS] BACK_WEIGHT = [16, 16, 12, 8]

cdef u8[256] INDEX  # a square of the board as 0-89

cdef struct Stack:
    # what a node passes on to its children and grandchildren
    Score evaluation  # corrected; NO_EVAL in check
    int piece_square  # of the move made here: piece * 90 + destination; -1 after a null move
    int cutoffs  # fail highs of the children
    Depth reduction  # plies by which the search of the move made here is reduced at the moment
    int count  # moves tried so far
    bint tt_pv  # the node is, or was in an earlier search, on a principal variation
    u16 move
    u16 excluded

cdef struct Histories:
    int16_t[2][MOVES_90] butterfly  # [side][from * 90 + to]
    int16_t[LOW_PLIES][MOVES_90] low_ply  # of this search only
    int16_t[PIECE_SQUARES * 7] capture  # [piece, to, victim's kind]
    int16_t[2][4][CORRECTIONS] correction  # [side][shape, light, Red's force, Black's force]
    int16_t[CORRECTION_PAIRS] pair_correction
    int16_t[STRUCTURES * PIECE_SQUARES] structure  # [pawns][piece, to]
    int16_t[PIECE_SQUARES * PIECE_SQUARES] continuation  # [earlier piece, to][piece, to]


cdef void init_history_lookup() noexcept nogil:
    cdef Square sq
    for sq in range(256):
        if HOME[sq]:
            INDEX[sq] = to90(sq)


cdef inline int butterfly_index(u16 mv) noexcept nogil:
    return INDEX[mv & 255] * 90 + INDEX[mv >> 8]


cdef inline int piece_square(Pos* p, u16 mv) noexcept nogil:
    return PIECE[p.board[mv & 255]] * 90 + INDEX[mv >> 8]


cdef inline int capture_index(Pos* p, u16 mv) noexcept nogil:
    return piece_square(p, mv) * 7 + KIND[p.board[mv >> 8]]


cdef inline int16_t* structure_row(Histories* h, Pos* p) noexcept nogil:
    return &h.structure[(p.parts.pawns & (STRUCTURES - 1)) * PIECE_SQUARES]


cdef inline void update_stat(int16_t* value, int bonus, int most) noexcept nogil:
    # most: the bound of the value, which gravity keeps it below
    cdef int size = bonus if bonus > 0 else -bonus
    value[0] += <int16_t>(bonus - value[0] * size // most)


cdef inline void update_history(int16_t* value, int bonus) noexcept nogil:
    update_stat(value, bonus, HISTORY_MAX)


# --- correction histories ---------------------------------------------------------------------------------------------

cdef inline int16_t* pair_entry(Histories* h, Stack* ss, int back) noexcept nogil:
    # by the last move and the one `back` plies ago; NULL if either is missing
    cdef int last = (ss - 1).piece_square, other = (ss - back).piece_square
    if last < 0 or other < 0:
        return NULL
    return &h.pair_correction[<u32>(last * PIECE_SQUARES + other) * <u32>CORRECTION_HASH >> CORRECTION_HASH_SHIFT]


cdef inline int correction(Histories* h, const int32_t* params, Pos* p, Stack* ss) noexcept nogil:
    # what the evaluation should gain, in centipawns
    cdef int16_t* entry
    cdef int mask = CORRECTIONS - 1
    cdef int sum = (params[CORRECT_SHAPE] * h.correction[p.side][0][p.parts.shape & mask]
                    + params[CORRECT_LIGHT] * h.correction[p.side][1][p.parts.light & mask]
                    + params[CORRECT_FORCE] * (h.correction[p.side][2][p.parts.force[0] & mask]
                                               + h.correction[p.side][3][p.parts.force[1] & mask]))
    entry = pair_entry(h, ss, NEAR_PAIR)
    if entry != NULL:
        sum += params[CORRECT_PAIR] * entry[0]
    entry = pair_entry(h, ss, FAR_PAIR)
    if entry != NULL:
        sum += params[CORRECT_PAIR] * entry[0]
    return sum // CORRECTION_UNIT


cdef inline void learn_correction(Histories* h, Pos* p, Stack* ss, int error, Depth depth) noexcept nogil:
    # error: the search's score less the corrected evaluation
    cdef int mask = CORRECTIONS - 1
    cdef int bonus = max(-CORRECTION_STEP, min(CORRECTION_STEP, error * depth // CORRECTION_GAIN))
    cdef int16_t* entry
    update_stat(&h.correction[p.side][0][p.parts.shape & mask], bonus, CORRECTION_MAX)
    update_stat(&h.correction[p.side][1][p.parts.light & mask], bonus, CORRECTION_MAX)
    update_stat(&h.correction[p.side][2][p.parts.force[0] & mask], bonus, CORRECTION_MAX)
    update_stat(&h.correction[p.side][3][p.parts.force[1] & mask], bonus, CORRECTION_MAX)
    entry = pair_entry(h, ss, NEAR_PAIR)
    if entry != NULL:
        update_stat(entry, bonus, CORRECTION_MAX)
    entry = pair_entry(h, ss, FAR_PAIR)
    if entry != NULL:
        update_stat(entry, bonus, CORRECTION_MAX)


# --- quiet moves ------------------------------------------------------------------------------------------------------

cdef int16_t[PIECE_SQUARES] NOTHING_KNOWN

cdef struct Quiets:
    # the history rows that score a node's quiet moves, looked up once per node
    int16_t* butterfly
    int16_t* structure
    int16_t* continuation[CONTINUATIONS]


cdef inline int16_t* continuation_of(Histories* h, Stack* ss, int back) noexcept nogil:
    # the row of the move made `back` plies before this node
    cdef int index = (ss - back).piece_square
    return &NOTHING_KNOWN[0] if index < 0 else &h.continuation[index * PIECE_SQUARES]


cdef inline void quiets_start(Quiets* q, Histories* h, Pos* p, Stack* ss) noexcept nogil:
    cdef int i
    q.butterfly = h.butterfly[p.side]
    q.structure = structure_row(h, p)
    for i in range(CONTINUATIONS):
        q.continuation[i] = continuation_of(h, ss, BACK[i])


cdef inline int history_of(Quiets* q, Pos* p, u16 mv, bint ordering) noexcept nogil:
    # for reductions and pruning, or for the ordering, which looks further back
    cdef int to = INDEX[mv >> 8], at = PIECE[p.board[mv & 255]] * 90 + to
    cdef int sum = (q.butterfly[INDEX[mv & 255] * 90 + to] + q.structure[at] + q.continuation[0][at]
                    + q.continuation[1][at] + (q.continuation[2][at] >> FAR_SHIFT))
    return sum + (q.continuation[3][at] >> FAR_SHIFT) if ordering else sum


cdef inline void update_continuations(Histories* h, Stack* ss, int ps, int bonus) noexcept nogil:
    # a quiet move at this node, by the moves that led here
    cdef int i, earlier
    for i in range(CONTINUATIONS):
        earlier = (ss - BACK[i]).piece_square
        if earlier >= 0:
            update_history(&h.continuation[earlier * PIECE_SQUARES + ps], bonus * BACK_WEIGHT[i] // BACK_FULL)


cdef inline void update_quiet_histories(Histories* h, Pos* p, Stack* ss, Ply ply, u16 mv, int bonus) noexcept nogil:
    cdef int ps = piece_square(p, mv), from_to = butterfly_index(mv)
    update_history(&h.butterfly[p.side][from_to], bonus)
    update_history(&structure_row(h, p)[ps], bonus)
    if ply < LOW_PLIES:
        update_history(&h.low_ply[ply][from_to], bonus)
    update_continuations(h, ss, ps, bonus)
