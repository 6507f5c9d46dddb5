# Quiescence search: captures until the position is quiet.

cdef int quiet_down(Search search, int alpha, int beta, int ply) noexcept nogil:
    """The value after all captures; the side to move may stand pat unless in check."""
    cdef move_t* found = search.lists + ply * MAX_MOVES
    cdef int* weights = search.weights + ply * MAX_MOVES
    cdef bint checked = search.game.checked()
    cdef bint is_known = search.features & F_TABLE and search.features & F_DEEPER
    cdef int first_alpha = alpha
    cdef int best = NONE
    cdef int legal = 0
    cdef int i, count, value
    cdef key_t key = 0
    cdef move_t best_move = 0
    cdef move_t tt_move = 0
    cdef HashEntry* entry
    if ply >= MAX_PLY - 1:
        return search.game.evaluate()
    if is_known:
        key = search.game.key()
        entry = probe(search, key)
        if entry:
            tt_move = entry.mv
            value = from_tt(search, entry.value, ply)
            if entry.bound == EXACT or (entry.bound == LOWER and value >= beta) or (
                    entry.bound == UPPER and value <= alpha):
                return value
    if not checked:
        best = search.game.evaluate()
        if best >= beta:
            return best
        alpha = max(alpha, best)
    count = search.game.moves(found) if checked else search.game.noisy(found)
    weigh(search, found, weights, count, tt_move, ply)
    for i in range(count):
        pick(found, weights, i, count)
        if not checked and weights[i] < 0:
            break
        if not search.game.make(found[i]):
            continue
        legal += 1
        search.nodes += 1
        if ply + 1 > search.seldepth:
            search.seldepth = ply + 1
        value = 0 if time_is_up(search) else -quiet_down(search, -beta, -alpha, ply + 1)
        search.game.undo()
        if search.stopped:
            return best
        if value > best:
            best, best_move = value, found[i]
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    if checked and legal == 0:
        search.game.terminal(True, ply, &best)
        return best
    if is_known:
        store(search, key, best_move, best, 0, UPPER if best <= first_alpha else LOWER if best >= beta else EXACT, ply)
    return best
