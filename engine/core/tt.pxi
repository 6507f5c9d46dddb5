# The transposition table: clusters of four entries, each a cache line, shared by all threads without locks.
#
# An entry is two words: the key xor the data, and the data. If two threads write the same entry at once, the words do
# not match, and the entry fails its checksum.

cdef enum:
    BOUND_NONE = 0
    BOUND_UPPER = 1
    BOUND_LOWER = 2
    BOUND_EXACT = 3
    WAS_PV = 4  # the last byte: two bits of bound, this one, and the age
    AGE_STEP = 8
    AGE_SHIFT = 59
    AGES = 32
    AGE_WORTH = 8  # plies of depth that an entry loses with every search since
    PV_WORTH = 2  # plies of depth that an entry of a principal variation is worth more
    NO_EVAL = -32000

cdef struct TTEntry:
    u64 check
    u64 data  # mv 16, score 16, evaluation 16, depth 8, then bound 2, principal variation 1, age 5

cdef struct TranspositionTable:
    TTEntry* entries
    u64 clusters  # of four entries
    u8 age

cdef struct TTData:
    u16 mv
    Score score
    Score evaluation
    Depth depth
    int bound
    bint pv


cdef inline TTEntry* first_entry(TranspositionTable* tt, u64 key) noexcept nogil:
    # the high half of the key, scaled to the number of clusters: the size need not be a power of two
    return tt.entries + 4 * ((key >> 32) * tt.clusters >> 32)


cdef inline bint probe_tt(TranspositionTable* tt, u64 key, TTData* found) noexcept nogil:
    cdef TTEntry* entry = first_entry(tt, key)
    cdef u64 data
    cdef int i
    for i in range(4):
        data = entry[i].data
        if (entry[i].check ^ data) == key and data:
            found.mv = <u16>data
            found.score = <int16_t>(data >> 16)
            found.evaluation = <int16_t>(data >> 32)
            found.depth = <int8_t>(data >> 48)
            found.bound = data >> 56 & 3
            found.pv = (data >> 56 & WAS_PV) != 0
            return True
    found.mv = 0
    found.bound = BOUND_NONE
    found.depth = -100
    found.evaluation = NO_EVAL
    found.score = 0
    found.pv = False
    return False


cdef inline int age_of(TranspositionTable* tt, u64 data) noexcept nogil:
    # searches since the entry was written
    return (tt.age // AGE_STEP - <int>(data >> AGE_SHIFT)) & (AGES - 1)


cdef inline void store_tt(TranspositionTable* tt, u64 key, u16 mv, Score score, Score evaluation, Depth depth,
                          int bound, bint pv) noexcept nogil:
    cdef TTEntry* cluster = first_entry(tt, key)
    cdef TTEntry* victim = cluster
    cdef u64 data
    cdef int i, worth, least = 1 << 20
    for i in range(4):
        data = cluster[i].data
        if (cluster[i].check ^ data) == key:
            victim = &cluster[i]
            if not mv:
                mv = <u16>data
            # keep a deeper result of this search, unless the new one is exact
            if bound != BOUND_EXACT and depth + 4 + PV_WORTH * pv < <int8_t>(data >> 48) and not age_of(tt, data):
                return
            break
        worth = <int8_t>(data >> 48) - AGE_WORTH * age_of(tt, data)
        if not data:
            worth = -1000
        if worth < least:
            least = worth
            victim = &cluster[i]
    data = (<u64>mv | <u64><u16>score << 16 | <u64><u16>evaluation << 32
            | <u64><u8>depth << 48 | <u64>(tt.age | bound | WAS_PV * pv) << 56)
    victim.data = data
    victim.check = key ^ data


cdef int hashfull(TranspositionTable* tt) noexcept nogil:
    # how full this search has made the table, in thousandths, from a sample
    cdef u64 i, n = 250 if tt.clusters >= 250 else tt.clusters
    cdef int used = 0, j
    for i in range(n):
        for j in range(4):
            if tt.entries[4 * i + j].data and not age_of(tt, tt.entries[4 * i + j].data):
                used += 1
    return <int>(used * 1000 // (4 * n)) if n else 0
