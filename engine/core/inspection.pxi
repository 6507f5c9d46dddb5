# What only the tests look at: the core from inside. Nothing of this is part of the interface.


def consistency(Board board not None):
    """AssertionError if any incremental state differs from a recount."""
    cdef Pos fresh
    cdef int pc, sq, i, side
    fresh.hist = NULL
    clear(&fresh)
    for pc in range(16, 48):
        if board.pos.sq[pc]:
            put(&fresh, pc, board.pos.sq[pc])
    if board.pos.side:
        fresh.key ^= ZOBRIST_BLACK
    for sq in range(256):
        if fresh.board[sq] != board.pos.board[sq]:
            raise AssertionError(f"board[{sq:#x}] is {board.pos.board[sq]}, the piece lists say {fresh.board[sq]}")
    for i in range(16):
        if fresh.row[i] != board.pos.row[i] or fresh.col[i] != board.pos.col[i]:
            raise AssertionError(f"line {i} differs")
        for side in range(2):
            if (fresh.row_of[side][i] != board.pos.row_of[side][i]
                    or fresh.col_of[side][i] != board.pos.col_of[side][i]):
                raise AssertionError(f"line {i} of side {side} differs")
    if fresh.key != board.pos.key or memcmp(&fresh.parts, &board.pos.parts, sizeof(Parts)):
        raise AssertionError("the key differs")
    if fresh.psq != board.pos.psq or fresh.phase != board.pos.phase:
        raise AssertionError("the piece-square sum or the phase differs")
    if fresh.count[0] != board.pos.count[0] or fresh.count[1] != board.pos.count[1]:
        raise AssertionError("the counts of the pieces differ")
    if board.pos.sq[0]:
        raise AssertionError("slot 0 is on the board")
    if bool(board.pos.in_check) != king_attacked(&board.pos, board.pos.side):
        raise AssertionError("the check flag differs")


def snapshot(Board board not None):
    """The whole incremental state as bytes: equal before a push and after its pop."""
    return (<u8*>&board.pos)[:sizeof(Pos) - sizeof(void*)]


def quiet_checks(Board board not None):
    """The legal moves that give check without a capture, generated directly."""
    cdef u16[MAX_MOVES] moves
    cdef CheckInfo ci
    cdef Aim aim
    cdef int n, i
    check_info(&board.pos, &ci)
    take_aim(&board.pos, &aim)
    n = generate_checks(&board.pos, &aim, moves)
    return [to_move(moves[i]) for i in range(n)
            if is_legal(&board.pos, moves[i], &ci) and checks(&board.pos, moves[i], &aim)]


def chased(Board board not None):
    """The squares of the pieces that the last move newly threatens, as the law counts chases."""
    cdef Board walk
    cdef u32 found
    cdef int i, foe = base_of(board.pos.side)
    if board.pos.ply == 0 or not board.pos.hist[board.pos.ply - 1].mv:
        return []
    walk = board.copy()
    walk.reserve(walk.pos.ply + 4)
    found = walk_back(&walk.pos)
    return [to90(board.pos.sq[foe + i]) for i in range(16) if found >> i & 1]


cdef class NetworkWalk:
    """Makes and undoes moves as a search does, updating the network's accumulators incrementally.

    `evaluate` must always equal `evaluate_afresh`.
    """

    cdef Network network
    cdef Board board
    cdef Accumulators accumulators
    cdef int ply
    cdef size_t size

    def __cinit__(self, Network network not None, Board board not None):
        self.network = network
        self.board = board.copy()
        self.size = accumulator_bytes(&network.net)
        cdef void* block = acquire(self.size)
        if block == NULL:
            raise MemoryError("no memory for the network's accumulators")
        use_accumulators(&self.accumulators, &network.net, block)

    def __dealloc__(self):
        release(self.accumulators.neurons, self.size)

    def push(self, move):
        """A legal move, or None for a null move."""
        if self.ply >= MAX_PLY:
            raise ValueError(f"a walk has at most {MAX_PLY} plies")
        if move is None:
            self.board.push_null()
            note_null(&self.accumulators.changes[self.ply + 1])
        elif self.board.is_legal(move):
            note_move(&self.network.net, &self.accumulators.changes[self.ply + 1], &self.board.pos, from_move(move))
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
        return network_score(&self.network.net, &self.board.pos, &self.accumulators, self.ply)

    def evaluate_afresh(self):
        """From the side to move, computed from the pieces on the board alone."""
        return refreshed_score(&self.network.net, &self.board.pos)


def vector_paths():
    """The names of the vector instruction sets that this machine can use, best first."""
    return [NETWORK_PATHS[i].name.decode() for i in range(NETWORK_PATH_COUNT) if network_path_runs(i)]


def use_vector_path(str name):
    """Use one of `vector_paths()` from now on. All of them give the same numbers."""
    global KERNELS
    for i in range(NETWORK_PATH_COUNT):
        if NETWORK_PATHS[i].name.decode() == name and network_path_runs(i):
            KERNELS = &NETWORK_PATHS[i]
            return
    raise ValueError(f"{name!r} is not one of {', '.join(vector_paths())}")
