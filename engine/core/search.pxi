# The search: negamax alpha-beta with a principal variation, deepened step by step.
# What each step is worth stands in docs/search.md.

from libc.math cimport log

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <windows.h>
    static __inline long long chuhe_now(void) {
        LARGE_INTEGER f, c; QueryPerformanceFrequency(&f); QueryPerformanceCounter(&c);
        return (long long)(c.QuadPart * 1000000.0 / f.QuadPart);
    }
    #define chuhe_load(x) (*(volatile int*)(x))
    #define chuhe_save(x, v) (*(volatile int*)(x) = (v))
    #else
    #include <time.h>
    static inline long long chuhe_now(void) {
        struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
        return (long long)t.tv_sec * 1000000 + t.tv_nsec / 1000;
    }
    #define chuhe_load(x) __atomic_load_n((x), __ATOMIC_RELAXED)
    #define chuhe_save(x, v) __atomic_store_n((x), (v), __ATOMIC_RELAXED)
    #endif
    """
    int64_t now_us "chuhe_now"() noexcept nogil
    int load "chuhe_load"(int* x) noexcept nogil
    void save "chuhe_save"(int* x, int value) noexcept nogil

cdef enum:
    INFINITE = 32000
    MATE = 31000  # mate in n plies is MATE - n
    MATE_BOUND = MATE - 2 * MAX_PLY
    RULE = 28000  # won or lost by the law of repetition, n plies from the root: RULE - n. Never stored, never a mate
    RULE_BOUND = RULE - 2 * MAX_PLY
    EVAL_BOUND = 20000
    CHECK_EVERY = 256  # nodes between two looks at the clock
    MAX_WORKERS = 256

cdef enum:
    PRUNE_NONE = 0
    PRUNE_SMALL = 1  # null move and reverse futility
    PRUNE_MEDIUM = 2  # and futility, late moves, exchanges
    PRUNE_LARGE = 3  # and razoring, probcut, history

cdef struct Worker  # defined below

cdef struct Control:
    # one search, seen by all its threads
    int stop
    int pondering
    int stop_on_hit  # the time would be up, but the clock does not run yet
    int64_t start
    int64_t soft  # microseconds; 0: no limit
    int64_t hard
    u64 node_limit
    int depth_limit
    int mate_limit  # moves
    int workers
    Worker** worker

cdef struct RootMove:
    u16 mv
    int score
    int previous
    int average
    int bound
    int seldepth
    int pv_length
    u64 nodes
    u16[MAX_PLY] pv

cdef struct Worker:
    Pos pos
    Table* table
    Control* control
    Histories* histories
    int id
    u64 nodes
    int countdown
    int root_ply
    int root_depth
    int completed
    int seldepth
    int null_floor  # no null move above this ply while one is verified
    int pv_index
    int multipv
    int root_count
    double changes  # how often the best move changed of late
    # settings
    int knowledge
    int pruning
    int breadth
    int law
    int move_limit  # plies
    int[2] draw
    int noise
    u64 noise_seed
    void* reporter
    RootMove[MAX_MOVES] root
    Stack[MAX_PLY + 16] stack
    int[MAX_PLY + 2] pv_length
    u16[MAX_PLY + 2][MAX_PLY + 2] pv

cdef int[64][64] REDUCTIONS


cdef void init_reductions() noexcept nogil:
    cdef int depth, count
    for depth in range(1, 64):
        for count in range(1, 64):
            REDUCTIONS[depth][count] = <int>(T[LMR_BASE] + 1024.0 * 1024.0 / T[LMR_DIVISOR] * log(depth) * log(count))


cdef inline int to_table(int score, int ply) noexcept nogil:
    if score >= MATE_BOUND:
        return score + ply
    if score <= -MATE_BOUND:
        return score - ply
    return score


cdef inline int from_table(int score, int ply) noexcept nogil:
    if score >= MATE_BOUND:
        return score - ply
    if score <= -MATE_BOUND:
        return score + ply
    return score


cdef inline bint by_rule(int score) noexcept nogil:
    return RULE_BOUND <= score < MATE_BOUND or -MATE_BOUND < score <= -RULE_BOUND


cdef void look_around(Worker* w) noexcept nogil:
    # has the time or the node budget come to its end?
    cdef Control* c = w.control
    cdef int64_t spent
    w.countdown = CHECK_EVERY
    if c.node_limit:
        if c.node_limit <= w.nodes:
            save(&c.stop, 1)
        elif c.node_limit - w.nodes < CHECK_EVERY:
            w.countdown = <int>(c.node_limit - w.nodes)
    if w.id == 0 and c.hard and not load(&c.pondering):
        spent = now_us() - c.start
        if spent >= c.hard or (load(&c.stop_on_hit) and spent >= 0):
            save(&c.stop, 1)


cdef int static_score(Worker* w) noexcept nogil:
    cdef int score = evaluate(&w.pos, w.knowledge)
    cdef u64 word
    if w.noise:
        word = (w.pos.key ^ w.noise_seed) * <u64>0x9E3779B97F4A7C15
        score += <int>(word >> 33) % (2 * w.noise + 1) - w.noise
    return max(-EVAL_BOUND, min(EVAL_BOUND, score))


cdef inline bint judged(Worker* w, int ply, int* score) noexcept nogil:
    # is the game over by the law here, mate and stalemate apart?
    cdef Pos* p = &w.pos
    cdef Verdict verdict
    cdef int back
    if w.law != LAW_NONE:
        back = recurrence(p, 1)
        if back:
            judge(p, back, w.law, &verdict)
            if verdict.kind >= V_CHECK:
                score[0] = ply - RULE if verdict.loser == p.side else RULE - ply
            else:
                score[0] = w.draw[p.side]
            return True
    if ((w.move_limit and p.quiet >= w.move_limit and (not p.in_check or has_legal(p)))
            or (p.phase == 0 and no_attackers(p))):
        score[0] = w.draw[p.side]
        return True
    return False


cdef inline int worth(Pos* p, int sq) noexcept nogil:
    # what the evaluation loses with the piece on a square
    cdef int value = tapered(p, CELL[PIECE[p.board[sq]]][sq].psq)
    return value if p.board[sq] < 32 else -value


cdef inline void keep_pv(Worker* w, int ply, u16 mv) noexcept nogil:
    cdef int n = w.pv_length[ply + 1]
    w.pv[ply][0] = mv
    memcpy(&w.pv[ply][1], &w.pv[ply + 1][0], n * sizeof(u16))
    w.pv_length[ply] = n + 1


cdef inline void push_move(Worker* w, Stack* ss, u16 mv, bint gives_check) noexcept nogil:
    ss.move = mv
    ss.piece_square = piece_square(&w.pos, mv)
    make(&w.pos, mv, gives_check)
    w.nodes += 1


cdef int quiesce(Worker* w, Stack* ss, int alpha, int beta, int depth, bint pv_node) noexcept nogil:
    # depth 0: captures and quiet checks; below: captures. In check: everything
    cdef Pos* p = &w.pos
    cdef int ply = p.ply - w.root_ply, best, score, standing = NO_EVAL, floor_ = 0, count = 0, old_alpha = alpha
    cdef int entry_depth = 0 if depth >= 0 else -1, raw = NO_EVAL
    cdef bint in_check = p.in_check, gives_check
    cdef u16 mv, best_move = 0
    cdef Probe found
    cdef CheckInfo ci
    cdef Aim aim
    cdef Picker picker
    w.countdown -= 1
    if w.countdown <= 0:
        look_around(w)
    if load(&w.control.stop):
        return 0
    if pv_node:
        w.pv_length[ply] = 0
        if ply > w.seldepth:
            w.seldepth = ply
    if judged(w, ply, &score):
        return score
    if ply >= MAX_PLY - 2:
        return w.draw[p.side] if in_check else static_score(w)
    # Step 1. What the table knows.
    probe(w.table, p.key, &found)
    if found.bound and found.depth >= entry_depth and not pv_node:
        score = from_table(found.score, ply)
        if found.bound & (BOUND_LOWER if score >= beta else BOUND_UPPER):
            return score
    # Step 2. Standing pat: nobody has to take.
    if in_check:
        best = -INFINITE
    else:
        raw = found.evaluation if found.evaluation != NO_EVAL and not w.noise else static_score(w)
        standing = corrected(w.histories, p, raw)
        best = standing
        if found.bound and -RULE_BOUND < found.score < RULE_BOUND:
            if found.bound & (BOUND_LOWER if found.score > best else BOUND_UPPER):
                best = found.score
        if best >= beta:
            if not found.bound:
                store(w.table, p.key, 0, to_table(best, ply), raw, entry_depth, BOUND_LOWER)
            return best
        if best > alpha:
            alpha = best
        floor_ = best + T[DELTA_MARGIN]
    check_info(p, &ci)
    take_aim(p, &aim)
    picker_start(&picker, p, w.histories, ss, &aim, found.mv, True, 0)
    picker.with_checks = depth >= 0
    while True:
        mv = next_move(&picker, False)
        if not mv:
            break
        prefetch(line_of(w.table, key_after(p, mv)))
        if not is_legal(p, mv, &ci):
            continue
        gives_check = checks(p, mv, &aim)
        if picker.stage == STAGE_CHECKS and not (gives_check and see_ge(p, mv, 0)):
            continue
        count += 1
        if not in_check and p.board[mv >> 8]:
            # Step 3. Delta pruning: even the piece taken for nothing does not reach alpha.
            score = floor_ + worth(p, mv >> 8)
            if score <= alpha and best > -RULE_BOUND and not gives_check:
                best = max(best, score)
                continue
        elif in_check and best > -RULE_BOUND and count > 2 and not p.board[mv >> 8]:
            break  # enough quiet evasions: one of the first has saved the king
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
    if not by_rule(best):
        store(w.table, p.key, best_move, to_table(best, ply), raw, entry_depth,
              BOUND_LOWER if best >= beta else BOUND_EXACT if pv_node and best > old_alpha else BOUND_UPPER)
    return best


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
    if not pv_node and not excluded and found.bound and found.depth >= depth and p.quiet < 100:
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
                prefetch(line_of(w.table, key_after(p, mv)))
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
            prefetch(line_of(w.table, key_after(p, mv)))
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
