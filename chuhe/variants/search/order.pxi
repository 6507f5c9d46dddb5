# Move ordering: tt move, captures, killers, history.

cdef enum:  # weights of moves: winning captures, then killers, then quiet moves by history, then losing captures
    TABLE_MOVE = 1 << 30
    CAPTURE = 1 << 20
    KILLER = 1 << 19
    HISTORY_LIMIT = 16384


cdef void weigh(Search search, move_t* found, int* weights, int count, move_t first, int ply) noexcept nogil:
    cdef int i, weight
    for i in range(count):
        weight = search.game.weight(found[i])
        if found[i] == first:
            weights[i] = TABLE_MOVE
        elif weight > 0:
            weights[i] = CAPTURE + weight
        elif weight < 0:
            weights[i] = weight - CAPTURE
        elif found[i] == search.killers[ply][0]:
            weights[i] = KILLER + 1
        elif found[i] == search.killers[ply][1]:
            weights[i] = KILLER
        else:
            weights[i] = search.history[search.game.slot(found[i])]


cdef void pick(move_t* found, int* weights, int start, int count) noexcept nogil:
    """Swap the move with the highest weight, from `start` on, to `start`."""
    cdef int i
    cdef int heaviest = start
    cdef int weight
    cdef move_t mv
    for i in range(start + 1, count):
        if weights[i] > weights[heaviest]:
            heaviest = i
    mv, weight = found[heaviest], weights[heaviest]
    found[heaviest], weights[heaviest] = found[start], weights[start]
    found[start], weights[start] = mv, weight


cdef void reward(Search search, move_t mv, move_t* tried, int* weights, int count, int depth, int ply) noexcept nogil:
    """A quiet move caused a cut-off: a bonus for it, a malus for those tried before it."""
    cdef int bonus = min(depth * depth * 8, HISTORY_LIMIT // 8)
    cdef int i
    cdef int* credit = &search.history[search.game.slot(mv)]
    credit[0] += bonus - credit[0] * bonus // HISTORY_LIMIT
    for i in range(count):
        if -CAPTURE // 2 < weights[i] <= KILLER + 1:
            credit = &search.history[search.game.slot(tried[i])]
            credit[0] -= bonus + credit[0] * bonus // HISTORY_LIMIT
    if search.killers[ply][0] != mv:
        search.killers[ply][1] = search.killers[ply][0]
        search.killers[ply][0] = mv
