# Move statistics of the search: butterfly, continuation and capture histories, killers, counter moves.
# All but the killers use gravity: the nearer a value is to its bound, the less an update changes it.

cdef enum:
    HISTORY_MAX = 16384
    PIECE_SQUARES = 14 * 90
    CORRECTIONS = 16384
    CORRECTION_GRAIN = 128
    CORRECTION_MAX = 64 * CORRECTION_GRAIN

cdef u8[256] INDEX  # a square of the board as 0-89

cdef struct Stack:
    # what a node passes on to its children and grandchildren
    int evaluation
    int piece_square  # of the move made here: piece * 90 + destination; -1 after a null move
    u16 move
    u16 excluded
    u16[2] killers
    int cutoffs

cdef struct Histories:
    int16_t[2][8100] butterfly  # [side][from * 90 + to]
    int16_t[PIECE_SQUARES * 7] capture  # [piece, to, victim's kind]
    u16[PIECE_SQUARES] counter
    int16_t[2][CORRECTIONS] correction  # mean evaluation error by structure, in 1/CORRECTION_GRAIN centipawns
    int16_t[PIECE_SQUARES * PIECE_SQUARES] continuation


cdef void init_history_tables() noexcept nogil:
    cdef int sq
    for sq in range(256):
        if HOME[sq]:
            INDEX[sq] = to90(sq)


cdef inline int butterfly_index(u16 mv) noexcept nogil:
    return INDEX[mv & 255] * 90 + INDEX[mv >> 8]


cdef inline int piece_square(Pos* p, u16 mv) noexcept nogil:
    return PIECE[p.board[mv & 255]] * 90 + INDEX[mv >> 8]


cdef inline int capture_index(Pos* p, u16 mv) noexcept nogil:
    return piece_square(p, mv) * 7 + KIND[p.board[mv >> 8]]


cdef inline void nudge(int16_t* value, int bonus) noexcept nogil:
    cdef int size = bonus if bonus > 0 else -bonus
    value[0] += <int16_t>(bonus - value[0] * size // HISTORY_MAX)


cdef inline int corrected(Histories* h, Pos* p, int evaluation) noexcept nogil:
    return evaluation + h.correction[p.side][p.shape & (CORRECTIONS - 1)] // CORRECTION_GRAIN


cdef inline void learn_correction(Histories* h, Pos* p, int error, int depth) noexcept nogil:
    # a running mean of (search score - evaluation), weighted by depth
    cdef int16_t* entry = &h.correction[p.side][p.shape & (CORRECTIONS - 1)]
    cdef int weight = min(16, depth + 1)
    cdef int value = (entry[0] * (256 - weight) + max(-400, min(400, error)) * CORRECTION_GRAIN * weight) // 256
    entry[0] = <int16_t>max(-CORRECTION_MAX, min(CORRECTION_MAX, value))


cdef inline int16_t* continuation_of(Histories* h, Stack* ss, int back) noexcept nogil:
    # the row of the move made `back` plies before this node; NULL if there was none
    cdef int index = (ss - back).piece_square
    return NULL if index < 0 else &h.continuation[index * PIECE_SQUARES]


cdef int16_t[PIECE_SQUARES] NOTHING_KNOWN

cdef struct Quiets:
    # the history rows that score a node's quiet moves, looked up once per node
    int16_t* butterfly
    int16_t* reply
    int16_t* plan
    int16_t* plan2


cdef inline int16_t* row_or_none(Histories* h, Stack* ss, int back) noexcept nogil:
    cdef int16_t* row = continuation_of(h, ss, back)
    return &NOTHING_KNOWN[0] if row == NULL else row


cdef inline void quiets_start(Quiets* q, Histories* h, Pos* p, Stack* ss) noexcept nogil:
    q.butterfly = h.butterfly[p.side]
    q.reply = row_or_none(h, ss, 1)
    q.plan = row_or_none(h, ss, 2)
    q.plan2 = row_or_none(h, ss, 4)


cdef inline int history_of(Quiets* q, Pos* p, u16 mv) noexcept nogil:
    cdef int to = INDEX[mv >> 8], at = PIECE[p.board[mv & 255]] * 90 + to
    return q.butterfly[INDEX[mv & 255] * 90 + to] + q.reply[at] + q.plan[at] + (q.plan2[at] >> 1)


cdef inline int quiet_history(Histories* h, Pos* p, Stack* ss, u16 mv) noexcept nogil:
    cdef Quiets q
    quiets_start(&q, h, p, ss)
    return history_of(&q, p, mv)


cdef inline void nudge_quiet(Histories* h, Pos* p, Stack* ss, u16 mv, int bonus) noexcept nogil:
    cdef int ps = piece_square(p, mv)
    cdef int16_t* row
    nudge(&h.butterfly[p.side][butterfly_index(mv)], bonus)
    row = continuation_of(h, ss, 1)
    if row != NULL:
        nudge(&row[ps], bonus)
    row = continuation_of(h, ss, 2)
    if row != NULL:
        nudge(&row[ps], bonus)
    row = continuation_of(h, ss, 4)
    if row != NULL:
        nudge(&row[ps], bonus)
