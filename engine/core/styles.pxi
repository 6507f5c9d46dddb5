# The evaluation and search of two older programs: five features for each side, and plain alpha-beta on one board. All
# their numbers are data of a StyleSearcher; the engine's own evaluation and search do not use this file.

cdef enum:
    STYLE_DEEPEST = 64
    STYLE_FEATURES = 5  # strength, position, threat, mobility, control

cdef enum StyleOrder:
    ORDER_STRENGTH = 0  # by the strength of the victim, then of the mover
    ORDER_RATIO = 1  # captures by victim / attacker; quiet moves unordered
    ORDER_RATIO_POWER = 2  # the same; quiet moves by the mover's attacking power

cdef int64_t STYLE_LOST = 1000000000000  # beyond every evaluation; reduced by the ply, so that a later loss is better

cdef struct StyleRun:
    # a style's numbers, and one search with them
    int64_t[7] strength
    int64_t[7] power
    int32_t[7] mobility
    int32_t[7][7] threat  # for each attacking pair across the river, by kind
    int32_t[2][7][256] square_value  # Black's is Red's, rotated
    int64_t[STYLE_FEATURES] weight
    int order
    int breadth  # 0: all moves are tried
    int stop
    int aborted
    int64_t deadline  # on the clock of `now_us`; 0: none
    u64 nodes
    u64 node_limit
    Pos pos
    u16[STYLE_DEEPEST + 1][STYLE_DEEPEST + 1] line
    int[STYLE_DEEPEST + 1] length


cdef void style_features(StyleRun* r, Pos* p, Side side, int64_t* out) noexcept nogil:
    # the five features of one side, unweighted; its moves are counted even if it is not to move or is in check
    cdef u16[MAX_MOVES] moves
    cdef int[7] across
    cdef int i, j, n, kind, sq, turn = p.side
    cdef int64_t strength = 0, position = 0, threat = 0, mobility = 0, control = 0
    for kind in range(7):
        across[kind] = 0
    for i in range(base_of(side), base_of(side) + 16):
        sq = p.sq[i]
        if sq:
            kind = KIND[i]
            strength += r.strength[kind]
            position += r.square_value[side][kind][sq]
            across[kind] += HOME[sq] == 2 - side
    for i in range(K_KNIGHT, K_PAWN + 1):
        for j in range(i):
            threat += r.threat[i][j] * across[i] * across[j]
        threat += r.threat[i][i] * across[i] * (across[i] - 1) // 2
    p.side = side
    n = generate(p, moves, True)
    n += generate(p, moves + n, False)
    p.side = turn
    for i in range(n):
        kind = KIND[p.board[moves[i] & 255]]
        mobility += r.mobility[kind]
        control += r.square_value[side][kind][moves[i] >> 8]
    out[0] = strength
    out[1] = position
    out[2] = threat
    out[3] = mobility
    out[4] = control


cdef int64_t style_value(StyleRun* r, Pos* p) noexcept nogil:
    # the weighted sum for the side to move, mine minus yours
    cdef int64_t[STYLE_FEATURES] mine
    cdef int64_t[STYLE_FEATURES] yours
    cdef int64_t value = 0
    cdef int i
    style_features(r, p, p.side, mine)
    style_features(r, p, p.side ^ 1, yours)
    for i in range(STYLE_FEATURES):
        value += r.weight[i] * (mine[i] - yours[i])
    return value


cdef int64_t style_rank(StyleRun* r, Pos* p, u16 mv) noexcept nogil:
    # the sort key of a move; higher is tried earlier
    cdef int mover = KIND[p.board[mv & 255]], victim = p.board[mv >> 8]
    if r.order == ORDER_STRENGTH:
        return (r.strength[KIND[victim]] << 24 if victim else 0) + r.power[mover]
    if victim:
        return (<int64_t>1 << 50) + (r.strength[KIND[victim]] << 20) // max(1, r.strength[mover])
    return r.power[mover] if r.order == ORDER_RATIO_POWER else 0


cdef int style_sort(StyleRun* r, Pos* p, u16* moves, int n) noexcept nogil:
    # sort, stable, and cut to the breadth; returns how many are left
    cdef int64_t[MAX_MOVES] rank
    cdef int64_t key
    cdef int i, j
    cdef u16 mv
    for i in range(n):
        mv = moves[i]
        key = style_rank(r, p, mv)
        j = i
        while j and rank[j - 1] < key:
            rank[j] = rank[j - 1]
            moves[j] = moves[j - 1]
            j -= 1
        rank[j] = key
        moves[j] = mv
    return min(n, r.breadth) if r.breadth else n


cdef bint style_must_stop(StyleRun* r) noexcept nogil:
    if r.node_limit and r.nodes >= r.node_limit:
        return True
    if r.nodes % CHECK_EVERY:
        return False
    cdef int64_t deadline = load64(&r.deadline)
    return load(&r.stop) or (deadline and now_us() >= deadline)


