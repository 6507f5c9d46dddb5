# The static value of a chess position: an opening sum and an endgame sum, tapered by the remaining material.

cdef bb_t passed_masks[2][64]  # the squares that must be free of enemy pawns for a pawn to be passed
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


cdef struct Attacks:
    bb_t by[2][6]  # the squares that each colour's pieces of a kind attack
    bb_t all[2]


cdef inline int apart(int one, int other) noexcept nogil:
    """How many moves a king needs from one square to the other."""
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


cdef inline bb_t forward(bb_t squares, int us) noexcept nogil:
    return squares << 8 if us == WHITE else squares >> 8


cdef inline bb_t king_zone(ChessBoard* board, int colour) noexcept nogil:
    """The squares around a king, and those in front of them."""
    cdef bb_t around = king_attacks[lowest(board.pieces[6 * colour + KING])]
    return around | forward(around, colour)


cdef void add_pawn_structure(ChessBoard* board, int us, int* opening, int* endgame) noexcept nogil:
    cdef bb_t own = board.pieces[6 * us + PAWN]
    cdef bb_t enemy = board.pieces[6 * (1 - us) + PAWN]
    cdef bb_t rest = own
    cdef int sq, rank, ahead
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
            if rank > 2:
                ahead = sq + 8 if us == WHITE else sq - 8
                endgame[0] += (rank - 2) * (
                    PASSED_ENEMY_KING * apart(lowest(board.pieces[6 * (1 - us) + KING]), ahead)
                    - PASSED_OWN_KING * apart(lowest(board.pieces[6 * us + KING]), ahead))
                if board.at[ahead] != NO_PIECE:
                    endgame[0] -= passed_endgame[rank] // 3


cdef void find_attacks(ChessBoard* board, int us, Attacks* found) noexcept nogil:
    """The attacks of the pawns and the king; add_pieces adds the others."""
    cdef bb_t pawns = board.pieces[6 * us + PAWN]
    cdef int kind
    for kind in range(KNIGHT, KING):
        found.by[us][kind] = 0
    found.by[us][PAWN] = ((pawns & ~FILE_A) << 7 | (pawns & ~FILE_H) << 9) if us == WHITE else (
        (pawns & ~FILE_A) >> 9 | (pawns & ~FILE_H) >> 7)
    found.by[us][KING] = king_attacks[lowest(board.pieces[6 * us + KING])]
    found.all[us] = found.by[us][PAWN] | found.by[us][KING]


cdef int add_pieces(ChessBoard* board, int us, Attacks* found, int* opening, int* endgame) noexcept nogil:
    """Mobility, rooks on open files, the bishop pair. Returns the pieces' danger to the enemy king."""
    cdef bb_t occupied = board.side[0] | board.side[1]
    cdef bb_t pawns = board.pieces[6 * us + PAWN]
    cdef bb_t enemy_pawns = board.pieces[6 * (1 - us) + PAWN]
    cdef bb_t free = ~board.side[us] & ~found.by[1 - us][PAWN]
    cdef bb_t zone = king_zone(board, 1 - us)
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
            found.by[us][kind] |= attacks
            reach = population(attacks & free) - mobility_base[kind]
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
        found.all[us] |= found.by[us][kind]
    if population(board.pieces[6 * us + BISHOP]) >= 2:
        opening[0] += PAIR_OPENING
        endgame[0] += PAIR_ENDGAME
    return danger if attackers >= 2 else 0


