# The tree: alpha-beta in numbered steps.

cdef int node(Search search, int alpha, int beta, int depth, int ply, bint may_pass) noexcept nogil:
    """The value of the position for the side to move; fail-soft: outside the window it is a bound."""
    cdef move_t* found = search.lists + ply * MAX_MOVES
    cdef int* weights = search.weights + ply * MAX_MOVES
    cdef int first_alpha = alpha
    cdef int best = NONE
    cdef int value = 0
    cdef int symmetry = 0
    cdef int legal = 0
    cdef int i, j, count
    cdef bint checked = False
    cdef bint is_open = beta - alpha > 1
    cdef bint quiet
    cdef bint may_skip
    cdef key_t key = 0
    cdef move_t mv
    cdef move_t best_move = 0
    cdef move_t tt_move = 0
    cdef HashEntry* entry
    cdef long long event

    # Step 1. Count the node and check the clock.
    search.lengths[ply] = 0
    search.was_leaf = True
    search.nodes += 1
    if time_is_up(search):
        return 0
    if ply > search.seldepth:
        search.seldepth = ply

    # Step 2. Is the game over? (Not tested at the root, which needs a move.)
    if ply > 0 and search.game.terminal(False, ply, &value):
        return value

    # Step 3. The horizon; extended by one ply when in check.
    if search.features & F_FORWARD:
        checked = search.game.checked()
        depth += checked
    if depth <= 0 or ply >= MAX_PLY - 1:
        return quiet_down(search, alpha, beta, ply) if search.features & F_QUIESCE else search.game.evaluate()
    search.was_leaf = False

    # Step 4. The transposition table. Not on the principal variation with forward pruning, where a stored value would
    # cut it short.
    if search.features & F_TABLE:
        if search.features & F_SHARE:
            symmetry = search.game.symmetry(&key)
        else:
            key = search.game.key()
        entry = probe(search, key)
        if entry:
            if entry.mv:
                tt_move = search.game.turned(entry.mv, symmetry, True)
            if ply > 0 and not (is_open and search.features & F_FORWARD) and (
                    entry.depth == depth or (search.features & F_DEEPER and entry.depth > depth)):
                value = from_tt(search, entry.value, ply)
                if entry.bound == EXACT or (entry.bound == LOWER and value >= beta) or (
                        entry.bound == UPPER and value <= alpha):
                    return value

    # Step 5. Forward pruning of the whole node, outside the principal variation.
    if search.features & F_FORWARD and not checked:
        search.statics[ply] = search.game.evaluate()
        if not is_open and pruned_by_estimate(search, beta, depth, ply, may_pass, &value):
            return value
    may_skip = search.features & F_FORWARD and not is_open and not checked
    if search.features & F_FORWARD and depth >= UNKNOWN_DEPTH and not tt_move:
        depth -= 1

    # Step 6. Loop over the moves, best first.
    count = root_list(search, found) if ply == 0 else search.game.moves(found)
    if search.features & F_ORDER:
        weigh(search, found, weights, count, tt_move, ply)
    for i in range(count):
        if search.features & F_ORDER:
            pick(found, weights, i, count)
        mv = found[i]
        quiet = search.features & F_ORDER and (
            -CAPTURE // 2 < weights[i] <= KILLER + 1 or (weights[i] == TABLE_MOVE and search.game.weight(mv) == 0))
        if not search.game.make(mv):
            continue
        legal += 1

        # Step 7. Near the horizon, prune late and futile quiet moves, and captures that lose material.
        if may_skip and legal > 1 and best > -FAR_WIN and (
                is_hopeless(search, alpha, depth, ply, legal) if quiet else
                depth <= LOSING_CAPTURES_DEPTH and weights[i] < -CAPTURE // 2 and not search.game.checked()):
            search.game.undo()
            continue
        event = record(search, VISIT, ply, mv, alpha, beta)

        # Step 8. Search the move.
        value = child(search, alpha, beta, depth, ply, legal - 1, weights[i] if quiet else NONE, checked)
        search.game.undo()
        if search.stopped:
            return best
        if event >= search.event_base:
            search.trail[event - search.event_base].value = value
            search.trail[event - search.event_base].leaf = search.was_leaf
        if value <= best:
            continue
        best, best_move = value, mv
        if value > alpha or (ply == 0 and legal == 1):
            extend_line(search, mv, ply)

        # Step 9. Cut-off: the opponent would not allow this position.
        if search.features & F_PRUNE and value > alpha:
            alpha = value
            if alpha >= beta:
                if i + 1 < count:
                    record(search, CUT, ply, 0, alpha, beta)
                for j in range(i + 1, count):
                    record(search, SKIP, ply, found[j], alpha, beta)
                if quiet:
                    reward(search, mv, found, weights, i, depth, ply)
                break

    # Step 10. No legal move.
    search.was_leaf = legal == 0
    if legal == 0:
        search.game.terminal(True, ply, &value)
        return value

    # Step 11. Store in the transposition table.
    if search.features & F_TABLE and not (ply == 0 and search.root_limited):
        store(search, key, search.game.turned(best_move, symmetry, False), best, depth,
              UPPER if best <= first_alpha else LOWER if best >= beta else EXACT, ply)
    return best


cdef int child(Search search, int alpha, int beta, int depth, int ply, int number, int weight,
               bint was_checked) noexcept nogil:
    """The value of the move just made, after `number` earlier legal moves; weight: NONE if not quiet."""
    cdef int value
    cdef int reduction = 0
    if number == 0 or not search.features & F_SCOUT:
        return -node(search, -beta, -alpha, depth - 1, ply + 1, True)
    if search.features & F_FORWARD and weight != NONE and depth >= REDUCED_DEPTH and number >= 2 and not was_checked:
        reduction = reductions[min(depth, 63)][min(number, 63)] - min(weight, HISTORY_LIMIT) // REDUCED_HISTORY
        if beta - alpha > 1:
            reduction -= 1
        if search.game.checked():
            reduction -= 1
        reduction = max(0, min(reduction, depth - 2))
    value = -node(search, -alpha - 1, -alpha, depth - 1 - reduction, ply + 1, True)
    if value > alpha and reduction:
        value = -node(search, -alpha - 1, -alpha, depth - 1, ply + 1, True)
    if alpha < value < beta:
        value = -node(search, -beta, -alpha, depth - 1, ply + 1, True)
    return value


cdef int root_list(Search search, move_t* found) noexcept nogil:
    cdef int i
    for i in range(search.root_count):
        found[i] = search.root_moves[i]
    return search.root_count


cdef void extend_line(Search search, move_t mv, int ply) noexcept nogil:
    cdef move_t* line = search.lines + ply * (MAX_PLY + 1)
    cdef move_t* rest = line + MAX_PLY + 1
    cdef int i
    line[0] = mv
    for i in range(search.lengths[ply + 1]):
        line[i + 1] = rest[i]
    search.lengths[ply] = search.lengths[ply + 1] + 1
