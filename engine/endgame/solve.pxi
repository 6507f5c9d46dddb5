# Retrograde analysis of one material. The attacker is Red.
#
# First, every position is classified: illegal, lost at once, decided by a capture (whose value is in a smaller table),
# or open, with the number of its quiet moves. Then distances are processed in ascending order. A position lost in n
# makes every predecessor by a quiet move won in n + 1. A position won in n takes one open move from each predecessor,
# and a predecessor without open moves is lost. Positions that are never reached are draws.
#
# During solving, a code may be provisional: a capture wins in this many plies (a shorter win may still be found), or
# all captures lose, the longest in this many plies (valid once no open move is left).

cdef extern from "platform.h":
    u16 load16 "chuhe_load16"(u16* x) noexcept nogil
    void save16 "chuhe_save16"(u16* x, u16 value) noexcept nogil
    u8 load8 "chuhe_load8"(u8* x) noexcept nogil
    u8 one_less "chuhe_less8"(u8* x) noexcept nogil

cdef enum:
    MAX_CODE = 4096  # more plies than the longest of these endgames
    MAX_BEFORE = 160  # predecessors of a position by a quiet move

cdef int[8] KNIGHT_STEPS = [-33, -31, -18, -14, 14, 18, 31, 33]

cdef struct Values:
    # a solved material, uncompressed
    Endgame endgame
    u16* code[2]  # [0]: attacker to move

cdef struct SolverState:
    Values values
    u8* open_moves[2]  # moves not known to lose
    Values* smaller[2][7]  # [side][kind]: the material after that piece is captured; NULL if no attacker is left

cdef struct SolvedCounts:
    # how many codes a thread wrote, to skip scans for distances that do not occur
    u32[2][MAX_CODE] written
    int overflow


cdef inline void note(SolvedCounts* tally, int side, int code) noexcept nogil:
    if code >= MAX_CODE:
        tally.overflow = 1
    else:
        tally.written[side][code] += 1


cdef void lift_all(Pos* p) noexcept nogil:
    cdef int pc
    for pc in range(16, 48):
        if p.sq[pc]:
            toggle(p, side_of(pc), p.sq[pc])
            p.board[p.sq[pc]] = 0
            p.sq[pc] = 0


cdef bint set_up(const Endgame* endgame, int64_t index, u32* ways, Pos* p) noexcept nogil:
    # set up the position of an index; False if two pieces would stand on one point
    cdef int g, i, pc, sq
    cdef const Shape* shape
    ways_at(endgame, index, ways)
    lift_all(p)
    for g in range(endgame.groups):
        shape = endgame.shape[g]
        pc = base_of(shape.side) + FIRST_SLOT[shape.kind]
        for i in range(shape.n):
            sq = shape.squares[MAX_LIKE * ways[g] + i]
            if p.board[sq]:
                return False
            p.board[sq] = pc + i
            p.sq[pc + i] = sq
            toggle(p, shape.side, sq)
    return True


cdef int code_of(Values* values, Pos* p, int side) noexcept nogil:
    # index of the position on the board
    return values.code[side][index_in(&values.endgame, p, 0)]


cdef inline void shift(Pos* p, int pc, int dst) noexcept nogil:
    # move a piece to an empty point, or (back) from one; geometry only
    cdef int side = side_of(pc), src = p.sq[pc]
    toggle(p, side, src)
    toggle(p, side, dst)
    p.board[src] = 0
    p.board[dst] = pc
    p.sq[pc] = dst


cdef int code_after_capture(SolverState* w, Pos* p, u16 mv, int side) noexcept nogil:
    # the code after a capture, for the side then to move
    cdef int src = mv & 255, dst = mv >> 8, pc = p.board[src], taken = p.board[dst], code
    cdef Values* smaller = w.smaller[side ^ 1][KIND[taken]]
    if smaller == NULL:
        return 0
    toggle(p, side ^ 1, dst)
    p.sq[taken] = 0
    shift(p, pc, dst)
    code = code_of(smaller, p, side ^ 1)
    shift(p, pc, src)
    p.board[dst] = taken
    p.sq[taken] = dst
    toggle(p, side ^ 1, dst)
    return code


cdef int64_t index_after(Values* values, Pos* p, u16 mv) noexcept nogil:
    # the index after a quiet move
    cdef int src = mv & 255, pc = p.board[src]
    cdef int64_t index
    shift(p, pc, mv >> 8)
    index = index_in(&values.endgame, p, 0)
    shift(p, pc, src)
    return index


cdef int distinct(int64_t* found, int n) noexcept nogil:
    # removes duplicates; the order may change
    cdef int i, j, kept = 0
    for i in range(n):
        for j in range(kept):
            if found[j] == found[i]:
                break
        else:
            found[kept] = found[i]
            kept += 1
    return kept


