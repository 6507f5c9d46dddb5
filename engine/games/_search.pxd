# The interface between a game and the search. See _search.pyx for what each method promises.
from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t

ctypedef uint64_t key_t
ctypedef uint64_t move_t  # never 0: that is "no move"

cdef enum:
    MAX_PLY = 128
    MAX_MOVES = 512
    SLOTS = 8192  # a game numbers its moves for the history table below this
    WIN = 1 << 28  # the value of a game won on the spot
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
    cdef bint has_room(self) noexcept nogil

ctypedef struct Entry:
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
    cdef double deadline
    cdef Entry* table
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
    cdef uint64_t event_room
    cdef bint tracing
    cdef bint streaming  # events go to the sink and are not kept
    cdef object sink
    cdef object error  # what stopped the search, to be raised when it has wound up
    cdef long long event_base  # events handed on already
    cdef bint was_leaf  # the node that returned last was not searched on
    cdef bint root_limited  # not all moves of the root are tried
    cdef move_t* root_moves
    cdef int root_count

    cdef int node(self, int alpha, int beta, int depth, int ply, bint may_pass) noexcept nogil
    cdef int quiet_down(self, int alpha, int beta, int ply) noexcept nogil
    cdef bint pruned_by_estimate(self, int beta, int depth, int ply, bint may_pass, int* value) noexcept nogil
    cdef int child(self, int alpha, int beta, int depth, int ply, int number, int weight,
                   bint was_checked) noexcept nogil
    cdef int root_list(self, move_t* found) noexcept nogil
    cdef bint time_is_up(self) noexcept nogil
    cdef Entry* probe(self, key_t key) noexcept nogil
    cdef void store(self, key_t key, move_t mv, int value, int depth, int bound, int ply) noexcept nogil
    cdef int from_table(self, int value, int ply) noexcept nogil
    cdef bint is_hopeless(self, int alpha, int depth, int ply, int legal) noexcept nogil
    cdef void pick(self, move_t* found, int* weights, int start, int count) noexcept nogil
    cdef void weigh(self, move_t* found, int* weights, int count, move_t first, int ply) noexcept nogil
    cdef void reward(self, move_t mv, move_t* tried, int* weights, int count, int depth, int ply) noexcept nogil
    cdef void extend_line(self, move_t mv, int ply) noexcept nogil
    cdef tuple event(self, uint64_t number)
    cdef void hand_on(self) noexcept
    cdef void hear_signals(self) noexcept
    cdef bint make_room(self) noexcept nogil
    cdef long long record(self, int kind, int ply, move_t mv, int alpha, int beta) noexcept nogil
