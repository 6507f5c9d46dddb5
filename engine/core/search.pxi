# The search: principal variation search (negamax alpha-beta) with iterative deepening.
# docs/search.md explains the steps, docs/lab/search.md says what each is worth.

cdef enum:
    # constants of the steps below that are not tuned; the tuned ones are in engine/tunables.txt
    TRIED_QUIETS = 64  # moves tried at a node that are remembered for the history update
    TRIED_CAPTURES = 32
    EVALUATION_ONLY = -6  # the depth of a TT entry that only holds an evaluation
    TT_ANY_NODE = 5  # above this depth, an entry cuts also where it contradicts the expected kind of node
    EARLY_MOVES = 3  # a move tried this early was expected to be good
    SWING_MOST = 150  # centipawns: how much of an evaluation's change counts for the move that made it
    HINDSIGHT_DEEPER = 3  # plies of reduction
    HINDSIGHT_SHALLOWER = 2
    RAZOR_DEPTH = 3
    REVERSE_SHARE = 3  # of what the evaluation is above beta, the part that is believed
    NULL_EVAL_PLIES = 3  # the most plies that the evaluation can add to the reduction
    PROBCUT_PLIES = 4  # the verifying search is this much shallower
    EXTENSION_REACH = 2  # a line is extended to at most this multiple of the root depth
    SINGULAR_PLIES = 3  # the TT entry may be this much shallower
    SINGULAR_SCALE = 16  # SINGULAR_MARGIN is in 16ths of a centipawn
    CHECK_LOSS = 100  # a check that loses more than this by static exchange is not extended
    LMR_DEPTH = 2
    CUTOFFS_MANY = 2
    LMR_DEEPER_SLOPE = 4
    NARROW_LEAST = 3  # depths at which a better move makes the search of the others shallower
    NARROW_MOST = 13
    PV_LEAST = 4  # a node without a good move below a principal variation counts as part of it from this depth on


cdef inline int bonus_of(const int32_t* params, Depth depth) noexcept nogil:
    # what the histories learn from a search of this depth
    return min(params[HISTORY_LIMIT], (params[HISTORY_BONUS] + params[HISTORY_SQUARE] * depth) * depth)


cdef inline bint is_proof(Score score) noexcept nogil:
    # mate, or decided by the law
    return score >= RULE_BOUND or score <= -RULE_BOUND


cdef void reward(Worker* w, Stack* ss, u16 best, Depth depth, u16* quiets, int quiet_count, u16* captures,
                 int capture_count) noexcept nogil:
    # a bonus for the best move, a malus for those tried before it
    cdef Pos* p = &w.pos
    cdef Histories* h = w.histories
    cdef const int32_t* params = w.params.number
    cdef int bonus = bonus_of(params, depth), malus = bonus * params[HISTORY_MALUS] // 100, i, ply = p.ply - w.root_ply
    if p.board[best >> 8]:
        update_history(&h.capture[capture_index(p, best)], bonus)
    else:
        update_quiet_histories(h, p, ss, ply, best, bonus)
        for i in range(quiet_count):
            update_quiet_histories(h, p, ss, ply, quiets[i], -malus)
    for i in range(capture_count):
        update_history(&h.capture[capture_index(p, captures[i])], -malus)


cdef inline void reward_last(Worker* w, Stack* ss, int bonus) noexcept nogil:
    # a bonus or a malus for the move that led to this node, if it was quiet
    cdef Stack* before = ss - 1
    if before.piece_square >= 0 and not w.pos.states[w.pos.ply - 1].captured:
        update_history(&w.histories.butterfly[w.pos.side ^ 1][butterfly_index(before.move)], bonus)
        update_history(&structure_row(w.histories, &w.pos)[before.piece_square], bonus)
        update_continuations(w.histories, before, before.piece_square, bonus)


