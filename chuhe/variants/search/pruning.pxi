# Forward pruning and reductions: with them the search is no longer exact minimax.

from libc.math cimport log

cdef enum:  # margins of the forward pruning, in the evaluation's centipawns and in plies
    REVERSE_FUTILITY_DEPTH = 6
    REVERSE_FUTILITY_MARGIN = 80
    PASS_DEPTH = 3
    PASS_REDUCTION = 3
    FUTILITY_DEPTH = 4
    FUTILITY_MARGIN = 110
    LATE_MOVES_DEPTH = 4
    LATE_MOVES_BASE = 4
    REDUCED_DEPTH = 3
    REDUCED_HISTORY = 6000  # this much history changes a reduction by a ply
    UNKNOWN_DEPTH = 5  # from this depth on, a node without a tt move is searched a ply shallower
    LOSING_CAPTURES_DEPTH = 3

cdef int reductions[64][64]


cdef void fill_reductions() noexcept:
    cdef int depth, number
    for depth in range(1, 64):
        for number in range(1, 64):
            reductions[depth][number] = <int>(0.4 + log(<double>depth) * log(<double>number) / 2.2)


fill_reductions()


cdef bint pruned_by_estimate(Search search, int beta, int depth, int ply, bint may_pass, int* value) noexcept nogil:
    """Can the node be pruned? Its value is far above beta, or a null move keeps it above."""
    cdef int estimate = search.statics[ply]
    if beta <= -FAR_WIN or beta >= FAR_WIN:
        return False
    if depth <= REVERSE_FUTILITY_DEPTH and estimate - REVERSE_FUTILITY_MARGIN * depth >= beta:
        value[0] = estimate
        return True
    if not may_pass or depth < PASS_DEPTH or estimate < beta or not search.game.make_pass():
        return False
    value[0] = -node(search, -beta, 1 - beta, depth - 1 - PASS_REDUCTION - depth // 5, ply + 1, False)
    search.game.undo()
    if search.stopped:
        return True
    if value[0] >= FAR_WIN:
        value[0] = beta
    return value[0] >= beta


cdef bint is_hopeless(Search search, int alpha, int depth, int ply, int legal) noexcept nogil:
    """Can the quiet move just made, the `legal`-th of its node, be pruned?"""
    if search.game.checked():
        return False
    if depth <= LATE_MOVES_DEPTH and legal > LATE_MOVES_BASE + 2 * depth * depth:
        return True
    return depth <= FUTILITY_DEPTH and search.statics[ply] + FUTILITY_MARGIN * depth <= alpha
