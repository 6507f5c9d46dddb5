# Check, attack and legality.

cdef inline bint is_slot_of(Slot pc, int first, int count) noexcept nogil:
    return <u32>(pc - first) < <u32>count


cdef inline u16 between(Pos* p, Square a, Square b) noexcept nogil:
    # the occupied points strictly between two squares of one row or column
    if a >> 4 == b >> 4:
        return p.row[a >> 4] & BETWEEN[file_of(a)][file_of(b)]
    return p.col[a & 15] & BETWEEN[rank_of(a)][rank_of(b)]


cdef inline bint in_line(Square a, Square b) noexcept nogil:
    return a >> 4 == b >> 4 or (a ^ b) & 15 == 0


cdef bint king_attacked(Pos* p, Side side) noexcept nogil:
    cdef int king = p.sq[base_of(side)], foe = base_of(side ^ 1), i, sq
    cdef u16 m
    for i in range(S_ROOK, S_ROOK + 2):
        sq = p.sq[foe + i]
        if sq and in_line(sq, king) and not between(p, sq, king):
            return True
    for i in range(S_CANNON, S_CANNON + 2):
        sq = p.sq[foe + i]
        if sq and in_line(sq, king):
            m = between(p, sq, king)
            if one_bit(m):
                return True
    for i in range(S_KNIGHT, S_KNIGHT + 2):
        sq = p.sq[foe + i]
        if sq and KNIGHT_LEG[king - sq + 256] and not p.board[sq + KNIGHT_LEG[king - sq + 256]]:
            return True
    foe += S_PAWN
    if is_slot_of(p.board[king + (16 - 32 * side)], foe, 5):
        return True
    if is_slot_of(p.board[king - 1], foe, 5) or is_slot_of(p.board[king + 1], foe, 5):
        return True
    sq = p.sq[base_of(side ^ 1)]
    return (sq ^ king) & 15 == 0 and not between(p, sq, king)


cdef void check_info(Pos* p, CheckInfo* ci) noexcept nogil:
    # for the side to move: who gives check, whose moves could uncover one
    cdef int side = p.side, king = p.sq[base_of(side)], foe = base_of(side ^ 1), i, sq, leg
    cdef u16 m
    ci.pinned = 0
    ci.checkers = 0
    ci.hollow = 0
    for i in range(S_ROOK, S_ROOK + 2):
        sq = p.sq[foe + i]
        if sq and in_line(sq, king):
            m = between(p, sq, king)
            if not m:
                ci.checkers += 1
                ci.checker = sq
                ci.checker_kind = K_ROOK
            elif one_bit(m):
                ci.pinned |= slots_between(p, sq, king, m)
    for i in range(S_CANNON, S_CANNON + 2):
        sq = p.sq[foe + i]
        if sq and in_line(sq, king):
            m = between(p, sq, king)
            if not m:
                ci.hollow = 1
            elif one_bit(m):
                ci.checkers += 1
                ci.checker = sq
                ci.checker_kind = K_CANNON
            elif one_bit(m & (m - 1)):
                ci.pinned |= slots_between(p, sq, king, m)
    for i in range(S_KNIGHT, S_KNIGHT + 2):
        sq = p.sq[foe + i]
        if sq and KNIGHT_LEG[king - sq + 256]:
            leg = p.board[sq + KNIGHT_LEG[king - sq + 256]]
            if leg:
                ci.pinned |= <u64>1 << leg
            else:
                ci.checkers += 1
                ci.checker = sq
                ci.checker_kind = K_KNIGHT
    foe += S_PAWN
    for i in range(3):
        sq = king + (16 - 32 * side if i == 0 else 2 * i - 3)
        if is_slot_of(p.board[sq], foe, 5):
            ci.checkers += 1
            ci.checker = sq
            ci.checker_kind = K_PAWN
    sq = p.sq[base_of(side ^ 1)]
    if (sq ^ king) & 15 == 0:
        m = between(p, sq, king)
        if one_bit(m):
            ci.pinned |= slots_between(p, sq, king, m)


