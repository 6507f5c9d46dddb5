# The transposition table: two entries per bucket, the deeper one and the newest one.

cdef enum:  # bounds
    UPPER = 1
    LOWER = 2
    EXACT = 3


cdef HashEntry* probe(Search search, key_t key) noexcept nogil:
    cdef HashEntry* bucket = search.tt + 2 * (key % search.buckets)
    if bucket[0].bound and bucket[0].key == key:
        return &bucket[0]
    if bucket[1].bound and bucket[1].key == key:
        return &bucket[1]
    return NULL


cdef void store(Search search, key_t key, move_t mv, int value, int depth, int bound, int ply) noexcept nogil:
    """Replace the first entry if it is older, shallower or the same position, else the second."""
    cdef HashEntry* entry = search.tt + 2 * (key % search.buckets)
    if entry.bound and entry.key != key and entry.age == search.age and entry.depth > depth:
        entry += 1
    if search.game.counts_plies:
        if value >= FAR_WIN:
            value += ply
        elif value <= -FAR_WIN:
            value -= ply
    entry.key, entry.mv, entry.value = key, mv, value
    entry.depth, entry.bound, entry.age = depth, bound, search.age


cdef int from_tt(Search search, int value, int ply) noexcept nogil:
    if search.game.counts_plies:
        if value >= FAR_WIN:
            return value - ply
        if value <= -FAR_WIN:
            return value + ply
    return value
