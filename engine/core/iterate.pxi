# Iterative deepening: aspiration windows, several lines (MultiPV), time management.

cdef enum:
    CURRENT_AFTER = 2500000  # microseconds before the current root move is reported
    BOUND_AFTER = 3000000    # microseconds before a fail high or fail low is reported
    ASPIRATION_DEPTH = 4  # from this depth on, search with a window around the last score
    ASPIRATION_WIDENING = 5
    ASPIRATION_WIDEST = 1500  # centipawns; beyond that the window is opened fully
    FAIL_HIGH_PLIES = 3  # after a fail high, re-search at most this much shallower
    PROVEN_PLIES = 4  # a mate in n plies is proven at depth 2n plus this
    FORCED_DEPTH = 6  # a single legal move is played after this depth, which is enough for a score and a ponder move
    STABLE_MOST = 8

# How the soft time limit is stretched or shortened. Factors, so they are doubles.
cdef double TIME_FORCED = 0.1  # there is a single legal move
cdef double TIME_UNSTABLE = 1.4  # the best move has just changed
cdef double TIME_STABLE_STEP = 0.09  # less for each iteration without a change, up to STABLE_MOST
cdef double TIME_CHANGE_STEP = 0.25  # more for each recent change
cdef double TIME_CHANGES_MOST = 3.0
cdef double TIME_FALL_SCALE = 120.0  # centipawns: a score drop of this size doubles the time, within these bounds
cdef double TIME_FALL_LEAST = 0.8
cdef double TIME_FALL_MOST = 1.6
cdef double TIME_EFFORT_BASE = 1.6  # the larger its share of the nodes, the safer the best move
cdef double TIME_EFFORT_SLOPE = 1.1
cdef double TIME_EFFORT_LEAST = 0.55


cdef void begin_search(Worker* w, const u16* moves, int count) noexcept nogil:
    # the worker's position and settings are already set
    cdef int i
    w.nodes = 0
    w.tbhits = 0
    w.countdown = 1
    w.root_ply = w.pos.ply
    w.completed = 0
    w.changes = 0
    w.null_floor = 0
    w.pv_index = 0
    w.root_count = count
    memset(w.stack, 0, sizeof(w.stack))
    memset(w.histories.low_ply, 0, sizeof(w.histories.low_ply))
    w.accumulators.changes[0].computed[0] = w.accumulators.changes[0].computed[1] = 0
    for i in range(count):
        memset(&w.root[i], 0, sizeof(RootMove))
        w.root[i].mv = moves[i]
        w.root[i].score = w.root[i].average = w.root[i].previous = -INFINITE
        w.root[i].pv[0] = moves[i]
        w.root[i].pv_length = 1


cdef inline RootMove* find_root(Worker* w, u16 mv) noexcept nogil:
    cdef int i
    for i in range(w.root_count):
        if w.root[i].mv == mv:
            return &w.root[i]
    return NULL


cdef bint root_allows(Worker* w, u16 mv) noexcept nogil:
    # skips lines already found in this iteration, and moves excluded by the caller
    cdef int i
    for i in range(w.pv_index, w.root_count):
        if w.root[i].mv == mv:
            return True
    return False


cdef void note_root(Worker* w, u16 mv, Score score, int count, Score alpha, Score beta, u64 nodes) noexcept nogil:
    cdef RootMove* move = find_root(w, mv)
    move.nodes += nodes
    if count > 1 and score <= alpha:
        move.score = -INFINITE
        return
    move.score = score
    move.average = score if move.average == -INFINITE else (2 * score + move.average) // 3
    move.bound = BOUND_LOWER if score >= beta else BOUND_UPPER if score <= alpha else BOUND_EXACT
    move.seldepth = w.seldepth
    move.pv[0] = mv
    memcpy(&move.pv[1], &w.pv[1][0], w.pv_length[1] * sizeof(u16))
    move.pv_length = w.pv_length[1] + 1
    if count > 1 and w.pv_index == 0:
        w.changes += 1


cdef inline bint ranks_below(RootMove* a, RootMove* b) noexcept nogil:
    return a.score < b.score or (a.score == b.score and a.previous < b.previous)


cdef void sort_root(Worker* w, int first, int end) noexcept nogil:
    # stable: moves without a score of their own keep their order
    cdef int i, j
    cdef RootMove kept
    for i in range(first + 1, end):
        j = i
        while j > first and ranks_below(&w.root[j - 1], &w.root[j]):
            kept = w.root[j]
            w.root[j] = w.root[j - 1]
            w.root[j - 1] = kept
            j -= 1


cdef u64 total_nodes(Control* c) noexcept nogil:
    cdef u64 sum = 0
    cdef int i
    for i in range(c.workers):
        sum += c.worker[i].nodes
    return sum


cdef u64 total_tbhits(Control* c) noexcept nogil:
    cdef u64 sum = 0
    cdef int i
    for i in range(c.workers):
        sum += c.worker[i].tbhits
    return sum


cdef void report(Worker* w, int index, Depth depth) noexcept nogil:
    if w.id == 0 and w.reporter != NULL:
        report_line(w, index, depth)


cdef void report_line(Worker* w, int index, Depth depth) noexcept with gil:
    cdef RootMove* move = &w.root[index]
    cdef int64_t spent = now_us() - w.control.began
    try:
        (<object>w.reporter)(index + 1, depth, move.seldepth, move.score, move.bound,
                             [to_move(move.pv[i]) for i in range(move.pv_length)],
                             total_nodes(w.control), spent // 1000, hashfull(w.tt),
                             total_tbhits(w.control))
    except BaseException as error:  # an exception in the callback ends the search and is re-raised in the caller
        (<object>w.reporter).fail(error)
        save(&w.control.stop, 1)


