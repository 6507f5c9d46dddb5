# The hand-crafted evaluation: named terms, each a sum over one side's pieces, tapered between middle game and end game.
#
# A score is packed: middle game in the low 16 bits, end game in the high ones, so one addition adds both. The
# search calls static_score(), which uses evaluate() or the network.

cdef enum:
    STRENGTH = 0
    POSITION
    MOBILITY
    THREAT
    CONTROL
    KING_SAFETY
    BATTERIES
    ROOKS
    LINKS
    DEFENCE
    TERM_COUNT

TERM_NAMES = ("strength", "position", "mobility", "threat", "control", "king safety", "cannon batteries",
              "rook activity", "links", "defence structure")

cdef enum:
    CHANCES_FULL = 16  # winning_chances() counts in 16ths
    CHANCES_HALF = 8
    CHANCES_ROOKS = 5  # rook against rook
    CHANCES_POOR = 4  # a single pawn or piece against a guarded king
    CHANCES_BARE_CANNON = 1  # a cannon without any screen
    KNOWLEDGE_NONE = 0  # strength only
    KNOWLEDGE_SMALL = 1  # and position
    KNOWLEDGE_MEDIUM = 2  # and mobility
    KNOWLEDGE_LARGE = 3  # everything

cdef enum:
    # bits of a row (files a-i) and of a column (ranks 0-9)
    LINE_BITS = 0x3FF
    PALACE_FILES = 0x038
    RED_PALACE_RANKS = 0x007
    BLACK_PALACE_RANKS = 0x380
    RED_HALF_RANKS = 0x01F
    BLACK_HALF_RANKS = 0x3E0

cdef struct Count:
    # piece counts by kind
    int advisors
    int bishops
    int knights
    int rooks
    int cannons
    int pawns


cdef inline void count_pieces(Pos* p, Side side, Count* n) noexcept nogil:
    n.advisors = count_of(p, side, K_ADVISOR)
    n.bishops = count_of(p, side, K_BISHOP)
    n.knights = count_of(p, side, K_KNIGHT)
    n.rooks = count_of(p, side, K_ROOK)
    n.cannons = count_of(p, side, K_CANNON)
    n.pawns = count_of(p, side, K_PAWN)


cdef inline int32_t row_threats(Pos* p, const Params* params, Kind kind, Square sq, u32 hits) noexcept nogil:
    cdef int32_t sum = 0
    while hits:
        sum += params.threats[kind][KIND[p.board[(sq & 0xF0) + ctz(hits) + 3]]]
        hits &= hits - 1
    return sum


cdef inline int32_t col_threats(Pos* p, const Params* params, Kind kind, Square sq, u32 hits) noexcept nogil:
    cdef int32_t sum = 0
    while hits:
        sum += params.threats[kind][KIND[p.board[((ctz(hits) + 3) << 4) + (sq & 15)]]]
        hits &= hits - 1
    return sum


cdef inline int palace_hits(Square sq, u32 row, u32 col, int palace) noexcept nogil:
    # the points of the enemy palace on these lines; palace: its three ranks as bits
    cdef int hits = 0
    if palace >> rank_of(sq) & 1:
        hits = POP[row & PALACE_FILES]
    if <u32>(file_of(sq) - 3) < 3:
        hits += POP[col & palace]
    return hits


cdef inline void eval_rooks(Pos* p, const Params* params, Side side, int32_t* terms, int* units) noexcept nogil:
    cdef int i, sq, king = p.sq[base_of(side ^ 1)], n
    cdef u32 row, col
    cdef u16 m
    cdef int far = BLACK_HALF_RANKS if side == 0 else RED_HALF_RANKS
    cdef int palace = BLACK_PALACE_RANKS if side == 0 else RED_PALACE_RANKS
    for i in range(2):
        sq = p.sq[base_of(side) + S_ROOK + i]
        if not sq:
            continue
        row = row_lines(p, sq) & LINE_BITS
        col = col_lines(p, sq) & LINE_BITS
        n = POP[row & ~p.row_of[side][sq >> 4]] + POP[col & ~p.col_of[side][sq & 15]]
        terms[MOBILITY] += params.mobility_rook[n]
        terms[THREAT] += row_threats(p, params, K_ROOK, sq, row & p.row_of[side ^ 1][sq >> 4])
        terms[THREAT] += col_threats(p, params, K_ROOK, sq, col & p.col_of[side ^ 1][sq & 15])
        n = POP[col & far]
        if far >> rank_of(sq) & 1:
            n += POP[row]
        terms[CONTROL] += n * params.control[1]
        units[0] += params.number[KING_UNITS + 1] * palace_hits(sq, row, col, palace)
        if (sq ^ king) & 15 == 0:
            m = between(p, sq, king)
            n = POP[m]
            if n:
                terms[ROOKS] += params.rook_file[n - 1 if n < 3 else 2]
        if not p.col_of[side][sq & 15] & ~(<u32>1 << rank_of(sq)):
            terms[ROOKS] += params.rook_open


