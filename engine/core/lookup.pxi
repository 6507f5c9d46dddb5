# Constant tables, filled once at import.

cdef enum:
    PHASE_FULL = 32
    PHASE_ROOK = 4  # what a piece adds to the phase; both sides' together make 32
    PHASE_MINOR = 2  # a knight or a cannon

# [file or rank][occupied]: bits 0-9 what a rook there reaches, bits 16-25 what a cannon there can capture
cdef u32[9][512] ROW_LINES
cdef u32[10][1024] COL_LINES
cdef u16[10][10] BETWEEN  # the bits strictly between two points of a line
cdef u8[1024] POP  # number of bits set
cdef u8[49] KIND
cdef u32[7] ONE  # one of a kind, in Pos.count
cdef u8[49] PIECE  # the kind, plus 7 for Black
cdef u8[256] HOME  # bit 0: Red's half, bit 1: Black's half; 0: off the board
cdef u8[256] IN_PALACE
cdef u8[256][5] KING_TO  # lists end with 0
cdef u8[256][5] ADVISOR_TO
cdef u8[256][5] BISHOP_TO
cdef u8[2][256][4] PAWN_TO
cdef int8_t[512] KNIGHT_LEG  # [dst - src + 256]: offset from the knight's square to its leg; 0: not a knight's move

cdef int[7] PHASE = [0, 0, 0, PHASE_MINOR, PHASE_ROOK, PHASE_MINOR, 0]


cdef bint in_palace(int file, int rank) noexcept nogil:
    return 3 <= file <= 5 and (0 <= rank <= 2 or 7 <= rank <= 9)


cdef u32 line_targets(int at, int occupied, int length) noexcept nogil:
    cdef u32 reach = 0, take = 0
    cdef int step, i, met
    for step in range(-1, 2, 2):
        i = at + step
        met = 0
        while 0 <= i < length:
            if occupied >> i & 1:
                met += 1
                if met == 1:
                    reach |= 1 << i
                else:
                    take |= 1 << i
                    break
            elif met == 0:
                reach |= 1 << i
            i += step
    return reach | take << 16


cdef void init_lookup() noexcept nogil:
    cdef int i, j, k, sq, dst, file, rank, n, side, step
    cdef int[7] first = [S_KING, S_ADVISOR, S_BISHOP, S_KNIGHT, S_ROOK, S_CANNON, S_PAWN]
    cdef int[4] diagonal = [-17, -15, 15, 17]
    cdef int[4] straight = [-16, -1, 1, 16]
    for i in range(1024):
        POP[i] = POP[i >> 1] + (i & 1)
    for i in range(9):
        for j in range(512):
            ROW_LINES[i][j] = line_targets(i, j, 9)
    for i in range(10):
        for j in range(1024):
            COL_LINES[i][j] = line_targets(i, j, 10)
        for j in range(10):
            BETWEEN[i][j] = 0
            for k in range(min(i, j) + 1, max(i, j)):
                BETWEEN[i][j] |= 1 << k
    for k in range(7):
        ONE[k] = 1 << 4 * k
        for i in range(first[k], first[k + 1] if k < 6 else 16):
            KIND[16 + i] = KIND[32 + i] = PIECE[16 + i] = k
            PIECE[32 + i] = k + 7
    for rank in range(10):
        for file in range(9):
            sq = (rank + 3) * 16 + file + 3
            HOME[sq] = 1 if rank < 5 else 2
            IN_PALACE[sq] = in_palace(file, rank)
    for sq in range(256):
        if not HOME[sq]:
            continue
        n = 0
        for i in range(4):
            dst = sq + straight[i]
            if in_palace(file_of(sq), rank_of(sq)) and HOME[dst] == HOME[sq] and in_palace(file_of(dst), rank_of(dst)):
                KING_TO[sq][n] = dst
                n += 1
        n = 0
        for i in range(4):
            dst = sq + diagonal[i]
            if in_palace(file_of(sq), rank_of(sq)) and HOME[dst] == HOME[sq] and in_palace(file_of(dst), rank_of(dst)):
                ADVISOR_TO[sq][n] = dst
                n += 1
        n = 0
        for i in range(4):
            dst = sq + 2 * diagonal[i]
            if HOME[dst] == HOME[sq]:
                BISHOP_TO[sq][n] = dst
                n += 1
        for side in range(2):
            n = 0
            step = 16 - 32 * side
            if HOME[sq + step]:
                PAWN_TO[side][sq][n] = sq + step
                n += 1
            if HOME[sq] == 2 - side:  # across the river
                for i in range(-1, 2, 2):
                    if HOME[sq + i]:
                        PAWN_TO[side][sq][n] = sq + i
                        n += 1
    for i in range(4):
        step = straight[i]
        for j in range(-1, 2, 2):
            k = 2 * step + j * (16 if step in (-1, 1) else 1)
            KNIGHT_LEG[k + 256] = step
