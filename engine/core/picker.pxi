# Staged move ordering: moves are generated only when they are needed.

cdef enum:
    STAGE_TT = 0
    STAGE_CAPTURE_START
    STAGE_CAPTURES
    STAGE_QUIET_START
    STAGE_QUIETS
    STAGE_BAD_CAPTURES
    STAGE_BAD_QUIETS
    STAGE_EVASION_START
    STAGE_EVASIONS
    STAGE_CHECK_START
    STAGE_CHECKS
    STAGE_DONE

cdef enum:
    SCORE_SHIFT = 2  # quiet moves' scores are quartered to fit 16 bits
    EVASION_CAPTURE = 22000  # when in check, captures come before all quiet moves except those with the best history
    VICTIM_WEIGHT = 16  # per centipawn of the victim
    CAPTURE_HISTORY_PARTS = 4  # a quarter of the capture history counts,
    CAPTURE_PARTS = 2  # and half of the sum, to fit 16 bits
    ATTACKER_WEIGHT = 64  # per rank of the attacker: less than the least difference between two victims

# the attackers in the order of their value, by kind: of equal captures, the least valuable attacker's comes first
cdef int[7] ATTACKER_ORDER = [6, 1, 2, 3, 5, 4, 0]

cdef struct Picker:
    Pos* p
    Histories* h
    Stack* ss
    CheckInfo* ci
    CheckSquares* cs
    Ply ply
    u16 tt_move
    int stage
    int next
    int end
    int bad_count
    int bad_next
    int see_threshold
    int bad_quiet  # quiet moves that score less come after the losing captures
    bint captures_only
    bint skipped  # of the quiet moves, only checks are still returned
    bint with_checks  # with captures_only: afterwards the quiet moves that may give check, for the caller to test
    int32_t[MAX_MOVES] moves  # score << 16 | move, so the greatest is the best. Losing captures found so far come first


cdef inline void picker_start(Picker* k, Worker* w, Stack* ss, CheckInfo* ci, CheckSquares* cs, u16 tt_move,
                              bint captures_only, int see_threshold) noexcept nogil:
    k.p = &w.pos
    k.h = w.histories
    k.ss = ss
    k.ci = ci
    k.cs = cs
    k.ply = w.pos.ply - w.root_ply
    k.captures_only = captures_only
    k.with_checks = k.skipped = False
    k.see_threshold = see_threshold
    k.bad_quiet = -(w.params.number[BAD_QUIET] >> SCORE_SHIFT)
    k.next = k.end = k.bad_count = k.bad_next = 0
    k.tt_move = tt_move
    if tt_move and (not is_pseudo_legal(k.p, tt_move)
                    or (captures_only and not k.p.in_check and not k.p.board[tt_move >> 8])):
        k.tt_move = 0
    k.stage = STAGE_TT


cdef inline u16 pick_best(Picker* k) noexcept nogil:
    # selection sort: swap the best remaining move to the front. Two simple loops: the first one is vectorised
    cdef int i, best = k.next
    cdef int32_t most = k.moves[best]
    for i in range(k.next + 1, k.end):
        most = max(most, k.moves[i])
    while k.moves[best] != most:
        best += 1
    k.moves[best] = k.moves[k.next]
    k.moves[k.next] = most
    k.next += 1
    return <u16>most


cdef inline int32_t scored(Score score, u16 mv) noexcept nogil:
    return score * 65536 + mv


