# The search: principal variation search (negamax alpha-beta) with iterative deepening.
# docs/search.md lists what each step is worth.

from libc.math cimport log

cdef enum:
    # constants of the steps below that are not tuned; the tuned ones are in engine/tunables.txt
    PLY = 1024  # reductions are in 1024ths of a ply
    REDUCTION_ROWS = 64  # depths and move counts beyond the last row use the last row
    TRIED_QUIETS = 64  # moves tried at a node that are remembered for the history update
    TRIED_CAPTURES = 32
    EVALUATION_ONLY = -6  # the depth of a table entry that only holds an evaluation
    RAZOR_DEPTH = 3
    NULL_DEPTH = 2
    NULL_EVAL_PLIES = 3  # the most plies that the evaluation can add to the reduction
    PROBCUT_PLIES = 4  # the verifying search is this much shallower
    HISTORY_PRUNE_DEPTH = 4
    FUTILITY_HISTORY = 8000  # a move with at least this history is never futile
    SEE_QUIET_DEPTH = 8
    SEE_QUIET_BASE = 20
    SEE_CAPTURE_DEPTH = 8
    EXTENSION_REACH = 2  # a line is extended to at most this multiple of the root depth
    SINGULAR_PLIES = 3  # the table entry may be this much shallower
    SINGULAR_SCALE = 16  # SINGULAR_MARGIN is in 16ths of a centipawn
    SINGULAR_TWICE = 20  # extend by two plies if all other moves fail this far below
    CHECK_LOSS = 100  # a check that loses more than this by static exchange is not extended
    LMR_DEPTH = 2
    LMR_TABLE_CAPTURE = 512
    LMR_CUTOFFS = 700
    CUTOFFS_MANY = 3
    LMR_DEEPER_SLOPE = 4

cdef int[REDUCTION_ROWS][REDUCTION_ROWS] REDUCTIONS


cdef void init_reductions() noexcept nogil:
    cdef int depth, count
    cdef double scale = <double>PLY * PLY / T[LMR_DIVISOR]
    for depth in range(1, REDUCTION_ROWS):
        for count in range(1, REDUCTION_ROWS):
            REDUCTIONS[depth][count] = <int>(T[LMR_BASE] + scale * log(depth) * log(count))


