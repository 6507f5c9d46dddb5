# How the search uses the tablebases.

cdef enum:
    NO_HIT = 0
    EXACT_HIT = 1
    DOUBTFUL_HIT = 2  # won or lost by the table, but possibly not before the move limit


cdef int probe_in_search(Worker* w, Ply ply, Score* score) noexcept nogil:
    # the score of a position found in a table. Tables ignore the move limit: a mate that may come too late does not get
    # a mate score, but a nearer one still scores better
    cdef Pos* p = &w.pos
    cdef int code = probe_tablebases(w.tablebases, p), plies = code - 1
    if code < 0:
        return NO_HIT
    w.tbhits += 1
    if code == 0:
        score[0] = w.draw[p.side]
        return EXACT_HIT
    if w.settings.move_limit and p.half_move_clock + plies >= w.settings.move_limit:
        score[0] = EVAL_BOUND // 2 - plies if plies & 1 else plies - EVAL_BOUND // 2
        return DOUBTFUL_HIT
    score[0] = MATE - ply - plies if plies & 1 else ply + plies - MATE
    return EXACT_HIT