cdef inline void eval_cannons(Pos* p, const Params* params, Side side, int32_t* terms, int* units) noexcept nogil:
    cdef int i, sq, king = p.sq[base_of(side ^ 1)], n
    cdef u32 row, col, row_take, col_take
    cdef int far = BLACK_HALF_RANKS if side == 0 else RED_HALF_RANKS
    cdef int palace = BLACK_PALACE_RANKS if side == 0 else RED_PALACE_RANKS
    for i in range(2):
        sq = p.sq[base_of(side) + S_CANNON + i]
        if not sq:
            continue
        row = row_lines(p, sq)
        col = col_lines(p, sq)
        row_take = row >> 16 & p.row_of[side ^ 1][sq >> 4]
        col_take = col >> 16 & p.col_of[side ^ 1][sq & 15]
        row &= LINE_BITS & ~<u32>p.row[sq >> 4]
        col &= LINE_BITS & ~<u32>p.col[sq & 15]
        terms[MOBILITY] += params.mobility_cannon[POP[row | row_take] + POP[col | col_take]]
        terms[THREAT] += row_threats(p, params, K_CANNON, sq, row_take)
        terms[THREAT] += col_threats(p, params, K_CANNON, sq, col_take)
        n = POP[col & far]
        if far >> rank_of(sq) & 1:
            n += POP[row]
        terms[CONTROL] += n * params.control[2]
        units[0] += params.number[KING_UNITS + 2] * palace_hits(sq, row | row_take, col | col_take, palace)
        if (sq ^ king) & 15 == 0:
            n = POP[between(p, sq, king)]
            terms[BATTERIES] += params.cannon_file[n if n < 3 else 3]
        elif sq >> 4 == king >> 4:
            n = POP[between(p, sq, king)]
            terms[BATTERIES] += params.cannon_rank[n if n < 3 else 3]
            if rank_of(sq) == 9 * (side ^ 1):
                terms[BATTERIES] += params.cannon_bottom


cdef inline void eval_knights(Pos* p, const Params* params, Side side, int32_t* terms, int* units) noexcept nogil:
    cdef int i, j, k, sq, leg, dst, pc, n, across, hits, base = base_of(side)
    cdef int own = tag_of(side), far = 2 - side, other
    for i in range(2):
        sq = p.sq[base + S_KNIGHT + i]
        if not sq:
            continue
        n = across = hits = 0
        for j in range(4):
            leg = 16 if j == 0 else -16 if j == 1 else 1 if j == 2 else -1
            if p.board[sq + leg]:
                continue
            for k in range(-1, 2, 2):
                dst = sq + 2 * leg + (k if j < 2 else 16 * k)
                pc = p.board[dst]
                if pc & own:
                    continue
                n += 1
                if HOME[dst] == far:
                    across += 1
                    hits += IN_PALACE[dst]
                if pc:
                    terms[THREAT] += params.threats[K_KNIGHT][KIND[pc]]
        terms[MOBILITY] += params.mobility_knight[n]
        terms[CONTROL] += across * params.control[0]
        units[0] += params.number[KING_UNITS] * hits
    sq = p.sq[base + S_KNIGHT]
    other = p.sq[base + S_KNIGHT + 1]
    if sq and other and KNIGHT_LEG[other - sq + 256]:
        if not p.board[sq + KNIGHT_LEG[other - sq + 256]] or not p.board[other + KNIGHT_LEG[sq - other + 256]]:
            terms[LINKS] += params.linked_knights


cdef inline void eval_pawns(Pos* p, const Params* params, Side side, int32_t* terms, int* units) noexcept nogil:
    cdef int i, sq, pc, base = base_of(side), foe = tag_of(side ^ 1)
    cdef const u8* to
    for i in range(S_PAWN, 16):
        sq = p.sq[base + i]
        if not sq or HOME[sq] != 2 - side:
            continue
        to = &PAWN_TO[side][sq][0]
        while to[0]:
            pc = p.board[to[0]]
            if pc & foe:
                terms[THREAT] += params.threats[K_PAWN][KIND[pc]]
            units[0] += params.number[KING_UNITS + 3] * IN_PALACE[to[0]]
            to += 1
        if is_slot_of(p.board[sq + 1], base + S_PAWN, 5):
            terms[LINKS] += params.linked_pawns


cdef inline void eval_side(Pos* p, const Params* params, Side side, Count* mine, Count* foe,
                           int32_t* terms) noexcept nogil:
    cdef int units = 0
    eval_rooks(p, params, side, terms, &units)
    eval_cannons(p, params, side, terms, &units)
    eval_knights(p, params, side, terms, &units)
    eval_pawns(p, params, side, terms, &units)
    terms[KING_SAFETY] += params.king_danger[units if units < 23 else 23]
    terms[KING_SAFETY] += (mine.knights * params.against_advisors[0][foe.advisors]
                           + mine.rooks * params.against_advisors[1][foe.advisors]
                           + mine.cannons * (params.against_advisors[2][foe.advisors]
                                             + params.against_elephants[foe.bishops]))
    terms[DEFENCE] += params.defence[3 * mine.advisors + mine.bishops]