cdef int64_t style_search(StyleRun* r, Depth depth, int64_t alpha, int64_t beta, Ply ply) noexcept nogil:
    # negamax; the value of an aborted search must not be used
    cdef Pos* p = &r.pos
    cdef u16[MAX_MOVES] moves
    cdef int n
    r.length[ply] = 0
    if style_must_stop(r):
        r.aborted = 1
        return 0
    r.nodes += 1
    if depth == 0:
        return style_value(r, p) if has_legal(p) else ply - STYLE_LOST
    n = generate_legal(p, moves)
    if n == 0:
        return ply - STYLE_LOST
    return style_try(r, moves, style_sort(r, p, moves, n), depth, alpha, beta, ply)


cdef int64_t style_try(StyleRun* r, u16* moves, int n, Depth depth, int64_t alpha, int64_t beta,
                       Ply ply) noexcept nogil:
    cdef Pos* p = &r.pos
    cdef int64_t best = -STYLE_LOST, score
    cdef int i
    for i in range(n):
        do_move(p, moves[i])
        score = -style_search(r, depth - 1, -beta, -max(alpha, best), ply + 1)
        undo_move(p)
        if r.aborted:
            break
        if score > best:
            best = score
            r.line[ply][0] = moves[i]
            memcpy(&r.line[ply][1], r.line[ply + 1], r.length[ply + 1] * sizeof(u16))
            r.length[ply] = r.length[ply + 1] + 1
            if best >= beta:
                break
    return best


cdef class StyleSearcher:
    """The compiled half of `chuhe.variants.styles.StyleEngine`: five weighted features, and alpha-beta over them.

    Lists by kind are king, advisor, bishop, knight, rook, cannon, pawn; a table has 90 numbers, by square, for Red.
    """

    cdef StyleRun* run_
    cdef u16[MAX_MOVES] root
    cdef int root_count

    def __cinit__(self, *args, **kwargs):
        self.run_ = <StyleRun*>calloc(1, sizeof(StyleRun))
        if self.run_ == NULL:
            raise MemoryError("no memory for a search")

    def __init__(self, *, list strength, list power, list mobility, list threats, list tables, list weights,
                 int order):
        cdef int kind, other, square
        cdef StyleRun* r = self.run_
        for kind in range(7):
            r.strength[kind] = strength[kind]
            r.power[kind] = power[kind]
            r.mobility[kind] = mobility[kind]
            for other in range(7):
                r.threat[kind][other] = threats[kind][other]
            for square in range(90):
                r.square_value[0][kind][to256(square)] = tables[kind][square]
                r.square_value[1][kind][to256(9 * (9 - square // 9) + square % 9)] = tables[kind][square]
        for kind in range(STYLE_FEATURES):
            r.weight[kind] = weights[kind]
        r.order = order

    def __dealloc__(self):
        if self.run_ != NULL:
            free(self.run_.pos.states)
        free(self.run_)

    def features(self, Board board not None, int colour):
        """Strength, position, threat, mobility and control of one side, unweighted."""
        cdef int64_t[STYLE_FEATURES] found
        if colour not in (0, 1):
            raise ValueError(f"no colour {colour}")
        style_features(self.run_, &board.pos, colour, found)
        return [found[i] for i in range(STYLE_FEATURES)]

    def value(self, Board board not None):
        """The weighted sum for the side to move, mine minus yours."""
        return style_value(self.run_, &board.pos)

    def prepare(self, Board board not None, list moves, *, int breadth=0, u64 nodes=0):
        """Start a search of the given moves; returns them in the order they will be tried, cut to the breadth."""
        cdef StyleRun* r = self.run_
        cdef int room = board.pos.ply + STYLE_DEEPEST + 4
        cdef StateInfo* states = <StateInfo*>realloc(r.pos.states, room * sizeof(StateInfo))
        if states == NULL:
            raise MemoryError("no memory for a search")
        memcpy(states, board.pos.states, board.pos.ply * sizeof(StateInfo))
        r.pos = board.pos
        r.pos.states = states
        r.breadth = breadth
        r.nodes = 0
        r.node_limit = nodes
        save64(&r.deadline, 0)
        r.aborted = 0
        save(&r.stop, 0)
        if len(moves) > MAX_MOVES:
            raise ValueError(f"no position has {len(moves)} moves")
        for i in range(len(moves)):
            self.root[i] = from_move(moves[i])
        self.root_count = style_sort(r, &r.pos, self.root, len(moves))
        return [to_move(self.root[i]) for i in range(self.root_count)]

    def run(self, int depth):
        """Search to this depth: (score, line), or None if it was stopped before the end. Releases the GIL."""
        cdef StyleRun* r = self.run_
        cdef int64_t score
        if not 1 <= depth <= STYLE_DEEPEST:
            raise ValueError(f"the depth is 1 to {STYLE_DEEPEST}, not {depth}")
        with nogil:
            r.nodes += 1
            r.length[0] = 0
            score = style_try(r, self.root, self.root_count, depth, -STYLE_LOST, STYLE_LOST, 0)
        return None if r.aborted else (score, [to_move(r.line[0][i]) for i in range(r.length[0])])

    def limit(self, int64_t milliseconds):
        """Set the time left, counted from now. May be called from another thread while the search runs."""
        save64(&self.run_.deadline, now_us() + milliseconds * 1000)

    def stop(self):
        save(&self.run_.stop, 1)

    def nodes(self):
        return self.run_.nodes


STYLE_LOST_SCORE = STYLE_LOST
STYLE_DEEPEST_PLY = STYLE_DEEPEST
