# The search: negamax alpha-beta with a principal variation, deepened step by step.
# What each step is worth stands in docs/search.md.

from libc.math cimport log

cdef int[64][64] REDUCTIONS


cdef void init_reductions() noexcept nogil:
    cdef int depth, count
    for depth in range(1, 64):
        for count in range(1, 64):
            REDUCTIONS[depth][count] = <int>(T[LMR_BASE] + 1024.0 * 1024.0 / T[LMR_DIVISOR] * log(depth) * log(count))


cdef void reward(Worker* w, Stack* ss, u16 best, int depth, u16* quiets, int quiet_count, u16* captures,
                 int capture_count) noexcept nogil:
    # the move that cut off gains, those tried before it lose
    cdef Pos* p = &w.pos
    cdef Histories* h = w.histories
    cdef int bonus = min(T[HISTORY_LIMIT], T[HISTORY_BONUS] * depth), i
    if p.board[best >> 8]:
        nudge(&h.capture[capture_index(p, best)], bonus)
    else:
        if ss.killers[0] != best:
            ss.killers[1] = ss.killers[0]
            ss.killers[0] = best
        if (ss - 1).piece_square >= 0:
            h.counter[(ss - 1).piece_square] = best
        nudge_quiet(h, p, ss, best, bonus)
        for i in range(quiet_count):
            if quiets[i] != best:
                nudge_quiet(h, p, ss, quiets[i], -bonus)
    for i in range(capture_count):
        if captures[i] != best:
            nudge(&h.capture[capture_index(p, captures[i])], -bonus)