cdef inline int winning_chances(Count* strong, Count* weak) noexcept nogil:
    # the share of a lead that counts, in 16ths, given the material left to win with
    cdef int attackers = 2 * strong.rooks + strong.knights + strong.cannons
    cdef int guards = weak.advisors + weak.bishops
    if attackers == 0 and strong.pawns == 0:
        return 0
    if attackers == 0 and strong.pawns == 1 and guards >= 1:
        return CHANCES_POOR
    if attackers == 1 and strong.pawns == 0:
        if strong.cannons and strong.advisors + strong.bishops == 0 and guards == 0:
            return CHANCES_BARE_CANNON
        return CHANCES_POOR if guards >= 2 else CHANCES_HALF
    if attackers <= 2 and strong.pawns == 0 and weak.rooks == strong.rooks and weak.rooks:
        return CHANCES_ROOKS
    return CHANCES_FULL


cdef inline Score tapered(Pos* p, int32_t sum) noexcept nogil:
    cdef int phase = p.phase if p.phase < PHASE_FULL else PHASE_FULL
    return (mg_of(sum) * phase + eg_of(sum) * (PHASE_FULL - phase)) // PHASE_FULL


cdef inline int32_t square_sum(Pos* p, const Params* params) noexcept nogil:
    # strengths and piece-square values from Red's side
    cdef int32_t sum = 0
    cdef int pc
    for pc in range(16, 48):
        if p.sq[pc]:
            sum += params.psq[PIECE[pc]][p.sq[pc]]
    return sum


cdef Score evaluate(Pos* p, const Params* params, int knowledge) noexcept nogil:
    # from the mover's side, in centipawns
    cdef int32_t[TERM_COUNT] red
    cdef int32_t[TERM_COUNT] black
    cdef Count[2] n
    cdef int32_t sum
    cdef int i, score, strong
    if knowledge == KNOWLEDGE_NONE:
        return material_only(p, params)
    sum = square_sum(p, params)
    count_pieces(p, 0, &n[0])
    count_pieces(p, 1, &n[1])
    if knowledge > KNOWLEDGE_SMALL:
        memset(red, 0, sizeof(red))
        memset(black, 0, sizeof(black))
        eval_side(p, params, 0, &n[0], &n[1], red)
        eval_side(p, params, 1, &n[1], &n[0], black)
        if knowledge == KNOWLEDGE_MEDIUM:
            sum += red[MOBILITY] - black[MOBILITY]
        else:
            for i in range(MOBILITY, TERM_COUNT):
                sum += red[i] - black[i]
    sum += -params.tempo if p.side else params.tempo
    score = tapered(p, sum)
    strong = 0 if score > 0 else 1
    i = winning_chances(&n[strong], &n[strong ^ 1])
    if i < CHANCES_FULL:
        score = score * i // CHANCES_FULL
    return -score if p.side else score


cdef Score material_only(Pos* p, const Params* params) noexcept nogil:
    cdef int32_t sum = 0
    cdef int pc, score
    for pc in range(17, 48):
        if p.sq[pc] and pc != 32:
            sum += params.material[KIND[pc]] if pc < 32 else -params.material[KIND[pc]]
    score = tapered(p, sum)
    return -score if p.side else score


cdef list evaluation_rows(Pos* p, const Params* params):
    # (name, Red mg, Red eg, Black mg, Black eg) for every term, as printed by `chuhe eval`
    cdef int32_t[2][TERM_COUNT] terms
    cdef int32_t value
    cdef Count[2] n
    cdef int side, pc, i
    memset(terms, 0, sizeof(terms))
    for side in range(2):
        count_pieces(p, side, &n[side])
    for side in range(2):
        eval_side(p, params, side, &n[side], &n[side ^ 1], terms[side])
        for pc in range(base_of(side), base_of(side) + 16):
            if p.sq[pc]:
                terms[side][STRENGTH] += params.material[KIND[pc]]
                value = params.psq[PIECE[pc]][p.sq[pc]]
                terms[side][POSITION] += (value if side == 0 else -value) - params.material[KIND[pc]]
    rows = [(TERM_NAMES[i], mg_of(terms[0][i]), eg_of(terms[0][i]), mg_of(terms[1][i]), eg_of(terms[1][i]))
            for i in range(TERM_COUNT)]
    mover = (mg_of(params.tempo), eg_of(params.tempo))
    rows.append(("move", *(mover if p.side == 0 else (0, 0)), *(mover if p.side == 1 else (0, 0))))
    return rows