cdef int king_danger(ChessBoard* board, int us, Attacks* found, int danger) noexcept nogil:
    """The value of the attack on the enemy king: safe checks, weak squares and missing pawns increase it."""
    cdef int them = 1 - us
    cdef int king = lowest(board.pieces[6 * them + KING])
    cdef bb_t occupied = board.side[0] | board.side[1]
    cdef bb_t safe = ~board.side[us] & ~found.all[them]
    cdef bb_t straight = rook_attacks(king, occupied) & safe
    cdef bb_t slanted = bishop_attacks(king, occupied) & safe
    cdef bb_t held = found.by[them][PAWN] | found.by[them][KNIGHT] | found.by[them][BISHOP] | found.by[them][ROOK]
    cdef bb_t pawns = board.pieces[6 * them + PAWN]
    cdef int file
    if knight_attacks[king] & safe & found.by[us][KNIGHT]:
        danger += check_danger[KNIGHT]
    if slanted & found.by[us][BISHOP]:
        danger += check_danger[BISHOP]
    if straight & found.by[us][ROOK]:
        danger += check_danger[ROOK]
    if (straight | slanted) & found.by[us][QUEEN]:
        danger += check_danger[QUEEN]
    danger += WEAK_SQUARE * population(king_attacks[king] & found.all[us] & ~held)
    for file in range(max(0, (king & 7) - 1), min(7, (king & 7) + 1) + 1):
        if not pawns & passed_masks[them][king] & FILE_A << file:
            danger += BARE_FILE
    if not board.pieces[6 * us + QUEEN]:
        danger -= NO_QUEEN
    return min(danger * danger // DANGER_DIVISOR, DANGER_LIMIT) if danger > 0 else 0


cdef void add_threats(ChessBoard* board, int us, Attacks* found, int* opening, int* endgame) noexcept nogil:
    """Attacked enemy pieces."""
    cdef int them = 1 - us
    cdef bb_t* enemy = &board.pieces[6 * them]
    cdef bb_t minor = enemy[KNIGHT] | enemy[BISHOP]
    cdef bb_t major = enemy[ROOK] | enemy[QUEEN]
    cdef int count = population(found.by[us][PAWN] & (minor | major))
    opening[0] += count * PAWN_THREAT_OPENING
    endgame[0] += count * PAWN_THREAT_ENDGAME
    count = population((found.by[us][KNIGHT] | found.by[us][BISHOP]) & major)
    opening[0] += count * MINOR_THREAT_OPENING
    endgame[0] += count * MINOR_THREAT_ENDGAME
    count = population(found.all[us] & ~found.all[them] & (minor | major))
    opening[0] += count * HANGING_OPENING
    endgame[0] += count * HANGING_ENDGAME


cdef int shelter(ChessBoard* board, int us) noexcept nogil:
    """Pawns on the two ranks before the king, on its own and the neighbouring files."""
    cdef int king = lowest(board.pieces[6 * us + KING])
    cdef bb_t rank = forward(RANK_1 << (king & 56), us)
    return SHELTER * population(board.pieces[6 * us + PAWN] & (rank | forward(rank, us)) & passed_masks[us][king])


cdef int drive_home(ChessBoard* board, int winner) noexcept nogil:
    """Against a bare king: its distance from the centre, and the distance between the kings."""
    cdef int own = lowest(board.pieces[6 * winner + KING])
    cdef int bare = lowest(board.pieces[6 * (1 - winner) + KING])
    cdef int file = max(3 - (bare & 7), (bare & 7) - 4)
    cdef int rank = max(3 - (bare >> 3), (bare >> 3) - 4)
    return EDGE * (file + rank) + NEARNESS * (7 - apart(own, bare))


cdef enum:  # the terms, for a table of the evaluation
    SQUARES = 0
    PAWNS = 1
    PIECES = 2
    ATTACK = 3
    THREATS = 4
    ENDING = 5
    TERMS = 6


cdef void find_terms(ChessBoard* board, int[TERMS][2][2] terms) noexcept nogil:
    """Each term for each colour, for the opening and for the endgame."""
    cdef Attacks found
    cdef int[2] danger
    cdef int side
    memset(terms, 0, sizeof(int) * TERMS * 4)
    find_attacks(board, WHITE, &found)
    find_attacks(board, BLACK, &found)
    for side in range(2):
        terms[SQUARES][side][0] = board.opening[side]
        terms[SQUARES][side][1] = board.endgame[side]
        add_pawn_structure(board, side, &terms[PAWNS][side][0], &terms[PAWNS][side][1])
        danger[side] = add_pieces(board, side, &found, &terms[PIECES][side][0], &terms[PIECES][side][1])
    for side in range(2):
        terms[ATTACK][side][0] = shelter(board, side)
        if danger[side]:
            terms[ATTACK][side][0] += king_danger(board, side, &found, danger[side])
        add_threats(board, side, &found, &terms[THREATS][side][0], &terms[THREATS][side][1])
        if population(board.side[1 - side]) == 1:
            terms[ENDING][side][1] = drive_home(board, side)


cdef int evaluate_board(ChessBoard* board) noexcept nogil:
    """For the side to move."""
    cdef int[TERMS][2][2] terms
    cdef int opening = 0
    cdef int endgame = 0
    cdef int term, phase, value, stronger
    find_terms(board, terms)
    for term in range(TERMS):
        opening += terms[term][WHITE][0] - terms[term][BLACK][0]
        endgame += terms[term][WHITE][1] - terms[term][BLACK][1]
    phase = min(board.phase, PHASE_OPENING)
    value = (opening * phase + endgame * (PHASE_OPENING - phase)) // PHASE_OPENING
    stronger = WHITE if value > 0 else BLACK
    if not board.pieces[6 * stronger + PAWN] and abs(board.endgame[0] - board.endgame[1]) < 400:
        value //= 4  # a minor piece ahead without pawns does not win
    return (value if board.turn == WHITE else -value) + TEMPO
