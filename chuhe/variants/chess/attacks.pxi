# Which squares a piece attacks. Sliding attacks by o ^ (o - 2r): for a piece r and occupancy o this gives the squares
# up to the first blocker along one line; the other direction is computed on the reversed board.

cdef bb_t knight_attacks[64]
cdef bb_t king_attacks[64]
cdef bb_t pawn_attacks[2][64]
cdef bb_t line_file[64]
cdef bb_t line_up[64]  # the diagonal through the square that rises to the right
cdef bb_t line_down[64]
cdef uint8_t rank_attacks[8][64]  # by file, and the six inner squares of the rank

cdef key_t piece_keys[12][64]
cdef key_t castling_keys[16]
cdef key_t file_keys[8]
cdef key_t turn_key


cdef bb_t steps(int sq, int[8][2] offsets) noexcept:
    cdef bb_t found = 0
    cdef int i, file, rank
    for i in range(8):
        file, rank = (sq & 7) + offsets[i][0], (sq >> 3) + offsets[i][1]
        if 0 <= file < 8 and 0 <= rank < 8:
            found |= <bb_t>1 << (8 * rank + file)
    return found


cdef bb_t full_line(int sq, int file_step, int rank_step) noexcept:
    """The line through sq, without sq."""
    cdef bb_t found = 0
    cdef int direction, file, rank
    for direction in (1, -1):
        file, rank = (sq & 7) + direction * file_step, (sq >> 3) + direction * rank_step
        while 0 <= file < 8 and 0 <= rank < 8:
            found |= <bb_t>1 << (8 * rank + file)
            file += direction * file_step
            rank += direction * rank_step
    return found


cdef key_t next_key(key_t* state) noexcept:
    """A pseudo-random sequence (xorshift multiply): the same keys in every process."""
    state[0] ^= state[0] >> 12
    state[0] ^= state[0] << 25
    state[0] ^= state[0] >> 27
    return state[0] * <key_t>0x2545F4914F6CDD1D


cdef void fill_attacks() noexcept:
    cdef int[8][2] leaps = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]]
    cdef int[8][2] neighbours = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]]
    cdef int sq, file, inner, other
    cdef key_t state = 0x9E3779B97F4A7C15
    cdef bb_t one
    global turn_key
    for sq in range(64):
        one = <bb_t>1 << sq
        knight_attacks[sq] = steps(sq, leaps)
        king_attacks[sq] = steps(sq, neighbours)
        pawn_attacks[WHITE][sq] = (one & ~FILE_A) << 7 | (one & ~FILE_H) << 9
        pawn_attacks[BLACK][sq] = (one & ~FILE_A) >> 9 | (one & ~FILE_H) >> 7
        line_file[sq], line_up[sq], line_down[sq] = full_line(sq, 0, 1), full_line(sq, 1, 1), full_line(sq, 1, -1)
        for file in range(12):
            piece_keys[file][sq] = next_key(&state)
    for file in range(8):
        file_keys[file] = next_key(&state)
        for inner in range(64):
            rank_attacks[file][inner] = 0
            for other in range(file + 1, 8):
                rank_attacks[file][inner] |= 1 << other
                if (inner << 1) >> other & 1:
                    break
            for other in range(file - 1, -1, -1):
                rank_attacks[file][inner] |= 1 << other
                if (inner << 1) >> other & 1:
                    break
    for file in range(16):
        castling_keys[file] = next_key(&state)
    turn_key = next_key(&state)


cdef inline bb_t slide(int sq, bb_t occupied, bb_t line) noexcept nogil:
    cdef bb_t one = <bb_t>1 << sq
    cdef bb_t forward = occupied & line
    cdef bb_t backward = swapped(forward)
    forward -= one
    backward -= swapped(one)
    return (forward ^ swapped(backward)) & line


cdef inline bb_t bishop_attacks(int sq, bb_t occupied) noexcept nogil:
    return slide(sq, occupied, line_up[sq]) | slide(sq, occupied, line_down[sq])


cdef inline bb_t rook_attacks(int sq, bb_t occupied) noexcept nogil:
    cdef int rank = sq & 56
    return slide(sq, occupied, line_file[sq]) | <bb_t>rank_attacks[sq & 7][(occupied >> rank) >> 1 & 63] << rank


cdef inline bb_t attacks_of(int kind, int sq, bb_t occupied) noexcept nogil:
    """The squares attacked by a piece other than a pawn."""
    if kind == KNIGHT:
        return knight_attacks[sq]
    if kind == BISHOP:
        return bishop_attacks(sq, occupied)
    if kind == ROOK:
        return rook_attacks(sq, occupied)
    if kind == QUEEN:
        return bishop_attacks(sq, occupied) | rook_attacks(sq, occupied)
    return king_attacks[sq]
