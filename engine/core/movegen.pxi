# Pseudo-legal move generation; captures and quiet moves separately.

cdef inline u16* add_row(u16* out, Square src, u32 bits) noexcept nogil:
    while bits:
        out[0] = move_of(src, (src & 0xF0) + ctz(bits) + 3)
        out += 1
        bits &= bits - 1
    return out


cdef inline u16* add_col(u16* out, Square src, u32 bits) noexcept nogil:
    while bits:
        out[0] = move_of(src, ((ctz(bits) + 3) << 4) + (src & 15))
        out += 1
        bits &= bits - 1
    return out


cdef inline u32 row_lines(Pos* p, Square sq) noexcept nogil:
    return ROW_LINES[file_of(sq)][p.row[sq >> 4]]


cdef inline u32 col_lines(Pos* p, Square sq) noexcept nogil:
    return COL_LINES[rank_of(sq)][p.col[sq & 15]]


cdef inline bint wanted(Slot pc, bint captures, int foe) noexcept nogil:
    # does the target fit? An enemy piece for a capture, an empty square for a quiet move
    if captures:
        return pc & foe and pc != OFF
    return pc == 0


cdef inline u16* add_steps(Pos* p, u16* out, Square src, const u8* to, bint captures, int foe) noexcept nogil:
    while to[0]:
        if wanted(p.board[to[0]], captures, foe):
            out[0] = move_of(src, to[0])
            out += 1
        to += 1
    return out


cdef inline u16* add_bishop(Pos* p, u16* out, Square src, bint captures, int foe) noexcept nogil:
    cdef const u8* to = &BISHOP_TO[src][0]
    cdef Square dst
    while to[0]:
        dst = to[0]
        if not p.board[(src + dst) >> 1] and wanted(p.board[dst], captures, foe):
            out[0] = move_of(src, dst)
            out += 1
        to += 1
    return out


cdef inline u16* add_knight(Pos* p, u16* out, Square src, bint captures, int foe) noexcept nogil:
    cdef int i, j, leg, dst
    for i in range(4):
        leg = 16 if i == 0 else -16 if i == 1 else 1 if i == 2 else -1
        if not p.board[src + leg]:
            for j in range(-1, 2, 2):
                dst = src + 2 * leg + (j if i < 2 else 16 * j)
                if wanted(p.board[dst], captures, foe):
                    out[0] = move_of(src, dst)
                    out += 1
    return out


cdef inline u16* add_rook(Pos* p, u16* out, Square src, Side side, bint captures) noexcept nogil:
    cdef u32 row = row_lines(p, src), col = col_lines(p, src)
    if captures:
        row &= p.row_of[side ^ 1][src >> 4]
        col &= p.col_of[side ^ 1][src & 15]
    else:
        row &= 0x3FF & ~<u32>p.row[src >> 4]
        col &= 0x3FF & ~<u32>p.col[src & 15]
    return add_col(add_row(out, src, row), src, col)


cdef inline u16* add_cannon(Pos* p, u16* out, Square src, Side side, bint captures) noexcept nogil:
    cdef u32 row = row_lines(p, src), col = col_lines(p, src)
    if captures:
        row = row >> 16 & p.row_of[side ^ 1][src >> 4]
        col = col >> 16 & p.col_of[side ^ 1][src & 15]
    else:
        row &= 0x3FF & ~<u32>p.row[src >> 4]
        col &= 0x3FF & ~<u32>p.col[src & 15]
    return add_col(add_row(out, src, row), src, col)


cdef inline u16* add_piece(Pos* p, u16* out, Slot pc, bint captures) noexcept nogil:
    cdef int src = p.sq[pc], kind = KIND[pc], side = side_of(pc), foe = tag_of(side ^ 1)
    if kind == K_ROOK:
        return add_rook(p, out, src, side, captures)
    if kind == K_CANNON:
        return add_cannon(p, out, src, side, captures)
    if kind == K_KNIGHT:
        return add_knight(p, out, src, captures, foe)
    if kind == K_PAWN:
        return add_steps(p, out, src, &PAWN_TO[side][src][0], captures, foe)
    if kind == K_BISHOP:
        return add_bishop(p, out, src, captures, foe)
    if kind == K_ADVISOR:
        return add_steps(p, out, src, &ADVISOR_TO[src][0], captures, foe)
    return add_steps(p, out, src, &KING_TO[src][0], captures, foe)


