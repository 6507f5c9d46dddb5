# Types and constants of the core.
#
# The short names, used in the core only:
#   sq    a square of the 16x16 board: (rank + 3) * 16 + (file + 3), so 0x33 (a0) … 0xCB (i9); all else is off the board
#   pc    a piece slot: 16-31 Red, 32-47 Black, 0 none, 48 off the board. Bit 16 is Red's, bit 32 Black's; 48 has both,
#         so an off-board square looks like an own piece to either side
#   kind  KING … PAWN, 0-6
#   mv    a move: src | dst << 8; 0 is no move
#   side  0 Red, 1 Black
#   p     the position (Pos*)
#   w     a search thread (Worker*)
#   params  the tunable numbers of a Searcher
#   ci, cs  what decides whether a move is legal (CheckInfo) and whether it gives check (CheckSquares)
#
# Words that could mean several things, and mean one here:
#   tt                the transposition table; tablebases are the endgame tables, lookup tables are constant
#   endgame           material that a tablebase solves; how a game ends is its ending
#   half-move clock   plies without a capture, as the move limit counts them
#   reversible plies  how far back a position can have occurred before: to the last capture or null move
#   accumulator       the network's first layer for one side; an input bucket chooses its weights

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset
from libc.stdlib cimport calloc, free, malloc, realloc

ctypedef uint8_t u8
ctypedef uint16_t u16
ctypedef uint32_t u32
ctypedef uint64_t u64

ctypedef int Square  # of the 16x16 board
ctypedef int Side
ctypedef int Slot
ctypedef int Kind
ctypedef int Score  # centipawns; mates and wins by the law: core/worker.pxi
ctypedef int Depth  # plies still to search
ctypedef int Ply  # from the root, or from the start of the game

cdef extern from "platform.h":
    int ctz "chuhe_ctz"(u32 x) noexcept nogil
    void prefetch "chuhe_prefetch"(void* p) noexcept nogil

cdef enum:
    K_KING = 0
    K_ADVISOR = 1
    K_BISHOP = 2
    K_KNIGHT = 3
    K_ROOK = 4
    K_CANNON = 5
    K_PAWN = 6

cdef enum:
    # the first slot of each kind, to be added to the side's base
    S_KING = 0
    S_ADVISOR = 1
    S_BISHOP = 3
    S_KNIGHT = 5
    S_ROOK = 7
    S_CANNON = 9
    S_PAWN = 11
    OFF = 48

cdef enum:
    MAX_MOVES = 128  # more than any position can have
    MAX_PLY = 128  # no line of a search is longer
    SEEN_SIZE = 1024
    CHECKS_COUNTED = 10  # further checks by a side do not count for the move limit

cdef struct Parts:
    # keys of parts of the position, by which the histories are indexed
    u64 shape  # kings, advisors, elephants and pawns
    u64 pawns
    u64 light  # knights and cannons
    u64[2] force  # one side's rooks, knights and cannons

cdef struct StateInfo:
    # what a move captured, and what would be expensive to undo
    u64 key
    Parts parts
    u16 mv
    u16 reversible_plies  # plies since the last capture or null move
    u8 captured
    u8 in_check  # was the mover in check
    u8 phase
    int16_t half_move_clock  # plies without a capture that count for the move limit
    u8[2] checks

cdef struct Pos:
    u64 key
    Parts parts
    u8 side
    u8 in_check  # is the side to move in check; updated by make(), not by do_move()
    u8 phase
    u16 reversible_plies
    int16_t half_move_clock
    u8[2] checks
    Ply ply
    u32[2] count  # piece counts of each side, four bits for each kind
    u16[16] row  # occupied files of each row
    u16[16] col  # occupied ranks of each column
    u16[2][16] row_of  # the same, one side's pieces
    u16[2][16] col_of
    u8[48] sq  # the square of each slot; 0: captured
    u8[256] board
    u8[SEEN_SIZE] seen  # how many earlier positions share the key's low bits
    StateInfo* states

cdef struct CheckInfo:
    # what decides whether a move leaves the own king safe
    u64 pinned  # slots whose moves must be tested
    int checkers
    u8 checker  # square of the checker found last
    u8 checker_kind
    u8 hollow  # a cannon faces the king on an open line: a piece placed between would be its screen

cdef struct CheckSquares:
    # what decides whether a move of the side to move gives check
    u64 discoverers  # slots, of either side, whose departure opens a line or a knight's leg to the king
    u8 king
    u8 hollow  # a cannon faces it on an open line: a piece placed between would be its screen


cdef inline u32 count_of(Pos* p, Side side, Kind kind) noexcept nogil:
    return p.count[side] >> 4 * kind & 15


cdef inline bint one_bit(u32 m) noexcept nogil:
    return m != 0 and m & (m - 1) == 0


cdef inline int file_of(Square sq) noexcept nogil:
    return (sq & 15) - 3


cdef inline int rank_of(Square sq) noexcept nogil:
    return (sq >> 4) - 3


cdef inline int base_of(Side side) noexcept nogil:
    return 16 + (side << 4)


cdef inline int tag_of(Side side) noexcept nogil:
    # the bit that all slots of the side (and the off-board squares) have
    return 16 << side


cdef inline Side side_of(Slot pc) noexcept nogil:
    return pc >> 5


cdef inline u16 move_of(Square src, Square dst) noexcept nogil:
    return <u16>(src | dst << 8)


cdef inline int to90(Square sq) noexcept nogil:
    return rank_of(sq) * 9 + file_of(sq)


cdef inline Square to256(int square) noexcept nogil:
    return (square // 9 + 3) * 16 + square % 9 + 3
