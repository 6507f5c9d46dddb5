# Counting the leaves of the move tree. The last ply is counted, not made: most moves need no legality test.

cdef inline int count_steps(Pos* p, const u8* to, int own) noexcept nogil:
    cdef int n = 0
    while to[0]:
        n += not p.board[to[0]] & own
        to += 1
    return n


cdef inline int count_piece(Pos* p, Slot pc, Side side) noexcept nogil:
    # pseudo-legal moves of any piece but the king
    cdef int src = p.sq[pc], kind = KIND[pc], own = tag_of(side), n, dst
    cdef u32 row, col
    cdef const u8* to
    if kind == K_ROOK:
        row = row_lines(p, src) & ~<u32>p.row_of[side][src >> 4] & 0x3FF
        col = col_lines(p, src) & ~<u32>p.col_of[side][src & 15] & 0x3FF
        return POP[row] + POP[col]
    if kind == K_CANNON:
        row = row_lines(p, src)
        col = col_lines(p, src)
        row = (row & ~<u32>p.row[src >> 4] & 0x3FF) | (row >> 16 & p.row_of[side ^ 1][src >> 4])
        col = (col & ~<u32>p.col[src & 15] & 0x3FF) | (col >> 16 & p.col_of[side ^ 1][src & 15])
        return POP[row] + POP[col]
    if kind == K_KNIGHT:
        n = 0
        if not p.board[src + 16]:
            n += (not p.board[src + 31] & own) + (not p.board[src + 33] & own)
        if not p.board[src - 16]:
            n += (not p.board[src - 31] & own) + (not p.board[src - 33] & own)
        if not p.board[src + 1]:
            n += (not p.board[src + 18] & own) + (not p.board[src - 14] & own)
        if not p.board[src - 1]:
            n += (not p.board[src - 18] & own) + (not p.board[src + 14] & own)
        return n
    if kind == K_PAWN:
        return count_steps(p, &PAWN_TO[side][src][0], own)
    if kind == K_ADVISOR:
        return count_steps(p, &ADVISOR_TO[src][0], own)
    n = 0
    to = &BISHOP_TO[src][0]
    while to[0]:
        dst = to[0]
        n += not p.board[(src + dst) >> 1] and not p.board[dst] & own
        to += 1
    return n


cdef int count_tried(Pos* p, Slot pc) noexcept nogil:
    # legal moves of one piece, each tested
    cdef u16[32] moves
    cdef int i, n = 0
    cdef u16* end = add_piece(p, add_piece(p, moves, pc, True), pc, False)
    for i in range(<int>(end - moves)):
        n += safe_after(p, moves[i])
    return n


cdef int count_legal(Pos* p) noexcept nogil:
    cdef CheckInfo ci
    cdef u16[MAX_MOVES] moves
    cdef int side = p.side, base = base_of(side), pc, n
    check_info(p, &ci)
    if ci.checkers or ci.hollow:
        return generate_legal(p, moves)
    n = count_tried(p, base)
    for pc in range(base + 1, base + 16):
        if p.sq[pc]:
            n += count_tried(p, pc) if ci.pinned >> pc & 1 else count_piece(p, pc, side)
    return n


cdef u64 perft(Pos* p, Depth depth) noexcept nogil:
    cdef u16[MAX_MOVES] moves
    cdef int i, n
    cdef u64 total = 0
    if depth == 0:
        return 1
    if depth == 1:
        return count_legal(p)
    n = generate_legal(p, moves)
    for i in range(n):
        do_move(p, moves[i])
        total += perft(p, depth - 1)
        undo_move(p)
    return total
