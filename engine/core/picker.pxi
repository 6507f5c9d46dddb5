# Moves in stages, best first: nothing is generated before it is asked for.

cdef enum:
    STAGE_TABLE = 0
    STAGE_CAPTURE_START
    STAGE_CAPTURES
    STAGE_KILLER_1
    STAGE_KILLER_2
    STAGE_COUNTER
    STAGE_QUIET_START
    STAGE_QUIETS
    STAGE_BAD_CAPTURES
    STAGE_EVASION_START
    STAGE_EVASIONS
    STAGE_CHECKS
    STAGE_DONE

cdef struct Picker:
    Pos* p
    Histories* h
    Stack* ss
    u16 table_move
    u16 killer1
    u16 killer2
    u16 counter
    int stage
    int next
    int end
    int bad_count
    int bad_next
    int see_threshold
    int history  # of the quiet move just given
    bint captures_only
    bint with_checks  # with captures_only: then the quiet moves too, for the caller to take the checks
    u16[MAX_MOVES] moves
    int[MAX_MOVES] scores
    u16[MAX_MOVES] bad


cdef inline void picker_start(Picker* k, Pos* p, Histories* h, Stack* ss, u16 table_move, bint captures_only,
                              int see_threshold) noexcept nogil:
    k.p = p
    k.h = h
    k.ss = ss
    k.captures_only = captures_only
    k.with_checks = False
    k.see_threshold = see_threshold
    k.bad_count = k.bad_next = 0
    k.table_move = table_move
    if table_move and (not is_pseudo_legal(p, table_move)
                       or (captures_only and not p.in_check and not p.board[table_move >> 8])):
        k.table_move = 0
    k.stage = STAGE_TABLE
    if p.in_check:
        k.killer1 = k.killer2 = k.counter = 0
    elif not captures_only:
        k.killer1 = ss.killers[0]
        k.killer2 = ss.killers[1]
        k.counter = h.counter[(ss - 1).piece_square] if (ss - 1).piece_square >= 0 else 0


cdef inline u16 pick_best(Picker* k) noexcept nogil:
    # selection: the best of what is left moves to the front
    cdef int i, best = k.next, score
    cdef u16 mv
    for i in range(k.next + 1, k.end):
        if k.scores[i] > k.scores[best]:
            best = i
    mv = k.moves[best]
    score = k.scores[best]
    k.moves[best] = k.moves[k.next]
    k.scores[best] = k.scores[k.next]
    k.moves[k.next] = mv
    k.scores[k.next] = score
    k.next += 1
    return mv


cdef inline bint usable_quiet(Picker* k, u16 mv) noexcept nogil:
    return mv and mv != k.table_move and not k.p.board[mv >> 8] and is_pseudo_legal(k.p, mv)


cdef inline int capture_score(Picker* k, u16 mv) noexcept nogil:
    return 16 * SEE_VALUE[KIND[k.p.board[mv >> 8]]] + k.h.capture[capture_index(k.p, mv)] // 4


cdef u16 next_move(Picker* k, bint unsorted) noexcept nogil:
    cdef u16 mv
    cdef int i
    while True:
        if k.stage == STAGE_TABLE:
            k.stage = STAGE_EVASION_START if k.p.in_check else STAGE_CAPTURE_START
            if k.table_move:
                return k.table_move
        elif k.stage == STAGE_CAPTURE_START:
            k.end = generate(k.p, k.moves, True)
            k.next = 0
            for i in range(k.end):
                k.scores[i] = capture_score(k, k.moves[i])
            k.stage = STAGE_CAPTURES
        elif k.stage == STAGE_CAPTURES:
            while k.next < k.end:
                mv = pick_best(k)
                if mv == k.table_move:
                    continue
                if not see_ge(k.p, mv, k.see_threshold):
                    k.bad[k.bad_count] = mv
                    k.bad_count += 1
                    continue
                return mv
            if k.captures_only:
                if not k.with_checks:
                    return 0
                k.stage = STAGE_CHECKS
                k.end = generate(k.p, k.moves, False)
                k.next = 0
            else:
                k.stage = STAGE_KILLER_1
        elif k.stage == STAGE_KILLER_1:
            k.stage = STAGE_KILLER_2
            if usable_quiet(k, k.killer1):
                return k.killer1
        elif k.stage == STAGE_KILLER_2:
            k.stage = STAGE_COUNTER
            if k.killer2 != k.killer1 and usable_quiet(k, k.killer2):
                return k.killer2
        elif k.stage == STAGE_COUNTER:
            k.stage = STAGE_QUIET_START
            if k.counter != k.killer1 and k.counter != k.killer2 and usable_quiet(k, k.counter):
                return k.counter
        elif k.stage == STAGE_QUIET_START:
            k.end = generate(k.p, k.moves, False)
            k.next = 0
            for i in range(k.end):
                k.scores[i] = quiet_history(k.h, k.p, k.ss, k.moves[i])
            k.stage = STAGE_QUIETS
        elif k.stage == STAGE_QUIETS:
            while k.next < k.end:
                if unsorted:  # only the checks among them will be tried: no matter in which order
                    mv = k.moves[k.next]
                    k.next += 1
                else:
                    mv = pick_best(k)
                k.history = k.scores[k.next - 1]
                if mv != k.table_move and mv != k.killer1 and mv != k.killer2 and mv != k.counter:
                    return mv
            k.stage = STAGE_BAD_CAPTURES
        elif k.stage == STAGE_BAD_CAPTURES:
            if k.bad_next < k.bad_count:
                k.bad_next += 1
                return k.bad[k.bad_next - 1]
            k.stage = STAGE_DONE
        elif k.stage == STAGE_CHECKS:
            if k.next < k.end:
                k.next += 1
                return k.moves[k.next - 1]
            return 0
        elif k.stage == STAGE_EVASION_START:
            k.end = generate(k.p, k.moves, True)
            for i in range(k.end):
                k.scores[i] = (1 << 20) + capture_score(k, k.moves[i])
            k.next = k.end
            k.end += generate(k.p, k.moves + k.end, False)
            for i in range(k.next, k.end):
                k.scores[i] = quiet_history(k.h, k.p, k.ss, k.moves[i])
            k.next = 0
            k.stage = STAGE_EVASIONS
        elif k.stage == STAGE_EVASIONS:
            while k.next < k.end:
                mv = pick_best(k)
                if mv != k.table_move:
                    return mv
            k.stage = STAGE_DONE
        else:
            return 0
