# The core from inside, for the tests: an extension that no wheel contains.
#
# It has the core's functions compiled into it once more, with the same flags, and reads the objects of the core that
# ships: whatever `push` and `pop` left wrong in a Board is found there.

from cpython.object cimport PyObject

include "core/types.pxi"
include "core/lookup.pxi"
include "core/zobrist.pxi"
include "core/board.pxi"
include "core/attack.pxi"
include "core/movegen.pxi"
include "core/see.pxi"
include "core/law.pxi"
include "core/network.pxi"
include "core/memory.pxi"

from chuhe.engine._core import Board, Move, Network, vector_paths
from chuhe.engine.errors import IllegalMoveError

init_lookup()
init_zobrist()
init_network()


# How Cython lays out `cdef class Board` (with cdef methods) and `cdef class Network` (without).
cdef struct BoardObject:
    PyObject head
    void* methods
    Pos pos
    int capacity
    int first_move
    int first_side
    void* draft

cdef struct NetworkObject:
    PyObject head
    Net net
    void* block
    size_t size

if Board.__basicsize__ != sizeof(BoardObject) or Network.__basicsize__ != sizeof(NetworkObject):
    raise ImportError("core_inspection.pyx does not know the fields of the core's Board and Network")


cdef Pos* pos_of(board) except NULL:
    if not isinstance(board, Board):
        raise TypeError(f"{board!r} is not a Board")
    return &(<BoardObject*><void*>board).pos


def consistency(board):
    """AssertionError if any incremental state differs from a recount."""
    cdef Pos* pos = pos_of(board)
    cdef Pos fresh
    cdef int pc, sq, i, side
    fresh.states = NULL
    clear(&fresh)
    for pc in range(16, 48):
        if pos.sq[pc]:
            put(&fresh, pc, pos.sq[pc])
    if pos.side:
        fresh.key ^= ZOBRIST_BLACK
    for sq in range(256):
        if fresh.board[sq] != pos.board[sq]:
            raise AssertionError(f"board[{sq:#x}] is {pos.board[sq]}, the piece lists say {fresh.board[sq]}")
    for i in range(16):
        if fresh.row[i] != pos.row[i] or fresh.col[i] != pos.col[i]:
            raise AssertionError(f"line {i} differs")
        for side in range(2):
            if fresh.row_of[side][i] != pos.row_of[side][i] or fresh.col_of[side][i] != pos.col_of[side][i]:
                raise AssertionError(f"line {i} of side {side} differs")
    if fresh.key != pos.key or memcmp(&fresh.parts, &pos.parts, sizeof(Parts)):
        raise AssertionError("the key differs")
    if fresh.phase != pos.phase:
        raise AssertionError("the phase differs")
    if fresh.count[0] != pos.count[0] or fresh.count[1] != pos.count[1]:
        raise AssertionError("the counts of the pieces differ")
    if pos.sq[0]:
        raise AssertionError("slot 0 is on the board")
    if bool(pos.in_check) != king_attacked(pos, pos.side):
        raise AssertionError("the check flag differs")


def snapshot(board):
    """The whole incremental state as bytes: equal before a push and after its pop."""
    return (<u8*>pos_of(board))[:sizeof(Pos) - sizeof(void*)]


def quiet_checks(board):
    """The legal moves that give check without a capture, generated directly."""
    cdef Pos* pos = pos_of(board)
    cdef u16[MAX_MOVES] moves
    cdef CheckInfo ci
    cdef CheckSquares cs
    cdef int n, i
    memset(&ci, 0, sizeof(ci))  # the compiler does not see that check_info sets what is read
    check_info(pos, &ci)
    check_squares(pos, &cs)
    n = generate_checks(pos, &cs, moves)
    return [Move(to90(moves[i] & 255), to90(moves[i] >> 8)) for i in range(n)
            if is_legal(pos, moves[i], &ci) and checks(pos, moves[i], &cs)]


def chased(board):
    """The squares of the pieces that the last move newly threatens, as the law counts chases."""
    cdef Pos* pos = pos_of(board)
    cdef Pos walk = pos[0]
    cdef u32 found
    cdef int i, foe = base_of(pos.side)
    if pos.ply == 0 or not pos.states[pos.ply - 1].mv:
        return []
    walk.states = <StateInfo*>malloc((pos.ply + 4) * sizeof(StateInfo))
    if walk.states == NULL:
        raise MemoryError("no memory for the game's moves")
    memcpy(walk.states, pos.states, pos.ply * sizeof(StateInfo))
    found = walk_back(&walk)
    free(walk.states)
    return [to90(pos.sq[foe + i]) for i in range(16) if found >> i & 1]


cdef class NetworkWalk:
    """Makes and undoes moves as a search does, updating the network's accumulators incrementally.

    `evaluate` must always equal `evaluate_afresh`.
    """

    cdef object network
    cdef object board
    cdef Net* net
    cdef Accumulators accumulators
    cdef int ply
    cdef size_t size

    def __cinit__(self, network, board):
        if not isinstance(network, Network):
            raise TypeError(f"{network!r} is not a Network")
        self.network = network
        self.net = &(<NetworkObject*><void*>network).net
        self.board = board.copy()
        self.size = accumulator_bytes(self.net)
        cdef void* block = acquire(self.size)
        if block == NULL:
            raise MemoryError("no memory for the network's accumulators")
        use_accumulators(&self.accumulators, self.net, block)

    def __dealloc__(self):
        release(self.accumulators.neurons, self.size)

    def push(self, move):
        """A legal move, or None for a null move."""
        cdef Change* change = &self.accumulators.changes[self.ply + 1]
        if self.ply >= MAX_PLY:
            raise ValueError(f"a walk has at most {MAX_PLY} plies")
        if move is None:
            self.board.push_null()
            note_null(change)
        elif self.board.is_legal(move):
            note_move(self.net, change, pos_of(self.board), move_of(to256(move.from_square), to256(move.to_square)))
            self.board.push(move)
        else:
            raise IllegalMoveError(f"{move} is not legal in {self.board.fen()}")
        self.ply += 1

    def pop(self):
        if self.ply == 0:
            raise IndexError("there is no move to take back")
        self.board.pop()
        self.ply -= 1

    def evaluate(self):
        """From the side to move, by the incremental accumulators."""
        return network_score(self.net, pos_of(self.board), &self.accumulators, self.ply)

    def evaluate_afresh(self):
        """From the side to move, computed from the pieces on the board alone."""
        return refreshed_score(self.net, pos_of(self.board))


def use_vector_path(str name):
    """Let this module's network code use one of `vector_paths()` from now on. All of them give the same numbers."""
    global KERNELS
    for i in range(NETWORK_PATH_COUNT):
        if NETWORK_PATHS[i].name.decode() == name and network_path_runs(i):
            KERNELS = &NETWORK_PATHS[i]
            return
    raise ValueError(f"{name!r} is not one of {', '.join(vector_paths())}")
