# Quiescence search: captures, quiet checks on the first ply, and all evasions of a check.

cdef int quiesce(Worker* w, Stack* ss, int alpha, int beta, int depth, bint pv_node) noexcept nogil:
    # depth 0: captures and quiet checks; below 0: captures. In check: all moves
    cdef Pos* p = &w.pos
    cdef int ply = p.ply - w.root_ply, best, score, standing = NO_EVAL, error = 0, floor_ = 0, count = 0
    cdef int old_alpha = alpha
    cdef int entry_depth = 0 if depth >= 0 else -1, raw = NO_EVAL, last_to = (ss - 1).move >> 8
    cdef bint in_check = p.in_check, gives_check
    cdef u16 mv, best_move = 0
    cdef Probe found
    cdef CheckInfo ci
    cdef Aim aim
    cdef Picker picker
    w.countdown -= 1
    if w.countdown <= 0:
        check_time(w)
    if load(&w.control.stop):
        return 0
    if pv_node:
        w.pv_length[ply] = 0
        if ply > w.seldepth:
            w.seldepth = ply
    if judged(w, ply, &score):
        return score
    if w.tables != NULL and probe_tablebase(w, ply, &score) != NO_HIT:
        return score
    if ply >= MAX_PLY - 2:
        return w.draw[p.side] if in_check else static_score(w)
    if not in_check:
        error = correction(w.histories, p, ss)  # before the table's line is needed, which is on its way from memory
    # Step 1. The transposition table.
    probe(w.table, p.key, &found)
    ss.table_pv = pv_node or found.pv
    if found.bound and found.depth >= entry_depth and not pv_node and p.half_move_clock < w.trust_below:
        score = from_table(found.score, ply)
        if found.bound & (BOUND_LOWER if score >= beta else BOUND_UPPER):
            return score
    # Step 2. Stand pat: a side need not capture.
    if in_check:
        best = -INFINITE
    else:
        raw = found.evaluation if found.evaluation != NO_EVAL and not w.noise else static_score(w)
        standing = damped(w, raw) + error
        best = standing
        if found.bound and -RULE_BOUND < found.score < RULE_BOUND:
            if found.bound & (BOUND_LOWER if found.score > best else BOUND_UPPER):
                best = found.score
        if best >= beta:
            best = blended(best, beta, 1)
            if not found.bound:
                store(w.table, p.key, 0, to_table(best, ply), raw, entry_depth, BOUND_LOWER, ss.table_pv)
            return best
        if best > alpha:
            alpha = best
        floor_ = best + T[DELTA_MARGIN]
    check_info(p, &ci)
    take_aim(p, &aim)
    picker_start(&picker, w, ss, &ci, &aim, found.mv, True, 0)
    picker.with_checks = depth >= 0
    while True:
        mv = next_move(&picker, False)
        if not mv:
            break
        fetch_ahead(w, mv)
        if not is_legal(p, mv, &ci):
            continue
        gives_check = checks(p, mv, &aim)
        if picker.stage == STAGE_CHECKS and not (gives_check and see_ge(p, mv, 0)):
            continue
        count += 1
        if not in_check and p.board[mv >> 8]:
            # Step 3. Delta pruning: winning the piece for nothing, or what the exchange wins, does not reach alpha.
            # And after the first few captures only recaptures: the others are not the ones that matter.
            if best > -RULE_BOUND and not gives_check:
                if count > T[QUIESCE_MOVES] and mv >> 8 != last_to:
                    continue
                score = floor_ + worth(p, mv >> 8)
                if score <= alpha:
                    best = max(best, score)
                    continue
                if floor_ < alpha and not see_ge(p, mv, exchange_of(alpha - floor_)):
                    continue
        elif in_check and best > -RULE_BOUND and count > 2 and not p.board[mv >> 8]:
            break  # enough quiet evasions: one of the earlier ones avoids mate
        push_move(w, ss, mv, gives_check)
        score = -quiesce(w, ss + 1, -beta, -alpha, depth - 1, pv_node)
        undo_move(p)
        if load(&w.control.stop):
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_move = mv
                if pv_node:
                    keep_pv(w, ply, mv)
                if score >= beta:
                    break
                alpha = score
    if in_check and count == 0:
        return ply - MATE
    # Step 4. A score far above beta is not to be trusted to the full.
    if best > beta:
        best = blended(best, beta, 1)
    if not by_rule(best):
        store(w.table, p.key, best_move, to_table(best, ply), raw, entry_depth,
              BOUND_LOWER if best >= beta else BOUND_EXACT if pv_node and best > old_alpha else BOUND_UPPER,
              ss.table_pv)
    return best