cdef inline u16* add_all(Pos* p, u16* out, bint captures) noexcept nogil:
    # slot by slot, with a loop for each kind: no piece's kind is ever looked up
    cdef int side = p.side, i, src, foe = tag_of(side ^ 1)
    cdef u8* list_ = &p.sq[base_of(side)]
    for i in range(S_ROOK, S_CANNON):
        if list_[i]:
            out = add_rook(p, out, list_[i], side, captures)
    for i in range(S_CANNON, S_PAWN):
        if list_[i]:
            out = add_cannon(p, out, list_[i], side, captures)
    for i in range(S_KNIGHT, S_ROOK):
        if list_[i]:
            out = add_knight(p, out, list_[i], captures, foe)
    for i in range(S_PAWN, 16):
        src = list_[i]
        if src:
            out = add_steps(p, out, src, &PAWN_TO[side][src][0], captures, foe)
    for i in range(S_BISHOP, S_KNIGHT):
        if list_[i]:
            out = add_bishop(p, out, list_[i], captures, foe)
    for i in range(S_ADVISOR, S_BISHOP):
        src = list_[i]
        if src:
            out = add_steps(p, out, src, &ADVISOR_TO[src][0], captures, foe)
    src = list_[0]
    return add_steps(p, out, src, &KING_TO[src][0], captures, foe)


cdef int generate(Pos* p, u16* out, bint captures) noexcept nogil:
    # two calls with a constant argument, so that the compiler specialises two generators
    if captures:
        return <int>(add_all(p, out, True) - out)
    return <int>(add_all(p, out, False) - out)


cdef int keep_evasions(Pos* p, CheckInfo* ci, u16* moves, int count) noexcept nogil:
    # of the moves of a side in check, those that may answer it: few are left to be scored and tested
    cdef int i, kept = 0, king = p.sq[base_of(p.side)]
    for i in range(count):
        if moves[i] & 255 == king or ci.checkers > 1 or may_evade(p, ci, moves[i] & 255, moves[i] >> 8):
            moves[kept] = moves[i]
            kept += 1
    return kept


cdef int generate_checks(Pos* p, CheckSquares* cs, u16* out) noexcept nogil:
    # The quiet moves that may give check: all that do, and few others. Most moves are never generated: a rook or cannon
    # has one point on the king's file and one on its rank, and only a piece on a line can open it.
    cdef int side = p.side, base = base_of(side), king = cs.king, i, sq, dst, leg
    cdef u32 movers = cs.discoverers >> base & 0xFFFF
    cdef u16* first = out
    cdef u16* at
    cdef const u8* to
    if cs.hollow:  # any piece that steps in between becomes the cannon's screen
        return generate(p, out, False)
    for i in range(S_ROOK, S_PAWN):
        sq = p.sq[base + i]
        if not sq or movers >> i & 1:
            continue
        dst = (sq & 0xF0) + (king & 15)
        if not p.board[dst] and row_lines(p, sq) >> file_of(dst) & 1 and bears_on(p, i >= S_CANNON, dst, king):
            out[0] = move_of(sq, dst)
            out += 1
        dst = (king & 0xF0) + (sq & 15)
        if not p.board[dst] and col_lines(p, sq) >> rank_of(dst) & 1 and bears_on(p, i >= S_CANNON, dst, king):
            out[0] = move_of(sq, dst)
            out += 1
    for i in range(S_KNIGHT, S_ROOK):
        if p.sq[base + i] and not movers >> i & 1:
            at = out
            out = add_knight(p, out, p.sq[base + i], False, 0)
            while at < out:
                leg = KNIGHT_LEG[king - (at[0] >> 8) + 256]
                if leg and not p.board[(at[0] >> 8) + leg]:
                    at += 1
                else:
                    out -= 1
                    at[0] = out[0]
    for i in range(S_PAWN, 16):
        sq = p.sq[base + i]
        if sq and HOME[sq] == 2 - side and not movers >> i & 1:
            to = &PAWN_TO[side][sq][0]
            while to[0]:
                if not p.board[to[0]] and pawn_hits(side, to[0], king):
                    out[0] = move_of(sq, to[0])
                    out += 1
                to += 1
    while movers:
        out = add_piece(p, out, base + ctz(movers), False)
        movers &= movers - 1
    return <int>(out - first)


cdef int generate_legal(Pos* p, u16* out) noexcept nogil:
    cdef CheckInfo ci
    cdef int n = generate(p, out, True), i, kept = 0
    n += generate(p, out + n, False)
    check_info(p, &ci)
    for i in range(n):
        if is_legal(p, out[i], &ci):
            out[kept] = out[i]
            kept += 1
    return kept


cdef bint has_legal(Pos* p) noexcept nogil:
    cdef u16[MAX_MOVES] moves
    cdef CheckInfo ci
    cdef int n = generate(p, moves, True), i
    n += generate(p, moves + n, False)
    check_info(p, &ci)
    for i in range(n):
        if is_legal(p, moves[i], &ci):
            return True
    return False
