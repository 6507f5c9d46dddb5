# Pseudo-legal moves, and static exchange evaluation.

cdef int add_targets(ChessBoard* board, int from_sq, bb_t targets, move_t* found, int count) noexcept nogil:
    cdef int to_sq
    while targets:
        to_sq = lowest(targets)
        targets &= targets - 1
        found[count] = encode(from_sq, to_sq, 0, TAKES if board.at[to_sq] != NO_PIECE else 0)
        count += 1
    return count


cdef int add_pawns(bb_t targets, int step, int flag, bint only_queens, move_t* found, int count) noexcept nogil:
    """Pawn moves onto `targets`, each from `step` squares before; onto the last rank with every promotion."""
    cdef int to_sq, kind
    while targets:
        to_sq = lowest(targets)
        targets &= targets - 1
        if not (<bb_t>1 << to_sq) & LAST_RANKS:
            found[count] = encode(to_sq - step, to_sq, 0, flag)
            count += 1
            continue
        for kind in range(QUEEN, KNIGHT - 1, -1):
            found[count] = encode(to_sq - step, to_sq, kind, flag)
            count += 1
            if only_queens:
                break
    return count


cdef int pawn_moves(ChessBoard* board, bint only_noisy, move_t* found, int count) noexcept nogil:
    cdef int us = board.turn
    cdef bb_t pawns = board.pieces[6 * us + PAWN]
    cdef bb_t enemies = board.side[1 - us]
    cdef bb_t empty = ~(board.side[0] | board.side[1])
    cdef bb_t single, left, right, sources
    cdef int from_sq
    if us == WHITE:
        single = pawns << 8 & empty
        left, right = (pawns & ~FILE_A) << 7 & enemies, (pawns & ~FILE_H) << 9 & enemies
        count = add_pawns(left, 7, TAKES, only_noisy, found, count)
        count = add_pawns(right, 9, TAKES, only_noisy, found, count)
        count = add_pawns(single & LAST_RANKS if only_noisy else single, 8, 0, only_noisy, found, count)
        if not only_noisy:
            count = add_pawns((single & RANK_3) << 8 & empty, 16, DOUBLE_STEP, False, found, count)
    else:
        single = pawns >> 8 & empty
        left, right = (pawns & ~FILE_A) >> 9 & enemies, (pawns & ~FILE_H) >> 7 & enemies
        count = add_pawns(left, -9, TAKES, only_noisy, found, count)
        count = add_pawns(right, -7, TAKES, only_noisy, found, count)
        count = add_pawns(single & LAST_RANKS if only_noisy else single, -8, 0, only_noisy, found, count)
        if not only_noisy:
            count = add_pawns((single & RANK_6) >> 8 & empty, -16, DOUBLE_STEP, False, found, count)
    if board.en_passant != NO_SQUARE:
        sources = pawn_attacks[1 - us][board.en_passant] & pawns
        while sources:
            from_sq = lowest(sources)
            sources &= sources - 1
            found[count] = encode(from_sq, board.en_passant, 0, TAKES | EN_PASSANT)
            count += 1
    return count


cdef int castling_moves(ChessBoard* board, move_t* found, int count) noexcept nogil:
    """Castling moves, legal except for the king's destination, which make_move tests."""
    cdef int us = board.turn
    cdef int king = 4 if us == WHITE else 60
    cdef int rights = board.castling >> 2 * us & 3
    cdef bb_t occupied = (board.side[0] | board.side[1]) >> (king - 4)
    if not rights or is_attacked(board, king, 1 - us):
        return count
    if rights & 1 and not occupied & 0x60 and not is_attacked(board, king + 1, 1 - us):
        found[count] = encode(king, king + 2, 0, CASTLES)
        count += 1
    if rights & 2 and not occupied & 0x0E and not is_attacked(board, king - 1, 1 - us):
        found[count] = encode(king, king - 2, 0, CASTLES)
        count += 1
    return count


cdef int generate(ChessBoard* board, bint only_noisy, move_t* found) noexcept nogil:
    """All pseudo-legal moves; only_noisy: captures, and promotions to a queen."""
    cdef int us = board.turn
    cdef bb_t occupied = board.side[0] | board.side[1]
    cdef bb_t wanted = board.side[1 - us] if only_noisy else ~board.side[us]
    cdef bb_t pieces
    cdef int kind, sq
    cdef int count = pawn_moves(board, only_noisy, found, 0)
    for kind in range(KNIGHT, KING + 1):
        pieces = board.pieces[6 * us + kind]
        while pieces:
            sq = lowest(pieces)
            pieces &= pieces - 1
            count = add_targets(board, sq, attacks_of(kind, sq, occupied) & wanted, found, count)
    return count if only_noisy else castling_moves(board, found, count)


cdef uint64_t perft(ChessBoard* board, int depth) noexcept nogil:
    cdef move_t found[256]
    cdef int count = generate(board, False, found)
    cdef int i
    cdef uint64_t total = 0
    for i in range(count):
        if make_move(board, found[i]):
            total += perft(board, depth - 1) if depth > 1 else 1
            undo_move(board)
    return total


cdef bb_t attackers_to(ChessBoard* board, int sq, bb_t occupied) noexcept nogil:
    cdef bb_t* white = &board.pieces[0]
    cdef bb_t* black = &board.pieces[6]
    return (
        (pawn_attacks[BLACK][sq] & white[PAWN]) | (pawn_attacks[WHITE][sq] & black[PAWN])
        | (knight_attacks[sq] & (white[KNIGHT] | black[KNIGHT])) | (king_attacks[sq] & (white[KING] | black[KING]))
        | (bishop_attacks(sq, occupied) & (white[BISHOP] | black[BISHOP] | white[QUEEN] | black[QUEEN]))
        | (rook_attacks(sq, occupied) & (white[ROOK] | black[ROOK] | white[QUEEN] | black[QUEEN])))


cdef int exchange(ChessBoard* board, move_t mv) noexcept nogil:
    """Static exchange evaluation of a capture: both sides capture on the square, least valuable piece first."""
    cdef int gains[32]
    cdef int sq = to_square(mv)
    cdef int side = board.turn
    cdef int last = 0
    cdef int kind
    cdef int standing = board.at[from_square(mv)] % 6
    cdef bb_t occupied = (board.side[0] | board.side[1]) ^ <bb_t>1 << from_square(mv)
    cdef bb_t own, piece
    gains[0] = exchange_values[PAWN] if flags(mv) & EN_PASSANT else (
        exchange_values[board.at[sq] % 6] if flags(mv) & TAKES else 0)
    if promoted(mv):
        gains[0] += exchange_values[promoted(mv)] - exchange_values[PAWN]
        standing = promoted(mv)
    if flags(mv) & EN_PASSANT:
        occupied ^= <bb_t>1 << (sq - 8 if side == WHITE else sq + 8)
    while last < 31:
        side = 1 - side
        own = attackers_to(board, sq, occupied) & occupied & board.side[side]
        if not own:
            break
        kind = PAWN
        while not own & board.pieces[6 * side + kind]:
            kind += 1
        if kind == KING and attackers_to(board, sq, occupied) & occupied & board.side[1 - side]:
            break
        last += 1
        gains[last] = exchange_values[standing] - gains[last - 1]
        piece = own & board.pieces[6 * side + kind]
        occupied ^= piece & (~piece + 1)
        standing = kind
    while last > 0:
        gains[last - 1] = -max(-gains[last - 1], gains[last])
        last -= 1
    return gains[0]