cdef Score search(Worker* w, Stack* ss, Score alpha, Score beta, Depth depth, bint pv_node,
                  bint cut_node) noexcept nogil:
    cdef Pos* p = &w.pos
    cdef const int32_t* params = w.params.number
    cdef Ply ply = p.ply - w.root_ply
    cdef bint root = ply == 0, in_check = p.in_check, improving = False, worsening = False, capture, gives_check
    cdef bint tt_capture
    cdef Score score = -INFINITE, best = -INFINITE, tt_score = -INFINITE, evaluation, standing, raw, error = 0
    cdef Score swing, verified, probcut_beta, singular_beta
    cdef Depth extension, new_depth, reduced_depth, lmr_depth, prior_reduction = (ss - 1).reduction
    cdef int count = 0, quiet_count = 0, capture_count = 0, history, reduction, bound, bonus
    cdef u16 mv, best_move = 0, excluded = ss.excluded
    cdef u16[TRIED_QUIETS] quiets
    cdef u16[TRIED_CAPTURES] captures
    cdef u64 before
    cdef bint skip_quiets = False
    cdef TTData tt
    cdef CheckInfo ci
    cdef CheckSquares cs
    cdef Picker picker
    cdef Quiets rows
    # Step 1. At the horizon, quiescence search.
    if depth <= 0:
        return quiesce(w, ss, alpha, beta, 0, pv_node)
    if depth > MAX_PLY - 1:
        depth = MAX_PLY - 1
    w.countdown -= 1
    if w.countdown <= 0:
        check_time(w)
    if load(&w.control.stop):
        return 0
    w.pv_length[ply] = 0
    if pv_node and ply > w.seldepth:
        w.seldepth = ply
    if not root:
        # Step 2. The law: repetition, the move limit, no attackers left. Then the exact result, if a tablebase has it.
        if ended_by_rule(w, ply, &score):
            return score
        if w.tablebases != NULL and probe_in_search(w, ply, &score) == EXACT_HIT:
            return score
        if ply >= MAX_PLY - 2:
            return w.draw[p.side] if in_check else static_score(w)
        # Step 3. Mate distance pruning: a shorter mate has been found already.
        alpha = max(alpha, ply - MATE)
        beta = min(beta, MATE - ply - 1)
        if alpha >= beta:
            return alpha
    (ss - 1).reduction = 0
    ss.count = 0
    ss[2].cutoffs = 0
    # Almost every node needs these. They come first because the TT's cluster is still on its way from memory.
    check_info(p, &ci)
    check_squares(p, &cs)
    if not in_check:
        error = correction(w.histories, params, p, ss)
    # Step 4. The transposition table. Not near the move limit, which is not part of the key. An entry that contradicts
    # the expected kind of node must not cut at low depth: the search would lose its shape.
    probe_tt(w.tt, p.key, &tt)
    if root:
        tt.mv = w.root[w.pv_index].mv
    if not excluded:
        ss.tt_pv = pv_node or tt.pv
    if tt.bound:
        tt_score = score_from_tt(tt.score, ply)
    tt_capture = tt.mv != 0 and p.board[tt.mv >> 8] != 0
    if (not pv_node and not excluded and tt.bound and tt.depth > depth - (tt_score <= beta)
            and tt.bound & (BOUND_LOWER if tt_score >= beta else BOUND_UPPER)
            and (cut_node == (tt_score >= beta) or depth > TT_ANY_NODE) and p.half_move_clock < w.trust_below):
        if tt_score >= beta and tt.mv and not tt_capture and is_pseudo_legal(p, tt.mv):
            update_quiet_histories(w.histories, p, ss, ply, tt.mv, bonus_of(params, depth))
            if (ss - 1).count <= EARLY_MOVES:
                reward_last(w, ss, -bonus_of(params, depth))
        return tt_score
    # Step 5. The static evaluation, adjusted by the correction histories and by the TT's score.
    if in_check:
        raw = standing = evaluation = ss.evaluation = NO_EVAL
    else:
        if tt.evaluation != NO_EVAL and not w.settings.noise:
            raw = tt.evaluation
        else:
            raw = static_score(w)
            if not tt.bound:
                store_tt(w.tt, p.key, 0, 0, raw, EVALUATION_ONLY, BOUND_NONE, ss.tt_pv)
        standing = evaluation = ss.evaluation = damped(w, raw) + error
        error = abs(error)
        if tt.bound and tt.bound & (BOUND_LOWER if tt_score > evaluation else BOUND_UPPER):
            evaluation = tt_score
        if (ss - 2).evaluation != NO_EVAL:
            improving = standing > (ss - 2).evaluation
        elif (ss - 4).evaluation != NO_EVAL:
            improving = standing > (ss - 4).evaluation
        if (ss - 1).evaluation != NO_EVAL:
            swing = standing + (ss - 1).evaluation
            worsening = swing > 0
            # The last move changed the evaluation: remember that. And correct, in hindsight, its reduction.
            if not excluded and (ss - 1).piece_square >= 0:
                if not p.states[p.ply - 1].captured:
                    bonus = max(-SWING_MOST, min(SWING_MOST, params[SWING_TEMPO] - swing))
                    update_history(&w.histories.butterfly[p.side ^ 1][butterfly_index((ss - 1).move)],
                                   params[HISTORY_SWING] * bonus)
                if prior_reduction >= HINDSIGHT_DEEPER and not worsening:
                    depth += 1
                if prior_reduction >= HINDSIGHT_SHALLOWER and depth >= 2 and swing > params[HINDSIGHT_MARGIN]:
                    depth -= 1
    if not pv_node and not in_check and not excluded and w.settings.pruning > PRUNE_NONE:
        # Step 6. Razoring: so far below alpha that only captures could help; search those.
        if (w.settings.pruning >= PRUNE_LARGE and depth <= RAZOR_DEPTH
                and evaluation + params[RAZOR_MARGIN] * depth < alpha < RULE_BOUND):
            score = quiesce(w, ss, alpha, alpha + 1, 0, False)
            if score <= alpha:
                return score
        # Step 7. Reverse futility: so far above beta that a quiet move will not drop below it.
        if (depth <= params[REVERSE_DEPTH] and not ss.tt_pv and evaluation >= beta and evaluation < RULE_BOUND
                and beta > -RULE_BOUND and (not tt.mv or tt_capture)
                and evaluation - params[REVERSE_MARGIN] * depth + params[REVERSE_IMPROVING] * improving
                + params[REVERSE_WORSENING] * worsening - error * params[REVERSE_ERROR] // 100 >= beta):
            return beta + (evaluation - beta) // REVERSE_SHARE
        # Step 8. Null move: if passing holds beta, a move will. Not without attackers, never twice in a row.
        if (cut_node and evaluation >= beta and standing >= beta and (ss - 1).move and ply >= w.null_floor
                and beta > -RULE_BOUND and attacking_material(p, p.side)):
            reduction = (params[NULL_BASE] + depth // params[NULL_DIVISOR]
                         + min(NULL_EVAL_PLIES, (evaluation - beta) // params[NULL_EVAL_DIVISOR]))
            push_null(w, ss)
            prefetch(first_entry(w.tt, p.key))
            score = -search(w, ss + 1, -beta, 1 - beta, depth - reduction, False, False)
            undo_null(p)
            if load(&w.control.stop):
                return 0
            if score >= beta:
                if score >= RULE_BOUND:
                    score = beta
                if w.null_floor or depth < params[NULL_VERIFY_DEPTH]:
                    return score
                w.null_floor = ply + 3 * (depth - reduction) // 4
                verified = search(w, ss, beta - 1, beta, depth - reduction, False, False)
                w.null_floor = 0
                if verified >= beta:
                    return score
        improving = improving or standing >= beta
        # Step 9. ProbCut: a capture that beats beta by a margin in a shallow search will probably beat it in a deep
        # one.
        probcut_beta = beta + params[PROBCUT_MARGIN]
        if (w.settings.pruning >= PRUNE_LARGE and depth >= params[PROBCUT_DEPTH]
                and -RULE_BOUND < beta < RULE_BOUND - params[PROBCUT_MARGIN]
                and not (tt.bound and tt.depth > depth - PROBCUT_PLIES and tt_score < probcut_beta)):
            picker_start(&picker, w, ss, &ci, &cs, tt.mv, True,
                         exchange_of(params, probcut_beta - standing))
            while True:
                mv = next_move(&picker, False)
                if not mv:
                    break
                if not is_legal(p, mv, &ci):
                    continue
                fetch_ahead(w, mv)
                push_move(w, ss, mv, checks(p, mv, &cs))
                score = -quiesce(w, ss + 1, -probcut_beta, 1 - probcut_beta, 0, False)
                if score >= probcut_beta:
                    score = -search(w, ss + 1, -probcut_beta, 1 - probcut_beta, depth - PROBCUT_PLIES, False,
                                    not cut_node)
                undo_move(p)
                if load(&w.control.stop):
                    return 0
                if score >= probcut_beta:
                    if not by_rule(score):
                        store_tt(w.tt, p.key, mv, score_to_tt(score, ply), raw, depth - PROBCUT_PLIES + 1,
                                 BOUND_LOWER, ss.tt_pv)
                    return score
    # Step 10. Internal iterative reduction: without a TT move the ordering is poor; the next visit will have one.
    if depth >= params[IIR_DEPTH] and not tt.mv and not excluded and (pv_node or cut_node):
        depth -= 1
    # Step 11. Loop over the moves, in stages.
    picker_start(&picker, w, ss, &ci, &cs, tt.mv, False, 0)
    quiets_start(&rows, w.histories, p, ss)
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
        ss.count = count
        if w.settings.breadth and count > w.settings.breadth:
            break
        capture = p.board[mv >> 8] != 0
        gives_check = checks(p, mv, &cs)
        extension = 0
        new_depth = depth - 1
        # a move's history moves its reduction, and with it the depth at which it is pruned
        history = (w.histories.capture[capture_index(p, mv)] + params[LMR_VICTIM] * SEE_VALUE[KIND[p.board[mv >> 8]]]
                   if capture else history_of(&rows, p, mv, False))
        reduction = (w.params.reductions[min(REDUCTION_ROWS - 1, depth)][min(REDUCTION_ROWS - 1, count)]
                     - history * PLY // params[LMR_HISTORY])
        if not improving:
            reduction += params[LMR_IMPROVING]
        # Step 12. Pruning at low depth, once a move that does not lose is known; not when looking for a shorter mate.
        if not root and best > -RULE_BOUND and alpha < RULE_BOUND and w.settings.pruning >= PRUNE_MEDIUM:
            lmr_depth = max(0, new_depth - reduction // PLY)
            if not capture:
                # late-move pruning; never of checks
                if count >= (params[LATE_BASE] + depth * depth) >> (not improving and not in_check):
                    skip_quiets = True
                if not gives_check:
                    if skip_quiets:
                        continue
                    if w.settings.pruning >= PRUNE_LARGE and history < -params[HISTORY_PRUNE] * depth:
                        continue
                    # futility
                    if (not in_check and lmr_depth <= params[FUTILITY_DEPTH]
                            and standing + params[FUTILITY_BASE] + params[FUTILITY_SLOPE] * lmr_depth
                            + error * params[FUTILITY_ERROR] // 100 <= alpha):
                        continue
                    # static exchange evaluation; not for checks, whose value the exchange does not show
                    if not see_ge(p, mv, -params[SEE_QUIET] * lmr_depth * lmr_depth):
                        continue
            elif not gives_check and not see_ge(p, mv, -params[SEE_CAPTURE] * depth):
                continue
        # Step 13. Extensions: if the TT move is better than all others by far (singular), search it deeper. And once
        # the game is won, checks that do not lose material: what is still missing is the mate.
        if (mv == tt.mv and not root and not excluded and ply < EXTENSION_REACH * w.root_depth
                and depth >= params[SINGULAR_DEPTH] + ss.tt_pv and tt.depth >= depth - SINGULAR_PLIES
                and tt.bound & BOUND_LOWER and not is_proof(tt_score)):
            singular_beta = (tt_score - params[SINGULAR_MARGIN] * depth // SINGULAR_SCALE
                             * (2 if ss.tt_pv and not pv_node else 1))
            ss.excluded = mv
            score = search(w, ss, singular_beta - 1, singular_beta, new_depth // 2, False, cut_node)
            ss.excluded = 0
            ss.count = count
            if load(&w.control.stop):
                return 0
            if score < singular_beta:
                singular_beta -= params[SINGULAR_PV] * pv_node + params[SINGULAR_CAPTURE] * tt_capture
                extension = (1 + (score < singular_beta - params[SINGULAR_TWICE])
                             + (score < singular_beta - params[SINGULAR_THRICE]))
            elif score >= beta and not is_proof(score):
                return score  # multi-cut: another move beats beta too
            elif tt_score >= beta:
                extension = -params[NOT_SINGULAR]
            elif cut_node:
                extension = -params[NOT_SINGULAR_CUT]
        elif (gives_check and alpha >= params[HUNT_SCORE] and not root and ply < EXTENSION_REACH * w.root_depth
                and see_ge(p, mv, -CHECK_LOSS)):
            extension = 1
        new_depth += extension
        if root and w.reporter != NULL:
            report_current(w, mv, count)
        before = w.nodes
        push_move(w, ss, mv, gives_check)
        # Step 14. Late-move reductions, with a full-depth search if the reduced one fails high.
        if count > 1 and depth >= LMR_DEPTH:
            if ss.tt_pv:
                reduction -= (params[LMR_TT_PV] + params[LMR_PV] * pv_node
                              + params[LMR_TT_SCORE] * (tt_score > alpha) + params[LMR_TT_DEPTH] * (tt.depth >= depth))
            if cut_node:
                reduction += params[LMR_CUT] + params[LMR_NO_MOVE] * (not tt.mv)
            if tt_capture:
                reduction += params[LMR_TT_CAPTURE]
            if gives_check:
                reduction -= params[LMR_CHECK]
            if ss[1].cutoffs > CUTOFFS_MANY:
                reduction += params[LMR_CUTOFFS]
            reduction -= error * params[LMR_ERROR]
            reduced_depth = max(1, min(new_depth + (pv_node or cut_node), new_depth - reduction // PLY))
            ss.reduction = new_depth - reduced_depth
            score = -search(w, ss + 1, -alpha - 1, -alpha, reduced_depth, False, True)
            ss.reduction = 0
            if score > alpha and reduced_depth < new_depth:
                # deeper if the reduced search failed high by a lot, shallower if only just
                if score > best + params[LMR_DEEPER] + LMR_DEEPER_SLOPE * new_depth:
                    new_depth += 1
                elif score < best + params[LMR_SHALLOWER]:
                    new_depth -= 1
                if reduced_depth < new_depth:
                    score = -search(w, ss + 1, -alpha - 1, -alpha, new_depth, False, not cut_node)
                if not capture and not load(&w.control.stop):
                    update_continuations(w.histories, ss, ss.piece_square, params[LMR_BONUS])
        elif not pv_node or count > 1:
            # even the first move is reduced where little is expected of it
            reduction += params[LMR_CUT] * cut_node + params[LMR_NO_MOVE] * (not tt.mv)
            reduced_depth = new_depth - (reduction > params[LMR_FIRST])
            score = -search(w, ss + 1, -alpha - 1, -alpha, reduced_depth, False, not cut_node)
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
                    update_pv(w, ply, mv)
                if score >= beta:
                    ss.cutoffs += 1
                    break
                alpha = score
                # the others will hardly be better still
                if NARROW_LEAST <= depth <= NARROW_MOST and not is_proof(score):
                    depth -= params[NARROW]
        if mv != best_move:
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
    # Step 17. What the histories learn: the best move, or the opponent's move that left none.
    if best_move:
        reward(w, ss, best_move, depth, quiets, quiet_count, captures, capture_count)
        if (ss - 1).count == 1 and best >= beta:
            reward_last(w, ss, -bonus_of(params, depth) * params[REFUTED_MALUS] // 100)
    else:
        reward_last(w, ss, bonus_of(params, depth) * params[ANSWER_BONUS] // 100)
        ss.tt_pv = ss.tt_pv or ((ss - 1).tt_pv and depth >= PV_LEAST)
    if best > beta:
        best = blended(best, beta, depth)
    if (not in_check and not excluded and not is_proof(best) and not (best_move and p.board[best_move >> 8])
            and (best > standing) == (best_move != 0)):
        learn_correction(w.histories, p, ss, best - standing, depth)
    # Step 18. Store in the transposition table, except scores that depend on the path to the position.
    if not excluded and not by_rule(best) and not (root and w.pv_index):
        bound = BOUND_LOWER if best >= beta else BOUND_EXACT if pv_node and best_move else BOUND_UPPER
        store_tt(w.tt, p.key, best_move, score_to_tt(best, ply), raw, depth, bound, ss.tt_pv)
    return best


cdef inline bint attacking_material(Pos* p, Side side) noexcept nogil:
    # a rook, knight or cannon
    return p.count[side] >> 4 * K_KNIGHT & 0xFFF
