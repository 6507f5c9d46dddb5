# One thread of a search: its state, its stopping conditions, its score ranges.

from cpython.pythread cimport (
    WAIT_LOCK, NOWAIT_LOCK, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock,
    PyThread_type_lock,
)

cdef extern from "platform.h":
    int64_t now_us "chuhe_now"() noexcept nogil
    int load "chuhe_load"(int* x) noexcept nogil
    void save "chuhe_save"(int* x, int value) noexcept nogil
    int64_t load64 "chuhe_load64"(int64_t* x) noexcept nogil
    void save64 "chuhe_save64"(int64_t* x, int64_t value) noexcept nogil
    int observe "chuhe_observe"(int* x) noexcept nogil  # sees all that was written before the value was published
    void publish "chuhe_publish"(int* x, int value) noexcept nogil
    void give_way "chuhe_give_way"() noexcept nogil  # gives this thread the lowest priority, where supported

cdef enum:
    INFINITE = 32000
    MATE = 31000  # mate in n plies is MATE - n
    MATE_BOUND = MATE - 2000  # endgame tables have mates longer than any search reaches
    RULE = 28000  # won or lost by the law of repetition, n plies from the root: RULE - n. Never stored, never a mate
    RULE_BOUND = RULE - 2 * MAX_PLY
    EVAL_BOUND = 20000
    CHECK_EVERY = 256  # nodes between two checks of the clock
    FIRST_LOOK = 20000  # nodes for the first iteration regardless of the limits, so that every move is looked at
    MAX_WORKERS = 256
    STACK_BELOW = 8  # stack entries before the root, so that a node can look back
    STACK_ABOVE = 8
    MAX_DEPTH = MAX_PLY - 9  # of an iteration
    LIMIT_MARGIN = 20  # plies before the move limit within which the TT is not used
    NO_LIMIT = 1 << 30

cdef enum:
    PRUNE_NONE = 0
    PRUNE_SMALL = 1  # null move and reverse futility
    PRUNE_MEDIUM = 2  # also futility, late-move pruning, static exchange
    PRUNE_LARGE = 3  # also razoring, ProbCut, history

cdef struct Worker  # defined below

cdef struct SearchLimits:
    # when a search ends; 0: no limit
    Depth depth
    u64 nodes
    int mate  # moves
    int64_t soft  # milliseconds from its beginning or the ponderhit, as are those of `hard`
    int64_t hard

cdef struct SearchSettings:
    # how a search is done
    int multipv
    int knowledge
    int pruning
    int breadth
    int law
    int occurrences  # of a position in the game, before the cycle is judged
    int move_limit  # plies
    Score draw  # for the side to move at the root
    Score noise
    u64 noise_seed
    bint crowded  # more threads than processors: helpers run at lower priority

cdef struct Control:
    # one search, shared by all its threads
    int stop  # all threads return
    int asked  # `stop` was called: the search ends as soon as it has a move
    int pondering
    int64_t began  # microseconds, as now_us(): when `begin` was called
    int64_t clock  # start of the limits below: `began`, or the ponderhit, which is published through `pondering`
    SearchLimits limits
    u64 node_goal  # no new iteration after this many nodes; 0: no goal
    int workers
    Worker** worker

cdef struct RootMove:
    u16 mv
    Score score
    Score previous
    Score average
    int bound
    Ply seldepth
    int pv_length
    u64 nodes
    u16[MAX_PLY] pv

cdef struct Worker:
    Pos pos
    TranspositionTable* tt
    TablebaseSet* tablebases  # endgame tables; NULL: none
    Control* control
    Histories* histories
    Params params  # its own copy, which is nearer than the searcher's
    int id
    PyThread_type_lock gate  # a helper waits here until all have started
    PyThread_type_lock done  # released when a helper has returned
    bint entered  # the helper has begun; read and written under the GIL
    u64 nodes
    u64 tbhits  # endgame table hits
    int countdown
    Ply root_ply
    Depth root_depth
    Depth completed
    Ply seldepth
    Ply null_floor  # no null move above this ply during a verification search
    int pv_index
    int root_count
    double changes  # how often the best move has changed recently
    SearchSettings settings
    Score[2] draw  # for each side
    int damp_from  # plies without a capture after which a lead begins to count less
    int damp_span  # plies after which it would count nothing
    int trust_below  # plies without a capture from which the TT is not used: its key does not include the move limit
    void* reporter
    Net* net  # NULL: the hand-crafted evaluation
    Accumulators accumulators
    RootMove[MAX_MOVES] root
    Stack[STACK_BELOW + MAX_PLY + STACK_ABOVE] stack
    int[MAX_PLY + 2] pv_length
    u16[MAX_PLY + 2][MAX_PLY + 2] pv


cdef inline Score score_to_tt(Score score, Ply ply) noexcept nogil:
    if score >= MATE_BOUND:
        return score + ply
    if score <= -MATE_BOUND:
        return score - ply
    return score


cdef inline Score score_from_tt(Score score, Ply ply) noexcept nogil:
    if score >= MATE_BOUND:
        return score - ply
    if score <= -MATE_BOUND:
        return score + ply
    return score