cdef inline u64 slots_between(Pos* p, Square a, Square b, u16 m) noexcept nogil:
    # the slots of the pieces on the points of m, a mask returned by between(p, a, b)
    cdef u64 slots = 0
    while m:
        if a >> 4 == b >> 4:
            slots |= <u64>1 << p.board[(a & 0xF0) + ctz(m) + 3]
        else:
            slots |= <u64>1 << p.board[((ctz(m) + 3) << 4) + (a & 15)]
        m &= m - 1
    return slots


cdef bint attacked_after(Pos* p, u16 mv, Side side) noexcept nogil:
    # is this side's king attacked after the move? Tests the geometry only and restores the board
    cdef int src = mv & 255, dst = mv >> 8, pc = p.board[src], captured = p.board[dst]
    cdef u16 src_row = 1 << (src & 15) - 3, src_col = 1 << (src >> 4) - 3
    cdef u16 dst_row = 1 << (dst & 15) - 3, dst_col = 1 << (dst >> 4) - 3
    cdef bint attacked
    p.board[src] = 0
    p.board[dst] = pc
    p.sq[pc] = dst
    p.sq[captured] = 0
    p.row[src >> 4] ^= src_row
    p.col[src & 15] ^= src_col
    p.row[dst >> 4] |= dst_row
    p.col[dst & 15] |= dst_col
    attacked = king_attacked(p, side)
    p.board[src] = pc
    p.board[dst] = captured
    p.sq[pc] = src
    p.sq[captured] = dst if captured else 0
    p.row[src >> 4] |= src_row
    p.col[src & 15] |= src_col
    if not captured:
        p.row[dst >> 4] ^= dst_row
        p.col[dst & 15] ^= dst_col
    return attacked


cdef inline bint safe_after(Pos* p, u16 mv) noexcept nogil:
    return not attacked_after(p, mv, p.side)


cdef inline bint bears_on(Pos* p, bint cannon, Square sq, Square target) noexcept nogil:
    # would a rook or a cannon on sq, in line with the target, attack it?
    cdef u16 m = between(p, sq, target)
    if cannon:
        return one_bit(m)
    return not m


cdef inline bint pawn_hits(Side side, Square sq, Square target) noexcept nogil:
    # does a pawn across the river on sq attack the target?
    return target == sq + 16 - 32 * side or target == sq + 1 or target == sq - 1


cdef void check_squares(Pos* p, CheckSquares* cs) noexcept nogil:
    # for the side to move: the pieces that uncover an attack on the enemy king when they leave
    cdef int base = base_of(p.side), king = p.sq[base_of(p.side ^ 1)], i, sq, leg
    cdef u16 m
    cs.king = king
    cs.discoverers = cs.hollow = 0
    for i in range(S_ROOK, S_CANNON):
        sq = p.sq[base + i]
        if sq and in_line(sq, king):
            m = between(p, sq, king)
            if one_bit(m):
                cs.discoverers |= slots_between(p, sq, king, m)
    for i in range(S_CANNON, S_PAWN):
        sq = p.sq[base + i]
        if sq and in_line(sq, king):
            m = between(p, sq, king)
            if not m:
                cs.hollow = 1
            elif one_bit(m & (m - 1)):
                cs.discoverers |= slots_between(p, sq, king, m)
    for i in range(S_KNIGHT, S_ROOK):
        sq = p.sq[base + i]
        if sq:
            leg = KNIGHT_LEG[king - sq + 256]
            if leg:
                cs.discoverers |= <u64>1 << p.board[sq + leg]


cdef inline bint checks(Pos* p, u16 mv, CheckSquares* cs) noexcept nogil:
    # does the legal move give check? Unless it discovers one, only the moving piece can
    cdef int src = mv & 255, dst = mv >> 8, pc = p.board[src], kind = KIND[pc], leg
    if cs.discoverers >> pc & 1 or (cs.hollow and (kind == K_CANNON or in_line(dst, cs.king))):
        return attacked_after(p, mv, p.side ^ 1)
    if kind == K_ROOK or kind == K_CANNON:
        return in_line(dst, cs.king) and bears_on(p, kind == K_CANNON, dst, cs.king)
    if kind == K_KNIGHT:
        leg = KNIGHT_LEG[cs.king - dst + 256]
        return leg and not p.board[dst + leg]
    return kind == K_PAWN and pawn_hits(p.side, dst, cs.king)


