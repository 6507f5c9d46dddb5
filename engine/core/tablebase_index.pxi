# Endgames: a dense numbering of all positions of a material balance, without gaps.
#
# The side with the attackers is always Red, at the bottom. The equal pieces of a side form a group. A way is one
# placement of a group's pieces, and a position is one way for each group. A position and its mirror image have the same
# value, so only one of the two is numbered: in the first group that is not its own mirror image, the way that leans to
# the left. Positions are ordered by which group that is: first all whose first group decides, then all whose second
# does, and so on. Positions that are their own mirror images come last.

cdef enum:
    MAX_GROUPS = 10
    MAX_LIKE = 3
    NO_POINT = 255
    NO_INDEX = -1

cdef enum:
    SYMMETRIC = 0
    LEFT = 1
    RIGHT = 2

cdef struct Shape:
    # the placements of n equal pieces of a side; `side` 0 is the attacker, 1 the defender
    int side
    int kind
    int n
    u32 size
    u32 symmetric
    u32 left
    u8[256] point  # the index of a square among the squares that the piece can reach
    u16* mirror  # [way] the mirrored way
    u8* lean  # [way] SYMMETRIC, LEFT or RIGHT
    u16* order  # [way] its index among the symmetric ways, or among those that lean to the left
    u16* symmetrics  # [order] the way
    u16* lefts
    u8* squares  # [MAX_LIKE * way]

cdef struct Endgame:
    int groups
    Shape* shape[MAX_GROUPS]
    int64_t[MAX_GROUPS + 2] offset  # start of the positions in which this is the first group that is not symmetric
    int64_t size

cdef Shape[2][7][MAX_LIKE + 1] SHAPES  # built when first needed
cdef int[8] FIRST_SLOT = [S_KING, S_ADVISOR, S_BISHOP, S_KNIGHT, S_ROOK, S_CANNON, S_PAWN, 16]
# the groups that change the value most come first, so that neighbouring entries are similar
cdef int[10][2] GROUP_ORDER = [[1, K_KING], [0, K_KING], [1, K_ADVISOR], [1, K_BISHOP], [0, K_ADVISOR], [0, K_BISHOP],
                               [0, K_PAWN], [0, K_KNIGHT], [0, K_CANNON], [0, K_ROOK]]


cdef inline Square turned_over(Square sq) noexcept nogil:
    # the square as seen by the other side, with left kept left
    return 0xF0 - (sq & 0xF0) + (sq & 15)


cdef inline Square mirrored(Square sq) noexcept nogil:
    return (sq & 0xF0) + 14 - (sq & 15)


cdef bint belongs(Side side, Kind kind, Square sq) noexcept nogil:
    # can such a piece ever stand there?
    cdef int own = sq if side == 0 else turned_over(sq), file = file_of(sq), rank
    if not HOME[sq]:
        return False
    rank = rank_of(own)
    if kind == K_KING:
        return 3 <= file <= 5 and rank <= 2
    if kind == K_ADVISOR:
        return 3 <= file <= 5 and rank <= 2 and (file + rank) % 2 == 1
    if kind == K_BISHOP:
        return (rank in (0, 4) and file in (2, 6)) or (rank == 2 and file in (0, 4, 8))
    if kind == K_PAWN:
        return rank >= 5 or (rank >= 3 and file % 2 == 0)
    return True


cdef inline u32 way_of(const Shape* shape, const u8* squares) noexcept nogil:
    # the way in which the pieces stand; squares in any order, each one valid for the piece
    cdef u32 a = shape.point[squares[0]], b, c, kept
    if shape.n == 1:
        return a
    b = shape.point[squares[1]]
    if a > b:
        kept = a
        a = b
        b = kept
    if shape.n == 2:
        return b * (b - 1) // 2 + a
    c = shape.point[squares[2]]
    if b > c:
        kept = b
        b = c
        c = kept
        if a > b:
            kept = a
            a = b
            b = kept
    return c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a


