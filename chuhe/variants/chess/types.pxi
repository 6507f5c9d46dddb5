# The chess board's types. Short names: sq 0-63 (a1 = 0, h8 = 63), pc = 6 * colour + kind (12: none), bb squares.
# A move: from | to << 6 | promoted kind << 12 | flags << 16.
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from chuhe.variants.search._search cimport MAX_MOVES, MAX_PLY, WIN, GameState, key_t, move_t

ctypedef uint64_t bb_t

cdef enum:
    FIFTY_MOVES = 100  # plies without a capture or a pawn move until a draw
    WHITE = 0
    BLACK = 1
    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5
    NO_PIECE = 12
    NO_SQUARE = 64
    TAKES = 1  # flags of a move
    EN_PASSANT = 2
    CASTLES = 4
    DOUBLE_STEP = 8
    STACK = 2048  # moves that can be undone
    PHASE_OPENING = 24

cdef struct Undo:
    key_t key
    move_t mv
    uint8_t captured
    uint8_t castling
    uint8_t en_passant
    uint8_t clock

cdef struct ChessBoard:
    bb_t pieces[12]
    bb_t side[2]
    uint8_t at[64]
    int turn
    int castling  # bits: 1 K, 2 Q, 4 k, 8 q
    int en_passant  # the square behind a pawn that has just moved two squares and can be captured, or NO_SQUARE
    int clock  # the half-move clock: plies since the last capture or pawn move
    int opening[2]  # sums of the piece-square tables
    int endgame[2]
    int phase
    key_t key
    int ply
    Undo stack[STACK]

cdef extern from "platform.h":
    int lowest "chuhe_lowest"(bb_t bb) noexcept nogil
    int population "chuhe_count"(bb_t bb) noexcept nogil
    bb_t swapped "chuhe_swap"(bb_t bb) noexcept nogil

# sets of squares
cdef bb_t FILE_A = 0x0101010101010101
cdef bb_t FILE_H = FILE_A << 7
cdef bb_t RANK_1 = 0xFF
cdef bb_t RANK_3 = RANK_1 << 16
cdef bb_t RANK_6 = RANK_1 << 40
cdef bb_t LAST_RANKS = RANK_1 | RANK_1 << 56


cdef inline int from_square(move_t mv) noexcept nogil:
    return mv & 63


cdef inline int to_square(move_t mv) noexcept nogil:
    return (mv >> 6) & 63


cdef inline int promoted(move_t mv) noexcept nogil:
    return (mv >> 12) & 7


cdef inline int flags(move_t mv) noexcept nogil:
    return (mv >> 16) & 15


cdef inline move_t encode(int from_sq, int to_sq, int kind, int flag) noexcept nogil:
    return <move_t>(from_sq | to_sq << 6 | kind << 12 | flag << 16)