cdef void add_captures(Picker* k, int bonus) noexcept nogil:
    # by victim and capture history, then by attacker (MVV/LVA)
    cdef u16[MAX_MOVES] moves
    cdef int i, n = generate(k.p, moves, True), score
    if k.ci.checkers:
        n = keep_evasions(k.p, k.ci, moves, n)
    for i in range(n):
        score = (VICTIM_WEIGHT * SEE_VALUE[KIND[k.p.board[moves[i] >> 8]]]
                 + k.h.capture[capture_index(k.p, moves[i])] // CAPTURE_HISTORY_PARTS
                 - ATTACKER_WEIGHT * ATTACKER_ORDER[KIND[k.p.board[moves[i] & 255]]])
        k.moves[k.end + i] = scored(score // CAPTURE_PARTS + bonus, moves[i])
    k.end += n


cdef void add_quiets(Picker* k) noexcept nogil:
    # by history
    cdef Quiets q
    cdef u16[MAX_MOVES] moves
    cdef int i, n = generate(k.p, moves, False), score
    if k.ci.checkers:
        n = keep_evasions(k.p, k.ci, moves, n)
    quiets_start(&q, k.h, k.p, k.ss)
    for i in range(n):
        score = history_of(&q, k.p, moves[i], True)
        if k.ply < LOW_PLIES:
            score += k.h.low_ply[k.ply][butterfly_index(moves[i])] // (1 + k.ply)
        k.moves[k.end + i] = scored(score >> SCORE_SHIFT, moves[i])
    k.end += n


cdef void add_checks(Picker* k) noexcept nogil:
    cdef u16[MAX_MOVES] moves
    cdef int i, n = generate_checks(k.p, k.cs, moves)
    for i in range(n):
        k.moves[k.end + i] = moves[i]
    k.end += n


cdef void keep_checks(Picker* k) noexcept nogil:
    # of the remaining quiet moves, keep those that may give check
    cdef u16[MAX_MOVES] moves
    cdef int n = generate_checks(k.p, k.cs, moves), i, j, kept = k.next
    cdef int32_t move
    for i in range(n):
        for j in range(kept, k.end):
            if <u16>k.moves[j] == moves[i]:
                move = k.moves[j]
                k.moves[j] = k.moves[kept]
                k.moves[kept] = move
                kept += 1
                break
    k.end = kept


cdef u16 next_move(Picker* k, bint skip_quiets) noexcept nogil:
    # skip_quiets: of the quiet moves, return only those that may give check
    cdef u16 mv
    while True:
        if k.stage == STAGE_TT:
            k.stage = STAGE_EVASION_START if k.p.in_check else STAGE_CAPTURE_START
            if k.tt_move:
                return k.tt_move
        elif k.stage == STAGE_CAPTURE_START:
            add_captures(k, 0)
            k.stage = STAGE_CAPTURES
        elif k.stage == STAGE_CAPTURES:
            while k.next < k.end:
                mv = pick_best(k)
                if mv == k.tt_move:
                    continue
                if not see_ge(k.p, mv, k.see_threshold):
                    k.moves[k.bad_count] = mv
                    k.bad_count += 1
                    continue
                return mv
            k.stage = (STAGE_QUIET_START if not k.captures_only else STAGE_CHECK_START if k.with_checks
                       else STAGE_DONE)
        elif k.stage == STAGE_QUIET_START:
            k.next = k.end = k.bad_count
            add_quiets(k)
            k.stage = STAGE_QUIETS
        elif k.stage == STAGE_QUIETS or k.stage == STAGE_BAD_QUIETS:
            if skip_quiets and not k.skipped:
                keep_checks(k)
                k.skipped = True
            while k.next < k.end:
                mv = pick_best(k)
                if (k.stage == STAGE_QUIETS and k.bad_count
                        and (k.moves[k.next - 1] >> 16) < k.bad_quiet):
                    k.next -= 1
                    break
                if mv != k.tt_move:
                    return mv
            k.stage = STAGE_BAD_CAPTURES if k.stage == STAGE_QUIETS else STAGE_DONE
        elif k.stage == STAGE_BAD_CAPTURES:
            if k.bad_next < k.bad_count:
                k.bad_next += 1
                return <u16>k.moves[k.bad_next - 1]
            k.stage = STAGE_BAD_QUIETS
        elif k.stage == STAGE_CHECK_START:
            k.next = k.end = 0
            add_checks(k)
            k.stage = STAGE_CHECKS
        elif k.stage == STAGE_CHECKS:
            if k.next < k.end:
                k.next += 1
                return <u16>k.moves[k.next - 1]
            k.stage = STAGE_DONE
        elif k.stage == STAGE_EVASION_START:
            add_captures(k, EVASION_CAPTURE)
            add_quiets(k)
            k.stage = STAGE_EVASIONS
        elif k.stage == STAGE_EVASIONS:
            while k.next < k.end:
                mv = pick_best(k)
                if mv != k.tt_move:
                    return mv
            k.stage = STAGE_DONE
        else:
            return 0