cdef Shape* shape_of(Side side, Kind kind, int n) except NULL:
    cdef Shape* shape = &SHAPES[side][kind][n]
    cdef u8[90] squares
    cdef u8[MAX_LIKE] other
    cdef int count = 0, sq, i, a, b, c
    cdef u32 way
    if shape.size:
        return shape
    shape.side = side
    shape.kind = kind
    shape.n = n
    for sq in range(256):
        shape.point[sq] = NO_POINT
        if belongs(side, kind, sq):
            shape.point[sq] = count
            squares[count] = sq
            count += 1
    way = count if n == 1 else count * (count - 1) // 2 if n == 2 else count * (count - 1) * (count - 2) // 6
    shape.mirror = <u16*>malloc(way * 4 * sizeof(u16))
    shape.lean = <u8*>malloc(way * (1 + MAX_LIKE))
    if shape.mirror == NULL or shape.lean == NULL:
        free(shape.mirror)
        free(shape.lean)
        raise MemoryError("no memory for the endgame tables")
    shape.order = shape.mirror + way
    shape.symmetrics = shape.mirror + 2 * way
    shape.lefts = shape.mirror + 3 * way
    shape.squares = shape.lean + way
    shape.symmetric = shape.left = 0
    memset(shape.squares, 0, way * MAX_LIKE)
    way = 0
    for c in range(2 if n == 3 else 0, count if n == 3 else 1):
        for b in range(1 if n == 2 else 0, (count if n == 2 else c) if n > 1 else 1):
            for a in range(count if n == 1 else b):
                shape.squares[MAX_LIKE * way] = squares[a]
                if n > 1:
                    shape.squares[MAX_LIKE * way + 1] = squares[b]
                if n > 2:
                    shape.squares[MAX_LIKE * way + 2] = squares[c]
                way += 1
    for i in range(<int>way):
        for a in range(n):
            other[a] = mirrored(shape.squares[MAX_LIKE * i + a])
        b = way_of(shape, other)
        shape.mirror[i] = b
        shape.lean[i] = SYMMETRIC if b == i else LEFT if i < b else RIGHT
        if b == i:
            shape.order[i] = shape.symmetric
            shape.symmetrics[shape.symmetric] = i
            shape.symmetric += 1
        elif i < b:
            shape.order[i] = shape.left
            shape.lefts[shape.left] = i
            shape.left += 1
    shape.size = way  # set last: marks the shape as built
    return shape


cdef int set_endgame(Endgame* endgame, u32 attacker, u32 defender) except -1:
    # from both sides' piece counts, four bits for each kind
    cdef int i, n
    cdef int64_t symmetric = 1, rest
    endgame.groups = 0
    for i in range(10):
        n = (defender if GROUP_ORDER[i][0] else attacker) >> 4 * GROUP_ORDER[i][1] & 15
        if n:
            endgame.shape[endgame.groups] = shape_of(GROUP_ORDER[i][0], GROUP_ORDER[i][1], n)
            endgame.groups += 1
    endgame.offset[0] = 0
    for i in range(endgame.groups):
        rest = symmetric * endgame.shape[i].left
        for n in range(i + 1, endgame.groups):
            rest *= endgame.shape[n].size
        endgame.offset[i + 1] = endgame.offset[i] + rest
        symmetric *= endgame.shape[i].symmetric
    endgame.size = endgame.offset[endgame.groups] + symmetric
    return 0


cdef inline int64_t index_of(const Endgame* endgame, const u32* ways) noexcept nogil:
    cdef int g, h
    cdef int64_t index = 0
    cdef const Shape* shape
    cdef int lean
    for g in range(endgame.groups):
        shape = endgame.shape[g]
        lean = shape.lean[ways[g]]
        if lean == SYMMETRIC:
            index = index * shape.symmetric + shape.order[ways[g]]
        elif lean == LEFT:
            index = index * shape.left + shape.order[ways[g]]
            for h in range(g + 1, endgame.groups):
                index = index * endgame.shape[h].size + ways[h]
            return endgame.offset[g] + index
        else:
            index = index * shape.left + shape.order[shape.mirror[ways[g]]]
            for h in range(g + 1, endgame.groups):
                index = index * endgame.shape[h].size + endgame.shape[h].mirror[ways[h]]
            return endgame.offset[g] + index
    return endgame.offset[endgame.groups] + index


cdef inline void ways_at(const Endgame* endgame, int64_t index, u32* ways) noexcept nogil:
    # the inverse of index_of
    cdef int g = 0, h
    cdef u64 rest
    while g < endgame.groups and index >= endgame.offset[g + 1]:
        g += 1
    rest = index - endgame.offset[g]
    for h in range(endgame.groups - 1, g, -1):
        ways[h] = rest % endgame.shape[h].size
        rest //= endgame.shape[h].size
    if g < endgame.groups:
        ways[g] = endgame.shape[g].lefts[rest % endgame.shape[g].left]
        rest //= endgame.shape[g].left
    for h in range(g - 1, -1, -1):
        ways[h] = endgame.shape[h].symmetrics[rest % endgame.shape[h].symmetric]
        rest //= endgame.shape[h].symmetric


cdef inline bint own_mirror(const Endgame* endgame, int64_t index) noexcept nogil:
    return index >= endgame.offset[endgame.groups]


cdef int64_t index_in(const Endgame* endgame, Pos* p, Side attacker) noexcept nogil:
    # for a position with exactly this material; NO_INDEX if a pawn stands on a square that pawns cannot reach
    cdef u32[MAX_GROUPS] ways
    cdef u8[MAX_LIKE] squares
    cdef int g, i, n, sq, first, end
    cdef const Shape* shape
    for g in range(endgame.groups):
        shape = endgame.shape[g]
        n = 0
        first = base_of(attacker ^ shape.side) + FIRST_SLOT[shape.kind]
        end = base_of(attacker ^ shape.side) + FIRST_SLOT[shape.kind + 1]
        for i in range(first, end):
            sq = p.sq[i]
            if sq:
                if attacker:
                    sq = turned_over(sq)
                if shape.point[sq] == NO_POINT or n == shape.n:
                    return NO_INDEX
                squares[n] = sq
                n += 1
        if n != shape.n:
            return NO_INDEX
        ways[g] = way_of(shape, squares)
    return index_of(endgame, ways)
