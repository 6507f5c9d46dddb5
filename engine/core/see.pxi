# Static exchange evaluation: the value of a capture when both sides keep capturing on the square, least valuable first.
# Every capture changes the lines: a rook behind a rook joins in, a cannon gains or loses its screen, a knight's leg or
# an elephant's eye may be freed. So attackers are recomputed for each capture, from the few points that matter.

cdef int[7] SEE_VALUE = [10000, 200, 200, 400, 900, 450, 120]


cdef inline bint gone(Pos* p, u64 removed, Square sq) noexcept nogil:
    return not p.board[sq] or removed >> p.board[sq] & 1


cdef Slot least_attacker(Pos* p, Side side, Square sq, u64 removed, u32 row, u32 col) noexcept nogil:
    # the slot of the least valuable piece of a side that can capture on sq; row and col: the current lines through sq
    cdef int base = base_of(side), pc, src, i, leg
    cdef u16 m
    cdef int step = 16 - 32 * side
    for i in range(3):  # a pawn attacks from behind or, across the river, from the side
        src = sq - step if i == 0 else sq + 2 * i - 3
        if i and HOME[sq] != 2 - side:
            break
        if HOME[src]:
            pc = p.board[src]
            if is_slot_of(pc, base + S_PAWN, 5) and not removed >> pc & 1:
                return pc
    if HOME[sq] == 1 + side:  # advisors and elephants do not leave their half
        if IN_PALACE[sq]:
            for pc in range(base + S_ADVISOR, base + S_BISHOP):
                src = p.sq[pc]
                if src and not removed >> pc & 1 and src != sq:
                    for i in range(4):
                        if ADVISOR_TO[src][i] == sq:
                            return pc
        for pc in range(base + S_BISHOP, base + S_KNIGHT):
            src = p.sq[pc]
            if src and not removed >> pc & 1 and src != sq:
                for i in range(4):
                    if BISHOP_TO[src][i] == sq and gone(p, removed, (src + sq) >> 1):
                        return pc
    for pc in range(base + S_KNIGHT, base + S_ROOK):
        src = p.sq[pc]
        if src and not removed >> pc & 1:
            leg = KNIGHT_LEG[sq - src + 256]
            if leg and gone(p, removed, src + leg):
                return pc
    for i in range(4):  # cannons before rooks
        pc = base + (S_CANNON + i if i < 2 else S_ROOK + i - 2)
        src = p.sq[pc]
        if src and src != sq and not removed >> pc & 1 and in_line(src, sq):
            if src >> 4 == sq >> 4:
                m = row & BETWEEN[file_of(src)][file_of(sq)]
            else:
                m = col & BETWEEN[rank_of(src)][rank_of(sq)]
            if one_bit(m) if i < 2 else m == 0:
                return pc
    if IN_PALACE[sq]:
        for i in range(4):
            if KING_TO[p.sq[base]][i] == sq:
                return base
    return 0


cdef int see(Pos* p, u16 mv) noexcept nogil:
    cdef int src = mv & 255, sq = mv >> 8, side = p.side, pc = p.board[src], n = 0
    cdef int[34] gain
    cdef u64 removed = 0
    cdef u32 row = p.row[sq >> 4], col = p.col[sq & 15]
    gain[0] = SEE_VALUE[KIND[p.board[sq]]] if p.board[sq] else 0
    while n < 32:
        # pc captures on sq
        removed |= <u64>1 << pc
        src = p.sq[pc]
        if src >> 4 == sq >> 4:
            row &= ~(<u32>1 << file_of(src))
        elif (src ^ sq) & 15 == 0:
            col &= ~(<u32>1 << rank_of(src))
        n += 1
        gain[n] = SEE_VALUE[KIND[pc]] - gain[n - 1]
        if gain[n] < 0 < gain[n - 1]:
            break  # the sign of the result is decided
        side ^= 1
        pc = least_attacker(p, side, sq, removed, row, col)
        if not pc:
            break
        if not pc & 15 and least_attacker(p, side ^ 1, sq, removed | <u64>1 << pc, row, col):
            break  # a king may not capture a protected piece
    n -= 1
    while n > 0:
        if gain[n] > -gain[n - 1]:
            gain[n - 1] = -gain[n]
        n -= 1
    return gain[0]


cdef inline bint see_ge(Pos* p, u16 mv, int threshold) noexcept nogil:
    # the cheap tests first: the capture cannot reach the threshold, or reaches it even if the piece is lost
    cdef int captured = p.board[mv >> 8]
    cdef int balance = (SEE_VALUE[KIND[captured]] if captured else 0) - threshold
    if balance < 0:
        return False
    if balance - SEE_VALUE[KIND[p.board[mv & 255]]] >= 0:
        return True
    return see(p, mv) >= threshold
