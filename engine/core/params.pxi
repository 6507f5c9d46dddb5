# The tunable numbers of a Searcher, and what is computed from them. Defaults and bounds: engine/tunables.txt.

from libc.math cimport log

cdef enum:
    PLY = 1024  # reductions are in 1024ths of a ply
    REDUCTION_ROWS = 64  # depths and move counts beyond the last row use the last row

cdef struct Params:
    int32_t[TUNABLE_COUNT] number  # [MATERIAL_MG] and so on
    int[REDUCTION_ROWS][REDUCTION_ROWS] reductions  # [depth][moves tried]
    # middle game and end game packed, for the hand-crafted evaluation
    int32_t[14][256] psq  # [PIECE[pc]][sq], strength included, from Red's side
    int32_t[7] material
    int32_t[9] mobility_knight
    int32_t[18] mobility_rook
    int32_t[18] mobility_cannon
    int32_t[7][7] threats  # [attacker's kind][victim's kind]
    int32_t[3] control
    int32_t[24] king_danger
    int32_t[4] cannon_file
    int32_t[4] cannon_rank
    int32_t cannon_bottom
    int32_t[3] rook_file
    int32_t rook_open
    int32_t linked_knights
    int32_t linked_pawns
    int32_t[9] defence
    int32_t[3][3] against_advisors  # [knight, rook, cannon][advisors]
    int32_t[3] against_elephants
    int32_t tempo

cdef Params DEFAULT_PARAMS


cdef inline int32_t pack(int mg, int eg) noexcept nogil:
    return eg * 65536 + mg


cdef inline int mg_of(int32_t packed) noexcept nogil:
    return <int16_t>(packed & 0xFFFF)


cdef inline int eg_of(int32_t packed) noexcept nogil:
    return <int16_t>((packed + 0x8000) >> 16)


cdef inline void pack_rows(int32_t* out, const int32_t* number, int mg, int eg, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        out[i] = pack(number[mg + i], number[eg + i])


cdef void derive_params(Params* all) noexcept nogil:
    # compute everything from the numbers
    cdef const int32_t* number = all.number
    cdef int kind, file, rank, i, depth, count
    cdef int32_t value
    cdef double scale = <double>PLY * PLY / number[LMR_DIVISOR]
    for depth in range(1, REDUCTION_ROWS):
        for count in range(1, REDUCTION_ROWS):
            all.reductions[depth][count] = <int>(number[LMR_BASE] + scale * log(depth) * log(count))
    pack_rows(all.material, number, MATERIAL_MG, MATERIAL_EG, 7)
    for kind in range(7):
        for rank in range(10):
            for file in range(9):
                i = rank * 5 + (file if file < 5 else 8 - file) + kind * 100
                value = all.material[kind] + pack(number[PST_KING_MG + i], number[PST_KING_EG + i])
                all.psq[kind][to256(9 * rank + file)] = value
                all.psq[kind + 7][to256(9 * (9 - rank) + file)] = -value
    pack_rows(all.mobility_knight, number, MOBILITY_KNIGHT_MG, MOBILITY_KNIGHT_EG, 9)
    pack_rows(all.mobility_rook, number, MOBILITY_ROOK_MG, MOBILITY_ROOK_EG, 18)
    pack_rows(all.mobility_cannon, number, MOBILITY_CANNON_MG, MOBILITY_CANNON_EG, 18)
    pack_rows(all.threats[K_ROOK], number, THREAT_ROOK_MG, THREAT_ROOK_EG, 7)
    pack_rows(all.threats[K_KNIGHT], number, THREAT_KNIGHT_MG, THREAT_KNIGHT_EG, 7)
    pack_rows(all.threats[K_CANNON], number, THREAT_CANNON_MG, THREAT_CANNON_EG, 7)
    pack_rows(all.threats[K_PAWN], number, THREAT_PAWN_MG, THREAT_PAWN_EG, 7)
    pack_rows(all.control, number, CONTROL_MG, CONTROL_EG, 3)
    pack_rows(all.king_danger, number, KING_DANGER_MG, KING_DANGER_EG, 24)
    pack_rows(all.cannon_file, number, CANNON_FILE_MG, CANNON_FILE_EG, 4)
    pack_rows(all.cannon_rank, number, CANNON_RANK_MG, CANNON_RANK_EG, 4)
    pack_rows(&all.cannon_bottom, number, CANNON_BOTTOM_MG, CANNON_BOTTOM_EG, 1)
    pack_rows(all.rook_file, number, ROOK_FILE_MG, ROOK_FILE_EG, 3)
    pack_rows(&all.rook_open, number, ROOK_OPEN_MG, ROOK_OPEN_EG, 1)
    pack_rows(&all.linked_knights, number, LINKED_KNIGHTS_MG, LINKED_KNIGHTS_EG, 1)
    pack_rows(&all.linked_pawns, number, LINKED_PAWNS_MG, LINKED_PAWNS_EG, 1)
    pack_rows(all.defence, number, DEFENCE_MG, DEFENCE_EG, 9)
    pack_rows(all.against_advisors[0], number, ADVISORS_KNIGHT_MG, ADVISORS_KNIGHT_EG, 3)
    pack_rows(all.against_advisors[1], number, ADVISORS_ROOK_MG, ADVISORS_ROOK_EG, 3)
    pack_rows(all.against_advisors[2], number, ADVISORS_CANNON_MG, ADVISORS_CANNON_EG, 3)
    pack_rows(all.against_elephants, number, ELEPHANTS_CANNON_MG, ELEPHANTS_CANNON_EG, 3)
    pack_rows(&all.tempo, number, TEMPO_MG, TEMPO_EG, 1)


cdef void init_params() noexcept nogil:
    memcpy(DEFAULT_PARAMS.number, DEFAULT_NUMBERS, sizeof(DEFAULT_NUMBERS))
    derive_params(&DEFAULT_PARAMS)


cdef int read_params(Params* all, values) except -1:
    # from a Python list; ValueError changes nothing
    cdef list numbers = list(values)
    if len(numbers) != TUNABLE_COUNT:
        raise ValueError(f"the core has {TUNABLE_COUNT} tunables, not {len(numbers)}")
    cdef int32_t[TUNABLE_COUNT] fresh = [int(value) for value in numbers]
    memcpy(all.number, fresh, sizeof(fresh))
    derive_params(all)
    return 0