cdef void weigh(SolverState* w, Pos* p, int64_t index, int side, SolvedCounts* tally) noexcept nogil:
    # classifies one entry: p is set up, and the side not to move is not in check
    cdef u16[MAX_MOVES] moves
    cdef int64_t[MAX_MOVES] after
    cdef CheckInfo ci
    cdef int i, n, code, win = 0, floor_ = 0, open_moves = 0, quiet = 0
    p.side = side
    check_info(p, &ci)
    n = generate(p, moves, True)
    for i in range(n):
        if is_legal(p, moves[i], &ci):
            code = code_after_capture(w, p, moves[i], side)
            if code & 1:  # the other side loses
                if not win or code + 1 < win:
                    win = code + 1
                open_moves += 1
            elif code:
                floor_ = max(floor_, code + 1)
            else:
                open_moves += 1
    n = generate(p, moves, False)
    for i in range(n):
        if is_legal(p, moves[i], &ci):
            if own_mirror(&w.values.endgame, index):
                after[quiet] = index_after(&w.values, p, moves[i])
            quiet += 1
    if own_mirror(&w.values.endgame, index):
        quiet = distinct(after, quiet)  # a move and its mirror image lead to the same entry
    open_moves += quiet
    code = win if win else floor_
    if not open_moves and not floor_:
        code = 1
    w.values.code[side][index] = code
    w.open_moves[side][index] = open_moves
    if code:
        note(tally, side, code)


cdef void begin(SolverState* w, int64_t first, int64_t end, SolvedCounts* tally) noexcept nogil:
    cdef Pos p
    cdef u32[MAX_GROUPS] ways
    cdef int64_t index
    cdef int side
    cdef bint possible
    p.states = NULL
    clear(&p)
    for index in range(first, end):
        possible = set_up(&w.values.endgame, index, ways, &p)
        for side in range(2):
            if possible and not king_attacked(&p, side ^ 1):
                weigh(w, &p, index, side, tally)
            else:
                w.values.code[side][index] = CODE_ILLEGAL
                w.open_moves[side][index] = 255


cdef int origins(Pos* p, int pc, u8* out) noexcept nogil:
    # the empty points from which the piece could have come by a quiet move
    cdef int sq = p.sq[pc], kind = KIND[pc], side = side_of(pc), n = 0, src, i
    cdef u16[32] moves
    cdef u16* end
    if kind == K_KNIGHT:
        for i in range(8):
            src = sq - KNIGHT_STEPS[i]
            if p.board[src] == 0 and p.board[src + KNIGHT_LEG[KNIGHT_STEPS[i] + 256]] == 0:
                out[n] = src
                n += 1
        return n
    if kind == K_PAWN:  # the attacker's, so Red's
        for i in range(3):
            src = sq - 16 if i == 0 else sq + 2 * i - 3
            if (i == 0 or HOME[sq] == 2) and p.board[src] == 0 and belongs(0, K_PAWN, src):
                out[n] = src
                n += 1
        return n
    end = add_piece(p, moves, pc, False)  # the other pieces move the same way backwards
    for i in range(<int>(end - moves)):
        out[i] = moves[i] >> 8
    return <int>(end - moves)


cdef int before(SolverState* w, Pos* p, int64_t index, u32* ways, int mover, int64_t* found) noexcept nogil:
    # the positions from which a quiet move leads to this one, without duplicates
    cdef const Endgame* endgame = &w.values.endgame
    cdef const Shape* shape
    cdef u8[32] from_
    cdef u8[MAX_LIKE] squares
    cdef int g, i, j, k, pc, count, n = 0
    cdef u32 way
    for g in range(endgame.groups):
        shape = endgame.shape[g]
        if shape.side != mover:
            continue
        way = ways[g]
        pc = base_of(mover) + FIRST_SLOT[shape.kind]
        for i in range(shape.n):
            count = origins(p, pc + i, from_)
            for j in range(shape.n):
                squares[j] = p.sq[pc + j]
            for k in range(count):
                squares[i] = from_[k]
                ways[g] = way_of(shape, squares)
                found[n] = index_of(endgame, ways)
                n += 1
        ways[g] = way
    return distinct(found, n) if own_mirror(endgame, index) else n


cdef void spread(SolverState* w, int side, int code, int64_t first, int64_t end, SolvedCounts* tally) noexcept nogil:
    # from every position of the range that has this final code, one quiet move back
    cdef Pos p
    cdef u32[MAX_GROUPS] ways
    cdef int64_t[MAX_BEFORE] found
    cdef int64_t index
    cdef bint lost = code & 1
    cdef u16* codes = w.values.code[side]
    cdef u16* theirs = w.values.code[side ^ 1]
    cdef u8* open_moves = w.open_moves[side ^ 1]
    cdef int i, n, old
    p.states = NULL
    clear(&p)
    for index in range(first, end):
        if load16(&codes[index]) != code or (lost and load8(&w.open_moves[side][index])):
            continue
        set_up(&w.values.endgame, index, ways, &p)
        n = before(w, &p, index, ways, side ^ 1, found)
        for i in range(n):
            old = load16(&theirs[found[i]])
            if old == CODE_ILLEGAL:
                continue
            if lost:
                # all writers of this pass write the same value, so the race is harmless
                if old == 0 or old & 1 or old > code + 1:
                    save16(&theirs[found[i]], code + 1)
                    note(tally, side ^ 1, code + 1)
            elif one_less(&open_moves[found[i]]) == 0:
                old = max(old, code + 1)
                save16(&theirs[found[i]], old)
                note(tally, side ^ 1, old)


cdef void finish(SolverState* w, int64_t first, int64_t end) noexcept nogil:
    # provisional losses that were never confirmed are draws
    cdef int64_t index
    cdef int side
    for side in range(2):
        for index in range(first, end):
            if (w.values.code[side][index] & 1 and w.values.code[side][index] != CODE_ILLEGAL
                    and w.open_moves[side][index]):
                w.values.code[side][index] = 0
