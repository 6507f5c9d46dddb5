# The chess position: place and remove pieces, make and undo moves, attackers of a square.

cdef uint8_t castling_kept[64]  # the castling rights left after a move from or to a square


cdef void fill_castling() noexcept:
    cdef int sq
    for sq in range(64):
        castling_kept[sq] = 15
    castling_kept[0], castling_kept[4], castling_kept[7] = 15 & ~2, 15 & ~3, 15 & ~1
    castling_kept[56], castling_kept[60], castling_kept[63] = 15 & ~8, 15 & ~12, 15 & ~4


cdef inline void put(ChessBoard* board, int pc, int sq) noexcept nogil:
    cdef int colour = pc >= 6
    board.pieces[pc] |= <bb_t>1 << sq
    board.side[colour] |= <bb_t>1 << sq
    board.at[sq] = pc
    board.key ^= piece_keys[pc][sq]
    board.opening[colour] += opening_table[pc][sq]
    board.endgame[colour] += endgame_table[pc][sq]
    board.phase += phase_of[pc % 6]


cdef inline void lift(ChessBoard* board, int sq) noexcept nogil:
    cdef int pc = board.at[sq]
    cdef int colour = pc >= 6
    board.pieces[pc] ^= <bb_t>1 << sq
    board.side[colour] ^= <bb_t>1 << sq
    board.at[sq] = NO_PIECE
    board.key ^= piece_keys[pc][sq]
    board.opening[colour] -= opening_table[pc][sq]
    board.endgame[colour] -= endgame_table[pc][sq]
    board.phase -= phase_of[pc % 6]


cdef inline key_t state_key(ChessBoard* board) noexcept nogil:
    """The part of the key for castling rights and the en passant square."""
    cdef key_t found = castling_keys[board.castling]
    if board.en_passant != NO_SQUARE:
        found ^= file_keys[board.en_passant & 7]
    return found


cdef inline bint is_attacked(ChessBoard* board, int sq, int by) noexcept nogil:
    cdef bb_t occupied = board.side[0] | board.side[1]
    cdef bb_t* own = &board.pieces[6 * by]
    if pawn_attacks[1 - by][sq] & own[PAWN] or knight_attacks[sq] & own[KNIGHT] or king_attacks[sq] & own[KING]:
        return True
    if bishop_attacks(sq, occupied) & (own[BISHOP] | own[QUEEN]):
        return True
    return (rook_attacks(sq, occupied) & (own[ROOK] | own[QUEEN])) != 0


cdef inline bint in_check(ChessBoard* board, int colour) noexcept nogil:
    return is_attacked(board, lowest(board.pieces[6 * colour + KING]), 1 - colour)


cdef void remember(ChessBoard* board, move_t mv, int captured) noexcept nogil:
    cdef Undo* undo = &board.stack[board.ply]
    undo.key, undo.mv, undo.captured = board.key, mv, captured
    undo.castling, undo.en_passant, undo.clock = board.castling, board.en_passant, board.clock
    board.ply += 1


cdef bint make_move(ChessBoard* board, move_t mv) noexcept nogil:
    """False, with nothing changed, if the move leaves the own king attacked."""
    cdef int from_sq = from_square(mv)
    cdef int to_sq = to_square(mv)
    cdef int flag = flags(mv)
    cdef int us = board.turn
    cdef int pc = board.at[from_sq]
    cdef int captured_sq = to_sq
    cdef int captured = NO_PIECE
    if flag & EN_PASSANT:
        captured_sq = to_sq - 8 if us == WHITE else to_sq + 8
    if flag & TAKES:
        captured = board.at[captured_sq]
    remember(board, mv, captured)
    board.key ^= state_key(board) ^ turn_key
    board.clock += 1
    if captured != NO_PIECE:
        lift(board, captured_sq)
        board.clock = 0
    lift(board, from_sq)
    put(board, 6 * us + promoted(mv) if promoted(mv) else pc, to_sq)
    if pc % 6 == PAWN:
        board.clock = 0
    if flag & CASTLES:
        if to_sq > from_sq:
            lift(board, to_sq + 1)
            put(board, 6 * us + ROOK, to_sq - 1)
        else:
            lift(board, to_sq - 2)
            put(board, 6 * us + ROOK, to_sq + 1)
    board.castling &= castling_kept[from_sq] & castling_kept[to_sq]
    board.en_passant = NO_SQUARE
    board.turn = 1 - us
    # only set if an enemy pawn can capture: otherwise equal positions would have different keys
    if flag & DOUBLE_STEP and pawn_attacks[us][(from_sq + to_sq) >> 1] & board.pieces[6 * (1 - us) + PAWN]:
        board.en_passant = (from_sq + to_sq) >> 1
    board.key ^= state_key(board)
    if in_check(board, us):
        undo_move(board)
        return False
    return True


cdef void undo_move(ChessBoard* board) noexcept nogil:
    cdef Undo* undo
    cdef move_t mv
    cdef int us, from_sq, to_sq, pc
    board.ply -= 1
    undo = &board.stack[board.ply]
    mv = undo.mv
    us = board.turn = 1 - board.turn
    if mv:
        from_sq, to_sq = from_square(mv), to_square(mv)
        pc = 6 * us + PAWN if promoted(mv) else board.at[to_sq]
        lift(board, to_sq)
        put(board, pc, from_sq)
        if undo.captured != NO_PIECE:
            if flags(mv) & EN_PASSANT:
                to_sq = to_sq - 8 if us == WHITE else to_sq + 8
            put(board, undo.captured, to_sq)
        if flags(mv) & CASTLES:
            if to_sq > from_sq:
                lift(board, to_sq - 1)
                put(board, 6 * us + ROOK, to_sq + 1)
            else:
                lift(board, to_sq + 1)
                put(board, 6 * us + ROOK, to_sq - 2)
    board.key, board.castling, board.en_passant, board.clock = undo.key, undo.castling, undo.en_passant, undo.clock


cdef void pass_turn(ChessBoard* board) noexcept nogil:
    remember(board, 0, NO_PIECE)
    board.key ^= state_key(board) ^ turn_key
    board.en_passant = NO_SQUARE
    board.clock += 1
    board.turn = 1 - board.turn
    board.key ^= state_key(board)


cdef bint is_repetition(ChessBoard* board) noexcept nogil:
    """Has the position occurred before, since the last irreversible move?"""
    cdef int i = board.ply - 4
    cdef int first = max(0, board.ply - board.clock)
    while i >= first:
        if board.stack[i].key == board.key:
            return True
        i -= 2
    return False


cdef bint is_dead(ChessBoard* board) noexcept nogil:
    """Insufficient material: bare kings, or one minor piece on the board."""
    cdef bb_t kings = board.pieces[KING] | board.pieces[6 + KING]
    cdef bb_t minor = board.pieces[KNIGHT] | board.pieces[BISHOP] | board.pieces[6 + KNIGHT] | board.pieces[6 + BISHOP]
    cdef bb_t rest = (board.side[0] | board.side[1]) ^ kings
    return rest == (rest & minor) and population(rest) <= 1


cdef void clear(ChessBoard* board) noexcept nogil:
    memset(board, 0, sizeof(ChessBoard) - sizeof(board.stack))
    memset(board.at, NO_PIECE, sizeof(board.at))
    board.en_passant = NO_SQUARE