cdef inline bint may_evade(Pos* p, CheckInfo* ci, Square src, Square dst) noexcept nogil:
    # a necessary condition, for any piece but the king, when there is a single checker
    cdef int king = p.sq[base_of(p.side)], checker = ci.checker
    if dst == checker:
        return True
    if ci.checker_kind == K_PAWN:
        return False
    if ci.checker_kind == K_KNIGHT:
        return dst == checker + KNIGHT_LEG[king - checker + 256]
    if on_segment(dst, checker, king):
        return True
    return ci.checker_kind == K_CANNON and on_segment(src, checker, king)


cdef inline bint on_segment(Square sq, Square a, Square b) noexcept nogil:
    if (sq ^ a) & 15 == 0 and (a ^ b) & 15 == 0:
        return BETWEEN[rank_of(a)][rank_of(b)] >> rank_of(sq) & 1
    if sq >> 4 == a >> 4 and a >> 4 == b >> 4:
        return BETWEEN[file_of(a)][file_of(b)] >> file_of(sq) & 1
    return False


cdef inline bint is_legal(Pos* p, u16 mv, CheckInfo* ci) noexcept nogil:
    # mv is pseudo-legal; ci belongs to this position
    cdef int src = mv & 255, pc = p.board[src]
    if pc & 15:
        if ci.checkers:
            if ci.checkers == 1 and not may_evade(p, ci, src, mv >> 8):
                return False
        elif not ci.hollow and not ci.pinned >> pc & 1:
            return True
    return safe_after(p, mv)


cdef bint is_pseudo_legal(Pos* p, u16 mv) noexcept nogil:
    # mv may be any 16 bits: a table entry of another position, or a user's move
    cdef int src = mv & 255, dst = mv >> 8, pc, own = tag_of(p.side)
    if not HOME[src] or not HOME[dst]:
        return False
    pc = p.board[src]
    if not pc & own or p.board[dst] & own:
        return False
    return reaches(p, pc, src, dst)


cdef bint reaches(Pos* p, Slot pc, Square src, Square dst) noexcept nogil:
    # does the piece on src attack dst, or reach it if it is empty? Either side's piece may stand on dst
    cdef int kind = KIND[pc], i
    cdef u16 m
    if kind == K_ROOK or kind == K_CANNON:
        if src == dst or not in_line(src, dst):
            return False
        m = between(p, src, dst)
        if kind == K_ROOK or not p.board[dst]:
            return not m
        return one_bit(m)
    if kind == K_KNIGHT:
        i = KNIGHT_LEG[dst - src + 256]
        return i and not p.board[src + i]
    if kind == K_PAWN:
        for i in range(4):
            if PAWN_TO[side_of(pc)][src][i] == dst:
                return True
            if not PAWN_TO[side_of(pc)][src][i]:
                return False
        return False
    for i in range(4):
        if kind == K_BISHOP:
            if BISHOP_TO[src][i] == dst:
                return not p.board[(src + dst) >> 1]
        elif kind == K_ADVISOR:
            if ADVISOR_TO[src][i] == dst:
                return True
        elif KING_TO[src][i] == dst:
            return True
    return False


cdef u64 attackers(Pos* p, Side side, Square dst) noexcept nogil:
    # slots of a side that attack a square, ignoring pins; the king attacks the other king along an open file
    cdef u64 found = 0
    cdef int pc, base = base_of(side)
    for pc in range(base, base + 16):
        if p.sq[pc] and p.sq[pc] != dst:
            if reaches(p, pc, p.sq[pc], dst):
                # a cannon reaches an empty square without attacking it
                if KIND[pc] != K_CANNON or p.board[dst]:
                    found |= <u64>1 << pc
    if p.board[dst] == base_of(side ^ 1) and (p.sq[base] ^ dst) & 15 == 0 and not between(p, p.sq[base], dst):
        found |= <u64>1 << base
    return found
