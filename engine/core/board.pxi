# Putting, taking, making and undoing on one board that is updated in place.


cdef void clear(Pos* p) noexcept nogil:
    cdef StateInfo* states = p.states
    cdef Square sq
    memset(p, 0, sizeof(Pos))
    p.states = states
    for sq in range(256):
        p.board[sq] = 0 if HOME[sq] else OFF


cdef inline void toggle(Pos* p, Side side, Square sq) noexcept nogil:
    # flips a square's bits in the occupancy of all pieces and of one side
    cdef int r = sq >> 4, c = sq & 15
    cdef u16 on_row = 1 << (c - 3), on_col = 1 << (r - 3)
    p.row[r] ^= on_row
    p.col[c] ^= on_col
    p.row_of[side][r] ^= on_row
    p.col_of[side][c] ^= on_col


cdef inline void toggle_parts(Parts* parts, int piece, u64 key) noexcept nogil:
    cdef Kind kind = piece if piece < 7 else piece - 7
    if kind == K_KNIGHT or kind == K_CANNON:
        parts.light ^= key
        parts.force[piece != kind] ^= key
    elif kind == K_ROOK:
        parts.force[piece != kind] ^= key
    else:
        parts.shape ^= key
        if kind == K_PAWN:
            parts.pawns ^= key


cdef void put(Pos* p, Slot pc, Square sq) noexcept nogil:
    cdef u64 key = PIECE_KEYS[PIECE[pc]][sq]
    p.board[sq] = pc
    p.sq[pc] = sq
    toggle(p, side_of(pc), sq)
    p.key ^= key
    toggle_parts(&p.parts, PIECE[pc], key)
    p.phase += PHASE[KIND[pc]]
    p.count[side_of(pc)] += ONE[KIND[pc]]


cdef inline void do_move(Pos* p, u16 mv) noexcept nogil:
    # updates the board, lists, lines and keys; make() updates the check state
    cdef Square src = mv & 255, dst = mv >> 8
    cdef int pc = p.board[src], captured = p.board[dst], side = p.side
    cdef StateInfo* state = &p.states[p.ply]
    cdef u64 key = PIECE_KEYS[PIECE[pc]][src] ^ PIECE_KEYS[PIECE[pc]][dst]
    state.key = p.key
    state.parts = p.parts
    state.mv = mv
    state.reversible_plies = p.reversible_plies
    state.captured = captured
    state.in_check = p.in_check
    state.phase = p.phase
    state.half_move_clock = p.half_move_clock
    state.checks[0] = p.checks[0]
    state.checks[1] = p.checks[1]
    p.ply += 1
    p.seen[p.key & (SEEN_SIZE - 1)] += 1
    p.board[src] = 0
    p.board[dst] = pc
    p.sq[pc] = dst
    toggle(p, side, src)
    p.key ^= key ^ ZOBRIST_BLACK
    toggle_parts(&p.parts, PIECE[pc], key)
    if captured:
        p.sq[captured] = 0
        toggle(p, side ^ 1, dst)
        key = PIECE_KEYS[PIECE[captured]][dst]
        p.key ^= key
        toggle_parts(&p.parts, PIECE[captured], key)
        p.phase -= PHASE[KIND[captured]]
        p.count[side ^ 1] -= ONE[KIND[captured]]
        p.reversible_plies = 0
    else:
        p.reversible_plies += 1
    toggle(p, side, dst)
    p.side = side ^ 1


cdef inline u64 key_after(Pos* p, u16 mv) noexcept nogil:
    # the key of the position that the move leads to
    cdef int dst = mv >> 8, pc = PIECE[p.board[mv & 255]]
    cdef u64 key = p.key ^ PIECE_KEYS[pc][mv & 255] ^ PIECE_KEYS[pc][dst] ^ ZOBRIST_BLACK
    return key ^ PIECE_KEYS[PIECE[p.board[dst]]][dst] if p.board[dst] else key


cdef inline void undo_move(Pos* p) noexcept nogil:
    cdef StateInfo* state
    cdef int src, dst, pc
    p.ply -= 1
    state = &p.states[p.ply]
    src = state.mv & 255
    dst = state.mv >> 8
    pc = p.board[dst]
    p.side ^= 1
    toggle(p, p.side, dst)
    toggle(p, p.side, src)
    p.board[src] = pc
    p.board[dst] = state.captured
    p.sq[pc] = src
    if state.captured:
        p.sq[state.captured] = dst
        toggle(p, p.side ^ 1, dst)
        p.count[p.side ^ 1] += ONE[KIND[state.captured]]
    p.key = state.key
    p.parts = state.parts
    p.phase = state.phase
    p.reversible_plies = state.reversible_plies
    p.in_check = state.in_check
    p.half_move_clock = state.half_move_clock
    p.checks[0] = state.checks[0]
    p.checks[1] = state.checks[1]
    p.seen[p.key & (SEEN_SIZE - 1)] -= 1


cdef inline void make(Pos* p, u16 mv, bint gives_check) noexcept nogil:
    # a move of the game or of the search: do_move, then the counters that the law needs
    cdef Side side = p.side
    do_move(p, mv)
    p.in_check = gives_check
    if p.reversible_plies == 0:
        p.half_move_clock = 0
        p.checks[0] = p.checks[1] = 0
    elif not p.in_check:
        p.half_move_clock += 1
    elif p.checks[side] < CHECKS_COUNTED:
        p.checks[side] += 1
        p.half_move_clock += 1


cdef inline void make_null(Pos* p) noexcept nogil:
    cdef StateInfo* state = &p.states[p.ply]
    state.key = p.key
    state.mv = 0
    state.reversible_plies = p.reversible_plies
    state.captured = 0
    state.in_check = p.in_check
    state.phase = p.phase
    state.half_move_clock = p.half_move_clock
    state.checks[0] = p.checks[0]
    state.checks[1] = p.checks[1]
    p.seen[p.key & (SEEN_SIZE - 1)] += 1
    p.ply += 1
    p.key ^= ZOBRIST_BLACK
    p.reversible_plies = 0
    p.side ^= 1
    p.in_check = 0


cdef inline void undo_null(Pos* p) noexcept nogil:
    cdef StateInfo* state
    p.ply -= 1
    state = &p.states[p.ply]
    p.key = state.key
    p.reversible_plies = state.reversible_plies
    p.in_check = state.in_check
    p.side ^= 1
    p.seen[p.key & (SEEN_SIZE - 1)] -= 1
