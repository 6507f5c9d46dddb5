# The static value of a chess position: an opening and an endgame sum, mixed by the pieces that are left.

cdef bb_t passed_masks[2][64]  # the squares where no enemy pawn may stand
cdef bb_t beside_masks[8]  # the files next to a file


cdef void fill_masks() noexcept:
    cdef int sq, file, other, rank
    for file in range(8):
        beside_masks[file] = (FILE_A << (file - 1) if file > 0 else 0) | (FILE_A << (file + 1) if file < 7 else 0)
    for sq in range(64):
        passed_masks[WHITE][sq] = passed_masks[BLACK][sq] = 0
        for other in range(64):
            file, rank = (other & 7) - (sq & 7), (other >> 3) - (sq >> 3)
            if -1 <= file <= 1 and rank > 0:
                passed_masks[WHITE][sq] |= <bb_t>1 << other
            if -1 <= file <= 1 and rank < 0:
                passed_masks[BLACK][sq] |= <bb_t>1 << other


cdef void add_pawn_structure(Board* board, int us, int* opening, int* endgame) noexcept nogil:
    cdef bb_t own = board.pieces[6 * us + PAWN]
    cdef bb_t enemy = board.pieces[6 * (1 - us) + PAWN]
    cdef bb_t rest = own
    cdef int sq, rank
    while rest:
        sq = lowest(rest)
        rest &= rest - 1
        if not own & beside_masks[sq & 7]:
            opening[0] += ISOLATED_OPENING
            endgame[0] += ISOLATED_ENDGAME
        if own & passed_masks[us][sq] & FILE_A << (sq & 7):
            opening[0] += DOUBLED_OPENING
            endgame[0] += DOUBLED_ENDGAME
        elif not enemy & passed_masks[us][sq]:
            rank = sq >> 3 if us == WHITE else 7 - (sq >> 3)
            opening[0] += passed_opening[rank]
            endgame[0] += passed_endgame[rank]


cdef void add_pieces(Board* board, int us, int* opening, int* endgame) noexcept nogil:
    """Mobility, rooks on open files, the bishop pair, and the danger to the enemy king."""
    cdef bb_t occupied = board.side[0] | board.side[1]
    cdef bb_t pawns = board.pieces[6 * us + PAWN]
    cdef bb_t enemy_pawns = board.pieces[6 * (1 - us) + PAWN]
    cdef bb_t guarded = ((enemy_pawns & ~FILE_A) >> 9 | (enemy_pawns & ~FILE_H) >> 7) if us == WHITE else (
        (enemy_pawns & ~FILE_A) << 7 | (enemy_pawns & ~FILE_H) << 9)
    cdef bb_t zone = king_attacks[lowest(board.pieces[6 * (1 - us) + KING])]
    cdef bb_t pieces, attacks, file
    cdef int kind, sq, reach
    cdef int attackers = 0
    cdef int danger = 0
    for kind in range(KNIGHT, KING):
        pieces = board.pieces[6 * us + kind]
        while pieces:
            sq = lowest(pieces)
            pieces &= pieces - 1
            attacks = attacks_of(kind, sq, occupied)
            reach = population(attacks & ~board.side[us] & ~guarded) - mobility_base[kind]
            opening[0] += reach * mobility_opening[kind]
            endgame[0] += reach * mobility_endgame[kind]
            if attacks & zone:
                attackers += 1
                danger += danger_weight[kind] * population(attacks & zone)
            if kind == ROOK:
                file = FILE_A << (sq & 7)
                if not file & pawns:
                    opening[0] += HALF_OPEN_OPENING if file & enemy_pawns else OPEN_FILE_OPENING
                    endgame[0] += HALF_OPEN_ENDGAME if file & enemy_pawns else OPEN_FILE_ENDGAME
    if population(board.pieces[6 * us + BISHOP]) >= 2:
        opening[0] += PAIR_OPENING
        endgame[0] += PAIR_ENDGAME
    if attackers >= 2:
        opening[0] += min(danger * danger // DANGER_DIVISOR, DANGER_LIMIT)


cdef int shelter(Board* board, int us) noexcept nogil:
    """Pawns on the two ranks before the king, on its own and the neighbouring files."""
    cdef int king = lowest(board.pieces[6 * us + KING])
    cdef bb_t ranks = (RANK_1 | RANK_1 << 8) << (king & 56) << 8 if us == WHITE else (
        (RANK_1 << (king & 56)) >> 8 | (RANK_1 << (king & 56)) >> 16)
    return SHELTER * population(board.pieces[6 * us + PAWN] & ranks & passed_masks[us][king])


cdef int drive_home(Board* board, int winner) noexcept nogil:
    """Against a bare king: its distance from the centre, and the nearness of the kings."""
    cdef int own = lowest(board.pieces[6 * winner + KING])
    cdef int bare = lowest(board.pieces[6 * (1 - winner) + KING])
    cdef int file = max(3 - (bare & 7), (bare & 7) - 4)
    cdef int rank = max(3 - (bare >> 3), (bare >> 3) - 4)
    cdef int apart = max(abs((own & 7) - (bare & 7)), abs((own >> 3) - (bare >> 3)))
    return EDGE * (file + rank) + NEARNESS * (7 - apart)


cdef int evaluate_board(Board* board) noexcept nogil:
    cdef int opening[2]
    cdef int endgame[2]
    cdef int side, phase, value, stronger
    for side in range(2):
        opening[side] = board.opening[side] + shelter(board, side)
        endgame[side] = board.endgame[side]
        add_pawn_structure(board, side, &opening[side], &endgame[side])
        add_pieces(board, side, &opening[side], &endgame[side])
        if population(board.side[1 - side]) == 1:
            endgame[side] += drive_home(board, side)
    phase = min(board.phase, PHASE_OPENING)
    value = ((opening[0] - opening[1]) * phase + (endgame[0] - endgame[1]) * (PHASE_OPENING - phase)) // PHASE_OPENING
    stronger = WHITE if value > 0 else BLACK
    if not board.pieces[6 * stronger + PAWN] and abs(board.endgame[0] - board.endgame[1]) < 400:
        value //= 4  # a minor piece ahead without pawns wins nothing
    return (value if board.turn == WHITE else -value) + TEMPO
