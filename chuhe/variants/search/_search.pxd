# The interface between a game and the search. search/game_state.pxi says what each method promises.
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t

ctypedef uint64_t key_t
ctypedef uint64_t move_t  # never 0, which means "no move"

cdef enum:
    MAX_PLY = 128
    MAX_MOVES = 512
    SLOTS = 8192  # upper bound of a game's move slots in the history table
    WIN = 1 << 28  # the value of an immediate win
    FAR_WIN = WIN - 4096  # anything above is a win at a known distance
    NONE = -2 * WIN  # below every value

cdef class GameState:
    cdef readonly bint counts_plies  # a later win is worth less: terminal values hold the distance to the root
    cdef int moves(self, move_t* found) noexcept nogil
    cdef int noisy(self, move_t* found) noexcept nogil
    cdef bint make(self, move_t mv) noexcept nogil
    cdef void undo(self) noexcept nogil
    cdef bint make_pass(self) noexcept nogil
    cdef int evaluate(self) noexcept nogil
    cdef bint terminal(self, bint stuck, int ply, int* value) noexcept nogil
    cdef key_t key(self) noexcept nogil
    cdef int symmetry(self, key_t* shared) noexcept nogil
    cdef move_t turned(self, move_t mv, int symmetry, bint back) noexcept nogil
    cdef int weight(self, move_t mv) noexcept nogil
    cdef int slot(self, move_t mv) noexcept nogil
    cdef bint checked(self) noexcept nogil
    cdef bint has_space(self) noexcept nogil

ctypedef struct HashEntry:
    key_t key
    move_t mv
    int32_t value
    int16_t depth
    uint8_t bound
    uint8_t age

ctypedef struct Event:
    move_t mv
    int32_t alpha
    int32_t beta
    int32_t value
    int16_t ply
    uint8_t kind
    uint8_t leaf

cdef class Search:
    cdef GameState game
    cdef readonly int features
    cdef readonly uint64_t nodes
    cdef readonly int seldepth
    cdef public uint64_t node_limit
    cdef int stopped
    cdef int asked  # a stop was requested, possibly before the search runs
    cdef bint whole  # neither a limit nor a stop request ends this run
    cdef int64_t deadline  # on the clock of `now_us`; 0: none
    cdef HashEntry* tt
    cdef uint64_t buckets
    cdef uint8_t age
    cdef move_t* lists
    cdef int* weights
    cdef move_t* lines
    cdef int lengths[MAX_PLY + 1]
    cdef move_t killers[MAX_PLY + 1][2]
    cdef int history[SLOTS]
    cdef int statics[MAX_PLY + 1]
    cdef Event* trail
    cdef uint64_t event_count
    cdef uint64_t event_capacity
    cdef bint tracing
    cdef bint streaming  # events go to the sink and are not stored
    cdef object sink
    cdef object error  # what stopped the search; raised when it has unwound
    cdef long long event_base  # number of events already passed on
    cdef bint was_leaf  # the node that returned last was not searched further
    cdef bint root_limited  # only some of the root moves are tried
    cdef move_t* root_moves
    cdef int root_count
