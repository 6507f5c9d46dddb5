# The evaluation's gradient for the tuner: how often each tunable counts in a position.
#
# Computed numerically: a tunable is raised by one, and the change of each side's sum is its count. This needs no
# knowledge of the terms, so a new term can be tuned as soon as it has rows in the table.

cdef struct Triples:
    # a growing list of (position, index in the table, count)
    int32_t* data
    Py_ssize_t used
    Py_ssize_t capacity


cdef int add_triple(Triples* t, int position, int index, int count) except -1:
    cdef int32_t* grown
    if t.used + 3 > t.capacity:
        grown = <int32_t*>realloc(t.data, 2 * (t.capacity + 4096) * sizeof(int32_t))
        if grown == NULL:
            raise MemoryError("no memory for the evaluation's features")
        t.data = grown
        t.capacity = 2 * (t.capacity + 4096)
    t.data[t.used] = position
    t.data[t.used + 1] = index
    t.data[t.used + 2] = count
    t.used += 3
    return 0


cdef int32_t packed_evaluation(Pos* p, const Params* params) noexcept nogil:
    # both phases from Red's side, before tapering and scaling
    cdef int32_t[2][TERM_COUNT] terms
    cdef Count[2] n
    cdef int32_t sum = square_sum(p, params)
    cdef int i
    memset(terms, 0, sizeof(terms))
    count_pieces(p, 0, &n[0])
    count_pieces(p, 1, &n[1])
    eval_side(p, params, 0, &n[0], &n[1], terms[0])
    eval_side(p, params, 1, &n[1], &n[0], terms[1])
    for i in range(TERM_COUNT):
        sum += terms[0][i] - terms[1][i]
    return sum + (-params.tempo if p.side else params.tempo)


cdef int chances(Pos* p, Score score) noexcept nogil:
    # the share of the score that evaluate() counts, in 16ths
    cdef Count[2] n
    cdef int strong = 0 if score > 0 else 1
    count_pieces(p, 0, &n[0])
    count_pieces(p, 1, &n[1])
    return winning_chances(&n[strong], &n[strong ^ 1])


cdef int add_pieces(Triples* t, Pos* p, int position) except -1:
    # strengths and piece-square values: their counts are the pieces on the board
    cdef int pc, sq, sign, rank, file
    for pc in range(16, 48):
        sq = p.sq[pc]
        if not sq:
            continue
        sign = 1 if pc < 32 else -1
        rank = rank_of(sq) if pc < 32 else 9 - rank_of(sq)
        file = file_of(sq)
        add_triple(t, position, MATERIAL_MG + KIND[pc], sign)
        add_triple(t, position, PST_KING_MG + 100 * KIND[pc] + 5 * rank + (file if file < 5 else 8 - file), sign)
    return 0


def evaluation_features(positions, indices, numbers):
    """How often each middle-game tunable counts in each position, from Red's side.

    `indices` are the middle-game tunables other than material and piece-square values; each end-game counterpart counts
    as often. `numbers` are the values of all tunables. Returns two buffers of int32: triples (position, index, count),
    and four numbers for each position: its phase (0-32), the 16ths of its score that count, its middle-game sum and its
    end-game sum.
    """
    cdef list boards = list(positions)
    cdef Triples t = Triples(NULL, 0, 0)
    cdef Py_ssize_t i, count = len(boards)
    cdef int index, score, phase
    cdef Params params
    cdef Pos** where = <Pos**>malloc((count + 1) * sizeof(Pos*))
    cdef int32_t* base = <int32_t*>malloc((count + 1) * sizeof(int32_t))
    cdef int32_t* about = <int32_t*>malloc(4 * (count + 1) * sizeof(int32_t))
    try:
        read_params(&params, numbers)
        if where == NULL or base == NULL or about == NULL:
            raise MemoryError("no memory for the evaluation's features")
        for i in range(count):
            where[i] = &(<Board?>boards[i]).pos
            base[i] = packed_evaluation(where[i], &params)
            score = tapered(where[i], base[i])
            phase = where[i].phase
            about[4 * i] = phase if phase < PHASE_FULL else PHASE_FULL
            about[4 * i + 1] = chances(where[i], score)
            about[4 * i + 2] = mg_of(base[i])
            about[4 * i + 3] = eg_of(base[i])
            add_pieces(&t, where[i], i)
        for number in indices:
            index = number
            if not 0 <= index < TUNABLE_COUNT:
                raise IndexError(f"the core has {TUNABLE_COUNT} tunables; there is no index {index}")
            params.number[index] += 1
            derive_params(&params)
            for i in range(count):
                score = packed_evaluation(where[i], &params) - base[i]
                if score:
                    add_triple(&t, i, index, score)
            params.number[index] -= 1
        return (<char*>t.data)[:t.used * sizeof(int32_t)], (<char*>about)[:4 * count * sizeof(int32_t)]
    finally:
        free(t.data)
        free(where)
        free(base)
        free(about)