cdef void reward(Worker* w, Stack* ss, u16 best, int depth, u16* quiets, int quiet_count, u16* captures,
                 int capture_count) noexcept nogil:
    # a bonus for the move that caused the cut-off, a malus for those tried before it
    cdef Pos* p = &w.pos
    cdef Histories* h = w.histories
    cdef int bonus = min(T[HISTORY_LIMIT], (T[HISTORY_BONUS] + T[HISTORY_SQUARE] * depth) * depth), i
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
    cdef int score = -INFINITE, best = -INFINITE, evaluation, standing, raw, count = 0, extension, reduction, new_depth
    cdef int history = 0, verified, probcut_beta, singular_beta, reduced_depth
    cdef int quiet_count = 0, capture_count = 0, old_alpha = alpha, bound, lmr_depth
    cdef u16 mv, best_move = 0, excluded = ss.excluded
    cdef u16[TRIED_QUIETS] quiets
    cdef u16[TRIED_CAPTURES] captures
    cdef u64 before
    cdef bint skip_quiets = False
    cdef Probe found
    cdef CheckInfo ci
    cdef Aim aim
    cdef Picker picker
    # Step 1. At the horizon, quiescence search.
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
        # Step 2. The law: repetition, the move limit, no attackers left. Then the exact result, if an endgame table has
        # it.
        if judged(w, ply, &score):
            return score
        if w.tables != NULL and known(w, ply, &score) == KNOWN:
            return score
        if ply >= MAX_PLY - 2:
            return w.draw[p.side] if in_check else static_score(w)
        # Step 3. Mate distance pruning: a shorter mate has been found already.
        alpha = max(alpha, ply - MATE)
        beta = min(beta, MATE - ply - 1)
        if alpha >= beta:
            return alpha
    ss[2].killers[0] = ss[2].killers[1] = 0
    ss[2].cutoffs = 0
    # Step 4. The transposition table. Not near the move limit, which is not part of the key.
    probe(w.table, p.key, &found)
    if root:
        found.mv = w.root[w.pv_index].mv
    if not pv_node and not excluded and found.bound and found.depth >= depth and p.idle < w.trust_below:
        score = from_table(found.score, ply)
        if found.bound & (BOUND_LOWER if score >= beta else BOUND_UPPER):
            if found.mv and score >= beta and is_pseudo_legal(p, found.mv) and not p.board[found.mv >> 8]:
                nudge_quiet(w.histories, p, ss, found.mv, min(T[HISTORY_LIMIT], T[HISTORY_BONUS] * depth))
            return score
    table_capture = found.mv != 0 and p.board[found.mv >> 8] != 0
    # Step 5. The static evaluation, adjusted by the correction history and by the table's score.
    if in_check:
        raw = standing = evaluation = NO_EVAL
    else:
        if found.evaluation != NO_EVAL and not w.noise:
            raw = found.evaluation
        else:
            raw = static_score(w)
            if not found.bound:
                store(w.table, p.key, 0, 0, raw, EVALUATION_ONLY, BOUND_NONE)
        standing = corrected(w.histories, p, damped(w, raw))
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
        # Step 6. Razoring: so far below alpha that only captures could help; search those.
        if (w.pruning >= PRUNE_LARGE and depth <= RAZOR_DEPTH
                and evaluation + T[RAZOR_MARGIN] * depth < alpha < RULE_BOUND):
            score = quiesce(w, ss, alpha, alpha + 1, 0, False)
            if score <= alpha:
                return score
        # Step 7. Reverse futility: so far above beta that a quiet move will not drop below it.
        if (depth <= T[REVERSE_DEPTH] and evaluation < RULE_BOUND and beta > -RULE_BOUND
                and evaluation - T[REVERSE_MARGIN] * depth + T[REVERSE_IMPROVING] * improving >= beta):
            return (evaluation + beta) // 2
        # Step 8. Null move: if passing holds beta, a move will. Not without attackers, never twice in a row.
        if (evaluation >= beta and standing >= beta and depth >= NULL_DEPTH and (ss - 1).move
                and ply >= w.null_floor and beta > -RULE_BOUND and attacking_material(p, p.side)):
            reduction = (T[NULL_BASE] + depth // T[NULL_DIVISOR]
                         + min(NULL_EVAL_PLIES, (evaluation - beta) // T[NULL_EVAL_DIVISOR]))
            push_null(w, ss)
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
                verified = search(w, ss, beta - 1, beta, depth - reduction, False, False)
                w.null_floor = 0
                if verified >= beta:
                    return score
        # Step 9. ProbCut: a capture that beats beta by a margin in a shallow search will probably beat it in a deep
        # one.
        probcut_beta = beta + T[PROBCUT_MARGIN]
        if (w.pruning >= PRUNE_LARGE and depth >= T[PROBCUT_DEPTH]
                and -RULE_BOUND < beta < RULE_BOUND - T[PROBCUT_MARGIN]
                and not (found.bound and found.depth > depth - PROBCUT_PLIES
                         and from_table(found.score, ply) < probcut_beta)):
            check_info(p, &ci)
            take_aim(p, &aim)
            picker_start(&picker, p, w.histories, ss, &aim, found.mv, True,
                         (probcut_beta - standing) * T[PROBCUT_EXCHANGE] // 100)
            while True:
                mv = next_move(&picker, False)
                if not mv:
                    break
                if not is_legal(p, mv, &ci):
                    continue
                fetch_ahead(w, mv)
                push_move(w, ss, mv, checks(p, mv, &aim))
                score = -quiesce(w, ss + 1, -probcut_beta, 1 - probcut_beta, 0, False)
                if score >= probcut_beta:
                    score = -search(w, ss + 1, -probcut_beta, 1 - probcut_beta, depth - PROBCUT_PLIES, False,
                                    not cut_node)
                undo_move(p)
                if load(&w.control.stop):
                    return 0
                if score >= probcut_beta:
                    if not by_rule(score):
                        store(w.table, p.key, mv, to_table(score, ply), raw, depth - PROBCUT_PLIES + 1, BOUND_LOWER)
                    return score
    # Step 10. Internal iterative reduction: without a table move the ordering is poor; the next visit will have one.
    if depth >= T[IIR_DEPTH] and not found.mv and not excluded and (pv_node or cut_node):
        depth -= 1
    # Step 11. Loop over the moves, in stages.
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
        reduction = REDUCTIONS[min(REDUCTION_ROWS - 1, depth)][min(REDUCTION_ROWS - 1, count)]
        # Step 12. Pruning at low depth, once a move that does not lose is known; not when looking for a shorter mate.
        if not root and best > -RULE_BOUND and alpha < RULE_BOUND and w.pruning >= PRUNE_MEDIUM:
            lmr_depth = max(0, new_depth - reduction // PLY)
            if not capture:
                # late-move pruning; never of checks
                if count >= (T[LATE_BASE] + depth * depth) >> (not improving and not in_check):
                    skip_quiets = True
                if not gives_check:
                    if skip_quiets:
                        continue
                    if (w.pruning >= PRUNE_LARGE and lmr_depth < HISTORY_PRUNE_DEPTH
                            and history < -T[HISTORY_PRUNE] * depth):
                        continue
                    # futility
                    if (not in_check and lmr_depth <= T[FUTILITY_DEPTH] and history < FUTILITY_HISTORY
                            and standing + T[FUTILITY_BASE] + T[FUTILITY_SLOPE] * lmr_depth <= alpha):
                        skip_quiets = True
                        continue
                    # static exchange evaluation; not for checks, whose value the exchange does not show
                    if lmr_depth < SEE_QUIET_DEPTH and not see_ge(p, mv, -T[SEE_QUIET] * lmr_depth - SEE_QUIET_BASE):
                        continue
            elif depth <= SEE_CAPTURE_DEPTH and not gives_check and not see_ge(p, mv, -T[SEE_CAPTURE] * depth):
                continue
        # Step 13. Extensions: a singular table move, and checks that do not lose material.
        if not root and ply < EXTENSION_REACH * w.root_depth:
            if (mv == found.mv and not excluded and depth >= T[SINGULAR_DEPTH]
                    and found.depth >= depth - SINGULAR_PLIES and found.bound & BOUND_LOWER
                    and -RULE_BOUND < from_table(found.score, ply) < RULE_BOUND):
                singular_beta = (from_table(found.score, ply)
                                 - T[SINGULAR_MARGIN] * depth // SINGULAR_SCALE * (2 if pv_node else 1))
                ss.excluded = mv
                score = search(w, ss, singular_beta - 1, singular_beta, new_depth // 2, False, cut_node)
                ss.excluded = 0
                if load(&w.control.stop):
                    return 0
                if score < singular_beta:
                    extension = 1
                    if not pv_node and score < singular_beta - SINGULAR_TWICE:
                        extension = 2
                elif singular_beta >= beta:
                    return singular_beta  # multi-cut: another move beats beta too
                elif from_table(found.score, ply) >= beta:
                    extension = -1
            elif gives_check and see_ge(p, mv, -CHECK_LOSS):
                extension = 1
        new_depth += extension
        if root and w.reporter != NULL:
            report_current(w, mv, count)
        before = w.nodes
        push_move(w, ss, mv, gives_check)
        # Step 14. Late-move reductions, with a full-depth search if the reduced one fails high.
        late = count > 1 + root and depth >= LMR_DEPTH and (not capture or cut_node)
        if late:
            if pv_node:
                reduction -= T[LMR_PV]
            if cut_node:
                reduction += T[LMR_CUT]
            if not improving:
                reduction += T[LMR_IMPROVING]
            if table_capture:
                reduction += LMR_TABLE_CAPTURE
            if gives_check:
                reduction -= PLY
            if ss[1].cutoffs > CUTOFFS_MANY:
                reduction += LMR_CUTOFFS
            if capture:
                reduction -= PLY
            else:
                reduction -= history * PLY // T[LMR_HISTORY]
                if mv == picker.killer1 or mv == picker.killer2 or mv == picker.counter:
                    reduction -= PLY
            reduced_depth = max(1, min(new_depth, new_depth - reduction // PLY))
            score = -search(w, ss + 1, -alpha - 1, -alpha, reduced_depth, False, True)
            if score > alpha and reduced_depth < new_depth:
                # deeper if the reduced search failed high by a lot, shallower if only just
                if score > best + T[LMR_DEEPER] + LMR_DEEPER_SLOPE * new_depth:
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
        # Step 15. Is it a new best move?
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
            if capture_count < TRIED_CAPTURES:
                captures[capture_count] = mv
                capture_count += 1
        elif quiet_count < TRIED_QUIETS:
            quiets[quiet_count] = mv
            quiet_count += 1
    # Step 16. No legal move: checkmate or stalemate, both lost.
    if count == 0:
        return alpha if excluded else ply - MATE
    if best == -INFINITE:
        best = alpha  # all moves were excluded by the root's filter
    if best >= beta:
        reward(w, ss, best_move, depth, quiets, quiet_count, captures, capture_count)
    if (not in_check and not excluded and -RULE_BOUND < best < RULE_BOUND
            and not (best_move and p.board[best_move >> 8])
            and not (best >= beta and best <= standing) and not (best <= old_alpha and best >= standing)):
        learn_correction(w.histories, p, best - damped(w, raw), depth)
    # Step 17. Store in the table, except scores that depend on the path to the position.
    if not excluded and not by_rule(best) and not (root and w.pv_index):
        bound = BOUND_LOWER if best >= beta else BOUND_EXACT if pv_node and best > old_alpha else BOUND_UPPER
        store(w.table, p.key, best_move, to_table(best, ply), raw, depth, bound)
    return best


cdef inline bint attacking_material(Pos* p, int side) noexcept nogil:
    # a rook, knight or cannon
    return p.count[side] >> 4 * K_KNIGHT & 0xFFF