cdef int search(Worker* w, Stack* ss, int alpha, int beta, int depth, bint pv_node, bint cut_node) noexcept nogil:
    cdef Pos* p = &w.pos
    cdef int ply = p.ply - w.root_ply
    cdef bint root = ply == 0, in_check = p.in_check, improving = False, capture, gives_check, table_capture, late
    cdef int score, best = -INFINITE, evaluation, standing, raw, count = 0, extension, reduction, new_depth
    cdef int history = 0, margin
    cdef int quiet_count = 0, capture_count = 0, old_alpha = alpha, bound, lmr_depth, limit
    cdef u16 mv, best_move = 0, excluded = ss.excluded
    cdef u16[64] quiets
    cdef u16[32] captures
    cdef u64 before
    cdef bint skip_quiets = False
    cdef Probe found
    cdef CheckInfo ci
    cdef Aim aim
    cdef Picker picker
    # Step 1. At the horizon the captures decide.
    if depth <= 0:
        return quiesce(w, ss, alpha, beta, 0, pv_node)
    if depth > MAX_PLY - 1:
        depth = MAX_PLY - 1
    w.countdown -= 1
    if w.countdown <= 0:
        look_around(w)
    if load(&w.control.stop):
        return 0
    w.pv_length[ply] = 0
    if pv_node and ply > w.seldepth:
        w.seldepth = ply
    if not root:
        # Step 2. The law: repetition, the move limit, nothing left to attack with.
        if judged(w, ply, &score):
            return score
        if ply >= MAX_PLY - 2:
            return w.draw[p.side] if in_check else static_score(w)
        # Step 3. Mate distance: a shorter mate has been found already.
        alpha = max(alpha, ply - MATE)
        beta = min(beta, MATE - ply - 1)
        if alpha >= beta:
            return alpha
    ss[2].killers[0] = ss[2].killers[1] = 0
    ss[2].cutoffs = 0
    # Step 4. What the table knows. Not near the move limit, which the key does not see.
    probe(w.table, p.key, &found)
    if root:
        found.mv = w.root[w.pv_index].mv
    if not pv_node and not excluded and found.bound and found.depth >= depth and p.idle < 100:
        score = from_table(found.score, ply)
        if found.bound & (BOUND_LOWER if score >= beta else BOUND_UPPER):
            if found.mv and score >= beta and is_pseudo_legal(p, found.mv) and not p.board[found.mv >> 8]:
                nudge_quiet(w.histories, p, ss, found.mv, min(T[HISTORY_LIMIT], T[HISTORY_BONUS] * depth))
            return score
    table_capture = found.mv != 0 and p.board[found.mv >> 8] != 0
    # Step 5. The static evaluation, what has been learned about such structures, and what the table makes of it.
    if in_check:
        raw = standing = evaluation = NO_EVAL
    else:
        if found.evaluation != NO_EVAL and not w.noise:
            raw = found.evaluation
        else:
            raw = static_score(w)
            if not found.bound:
                store(w.table, p.key, 0, 0, raw, -6, BOUND_NONE)
        standing = corrected(w.histories, p, raw)
        evaluation = standing
        if found.bound:
            score = from_table(found.score, ply)
            if found.bound & (BOUND_LOWER if score > evaluation else BOUND_UPPER):
                evaluation = score
    ss.evaluation = standing
    if not in_check:
        if (ss - 2).evaluation != NO_EVAL:
            improving = standing > (ss - 2).evaluation
        elif (ss - 4).evaluation != NO_EVAL:
            improving = standing > (ss - 4).evaluation
    if not pv_node and not in_check and not excluded and w.pruning > PRUNE_NONE:
        # Step 6. Razoring: so far below alpha that only captures could help; ask them.
        if w.pruning >= PRUNE_LARGE and depth <= 3 and evaluation + T[RAZOR_MARGIN] * depth < alpha < RULE_BOUND:
            score = quiesce(w, ss, alpha, alpha + 1, 0, False)
            if score <= alpha:
                return score
        # Step 7. Reverse futility: so far above beta that a quiet move will not lose it.
        if (depth <= T[REVERSE_DEPTH] and evaluation < RULE_BOUND and beta > -RULE_BOUND
                and evaluation - T[REVERSE_MARGIN] * depth + T[REVERSE_IMPROVING] * improving >= beta):
            return (evaluation + beta) // 2
        # Step 8. Null move: if passing holds beta, a move will. Not without attackers, never twice running.
        if (evaluation >= beta and standing >= beta and depth >= 2 and (ss - 1).move
                and ply >= w.null_floor and beta > -RULE_BOUND and attacking_material(p, p.side)):
            reduction = T[NULL_BASE] + depth // T[NULL_DIVISOR] + min(3, (evaluation - beta) // T[NULL_EVAL_DIVISOR])
            ss.move = 0
            ss.piece_square = -1
            make_null(p)
            prefetch(line_of(w.table, p.key))
            score = -search(w, ss + 1, -beta, 1 - beta, depth - reduction, False, not cut_node)
            undo_null(p)
            if load(&w.control.stop):
                return 0
            if score >= beta:
                if score >= RULE_BOUND:
                    score = beta
                if w.null_floor or depth < T[NULL_VERIFY_DEPTH]:
                    return score
                w.null_floor = ply + 3 * (depth - reduction) // 4
                margin = search(w, ss, beta - 1, beta, depth - reduction, False, False)
                w.null_floor = 0
                if margin >= beta:
                    return score
        # Step 9. Probcut: a capture that beats beta by a margin in a shallow search will beat beta in a deep one.
        limit = beta + T[PROBCUT_MARGIN]
        if (w.pruning >= PRUNE_LARGE and depth >= T[PROBCUT_DEPTH]
                and -RULE_BOUND < beta < RULE_BOUND - T[PROBCUT_MARGIN]
                and not (found.bound and found.depth >= depth - 3 and from_table(found.score, ply) < limit)):
            check_info(p, &ci)
            take_aim(p, &aim)
            picker_start(&picker, p, w.histories, ss, &aim, found.mv, True, limit - standing)
            while True:
                mv = next_move(&picker, False)
                if not mv:
                    break
                if not is_legal(p, mv, &ci):
                    continue
                fetch_ahead(w, mv)
                push_move(w, ss, mv, checks(p, mv, &aim))
                score = -quiesce(w, ss + 1, -limit, 1 - limit, 0, False)
                if score >= limit:
                    score = -search(w, ss + 1, -limit, 1 - limit, depth - 4, False, not cut_node)
                undo_move(p)
                if load(&w.control.stop):
                    return 0
                if score >= limit:
                    if not by_rule(score):
                        store(w.table, p.key, mv, to_table(score, ply), raw, depth - 3, BOUND_LOWER)
                    return score
    # Step 10. Internal iterative reduction: without a table move the order is poor; the next visit will have one.
    if depth >= T[IIR_DEPTH] and not found.mv and not excluded and (pv_node or cut_node):
        depth -= 1
    # Step 11. The moves, in stages.
    check_info(p, &ci)
    take_aim(p, &aim)
    picker_start(&picker, p, w.histories, ss, &aim, found.mv, False, 0)
    while True:
        mv = next_move(&picker, skip_quiets)
        if not mv:
            break
        if mv == excluded:
            continue
        if root and not root_allows(w, mv):
            continue
        if not skip_quiets:
            fetch_ahead(w, mv)
        if not is_legal(p, mv, &ci):
            continue
        count += 1
        if w.breadth and count > w.breadth:
            break
        capture = p.board[mv >> 8] != 0
        gives_check = checks(p, mv, &aim)
        extension = 0
        new_depth = depth - 1
        if not capture:
            history = picker.history if picker.stage == STAGE_QUIETS else quiet_history(w.histories, p, ss, mv)
        reduction = REDUCTIONS[min(63, depth)][min(63, count)]
        # Step 12. Pruning at low depth, once one move has not lost, and not in search of a shorter mate.
        if not root and best > -RULE_BOUND and alpha < RULE_BOUND and w.pruning >= PRUNE_MEDIUM:
            lmr_depth = max(0, new_depth - reduction // 1024)
            if not capture:
                # late moves; a check is never late
                if count >= (T[LATE_BASE] + depth * depth) >> (not improving and not in_check):
                    skip_quiets = True
                if not gives_check:
                    if skip_quiets:
                        continue
                    if w.pruning >= PRUNE_LARGE and lmr_depth < 4 and history < -T[HISTORY_PRUNE] * depth:
                        continue
                    # futility
                    if (not in_check and lmr_depth <= T[FUTILITY_DEPTH] and history < 8000
                            and standing + T[FUTILITY_BASE] + T[FUTILITY_SLOPE] * lmr_depth <= alpha):
                        skip_quiets = True
                        continue
                    # losing exchanges; of checks no exchange knows the worth
                    if lmr_depth < 8 and not see_ge(p, mv, -T[SEE_QUIET] * lmr_depth - 20):
                        continue
            elif depth <= 8 and not gives_check and not see_ge(p, mv, -T[SEE_CAPTURE] * depth):
                continue
        # Step 13. Extensions: the table move that stands alone, and checks that cost nothing.
        if not root and ply < 2 * w.root_depth:
            if (mv == found.mv and not excluded and depth >= T[SINGULAR_DEPTH] and found.depth >= depth - 3
                    and found.bound & BOUND_LOWER and -RULE_BOUND < from_table(found.score, ply) < RULE_BOUND):
                limit = from_table(found.score, ply) - T[SINGULAR_MARGIN] * depth // 16 * (2 if pv_node else 1)
                ss.excluded = mv
                score = search(w, ss, limit - 1, limit, new_depth // 2, False, cut_node)
                ss.excluded = 0
                if load(&w.control.stop):
                    return 0
                if score < limit:
                    extension = 1
                    if not pv_node and score < limit - 20:
                        extension = 2
                elif limit >= beta:
                    return limit  # another move beats beta as well
                elif from_table(found.score, ply) >= beta:
                    extension = -1
            elif gives_check and see_ge(p, mv, -100):
                extension = 1
        new_depth += extension
        if root and w.reporter != NULL:
            report_current(w, mv, count)
        before = w.nodes
        push_move(w, ss, mv, gives_check)
        # Step 14. Late-move reductions, then a full search where the reduced one surprises.
        late = count > 1 + root and depth >= 2 and (not capture or cut_node)
        if late:
            if pv_node:
                reduction -= T[LMR_PV]
            if cut_node:
                reduction += T[LMR_CUT]
            if not improving:
                reduction += T[LMR_IMPROVING]
            if table_capture:
                reduction += 512
            if gives_check:
                reduction -= 1024
            if ss[1].cutoffs > 3:
                reduction += 700
            if capture:
                reduction -= 1024
            else:
                reduction -= history * 1024 // T[LMR_HISTORY]
                if mv == picker.killer1 or mv == picker.killer2 or mv == picker.counter:
                    reduction -= 1024
            limit = max(1, min(new_depth, new_depth - reduction // 1024))
            score = -search(w, ss + 1, -alpha - 1, -alpha, limit, False, True)
            if score > alpha and limit < new_depth:
                # a great surprise is worth a deeper look, a small one a shallower
                if score > best + T[LMR_DEEPER] + 4 * new_depth:
                    new_depth += 1
                elif score < best + T[LMR_SHALLOWER]:
                    new_depth -= 1
                score = -search(w, ss + 1, -alpha - 1, -alpha, new_depth, False, not cut_node)
        elif not pv_node or count > 1:
            score = -search(w, ss + 1, -alpha - 1, -alpha, new_depth, False, not cut_node)
        if pv_node and (count == 1 or score > alpha):
            score = -search(w, ss + 1, -beta, -alpha, new_depth, True, False)
        undo_move(p)
        if load(&w.control.stop):
            return 0
        if root:
            note_root(w, mv, score, count, alpha, beta, w.nodes - before)
        # Step 15. A new best move?
        if score > best:
            best = score
            if score > alpha:
                best_move = mv
                if pv_node and not root:
                    keep_pv(w, ply, mv)
                if score >= beta:
                    ss.cutoffs += 1
                    break
                alpha = score
        if capture:
            if capture_count < 32:
                captures[capture_count] = mv
                capture_count += 1
        elif quiet_count < 64:
            quiets[quiet_count] = mv
            quiet_count += 1
    # Step 16. No move at all: mated, or stalemated, which is the same.
    if count == 0:
        return alpha if excluded else ply - MATE
    if best == -INFINITE:
        best = alpha  # everything was left out by the root's filter
    if best >= beta:
        reward(w, ss, best_move, depth, quiets, quiet_count, captures, capture_count)
    if (not in_check and not excluded and -RULE_BOUND < best < RULE_BOUND
            and not (best_move and p.board[best_move >> 8])
            and not (best >= beta and best <= standing) and not (best <= old_alpha and best >= standing)):
        learn_correction(w.histories, p, best - raw, depth)
    # Step 17. Remember. What depends on the path by which it was reached is kept out of the table.
    if not excluded and not by_rule(best) and not (root and w.pv_index):
        bound = BOUND_LOWER if best >= beta else BOUND_EXACT if pv_node and best > old_alpha else BOUND_UPPER
        store(w.table, p.key, best_move, to_table(best, ply), raw, depth, bound)
    return best


cdef inline bint attacking_material(Pos* p, int side) noexcept nogil:
    # a rook, knight or cannon
    return p.count[side] >> 4 * K_KNIGHT & 0xFFF