cdef inline bint by_rule(Score score) noexcept nogil:
    return RULE_BOUND <= score < MATE_BOUND or -MATE_BOUND < score <= -RULE_BOUND


cdef inline Score blended(Score score, Score beta, Depth depth) noexcept nogil:
    # a score that failed high, between itself and beta: the shallower the search, the nearer to beta. Not a proven one
    return (score * depth + beta) // (depth + 1) if score < RULE_BOUND and beta > -RULE_BOUND else score


cdef void check_time(Worker* w) noexcept nogil:
    # is the time or the node budget used up?
    cdef Control* c = w.control
    cdef int64_t limit
    w.countdown = CHECK_EVERY
    if w.root_depth == 1 and w.nodes < FIRST_LOOK:
        return
    if load(&c.asked):
        save(&c.stop, 1)
    if c.limits.nodes:
        if c.limits.nodes <= w.nodes:
            save(&c.stop, 1)
        elif c.limits.nodes - w.nodes < CHECK_EVERY:
            w.countdown = <int>(c.limits.nodes - w.nodes)
    # every worker checks the clock: the first may be waiting for a processor
    if c.limits.hard and not observe(&c.pondering):
        # an iteration that was begun while pondering may be a long one
        limit = c.limits.soft if c.limits.soft and c.clock != c.began else c.limits.hard
        if now_us() - c.clock >= limit * 1000:
            save(&c.stop, 1)


cdef Score static_score(Worker* w) noexcept nogil:
    cdef Score score
    cdef u64 word
    if w.net != NULL and w.settings.knowledge == KNOWLEDGE_LARGE:
        score = network_score(w.net, &w.pos, &w.accumulators, w.pos.ply - w.root_ply)
    else:
        score = evaluate(&w.pos, &w.params, w.settings.knowledge)
    if w.settings.noise:
        word = (w.pos.key ^ w.settings.noise_seed) * <u64>0x9E3779B97F4A7C15
        score += <int>(word >> 33) % (2 * w.settings.noise + 1) - w.settings.noise
    return max(-EVAL_BOUND, min(EVAL_BOUND, score))


cdef inline Score damped(Worker* w, Score score) noexcept nogil:
    # a lead counts less the nearer the move limit is. Not part of static_score(): the TT stores that one
    cdef int past = w.pos.half_move_clock - w.damp_from
    return score if past <= 0 else score * (w.damp_span - past) // w.damp_span


cdef void use_settings(Worker* w, const SearchSettings* settings) noexcept nogil:
    cdef int plies = settings.move_limit
    cdef const int32_t* params = w.params.number
    w.settings = settings[0]
    w.draw[w.pos.side] = settings.draw
    w.draw[w.pos.side ^ 1] = -settings.draw
    w.trust_below = plies - LIMIT_MARGIN if plies else NO_LIMIT
    w.damp_from = plies * params[DAMP_FROM] // 100 if plies else NO_LIMIT
    w.damp_span = max(plies - w.damp_from, plies * params[DAMP_SPAN] // 100)


cdef inline bint ended_by_rule(Worker* w, Ply ply, Score* score) noexcept nogil:
    # is the game over under the law here? Not tested: checkmate and stalemate
    cdef Pos* p = &w.pos
    cdef Verdict verdict
    if rule_ending(p, w.settings.law, w.settings.occurrences, w.root_ply, w.settings.move_limit, True,
                   &verdict) == END_NONE:
        return False
    score[0] = w.draw[p.side] if verdict.loser < 0 else ply - RULE if verdict.loser == p.side else RULE - ply
    return True


cdef inline int exchange_of(const int32_t* params, int margin) noexcept nogil:
    # a difference of evaluations in the values of static exchange, which are smaller
    return margin * params[EXCHANGE_SHARE] // 100


cdef inline Score worth(Worker* w, Square sq) noexcept nogil:
    # what the evaluation loses if the piece on this square is captured
    cdef int pc = w.pos.board[sq], value = tapered(&w.pos, w.params.psq[PIECE[pc]][sq])
    return value if pc < 32 else -value


cdef inline void update_pv(Worker* w, Ply ply, u16 mv) noexcept nogil:
    cdef int n = w.pv_length[ply + 1]
    w.pv[ply][0] = mv
    memcpy(&w.pv[ply][1], &w.pv[ply + 1][0], n * sizeof(u16))
    w.pv_length[ply] = n + 1


cdef inline void fetch_ahead(Worker* w, u16 mv) noexcept nogil:
    # prefetch the TT cluster of the position after the move
    prefetch(first_entry(w.tt, key_after(&w.pos, mv)))


cdef inline void push_move(Worker* w, Stack* ss, u16 mv, bint gives_check) noexcept nogil:
    ss.move = mv
    ss.piece_square = piece_square(&w.pos, mv)
    note_move(w.net, &w.accumulators.changes[w.pos.ply + 1 - w.root_ply], &w.pos, mv)
    make(&w.pos, mv, gives_check)
    w.nodes += 1


cdef inline void push_null(Worker* w, Stack* ss) noexcept nogil:
    ss.move = 0
    ss.piece_square = -1
    note_null(&w.accumulators.changes[w.pos.ply + 1 - w.root_ply])
    make_null(&w.pos)