cdef void report_current(Worker* w, u16 mv, int count) noexcept nogil:
    # only once the search has run long enough for someone to be watching
    if now_us() - w.control.began > CURRENT_AFTER:
        report_move(w, mv, count)


cdef void report_move(Worker* w, u16 mv, int count) noexcept with gil:
    try:
        (<object>w.reporter).current(w.root_depth, to_move(mv), count + w.pv_index, total_nodes(w.control),
                                     (now_us() - w.control.began) // 1000)
    except BaseException as error:
        (<object>w.reporter).fail(error)
        save(&w.control.stop, 1)


cdef bint time_is_up(Worker* w, int stable) noexcept nogil:
    # the soft limit, stretched while the best move changes or the score drops, shortened while both are stable
    cdef Control* c = w.control
    cdef double factor = 1.0, fall
    if not c.limits.soft or observe(&c.pondering):
        return False
    if w.root_count == 1 and w.completed >= FORCED_DEPTH:
        factor = TIME_FORCED
    else:
        factor = TIME_UNSTABLE - TIME_STABLE_STEP * min(STABLE_MOST, stable)
        factor *= 1.0 + TIME_CHANGE_STEP * min(TIME_CHANGES_MOST, w.changes)
        fall = w.root[0].previous - w.root[0].score
        if -RULE_BOUND < w.root[0].score < RULE_BOUND:
            factor *= max(TIME_FALL_LEAST, min(TIME_FALL_MOST, 1.0 + fall / TIME_FALL_SCALE))
        factor *= max(TIME_EFFORT_LEAST,
                      TIME_EFFORT_BASE - TIME_EFFORT_SLOPE * w.root[0].nodes / (w.nodes + 1.0))
    return now_us() - c.clock >= c.limits.soft * 1000 * factor


cdef bint mate_found(Worker* w) noexcept nogil:
    cdef int score = w.root[0].score
    return (w.control.limits.mate and score >= MATE_BOUND and w.root[0].bound == BOUND_EXACT
            and (MATE - score + 1) // 2 <= w.control.limits.mate)


cdef bint all_proven(Worker* w, Depth depth) noexcept nogil:
    cdef int i
    for i in range(min(w.settings.multipv, w.root_count)):
        if abs(w.root[i].score) < MATE_BOUND or depth <= 2 * (MATE - abs(w.root[i].score)) + PROVEN_PLIES:
            return False
    return True


cdef void iterate(Worker* w) noexcept nogil:
    cdef Control* c = w.control
    cdef Stack* ss = &w.stack[STACK_BELOW]
    cdef Score alpha, beta, delta, score
    cdef Depth depth, high
    cdef int i, stable = 0
    cdef u16 last = 0
    for i in range(STACK_BELOW):
        w.stack[i].piece_square = -1
        w.stack[i].evaluation = NO_EVAL
        w.stack[i].move = 1  # not a null move
    for depth in range(1, MAX_DEPTH + 1):
        if w.id and depth > 1 and (depth + w.id) % (2 + w.id % 3) == 0 and depth < c.limits.depth:
            continue  # each helper skips different depths, so that they do not all do the same work
        if depth > c.limits.depth:
            break
        w.root_depth = depth
        w.changes /= 2
        for i in range(w.root_count):
            w.root[i].previous = w.root[i].score
            w.root[i].nodes = w.root[i].nodes // 2
        for i in range(min(w.settings.multipv, w.root_count)):
            w.pv_index = i
            w.seldepth = 0
            delta = w.params.number[ASPIRATION]
            alpha, beta = -INFINITE, INFINITE
            if depth >= ASPIRATION_DEPTH and -RULE_BOUND < w.root[i].average < RULE_BOUND:
                alpha = w.root[i].average - delta
                beta = w.root[i].average + delta
            high = 0
            while True:
                score = search(w, ss, alpha, beta, max(1, depth - high), True, False)
                sort_root(w, i, w.root_count)
                if load(&c.stop):
                    break
                if score <= alpha:
                    beta = (alpha + beta) // 2
                    alpha = max(-INFINITE, score - delta)
                    high = 0
                elif score >= beta:
                    beta = min(INFINITE, score + delta)
                    high = min(high + 1, FAIL_HIGH_PLIES)
                else:
                    break
                if w.settings.multipv == 1 and now_us() - c.began > BOUND_AFTER:
                    report(w, i, depth)
                delta += delta // 2 + ASPIRATION_WIDENING
                if delta > ASPIRATION_WIDEST:
                    alpha, beta = -INFINITE, INFINITE
            sort_root(w, 0, i + 1)
            if load(&c.stop):
                break
        if load(&c.stop):
            break
        w.completed = depth
        if depth == 1:
            w.countdown = 1  # from now on the limits are checked at every node
        for i in range(min(w.settings.multipv, w.root_count)):
            report(w, i, depth)
        stable = stable + 1 if w.root[0].mv == last else 0
        last = w.root[0].mv
        if mate_found(w):
            save(&c.stop, 1)
        # whatever the limits are, stop when every line is a mate that this depth has proven shortest
        if w.id == 0 and all_proven(w, depth):
            save(&c.stop, 1)
        if w.id == 0 and (time_is_up(w, stable) or (c.node_goal and w.nodes >= c.node_goal)):
            save(&c.stop, 1)
        if load(&c.stop):
            break
