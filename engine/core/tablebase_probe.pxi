# Probing: all open tables, found by material, from any position. Without the GIL, without a lock.

cdef enum:
    UNKNOWN = -1
    SLOTS = 8192  # more than twice as many as there are endgames

cdef struct Tablebase:
    Endgame endgame
    u32[2] material  # piece counts of attacker and defender, four bits for each kind
    Section[2] section  # [0]: attacker to move
    bint damaged  # a block with a wrong checksum has been read

cdef struct TablebaseSet:
    int count
    Tablebase* tablebases
    u16[SLOTS] slots  # the table's number, from 1; 0: empty


cdef inline u32 slot_of(u32 attacker, u32 defender) noexcept nogil:
    return ((attacker * <u32>0x9E3779B1) ^ (defender * <u32>0x85EBCA77)) >> 19


cdef inline Tablebase* tablebase_for(TablebaseSet* set_, u32 attacker, u32 defender) noexcept nogil:
    cdef u32 slot = slot_of(attacker, defender)
    cdef Tablebase* table
    while set_.slots[slot]:
        table = &set_.tablebases[set_.slots[slot] - 1]
        if table.material[0] == attacker and table.material[1] == defender:
            return table
        slot = (slot + 1) & (SLOTS - 1)
    return NULL


cdef int probe_tablebases(TablebaseSet* set_, Pos* p) noexcept nogil:
    # the code for the side to move, or UNKNOWN or DAMAGED
    cdef bint red = p.count[0] >= ONE[K_KNIGHT], black = p.count[1] >= ONE[K_KNIGHT]
    cdef int attacker = 0 if red else 1
    cdef Tablebase* table
    cdef int64_t index
    cdef int code
    if red == black:
        return UNKNOWN if red else 0  # neither side can attack: drawn
    table = tablebase_for(set_, p.count[attacker], p.count[attacker ^ 1])
    if table == NULL:
        return UNKNOWN
    index = index_in(&table.endgame, p, attacker)
    if index == NO_INDEX:
        return UNKNOWN
    code = decode(&table.section[p.side ^ attacker], index)
    if code == DAMAGED:
        table.damaged = True  # any thread may write this; none ever writes False
    return code


cdef inline int code_after(TablebaseSet* set_, Pos* p, u16 mv) noexcept nogil:
    # the code of the position after the move, from the side that is then to move
    cdef int code
    do_move(p, mv)
    code = probe_tablebases(set_, p)
    undo_move(p)
    return code


cdef inline int rating(int code) noexcept nogil:
    # rank of a move, from the code of the position after it: a quick win is best, then a draw, then a slow loss
    if code == 0:
        return 0
    return (1 << 20) - code if code & 1 else code - (1 << 20)


cdef u16 best_by_tablebases(TablebaseSet* set_, Pos* p) noexcept nogil:
    # the first of the moves that the tables rate highest; 0 if there are no moves, or if one is unknown
    cdef u16[MAX_MOVES] moves
    cdef u16 best = 0
    cdef int n = generate_legal(p, moves), i, code, most = 0
    for i in range(n):
        code = code_after(set_, p, moves[i])
        if code < 0:
            return 0
        if not best or rating(code) > most:
            best = moves[i]
            most = rating(code)
    return best
