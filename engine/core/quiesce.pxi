# Quiescence search: captures, quiet checks on the first ply, and all evasions of a check.

cdef Score quiesce(Worker* w, Stack* ss, Score alpha, Score beta, Depth depth, bint pv_node) noexcept nogil:
    # depth 0: captures and quiet checks; below 0: captures. In check: all moves
    cdef Pos* p = &w.pos
    cdef const int32_t* params = w.params.number
    cdef Ply ply = p.ply - w.root_ply
    cdef Score best, score, standing = NO_EVAL, error = 0, floor_ = 0, old_alpha = alpha, raw = NO_EVAL
    cdef Depth entry_depth = 0 if depth >= 0 else -1
    cdef Square last_to = (ss - 1).move >> 8
    cdef int count = 0
    cdef bint in_check = p.in_check, gives_check
    cdef u16 mv, best_move = 0
    cdef TTData tt
    cdef CheckInfo ci
    cdef CheckSquares cs
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
    if ended_by_rule(w, ply, &score):
        return score
    if w.tablebases != NULL and probe_in_search(w, ply, &score) != NO_HIT:
        return score
    if ply >= MAX_PLY - 2:
        return w.draw[p.side] if in_check else static_score(w)
    if not in_check:
        # before the TT's cluster is needed, which is on its way from memory
        error = correction(w.histories, params, p, ss)
    # Step 1. The transposition table.
    probe_tt(w.tt, p.key, &tt)
    ss.tt_pv = pv_node or tt.pv
    if tt.bound and tt.depth >= entry_depth and not pv_node and p.half_move_clock < w.trust_below:
        score = score_from_tt(tt.score, ply)
        if tt.bound & (BOUND_LOWER if score >= beta else BOUND_UPPER):
            return score
    # Step 2. Stand pat: a side need not capture.
    if in_check:
        best = -INFINITE
    else:
        raw = tt.evaluation if tt.evaluation != NO_EVAL and not w.settings.noise else static_score(w)
        standing = damped(w, raw) + error
        best = standing
        if tt.bound and -RULE_BOUND < tt.score < RULE_BOUND:
            if tt.bound & (BOUND_LOWER if tt.score > best else BOUND_UPPER):
                best = tt.score
        if best >= beta:
            best = blended(best, beta, 1)
            if not tt.bound:
                store_tt(w.tt, p.key, 0, score_to_tt(best, ply), raw, entry_depth, BOUND_LOWER, ss.tt_pv)
            return best
        if best > alpha:
            alpha = best
        floor_ = best + params[DELTA_MARGIN]
    check_info(p, &ci)
    check_squares(p, &cs)
    picker_start(&picker, w, ss, &ci, &cs, tt.mv, True, 0)
    picker.with_checks = depth >= 0
    while True:
        mv = next_move(&picker, False)
        if not mv:
            break
        fetch_ahead(w, mv)
        if not is_legal(p, mv, &ci):
            continue
        gives_check = checks(p, mv, &cs)
        if picker.stage == STAGE_CHECKS and not (gives_check and see_ge(p, mv, 0)):
            continue
        count += 1
        if not in_check and p.board[mv >> 8]:
            # Step 3. Delta pruning: winning the piece for nothing, or what the exchange wins, does not reach alpha.
            # And after the first few captures only recaptures: the others are not the ones that matter.
            if best > -RULE_BOUND and not gives_check:
                if count > params[QUIESCE_MOVES] and mv >> 8 != last_to:
                    continue
                score = floor_ + worth(w, mv >> 8)
                if score <= alpha:
                    best = max(best, score)
                    continue
                if floor_ < alpha and not see_ge(p, mv, exchange_of(params, alpha - floor_)):
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
                    update_pv(w, ply, mv)
                if score >= beta:
                    break
                alpha = score
    if in_check and count == 0:
        return ply - MATE
    # Step 4. A score far above beta is not to be trusted to the full.
    if best > beta:
        best = blended(best, beta, 1)
    if not by_rule(best):
        store_tt(w.tt, p.key, best_move, score_to_tt(best, ply), raw, entry_depth,
                 BOUND_LOWER if best >= beta else BOUND_EXACT if pv_node and best > old_alpha else BOUND_UPPER,
                 ss.tt_pv)
    return best
