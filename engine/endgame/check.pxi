# Does every entry agree with its successors? Uses forward moves only, so it does not depend on how the table was made.
# If all entries agree, all are correct, by induction on the distance.


cdef int from_successors(SolverState* w, Pos* p, int side) noexcept nogil:
    # the code that follows from the legal moves of the position on the board
    cdef u16[MAX_MOVES] moves
    cdef CheckInfo ci
    cdef int i, n, captures, code, win = 0, longest = 0
    cdef bint drawn = False
    p.side = side
    check_info(p, &ci)
    captures = generate(p, moves, True)
    n = captures + generate(p, moves + captures, False)
    for i in range(n):
        if not is_legal(p, moves[i], &ci):
            continue
        if i < captures:
            code = code_after_capture(w, p, moves[i], side)
        else:
            code = w.values.code[side ^ 1][index_after(&w.values, p, moves[i])]
        if code == 0:
            drawn = True
        elif code & 1:
            if not win or code + 1 < win:
                win = code + 1
        else:
            longest = max(longest, code)
    return win if win else 0 if drawn else longest + 1


cdef int64_t find_fault(SolverState* w, int64_t first, int64_t end) noexcept nogil:
    # the first index in the range whose entry is wrong for either side to move; NO_INDEX if none is
    cdef Pos p
    cdef u32[MAX_GROUPS] ways
    cdef int64_t index
    cdef int side
    p.states = NULL
    clear(&p)
    for index in range(first, end):
        if set_up(&w.values.endgame, index, ways, &p):
            for side in range(2):
                if (not king_attacked(&p, side ^ 1)
                        and w.values.code[side][index] != from_successors(w, &p, side)):
                    return index
    return NO_INDEX


cdef enum:
    MAX_FORMATIONS = 9 * 10 * 21  # king, advisors, elephants

cdef struct ValueCounts:
    u64[2][MAX_CODE] codes  # of legal positions
    # with the attacker to move: how many positions, how many of them won
    u64[90] stands  # with such a piece on the point
    u64[90] wins
    u64[MAX_FORMATIONS] formed  # with this arrangement of the defender's pieces
    u64[MAX_FORMATIONS] beaten


cdef int formation_of(const Endgame* endgame, const u32* ways) noexcept nogil:
    # the index of the defender's arrangement, the same for its mirror image
    cdef int g, plain = 0, mirror = 0
    for g in range(endgame.groups):
        if endgame.shape[g].side == 1:
            plain = plain * endgame.shape[g].size + ways[g]
            mirror = mirror * endgame.shape[g].size + endgame.shape[g].mirror[ways[g]]
    return min(plain, mirror)


cdef void take_census(Values* values, int64_t first, int64_t end, int group, ValueCounts* census) noexcept nogil:
    cdef Pos p
    cdef u32[MAX_GROUPS] ways
    cdef int64_t index
    cdef int side, i, sq, code, formation
    cdef bint won
    cdef const Shape* shape
    p.states = NULL
    clear(&p)
    for index in range(first, end):
        if not set_up(&values.endgame, index, ways, &p):
            continue
        for side in range(2):
            if king_attacked(&p, side ^ 1):
                continue
            code = values.code[side][index]
            census.codes[side][min(code, MAX_CODE - 1)] += 1
            if side:
                continue
            won = code != 0 and code & 1 == 0
            formation = formation_of(&values.endgame, ways)
            census.formed[formation] += 1
            census.beaten[formation] += won
            if group < 0:
                continue
            shape = values.endgame.shape[group]
            for i in range(shape.n):
                sq = to90(shape.squares[MAX_LIKE * ways[group] + i])
                census.stands[sq] += 1
                census.wins[sq] += won
